// Vectors of a batch of 16, and what fills them.
#if defined(BMO_SIMD_VECTORS_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_VECTORS_INL
#undef BMO_SIMD_VECTORS_INL
#else
#define BMO_SIMD_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::CappedTag<float, kBatch>;
using F64 = hn::CappedTag<double, kBatch>;
using S32 = hn::RebindToSigned<F32>;
using U32 = hn::RebindToUnsigned<F32>;
using S16 = hn::Repartition<std::int16_t, S32>;
constexpr std::size_t kFloats = hn::MaxLanes(F32{});
constexpr std::size_t kDoubles = hn::MaxLanes(F64{});
static_assert(kBatch % kFloats == 0 && kBatch % kDoubles == 0);

// The coordinate distances of simd/rho.hpp that have vector loops, in the same steps.
template <class Self>
struct OfDifferences {
    template <class V>
    HWY_INLINE V operator()(V x, V y) const {
        return Self::of(hn::Sub(x, y));
    }
};

struct Squares : OfDifferences<Squares> {
    static constexpr Rho kRho = Rho::square;
    template <class V>
    static HWY_INLINE V of(V difference) {
        return hn::Mul(difference, difference);
    }
};

struct Absolutes : OfDifferences<Absolutes> {
    static constexpr Rho kRho = Rho::absolute;
    template <class V>
    static HWY_INLINE V of(V difference) {
        return hn::Abs(difference);
    }
};

HWY_INLINE hn::Vec<F32> load_floats(const float *from) {
    return hn::LoadU(F32{}, from);
}

HWY_INLINE hn::Vec<F32> load_floats(const std::uint8_t *from) {
    const hn::RebindToSigned<F32> integers;
    return hn::ConvertTo(F32{}, hn::PromoteTo(integers, hn::LoadU(hn::Rebind<std::uint8_t, F32>{}, from)));
}

HWY_INLINE hn::Vec<F32> load_floats(const std::int8_t *from) {
    const hn::RebindToSigned<F32> integers;
    return hn::ConvertTo(F32{}, hn::PromoteTo(integers, hn::LoadU(hn::Rebind<std::int8_t, F32>{}, from)));
}

template <class D>
HWY_INLINE hn::Vec<D> promote_float16(D floats, const void *from) {
    const hn::Rebind<hwy::float16_t, D> halves;
    return hn::PromoteTo(floats, hn::LoadU(halves, static_cast<const hwy::float16_t *>(from)));
}

template <class D>
HWY_INLINE hn::Vec<D> promote_bfloat16(D floats, const BFloat16 *from) {
    const hn::RebindToUnsigned<D> words;
    const hn::Rebind<std::uint16_t, D> halves;
    const auto bits = hn::PromoteTo(words, hn::LoadU(halves, reinterpret_cast<const std::uint16_t *>(from)));
    return hn::BitCast(floats, hn::ShiftLeft<16>(bits));
}

HWY_INLINE hn::Vec<F32> load_floats(const Half *from) {
    return promote_float16(F32{}, from);
}

HWY_INLINE hn::Vec<F32> load_floats(const Float16 *from) {
    return promote_float16(F32{}, from);
}

HWY_INLINE hn::Vec<F32> load_floats(const BFloat16 *from) {
    return promote_bfloat16(F32{}, from);
}

HWY_INLINE hn::Vec<F64> load_doubles(const double *from) {
    return hn::LoadU(F64{}, from);
}

HWY_INLINE hn::Vec<F64> load_doubles(const float *from) {
    return hn::PromoteTo(F64{}, hn::LoadU(hn::Rebind<float, F64>{}, from));
}

HWY_INLINE hn::Vec<F64> load_doubles(const std::uint8_t *from) {
    const hn::Rebind<std::int32_t, F64> integers;
    return hn::PromoteTo(F64{}, hn::PromoteTo(integers, hn::LoadU(hn::Rebind<std::uint8_t, F64>{}, from)));
}

HWY_INLINE hn::Vec<F64> load_doubles(const std::int8_t *from) {
    const hn::Rebind<std::int32_t, F64> integers;
    return hn::PromoteTo(F64{}, hn::PromoteTo(integers, hn::LoadU(hn::Rebind<std::int8_t, F64>{}, from)));
}

HWY_INLINE hn::Vec<F64> load_doubles(const Half *from) {
    return hn::PromoteTo(F64{}, promote_float16(hn::Rebind<float, F64>{}, from));
}

HWY_INLINE hn::Vec<F64> load_doubles(const Float16 *from) {
    return hn::PromoteTo(F64{}, promote_float16(hn::Rebind<float, F64>{}, from));
}

HWY_INLINE hn::Vec<F64> load_doubles(const BFloat16 *from) {
    return hn::PromoteTo(F64{}, promote_bfloat16(hn::Rebind<float, F64>{}, from));
}

// x y + x' y' of the two pairs in each lane of 32 bits.
HWY_INLINE hn::Vec<S32> add_pairs(hn::Vec<S16> x, hn::Vec<S16> y) {
#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX3
    return hn::Vec<S32>{_mm512_madd_epi16(x.raw, y.raw)};
#elif HWY_TARGET == HWY_AVX2
    return hn::Vec<S32>{_mm256_madd_epi16(x.raw, y.raw)};
#elif HWY_ARCH_X86
    return hn::Vec<S32>{_mm_madd_epi16(x.raw, y.raw)};
#else
    const S32 integers;
    const auto low = [&](hn::Vec<S16> v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::BitCast(integers, v))); };
    const auto high = [&](hn::Vec<S16> v) { return hn::ShiftRight<16>(hn::BitCast(integers, v)); };
    return hn::Add(hn::Mul(low(x), low(y)), hn::Mul(high(x), high(y)));
#endif
}

// 1 for each lane that is kept, 0 for the others.
HWY_INLINE void store_flags(hn::Mask<F32> kept, std::uint8_t *keep) {
    const hn::RebindToUnsigned<F32> flags;
    const auto ones = hn::IfThenElseZero(hn::RebindMask(flags, kept), hn::Set(flags, 1));
    hn::StoreU(hn::DemoteTo(hn::Rebind<std::uint8_t, F32>{}, hn::BitCast(hn::RebindToSigned<F32>{}, ones)),
               hn::Rebind<std::uint8_t, F32>{}, keep);
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

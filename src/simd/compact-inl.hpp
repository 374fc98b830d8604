// The arms that a look kept, moved together.
#if defined(BMO_SIMD_COMPACT_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_COMPACT_INL
#undef BMO_SIMD_COMPACT_INL
#else
#define BMO_SIMD_COMPACT_INL
#endif

#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

constexpr auto kKept = static_cast<std::int64_t>(kFloats); // arms at a time

template <class D>
HWY_INLINE void move_kept(D d, const hn::TFromD<D> *from, hn::Mask<D> mask, hn::TFromD<D> *to) {
    hn::CompressStore(hn::LoadU(d, from), mask, d, to);
}

// Sums are twice as wide: two vectors of them.
HWY_INLINE void move_sums(const std::uint8_t *keep, const double *from, double *to) {
    const hn::Rebind<std::uint64_t, F64> words;
    for (std::size_t half = 0; half < kFloats; half += kDoubles) {
        const hn::Rebind<std::uint32_t, F64> narrow;
        const auto flags =
            hn::PromoteTo(words, hn::PromoteTo(narrow, hn::LoadU(hn::Rebind<std::uint8_t, F64>{}, keep + half)));
        const auto mask = hn::RebindMask(F64{}, hn::Ne(flags, hn::Zero(words)));
        move_kept(F64{}, from + half, mask, to);
        to += hn::CountTrue(F64{}, mask);
    }
}

// A vector is stored whole: behind what is kept it holds what was just read, or lies on it.
std::int64_t compact(const std::uint8_t *keep, std::int64_t at, std::int64_t count, std::int64_t kept,
                     std::int32_t *arms, const ArmState &state) {
    const F32 floats;
    const hn::RebindToSigned<F32> integers;
    const hn::RebindToUnsigned<F32> flags;
    std::int64_t i = 0;
    for (; i + kKept <= count; i += kKept) {
        const auto kept_flags = hn::PromoteTo(flags, hn::LoadU(hn::Rebind<std::uint8_t, F32>{}, keep + i));
        const auto mask = hn::Ne(kept_flags, hn::Zero(flags));
        move_kept(integers, arms + at + i, hn::RebindMask(integers, mask), arms + kept);
        for (std::int64_t g = 0; state.wealth && g < kBets; ++g) {
            float *wealth = state.wealth + g * state.stride;
            move_kept(floats, wealth + at + i, hn::RebindMask(floats, mask), wealth + kept);
        }
        move_sums(keep + i, state.sum + at + i, state.sum + kept);
        kept += static_cast<std::int64_t>(hn::CountTrue(flags, mask));
    }
    return kScalarKernels.compact(keep + i, at + i, count - i, kept, arms, state);
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

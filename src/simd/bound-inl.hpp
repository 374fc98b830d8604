// Arms that bounds of norms put out of question, and a guess of what their sums are.
#if defined(BMO_SIMD_BOUND_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_BOUND_INL
#undef BMO_SIMD_BOUND_INL
#else
#define BMO_SIMD_BOUND_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

// The same steps as the scalar kernel, which takes what is left over.
void bound(const std::int32_t *arms, std::int64_t count, const double *sums, const NormBounds &norms, double target,
           float *guess, std::uint8_t *keep) {
    const F32 floats;
    const hn::RebindToSigned<F32> integers;
    const hn::RebindToUnsigned<F32> flags;
    const hn::Half<F32> half;
    constexpr auto kStep = static_cast<std::int64_t>(kFloats);
    const auto limit = hn::Set(floats, static_cast<float>(std::min(target * (1 + 0x1p-20), 3e38)));
    const auto scale = hn::Set(floats, norms.scale), least = hn::Set(floats, norms.least),
               most = hn::Set(floats, norms.most);
    std::int64_t i = 0;
    for (; i + kStep <= count; i += kStep) {
        const auto which = hn::LoadU(integers, arms + i);
        const auto high = hn::Mul(hn::GatherIndex(floats, norms.high, which), scale);
        const auto low = hn::Mul(hn::GatherIndex(floats, norms.low, which), scale);
        const auto sum = hn::Combine(floats, hn::DemoteTo(half, hn::LoadU(F64{}, sums + i + kDoubles)),
                                     hn::DemoteTo(half, hn::LoadU(F64{}, sums + i)));
        if (guess)
            hn::StoreU(hn::Add(sum, hn::Mul(high, high)), floats, guess + i);
        if (!keep)
            continue;
        const auto gap = hn::Max(hn::Max(hn::Sub(least, high), hn::Sub(low, most)), hn::Zero(floats));
        const auto kept = hn::Le(hn::Add(sum, hn::Mul(gap, gap)), limit);
        const auto ones = hn::IfThenElseZero(hn::RebindMask(flags, kept), hn::Set(flags, 1));
        hn::StoreU(hn::DemoteTo(hn::Rebind<std::uint8_t, F32>{}, hn::BitCast(integers, ones)),
                   hn::Rebind<std::uint8_t, F32>{}, keep + i);
    }
    kScalarKernels.bound(arms + i, count - i, sums + i, norms, target, guess ? guess + i : nullptr,
                         keep ? keep + i : nullptr);
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

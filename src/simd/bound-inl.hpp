// Guesses of sums, and arms that bounds of norms put out of question.
#if defined(BMO_SIMD_BOUND_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_BOUND_INL
#undef BMO_SIMD_BOUND_INL
#else
#define BMO_SIMD_BOUND_INL
#endif

#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "simd/look.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

using Bounds = hn::Vec<F32>;

// What the norms of points and a query are apart at least.
HWY_INLINE Bounds gap_of(Bounds low, Bounds high, const NormBounds &norms) {
    const F32 floats;
    const auto below = hn::Sub(hn::Set(floats, norms.least), high), above = hn::Sub(low, hn::Set(floats, norms.most));
    return hn::Max(hn::Max(below, above), hn::Zero(floats));
}

// The same steps as the scalar kernels, which take what is left over.
void bound(const std::int32_t *arms, std::int64_t count, const double *sums, const NormBounds &norms, double target,
           std::uint8_t *keep) {
    const F32 floats;
    const hn::RebindToSigned<F32> integers;
    const hn::Half<F32> half;
    constexpr auto kStep = static_cast<std::int64_t>(kFloats);
    const auto limit = hn::Set(floats, bound_limit(target)), scale = hn::Set(floats, norms.scale);
    std::int64_t i = 0;
    for (; i + kStep <= count; i += kStep) {
        const auto which = hn::LoadU(integers, arms + i);
        const auto high = hn::Mul(hn::GatherIndex(floats, norms.high, which), scale);
        const auto low = hn::Mul(hn::GatherIndex(floats, norms.low, which), scale);
        const auto sum = hn::Combine(floats, hn::DemoteTo(half, hn::LoadU(F64{}, sums + i + kDoubles)),
                                     hn::DemoteTo(half, hn::LoadU(F64{}, sums + i)));
        const auto gap = gap_of(low, high, norms);
        store_flags(hn::Le(hn::Add(sum, hn::Mul(gap, gap)), limit), keep + i);
    }
    kScalarKernels.bound(arms + i, count - i, sums + i, norms, target, keep + i);
}

void guess(const float *leads, std::int64_t count, const float *query, const float *base, float *guesses) {
    const F32 floats;
    constexpr std::int64_t kBlock = std::int64_t{kBatch} * kBatch;
    for (std::int64_t i = 0; i < count; i += kBatch, leads += kBlock)
        for (std::size_t v = 0; v < kBatch; v += kFloats) {
            auto even = hn::Zero(floats), odd = hn::Zero(floats);
            for (std::size_t j = 0; j < kBatch; j += 2) {
                even = hn::Add(even, hn::Mul(hn::Load(floats, leads + j * kBatch + v), hn::Set(floats, query[j])));
                odd = hn::Add(odd,
                              hn::Mul(hn::Load(floats, leads + (j + 1) * kBatch + v), hn::Set(floats, query[j + 1])));
            }
            const auto twice = hn::Mul(hn::Set(floats, 2), hn::Add(even, odd));
            hn::Store(hn::Sub(hn::Load(floats, base + i + static_cast<std::int64_t>(v)), twice), floats,
                      guesses + i + static_cast<std::int64_t>(v));
        }
}

void bound_guesses(const Guesses &guesses, std::int64_t count, const NormBounds &norms, double target,
                   std::uint8_t *keep) {
    const F32 floats;
    constexpr auto kStep = static_cast<std::int64_t>(kFloats);
    const auto given = static_cast<float>(guesses.square);
    const auto limit = hn::Set(floats, bound_limit(target)), scale = hn::Set(floats, norms.scale),
               square = hn::Set(floats, given), margin = hn::Set(floats, given * kGuessMargin),
               off_scale = hn::Set(floats, norms.scale * norms.scale * kGuessMargin);
    std::int64_t i = 0;
    for (; i + kStep <= count; i += kStep) {
        const auto high = hn::Mul(hn::LoadU(floats, norms.high + i), scale);
        const auto low = hn::Mul(hn::LoadU(floats, norms.low + i), scale);
        const auto gap = gap_of(low, high, norms);
        const auto off = hn::Add(hn::Mul(hn::LoadU(floats, guesses.base + i), off_scale), margin);
        const auto head = hn::Sub(hn::LoadU(floats, guesses.guess + i), hn::Mul(high, high));
        const auto sum = hn::Sub(hn::Add(head, square), off);
        store_flags(hn::Le(hn::Add(sum, hn::Mul(gap, gap)), limit), keep + i);
    }
    const NormBounds rest{norms.low + i, norms.high + i, norms.scale, norms.least, norms.most};
    kScalarKernels.bound_guesses({guesses.guess + i, guesses.base + i, guesses.square}, count - i, rest, target,
                                 keep + i);
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

// Guesses of sums, arms that bounds of norms put out of question, and what heads come to at some coordinates.
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

std::int64_t bound_guesses(const Guesses &guesses, std::int64_t count, const NormBounds &norms, double target,
                           std::int32_t *arms, double *sums) {
    const F32 floats;
    const hn::RebindToSigned<F32> integers;
    constexpr auto kStep = static_cast<std::int64_t>(kFloats);
    const auto given = static_cast<float>(guesses.square);
    const auto limit = hn::Set(floats, bound_limit(target)), scale = hn::Set(floats, norms.scale),
               square = hn::Set(floats, given), margin = hn::Set(floats, given * kGuessMargin),
               scaled_margin = hn::Set(floats, norms.scale * kGuessMargin);
    std::int64_t i = 0, kept = 0;
    for (; i + kStep <= count; i += kStep) {
        const auto high = hn::Mul(hn::LoadU(floats, norms.high + i), scale);
        const auto low = hn::Mul(hn::LoadU(floats, norms.low + i), scale);
        const auto gap = gap_of(low, high, norms);
        const auto base = hn::Mul(hn::LoadU(floats, guesses.base + i), scale);
        const auto off = hn::Add(hn::Mul(base, scaled_margin), margin);
        const auto head = hn::Sub(hn::LoadU(floats, guesses.guess + i), hn::Mul(high, high));
        const auto sum = hn::Sub(hn::Add(head, square), off);
        const auto mask = hn::Le(hn::Add(sum, hn::Mul(gap, gap)), limit);
        const auto which = hn::Iota(integers, guesses.first + static_cast<std::int32_t>(i));
        hn::StoreU(hn::Compress(which, hn::RebindMask(integers, mask)), integers, arms + kept);
        const auto least = hn::Compress(hn::Max(sum, hn::Zero(floats)), mask);
        const hn::Half<F32> half;
        hn::StoreU(hn::PromoteTo(F64{}, hn::LowerHalf(half, least)), F64{}, sums + kept);
        hn::StoreU(hn::PromoteTo(F64{}, hn::UpperHalf(half, least)), F64{}, sums + kept + kDoubles);
        kept += static_cast<std::int64_t>(hn::CountTrue(floats, mask));
    }
    const NormBounds rest{norms.low + i, norms.high + i, norms.scale, norms.least, norms.most};
    const Guesses left{guesses.guess + i, guesses.base + i, guesses.square,
                       guesses.first + static_cast<std::int32_t>(i)};
    return kept + kScalarKernels.bound_guesses(left, count - i, rest, target, arms + kept, sums + kept);
}

void expand(const float *rows, std::int64_t blocks, const float *head, std::int64_t heads, float *to) {
    const F32 floats;
    constexpr std::size_t kChains = 4, kBlockVectors = kBatch / kFloats;
    for (std::int64_t b = 0; b < blocks; ++b, rows += heads * kBatch, to += kBatch)
        for (std::size_t v = 0; v < kBlockVectors; ++v) {
            Bounds chain[kChains];
            for (Bounds &sum : chain)
                sum = hn::Zero(floats);
            for (std::int64_t h = 0; h < heads; h += kChains)
                for (std::size_t c = 0; c < kChains; ++c) {
                    const std::int64_t at = h + static_cast<std::int64_t>(c);
                    const auto row = hn::LoadU(floats, rows + at * kBatch + static_cast<std::int64_t>(v * kFloats));
                    chain[c] = hn::Add(chain[c], hn::Mul(row, hn::Set(floats, head[at])));
                }
            hn::StoreU(hn::Add(hn::Add(chain[0], chain[1]), hn::Add(chain[2], chain[3])), floats, to + v * kFloats);
        }
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

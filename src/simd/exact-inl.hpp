// Exact sums over all coordinates of a point.
#if defined(BMO_SIMD_EXACT_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_EXACT_INL
#undef BMO_SIMD_EXACT_INL
#else
#define BMO_SIMD_EXACT_INL
#endif

#include <hwy/cache_control.h>

#include <cstddef>
#include <cstdint>
#include <functional>

#include "simd/fold.hpp"
#include "simd/kernels.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kAheadBytes = 2048;

template <class Value, class Function>
double exact(const void *point, const double *query, std::int64_t d, const RhoScale &rho) {
    const F64 doubles;
    constexpr std::size_t kSums = kBatch / kDoubles;
    const auto *x = static_cast<const Value *>(point);
    const auto scale = hn::Set(doubles, rho.scale);
    hn::Vec<F64> sums[kSums];
    for (auto &sum : sums)
        sum = hn::Zero(doubles);
    std::int64_t j = 0;
    for (; j + kBatch <= d; j += kBatch) {
        // Hardware stops at the end of a page.
        hwy::Prefetch(x + j + kAheadBytes / static_cast<std::int64_t>(sizeof(Value)));
        for (std::size_t v = 0; v < kSums; ++v) {
            const auto at = static_cast<std::size_t>(j) + v * kDoubles;
            const auto scaled = hn::Mul(load_doubles(x + at), scale);
            sums[v] = hn::Add(sums[v], Function{}(scaled, hn::LoadU(doubles, query + at)));
        }
    }
    HWY_ALIGN double lane[kBatch];
    for (std::size_t v = 0; v < kSums; ++v)
        hn::Store(sums[v], doubles, lane + v * kDoubles);
    const hn::CappedTag<double, 1> one;
    for (std::int64_t at = j; at < d; ++at)
        lane[at - j] +=
            hn::GetLane(Function{}(hn::Set(one, static_cast<double>(x[at]) * rho.scale), hn::Set(one, query[at])));
    return fold_lanes(lane, std::plus<>());
}

template <class Value>
double dot(const void *point, const double *query, std::int64_t d) {
    const F64 doubles;
    constexpr std::size_t kSums = kBatch / kDoubles;
    const auto *x = static_cast<const Value *>(point);
    hn::Vec<F64> sums[kSums];
    for (auto &sum : sums)
        sum = hn::Zero(doubles);
    std::int64_t j = 0;
    for (; j + kBatch <= d; j += kBatch) {
        hwy::Prefetch(x + j + kAheadBytes / static_cast<std::int64_t>(sizeof(Value)));
        for (std::size_t v = 0; v < kSums; ++v) {
            const auto at = static_cast<std::size_t>(j) + v * kDoubles;
            sums[v] = hn::Add(sums[v], hn::Mul(load_doubles(x + at), hn::LoadU(doubles, query + at)));
        }
    }
    HWY_ALIGN double lane[kBatch];
    for (std::size_t v = 0; v < kSums; ++v)
        hn::Store(sums[v], doubles, lane + v * kDoubles);
    for (std::int64_t at = j; at < d; ++at)
        lane[at - j] += static_cast<double>(x[at]) * query[at];
    return fold_lanes(lane, std::plus<>());
}

using U8 = hn::ScalableTag<std::uint8_t>;

using U64 = hn::Repartition<std::uint64_t, U8>;

HWY_INLINE hn::Vec<U8> byte_distance(hn::Vec<U8> x, hn::Vec<U8> y) {
    return hn::Or(hn::SaturatedSub(x, y), hn::SaturatedSub(y, x));
}

// The absolute differences, each eight in a row summed: one instruction where Highway has three.
HWY_INLINE hn::Vec<U64> sum_distances(hn::Vec<U8> x, hn::Vec<U8> y) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    return hn::Vec<U64>{_mm512_sad_epu8(x.raw, y.raw)};
#elif HWY_TARGET == HWY_AVX2
    return hn::Vec<U64>{_mm256_sad_epu8(x.raw, y.raw)};
#else
    return hn::SumsOf8(byte_distance(x, y));
#endif
}

template <class Tail>
std::int64_t sum_tail(const std::uint8_t *point, const std::uint8_t *query, std::int64_t from, std::int64_t d,
                      Tail tail) {
    std::int64_t sum = 0;
    for (std::int64_t j = from; j < d; ++j)
        sum += tail(std::int64_t{point[j]} - query[j]);
    return sum;
}

std::int64_t exact_bytes_square(const std::uint8_t *point, const std::uint8_t *query, std::int64_t d) {
    const hn::RepartitionToWide<U8> shorts;
    const hn::RebindToSigned<hn::RepartitionToWide<decltype(shorts)>> integers;
    const hn::RebindToSigned<decltype(shorts)> signed_shorts;
    constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(U8{}));
    // A lane of 32 bits takes four squares a step, each at most 255^2.
    constexpr std::int64_t kStepsWithoutOverflow = 0x7fffffff / (4 * 255 * 255);
    std::int64_t total = 0, j = 0;
    while (j + kStep <= d) {
        auto even = hn::Zero(integers), odd = hn::Zero(integers);
        for (std::int64_t step = 0; step < kStepsWithoutOverflow && j + kStep <= d; ++step, j += kStep) {
            const auto distance = byte_distance(hn::LoadU(U8{}, point + j), hn::LoadU(U8{}, query + j));
            const auto low = hn::BitCast(signed_shorts, hn::And(hn::BitCast(shorts, distance), hn::Set(shorts, 0xff)));
            const auto high = hn::BitCast(signed_shorts, hn::ShiftRight<8>(hn::BitCast(shorts, distance)));
            even = hn::ReorderWidenMulAccumulate(integers, low, low, even, odd);
            even = hn::ReorderWidenMulAccumulate(integers, high, high, even, odd);
        }
        HWY_ALIGN std::int32_t lane[2 * hn::MaxLanes(integers)];
        hn::Store(even, integers, lane);
        hn::Store(odd, integers, lane + hn::MaxLanes(integers));
        for (const std::int32_t part : lane)
            total += part;
    }
    return total + sum_tail(point, query, j, d, [](std::int64_t difference) { return difference * difference; });
}

std::int64_t exact_bytes_absolute(const std::uint8_t *point, const std::uint8_t *query, std::int64_t d) {
    const U64 words;
    constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(U8{}));
    auto sums = hn::Zero(words);
    std::int64_t j = 0;
    for (; j + kStep <= d; j += kStep)
        sums = hn::Add(sums, sum_distances(hn::LoadU(U8{}, point + j), hn::LoadU(U8{}, query + j)));
    HWY_ALIGN std::uint64_t lane[hn::MaxLanes(words)];
    hn::Store(sums, words, lane);
    std::int64_t total = 0;
    for (const std::uint64_t part : lane)
        total += static_cast<std::int64_t>(part);
    return total + sum_tail(point, query, j, d,
                            [](std::int64_t difference) { return difference < 0 ? -difference : difference; });
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

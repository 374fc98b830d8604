// The vector loops, compiled once per instruction set by Highway's repeated inclusion of this file. Only the
// header-only part of Highway is used: libhwy looks at the processor as it is loaded, and its choice is global to the
// process.
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/kernels_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "simd/fold.hpp"
#include "simd/kernels.hpp"
#include "simd/look.hpp"
#include "simd/targets.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::CappedTag<float, kBatch>;
using F64 = hn::CappedTag<double, kBatch>;
constexpr std::size_t kFloats = hn::MaxLanes(F32{});
constexpr std::size_t kDoubles = hn::MaxLanes(F64{});
static_assert(kBatch % kFloats == 0 && kBatch % kDoubles == 0);

struct Square {
    template <class V>
    HWY_INLINE V operator()(V difference) const {
        return hn::Mul(difference, difference);
    }
};

struct Absolute {
    template <class V>
    HWY_INLINE V operator()(V difference) const {
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

template <class Value, class Function>
void pull_narrow(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query, const RhoScale &,
                 float *z) {
    const F32 floats;
    const auto *q = static_cast<const float *>(query);
    const auto limit = hn::Set(floats, kSampleLimit);
    for (std::int64_t i = 0; i < count; ++i, z += kBatch) {
        const Value *row = static_cast<const Value *>(rows) + std::int64_t{arms[i]} * kBatch;
        for (std::size_t j = 0; j < kBatch; j += kFloats) {
            const auto difference = hn::Sub(load_floats(row + j), hn::LoadU(floats, q + j));
            hn::StoreU(hn::Min(Function{}(difference), limit), floats, z + j);
        }
    }
}

template <class Value, class Function>
void pull_wide(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query, const RhoScale &rho,
               float *z) {
    const F64 doubles;
    const hn::Rebind<float, F64> floats;
    const auto *q = static_cast<const double *>(query);
    const auto scale = hn::Set(doubles, rho.scale);
    const auto limit = hn::Set(doubles, static_cast<double>(kSampleLimit));
    for (std::int64_t i = 0; i < count; ++i, z += kBatch) {
        const Value *row = static_cast<const Value *>(rows) + std::int64_t{arms[i]} * kBatch;
        for (std::size_t j = 0; j < kBatch; j += kDoubles) {
            const auto x = hn::Mul(load_doubles(row + j), scale);
            const auto sample = hn::Min(Function{}(hn::Sub(x, hn::LoadU(doubles, q + j))), limit);
            hn::StoreU(hn::DemoteTo(floats, sample), floats, z + j);
        }
    }
}

template <class Value, class Function>
double exact(const void *point, const double *query, std::int64_t d, const RhoScale &rho) {
    const F64 doubles;
    constexpr std::size_t kVectors = kBatch / kDoubles;
    const auto *x = static_cast<const Value *>(point);
    const auto scale = hn::Set(doubles, rho.scale);
    hn::Vec<F64> sums[kVectors];
    for (auto &sum : sums)
        sum = hn::Zero(doubles);
    std::int64_t j = 0;
    for (; j + kBatch <= d; j += kBatch)
        for (std::size_t v = 0; v < kVectors; ++v) {
            const auto at = static_cast<std::size_t>(j) + v * kDoubles;
            const auto difference = hn::Sub(hn::Mul(load_doubles(x + at), scale), hn::LoadU(doubles, query + at));
            sums[v] = hn::Add(sums[v], Function{}(difference));
        }
    HWY_ALIGN double lane[kBatch];
    for (std::size_t v = 0; v < kVectors; ++v)
        hn::Store(sums[v], doubles, lane + v * kDoubles);
    const hn::CappedTag<double, 1> one;
    for (std::int64_t at = j; at < d; ++at)
        lane[at - j] += hn::GetLane(Function{}(hn::Set(one, static_cast<double>(x[at]) * rho.scale - query[at])));
    return fold_lanes(lane, std::plus<>());
}

using U8 = hn::ScalableTag<std::uint8_t>;

HWY_INLINE hn::Vec<U8> byte_distance(const std::uint8_t *a, const std::uint8_t *b) {
    const auto x = hn::LoadU(U8{}, a);
    const auto y = hn::LoadU(U8{}, b);
    return hn::Or(hn::SaturatedSub(x, y), hn::SaturatedSub(y, x));
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
            const auto distance = byte_distance(point + j, query + j);
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
    const hn::Repartition<std::uint64_t, U8> words;
    constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(U8{}));
    auto sums = hn::Zero(words);
    std::int64_t j = 0;
    for (; j + kStep <= d; j += kStep)
        sums = hn::Add(sums, hn::SumsOf8(byte_distance(point + j, query + j)));
    HWY_ALIGN std::uint64_t lane[hn::MaxLanes(words)];
    hn::Store(sums, words, lane);
    std::int64_t total = 0;
    for (const std::uint64_t part : lane)
        total += static_cast<std::int64_t>(part);
    return total + sum_tail(point, query, j, d,
                            [](std::int64_t difference) { return difference < 0 ? -difference : difference; });
}

// Four lanes: what is left of a batch of 16 after the first two folds.
using Four = hn::CappedTag<float, 4>;

template <class Combine>
HWY_INLINE hn::Vec<Four> fold_to_four(const hn::Vec<F32> *batch, Combine combine) {
    if constexpr (kFloats == 16) {
        const hn::Half<F32> eight;
        const auto half = combine(hn::LowerHalf(eight, batch[0]), hn::UpperHalf(eight, batch[0]));
        return combine(hn::LowerHalf(Four{}, half), hn::UpperHalf(Four{}, half));
    } else if constexpr (kFloats == 8) {
        const auto half = combine(batch[0], batch[1]);
        return combine(hn::LowerHalf(Four{}, half), hn::UpperHalf(Four{}, half));
    } else {
        return combine(combine(batch[0], batch[2]), combine(batch[1], batch[3]));
    }
}

HWY_INLINE double sum_batch(const hn::Vec<F32> *sample) {
    HWY_ALIGN float part[4];
    hn::Store(fold_to_four(sample, [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); }), Four{}, part);
    return static_cast<double>((part[0] + part[2]) + (part[1] + part[3]));
}

HWY_INLINE void load_batch(const float *z, hn::Vec<F32> *sample) {
    for (std::size_t v = 0; v < kBatch / kFloats; ++v)
        sample[v] = hn::LoadU(F32{}, z + v * kFloats);
}

void add_sums(const float *z, std::int64_t count, double *sum) {
    for (std::int64_t i = 0; i < count; ++i, z += kBatch) {
        hn::Vec<F32> sample[kBatch / kFloats];
        load_batch(z, sample);
        sum[i] += sum_batch(sample);
    }
}

void bet(const float *z, std::int64_t count, const Look &look, double *sum, float *wealth, std::uint8_t *keep) {
    if (look.width != kBatch)
        return kScalarKernels.bet(z, count, look, sum, wealth, keep);
    const F32 floats;
    const Four four;
    constexpr std::size_t kVectors = kBatch / kFloats;
    const auto multiply = [](auto a, auto b) HWY_ATTR { return hn::Mul(a, b); };
    const auto weight = hn::LoadU(four, kWeight.data());
    const auto most = hn::Set(four, kLargestGrowth);
    for (std::int64_t i = 0; i < count; ++i, z += kBatch, wealth += kBets) {
        const Stakes stakes = stakes_for(sum[i], look);
        hn::Vec<F32> sample[kVectors];
        load_batch(z, sample);
        hn::Vec<Four> product[kBets];
        for (std::size_t g = 0; g < kBets; ++g) {
            const auto stake = hn::Set(floats, stakes.per_unit[g]);
            const auto retained = hn::Set(floats, kRetained[g]);
            hn::Vec<F32> factor[kVectors];
            for (std::size_t v = 0; v < kVectors; ++v)
                factor[v] = hn::Add(hn::Mul(sample[v], stake), retained);
            product[g] = fold_to_four(factor, multiply);
        }
        // Lanes 0 and 2, and 1 and 3, of the four products; then both: lane g is the product of bet g.
        const auto first = hn::Mul(hn::InterleaveLower(four, product[0], product[1]),
                                   hn::InterleaveUpper(four, product[0], product[1]));
        const auto second = hn::Mul(hn::InterleaveLower(four, product[2], product[3]),
                                    hn::InterleaveUpper(four, product[2], product[3]));
        const auto growth =
            hn::Mul(hn::ConcatLowerLower(four, second, first), hn::ConcatUpperUpper(four, second, first));
        const auto grown = hn::Mul(hn::LoadU(four, wealth), hn::Min(growth, most));
        hn::StoreU(grown, four, wealth);

        HWY_ALIGN float mixture[4];
        hn::Store(hn::Mul(grown, weight), four, mixture);
        sum[i] += sum_batch(sample);
        const float total = (mixture[0] + mixture[2]) + (mixture[1] + mixture[3]);
        keep[i] = total >= look.rejection || sum_exceeds(sum[i], look) ? 0 : 1;
    }
}

// Four lanes at most, so that two swaps are all that happens within a vector.
using Quad = hn::CappedTag<double, 4>;
constexpr std::int64_t kQuad = hn::MaxLanes(Quad{});

// The levels within a vector: half = 1, and 2 where there are four lanes.
void hadamard_lanes(double *values, std::int64_t size) {
    const Quad doubles;
    HWY_ALIGN constexpr double kOdd[4] = {1, -1, 1, -1}, kUpper[4] = {1, 1, -1, -1};
    const auto odd = hn::Load(doubles, kOdd);
    const auto upper = hn::Load(doubles, kUpper);
    for (std::int64_t j = 0; j < size; j += kQuad) {
        auto v = hn::LoadU(doubles, values + j);
        v = hn::Add(hn::Reverse2(doubles, v), hn::Mul(v, odd));
        if constexpr (kQuad == 4)
            v = hn::Add(hn::ConcatLowerUpper(doubles, v, v), hn::Mul(v, upper));
        hn::StoreU(v, doubles, values + j);
    }
}

// The level of this half, on the first 2 * half values.
void hadamard_level(double *values, std::int64_t half) {
    const Quad doubles;
    for (std::int64_t j = 0; j < half; j += kQuad) {
        const auto a = hn::LoadU(doubles, values + j), b = hn::LoadU(doubles, values + half + j);
        hn::StoreU(hn::Add(a, b), doubles, values + j);
        hn::StoreU(hn::Sub(a, b), doubles, values + half + j);
    }
}

// The levels half and 2 * half, on the first 4 * half values.
void hadamard_two_levels(double *values, std::int64_t half) {
    const Quad doubles;
    for (std::int64_t j = 0; j < half; j += kQuad) {
        double *const at = values + j;
        const auto a = hn::LoadU(doubles, at), b = hn::LoadU(doubles, at + half);
        const auto c = hn::LoadU(doubles, at + 2 * half), d = hn::LoadU(doubles, at + 3 * half);
        const auto sum = hn::Add(a, b), difference = hn::Sub(a, b);
        const auto upper_sum = hn::Add(c, d), upper_difference = hn::Sub(c, d);
        hn::StoreU(hn::Add(sum, upper_sum), doubles, at);
        hn::StoreU(hn::Add(difference, upper_difference), doubles, at + half);
        hn::StoreU(hn::Sub(sum, upper_sum), doubles, at + 2 * half);
        hn::StoreU(hn::Sub(difference, upper_difference), doubles, at + 3 * half);
    }
}

// Parts first, which fit the nearest cache, then what joins them.
void hadamard(double *values, std::int64_t size) {
    constexpr std::int64_t kCached = 2048;
    if (size > kCached) {
        const std::int64_t part = size >= 4 * kCached ? size / 4 : size / 2;
        for (std::int64_t at = 0; at < size; at += part)
            hadamard(values + at, part);
        return part == size / 4 ? hadamard_two_levels(values, part) : hadamard_level(values, part);
    }
    hadamard_lanes(values, size);
    std::int64_t half = kQuad;
    for (; 4 * half <= size; half *= 4)
        for (std::int64_t at = 0; at < size; at += 4 * half)
            hadamard_two_levels(values + at, half);
    if (half < size)
        hadamard_level(values, half);
}

} // namespace

Kernels make_kernels() {
    Kernels table = kScalarKernels;
    const auto set = [](auto &rows, Source source, auto square, auto absolute) {
        auto &row = rows[static_cast<std::size_t>(source)];
        row[static_cast<std::size_t>(Rho::square)] = square;
        row[static_cast<std::size_t>(Rho::absolute)] = absolute;
    };
    set(table.pull, Source::f32, pull_narrow<float, Square>, pull_narrow<float, Absolute>);
    set(table.pull, Source::u8, pull_narrow<std::uint8_t, Square>, pull_narrow<std::uint8_t, Absolute>);
    set(table.pull, Source::f32_wide, pull_wide<float, Square>, pull_wide<float, Absolute>);
    set(table.pull, Source::u8_wide, pull_wide<std::uint8_t, Square>, pull_wide<std::uint8_t, Absolute>);
    set(table.pull, Source::f64, pull_wide<double, Square>, pull_wide<double, Absolute>);
    for (const Source source : {Source::f32, Source::f32_wide})
        set(table.exact, source, exact<float, Square>, exact<float, Absolute>);
    for (const Source source : {Source::u8, Source::u8_wide})
        set(table.exact, source, exact<std::uint8_t, Square>, exact<std::uint8_t, Absolute>);
    set(table.exact, Source::f64, exact<double, Square>, exact<double, Absolute>);
    table.exact_bytes = {exact_bytes_square, exact_bytes_absolute};
    table.bet = bet;
    table.add_sums = add_sums;
    table.hadamard = hadamard;
    return table;
}

} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

// The Walsh-Hadamard transform.
#if defined(BMO_SIMD_HADAMARD_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_HADAMARD_INL
#undef BMO_SIMD_HADAMARD_INL
#else
#define BMO_SIMD_HADAMARD_INL
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

// Four lanes at most, so that two swaps are all that happens within a vector.
using Quad = hn::CappedTag<double, 4>;
constexpr std::int64_t kQuad = hn::MaxLanes(Quad{});

// The levels within a vector: half = 1, and 2 if there are four lanes.
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
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

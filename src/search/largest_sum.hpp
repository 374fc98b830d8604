// A largest distance as a bound of exact sums, whatever a box's sums are: plain, scaled, or codes (boxes/far_number.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace bmo {

// No sum above it has a distance of at most `within`. distance(sum) ascends but for rounding, of less than 2^-37 of the sum:
// the last sum within is found among all doubles by halving, and raised by 2^16 of their steps. Then distances decide.
//
// No sum is below kLeast: those of products are of vectors whose values are at most 2, and others are not negative.
template <class DistanceOf>
double largest_sum(double within, DistanceOf distance) {
    constexpr double kLeast = -0x1p100;
    constexpr std::int64_t kSteps = 1 << 16;
    if (std::isinf(within) && within > 0)
        return within;
    const auto ordered = [](double value) {
        const auto bits = std::bit_cast<std::int64_t>(value);
        return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
    };
    const auto number = [](std::int64_t order) {
        return std::bit_cast<double>(order < 0 ? std::numeric_limits<std::int64_t>::min() - order : order);
    };
    const std::int64_t infinite = ordered(std::numeric_limits<double>::infinity());
    std::int64_t inside = ordered(kLeast), outside = infinite;
    while (inside + 1 < outside) {
        const std::int64_t middle = std::midpoint(inside, outside);
        (distance(number(middle)) > within ? outside : inside) = middle; // roots of what is negative are NaN
    }
    return number(std::min(infinite, inside + kSteps));
}

} // namespace bmo

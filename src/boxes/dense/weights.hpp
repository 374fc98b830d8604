// Weights of the coordinates: a distance is a function of sum_j w_j rho(a_j, b_j). A coordinate of weight 0 does not count.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/order.hpp"

namespace bmo {

// Fails with BMO_EINVAL unless each is finite and >= 0, one at least above 0, and none so far below the largest that it
// would be lost when all are scaled.
void check_weights(std::span<const double> weights);

// The weights of a config, so scaled that the largest is below 1: no sample grows by its weight.
struct Weights {
    explicit Weights(const std::vector<double> &given);

    std::vector<double> scaled;         // the given ones divided by root^2
    double root = 1;                    // a power of two
    std::vector<std::int32_t> positive; // the coordinates whose weight is not 0, in order

    std::int64_t counted() const { return static_cast<std::int64_t>(positive.size()); }
};

// A random order in which the coordinates of weight 0 come last.
Order weighted_order(const Weights &weights, std::int64_t seed);

} // namespace bmo

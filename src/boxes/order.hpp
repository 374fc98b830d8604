// One random order of the coordinates, shared by all arms and queries of a seed: a pull of the samples [first, first +
// width) reads the same coordinates of every arm, so that a round streams through memory. For one arm it is sampling
// without replacement; arms are dependent, on which no proof here depends (each error is bounded by a union).
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "util/xoshiro.hpp"

namespace bmo {

using Order = std::vector<std::int32_t>;

// Fisher and Yates's shuffle.
inline Order random_order(std::int64_t d, std::int64_t seed) {
    Order order(static_cast<std::size_t>(d));
    std::iota(order.begin(), order.end(), 0);
    Xoshiro256pp random(static_cast<std::uint64_t>(seed));
    for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[static_cast<std::size_t>(random.below(left))]);
    return order;
}

} // namespace bmo

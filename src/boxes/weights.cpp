#include "boxes/weights.hpp"

#include <algorithm>
#include <cmath>

namespace bmo {

Weights::Weights(const std::vector<double> &given) : scaled(given) {
    const int exponent = std::ilogb(*std::max_element(given.begin(), given.end())) + 1;
    const int half = (exponent + (exponent > 0 ? 1 : 0)) / 2; // 4^half is above the largest
    root = std::ldexp(1.0, half);
    for (std::size_t j = 0; j < scaled.size(); ++j) {
        scaled[j] = std::ldexp(scaled[j], -2 * half);
        if (scaled[j] > 0)
            positive.push_back(static_cast<std::int32_t>(j));
    }
}

Order weighted_order(const Weights &weights, std::int64_t seed) {
    Order order = random_order(static_cast<std::int64_t>(weights.scaled.size()), seed);
    std::stable_partition(order.begin(), order.end(),
                          [&](std::int32_t j) { return weights.scaled[static_cast<std::size_t>(j)] > 0; });
    return order;
}

} // namespace bmo

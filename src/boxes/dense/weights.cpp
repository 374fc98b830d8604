#include "boxes/dense/weights.hpp"

#include <algorithm>
#include <cmath>

#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr double kLargestRatio = 1e300;

} // namespace

void check_weights(std::span<const double> weights) {
    const auto refuse = [&](std::size_t j, const char *wanted) {
        fail(BMO_EINVAL, "weights",
             text(Word{"weights"}, "[", Position{static_cast<std::int64_t>(j)}, "] is ", weights[j], "; expected ",
                  wanted),
             -1, static_cast<std::int64_t>(j));
    };
    for (std::size_t j = 0; j < weights.size(); ++j)
        if (!(std::isfinite(weights[j]) && weights[j] >= 0))
            refuse(j, "a finite number >= 0");
    const double largest = *std::max_element(weights.begin(), weights.end());
    for (std::size_t j = 0; j < weights.size(); ++j)
        if (weights[j] > 0 && weights[j] < largest / kLargestRatio)
            refuse(j, "0, or at least 1e-300 of the largest");
    if (largest == 0)
        fail(BMO_EINVAL, "weights", text("all ", weights.size(), " weights are 0; expected at least one above 0"));
}

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

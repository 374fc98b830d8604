// The metrics: one row each. Whatever depends on the metric asks its row, or the coordinate distance that it sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "bmo.h"
#include "simd/rho.hpp"

namespace bmo {

// separable: a function of the sum of a coordinate distance; the weights of coordinates multiply its terms. angular: of
// an angle or a product (boxes/angles.hpp). callback: the sum of what the caller's function says.
enum class MetricKind { separable, angular, callback };

// Why no distance d(i, j) is far below d(c, j), if i is near c, as the race for a medoid needs it. See
// search/medoid/medoid.cpp.
// triangle: by the triangle inequality; squares: that of the roots; angles: of vectors of length 1.
enum class Reach { none, triangle, squares, angles };

struct MetricTraits {
    std::int64_t id = 0; // BMO_METRIC_*
    std::string_view name;
    MetricKind kind = MetricKind::separable;
    Rho rho = Rho::square;
    bool takes_p = false;   // rho is |x - y|^p
    bool root = false;      // the distance is the root of the sum that undoes rho's power; else the sum
    bool rotatable = false; // kept by rotations: the boxes rotated and projected serve it
    Reach reach = Reach::none;
    double sample_time = 0; // nanoseconds that a sample takes beyond reading it
};

inline constexpr MetricTraits kMetrics[] = {
    {.id = BMO_METRIC_L2, .name = "l2", .root = true, .rotatable = true, .reach = Reach::triangle},
    {.id = BMO_METRIC_SQEUCLIDEAN, .name = "sqeuclidean", .rotatable = true, .reach = Reach::squares},
    {.id = BMO_METRIC_L1, .name = "l1", .rho = Rho::absolute, .reach = Reach::triangle},
    {.id = BMO_METRIC_LP,
     .name = "lp",
     .rho = Rho::power,
     .takes_p = true,
     .root = true,
     .reach = Reach::triangle,
     .sample_time = 15},
    {.id = BMO_METRIC_COSINE, .name = "cosine", .kind = MetricKind::angular, .rotatable = true, .reach = Reach::angles},
    {.id = BMO_METRIC_INNER_PRODUCT, .name = "inner_product", .kind = MetricKind::angular, .rotatable = true},
    {.id = BMO_METRIC_CUSTOM, .name = "custom", .kind = MetricKind::callback, .sample_time = 8},
};

// Of what no metric is, as a damaged file may say, and of 0, any metric.
inline constexpr MetricTraits kNoMetric = {};

constexpr const MetricTraits &metric_traits(std::int64_t id) {
    const auto *found = std::ranges::find(kMetrics, id, &MetricTraits::id);
    return found == std::end(kMetrics) ? kNoMetric : *found;
}

constexpr bool is_angular(std::int64_t metric) {
    return metric_traits(metric).kind == MetricKind::angular;
}

} // namespace bmo

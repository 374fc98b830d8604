#include "search/medoid/reach.hpp"

#include <cmath>
#include <limits>

#include "util/failure.hpp"

namespace bmo {

bool has_reach(const Settings &settings) {
    const MetricTraits &metric = metric_traits(settings.metric);
    return metric.reach != Reach::none && (!metric.takes_p || settings.p >= 1);
}

std::string metrics_with_reach() {
    std::string names;
    for (const MetricTraits &metric : kMetrics)
        if (metric.reach != Reach::none)
            append_text(names,
                        text(names.empty() ? "" : " or ", metric.name, metric.takes_p ? " with p of 1 or more" : ""));
    return names;
}

double reach_of(Reach reach, double distance, double largest) {
    switch (reach) {
    // Roots of distances are a metric: with D = |i - c| and C = |c - j|, d(i, j) - C^2 >= (C - D)^2 - C^2 >= -2 C D where
    // C >= D, and >= -C^2 >= -C D where not.
    case Reach::squares: return 2 * std::sqrt(distance) * std::sqrt(largest);
    // d(i, j) - d(c, j) = <c - i, j> of vectors of length 1 (or 0), and |c - i|^2 is at most twice their distance.
    case Reach::angles: return std::sqrt(2 * distance);
    case Reach::none:
    case Reach::triangle: break;
    }
    return distance; // the triangle inequality (of lp with p >= 1, Minkowski's)
}

double least_reach(Reach reach, double largest) {
    constexpr double kTiny = 1e-280;
    if (largest < kTiny)
        return std::numeric_limits<double>::infinity();
    return largest * (reach == Reach::squares ? 0x1p-60 : 0x1p-30);
}

} // namespace bmo

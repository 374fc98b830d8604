// How much farther a point can be from one of two points than from the other: what the medoid's test needs of a metric.
#pragma once

#include <string>

#include "data/metrics.hpp"
#include "data/settings.hpp"

namespace bmo {

// Whether the metric of the settings tells it.
bool has_reach(const Settings &settings);

// "l2 or l1 or ...": those that do.
std::string metrics_with_reach();

// d(i, j) >= d(c, j) - reach for every j, of a point i at `distance` from c, where no d(c, j) is above `largest`.
double reach_of(Reach reach, double distance, double largest);

// A distance up to this may have lost digits to underflow, of powers of differences above all, and is no reach.
double least_reach(Reach reach, double largest);

} // namespace bmo

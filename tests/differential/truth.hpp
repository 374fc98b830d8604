// Distances in more digits and a wider range than the library's: what its answers are held against.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bmo.h"

// Coordinate distances of the callbacks here.
enum class Callback { saturating, differs, clipped };
double coordinate_distance(Callback callback, double a, double b);

struct Metric {
    std::int32_t id = BMO_METRIC_L2;
    double p = 2;                // of lp
    std::vector<double> weights; // empty: none
    Callback callback = Callback::saturating;

    // The exponent of the coordinate distances that are summed; 1 where there is none.
    double power() const;
    bool is_angular() const { return id == BMO_METRIC_COSINE || id == BMO_METRIC_INNER_PRODUCT; }
};

using Wide = long double;

struct Distance {
    Wide value;
    Wide noise; // by how much a right answer may be off
};

Distance distance_between(const Metric &metric, std::span<const double> query, std::span<const double> point);

// What epsilon is in units of: the sum that the distance is a function of.
Wide sum_of(const Metric &metric, Wide distance);

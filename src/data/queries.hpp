// The points that a search is asked about.
#pragma once

#include <cstdint>
#include <limits>

#include "data/points.hpp"

namespace bmo {

// Query i is point row(i) of `points`. own_points: `points` are the candidates themselves, and a query's own point is none of
// its candidates.
struct Queries {
    PointsView points;
    const std::int64_t *rows = nullptr; // null: all points in order
    std::int64_t count = 0;
    bool own_points = false;
    double max_abs = 0;                   // the largest |value| of the points
    const double *max_distance = nullptr; // of neighbors: one for all queries, or one each; null: any
    bool one_max_distance = false;
    bool all_within = false; // every candidate within the largest distance is wanted, not k of them

    std::int64_t row(std::int64_t i) const { return rows ? rows[i] : i; }
    std::int64_t self(std::int64_t i) const { return own_points ? row(i) : -1; }
    // No neighbor of query i is farther.
    double within(std::int64_t i) const {
        return max_distance ? max_distance[one_max_distance ? 0 : i] : std::numeric_limits<double>::infinity();
    }
};

} // namespace bmo

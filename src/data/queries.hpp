// The points that a search is asked about.
#pragma once

#include <cstdint>

#include "data/points.hpp"

namespace bmo {

// Query i is point row(i) of `points`. own_points: `points` are the candidates themselves, and a query's own point is none of
// its candidates.
struct Queries {
    PointsView points;
    const std::int64_t *rows = nullptr; // null: all points in order
    std::int64_t count = 0;
    bool own_points = false;
    double max_abs = 0; // the largest |value| of the points

    std::int64_t row(std::int64_t i) const { return rows ? rows[i] : i; }
    std::int64_t self(std::int64_t i) const { return own_points ? row(i) : -1; }
};

} // namespace bmo

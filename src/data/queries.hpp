// The points that a search is asked about.
#pragma once

#include <cstdint>
#include <limits>

#include "data/points.hpp"

namespace bmo {

// Candidates by the labels of points: those with the label of the query, or those with another one.
enum class LabelRule { none = 0, same = BMO_LABELS_SAME, other = BMO_LABELS_OTHER };

// A search that is a part of another one: by how many neighbors and queries delta is shared at least, how many searches answer a
// query, and which points of the whole the search has (null: it is no part).
struct PartOfSearch {
    std::int64_t k = 0, queries = 0, searches = 1;
    const std::int64_t *point_in_whole = nullptr;

    bool is_part() const { return point_in_whole != nullptr; }
    std::int64_t point(std::int64_t i) const { return point_in_whole ? point_in_whole[i] : i; }
};

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

    const std::int32_t *labels = nullptr; // of the queries; null: they have none, or those of their own points
    PartOfSearch part = {};

    std::int64_t row(std::int64_t i) const { return rows ? rows[i] : i; }
    std::int64_t self(std::int64_t i) const { return own_points ? row(i) : -1; }
    // No neighbor of query i is farther.
    double within(std::int64_t i) const {
        return max_distance ? max_distance[one_max_distance ? 0 : i] : std::numeric_limits<double>::infinity();
    }
};

} // namespace bmo

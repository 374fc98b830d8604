// Made points, most of them of the kinds that numerical code is wrong on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bmo.h"
#include "random.hpp"

enum class Shape {
    normal,
    small_integers, // many ties
    one_hot,
    constant_columns,
    subnormal,
    heavy_coordinate,  // one coordinate holds most of each distance
    large_integers,    // near 2^51 or 2^53, apart in their last digits
    permutations,      // of one row
    ulp_apart,         // near-ties
    mixed_rows,        // each row at a scale of its own
    mixed_values,      // each value at a scale of its own
    one_huge,          // one value of one row is far beyond all others
    few_distinct,      // duplicates
    opposite_signs,    // nearly all values are on the other side of 0 than those of the queries
    single_difference, // each row is apart from the query in one coordinate, by nearly the same
    heavy_tail,
    parallel, // multiples of one row, up to last digits
    clusters,
    count
};

const char *name_of(Shape shape);

// Row-major values, each of which its type holds.
struct Points {
    bmo_dtype dtype = BMO_F64;
    std::int64_t n = 0, d = 0;
    std::vector<double> at;

    std::span<const double> row(std::int64_t i) const { return {at.data() + i * d, static_cast<std::size_t>(d)}; }
};

// Points and what is asked of them. The queries have a type of their own.
struct Made {
    Shape shape = Shape::normal;
    Points points, queries;
};

struct Sizes {
    std::int64_t n, d, queries;
};

// zeros: the share of values that are made 0, for sparse points.
Made make_points(Shape shape, Sizes sizes, double zeros, Random &random);

// Differences, their squares and the sums of those are whole numbers that a double holds: nothing is rounded anywhere.
bool is_free_of_rounding(const Made &made);

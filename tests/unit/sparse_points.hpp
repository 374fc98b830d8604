// Sparse points of small integers as a map, and everything about them by exact integer arithmetic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "bmo.h"
#include "data/sparse_input.hpp"
#include "util/xoshiro.hpp"

// Entry (point, coordinate) -> value.
using Entries = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;

// Coordinate j is there with probability about 1 / (1 + 20 j / d): some are in nearly every row. One in 20 is heavy.
inline Entries random_entries(std::int64_t n, std::int64_t d, bool negative, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    Entries entries;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < d; ++j)
            if (random.below(static_cast<std::uint64_t>(1 + 20 * j / d)) == 0) {
                const auto size = static_cast<std::int64_t>(1 + random.below(3) + (random.below(20) == 0 ? 40 : 0));
                entries[{i, j}] = negative && random.below(3) == 0 ? -size : size;
            }
    return entries;
}

inline std::int64_t value_at(const Entries &entries, std::int64_t i, std::int64_t j) {
    const auto found = entries.find({i, j});
    return found == entries.end() ? 0 : found->second;
}

// The sum of |a - b|, or (a - b)^2, of point i of a and point j of b.
inline std::int64_t sum_between(const Entries &a, std::int64_t i, const Entries &b, std::int64_t j, std::int64_t d,
                                bool square) {
    std::int64_t sum = 0;
    for (std::int64_t c = 0; c < d; ++c) {
        const std::int64_t difference = value_at(a, i, c) - value_at(b, j, c);
        sum += square ? difference * difference : std::abs(difference);
    }
    return sum;
}

// Arrays that a caller would have, by points (or coordinates), in order.
template <class Pointer, class Index, class Value>
struct Arrays {
    std::vector<Pointer> pointers;
    std::vector<Index> indices;
    std::vector<Value> values;

    Arrays(const Entries &entries, std::int64_t lines, bool by_coordinate, std::int64_t base) {
        std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> by_line;
        for (const auto &[place, value] : entries)
            by_line[by_coordinate ? std::pair{place.second, place.first} : place] = value;
        pointers.assign(1, static_cast<Pointer>(base));
        for (const auto &[place, value] : by_line) {
            while (static_cast<std::int64_t>(pointers.size()) <= place.first)
                pointers.push_back(static_cast<Pointer>(base + static_cast<std::int64_t>(indices.size())));
            indices.push_back(static_cast<Index>(place.second + base));
            values.push_back(static_cast<Value>(value));
        }
        pointers.resize(static_cast<std::size_t>(lines) + 1,
                        static_cast<Pointer>(base + static_cast<std::int64_t>(indices.size())));
    }

    bmo::SparseInput input(std::int64_t n, std::int64_t d, bool by_coordinate, std::int32_t base,
                           bmo_dtype value_dtype) const {
        return {.by_coordinate = by_coordinate,
                .index_base = base,
                .pointer_dtype = sizeof(Pointer) == 4 ? BMO_I32 : BMO_I64,
                .index_dtype = sizeof(Index) == 4 ? BMO_I32 : BMO_I64,
                .value_dtype = value_dtype,
                .n = n,
                .d = d,
                .nnz = static_cast<std::int64_t>(indices.size()),
                .pointers = pointers.data(),
                .indices = indices.data(),
                .values = values.data()};
    }
};

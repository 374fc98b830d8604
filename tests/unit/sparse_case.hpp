// Points of one size and their queries, as entries and as datasets.
#pragma once

#include <cstdint>
#include <memory>

#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "sparse_points.hpp"

inline constexpr std::int64_t kN = 120, kD = 900;

template <class Value = float>
struct Case {
    Entries points, queries;
    std::shared_ptr<const bmo::Dataset> data, asked;
    std::int64_t queries_count = 6;

    explicit Case(bool negative, double unit = 1, bmo_dtype dtype = BMO_F32)
        : points(random_entries(kN, kD, negative, 11)), queries(random_entries(6, kD, negative, 12)) {
        for (std::int64_t j = 0; j < kD; ++j) {
            points.erase({3, j});  // an empty point,
            queries.erase({5, j}); // and an empty query
        }
        data = dataset(points, kN, unit, dtype);
        asked = dataset(queries, queries_count, unit, dtype);
    }

    static std::shared_ptr<const bmo::Dataset> dataset(const Entries &entries, std::int64_t n, double unit,
                                                       bmo_dtype dtype) {
        Arrays<std::int64_t, std::int32_t, Value> arrays(entries, n, false, 0);
        for (Value &value : arrays.values)
            value = static_cast<Value>(static_cast<double>(value) * unit);
        bmo::Watch watch;
        return bmo::make_sparse(arrays.input(n, kD, false, 0, dtype), false, nullptr, "data", watch);
    }

    bmo::Queries as_queries() const {
        return {.points = asked->points(), .count = queries_count, .max_abs = asked->max_abs};
    }
};

// Points and one query, in doubles, and the distances between them in long double.
#ifndef BMO_TESTS_UNIT_ONE_QUERY_HPP
#define BMO_TESTS_UNIT_ONE_QUERY_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "data/dataset.hpp"
#include "data/queries.hpp"

struct OneQuery {
    std::vector<double> points, query;
    bmo::Dataset data;

    OneQuery(std::vector<double> x, std::vector<double> q) : points(std::move(x)), query(std::move(q)) {
        data.dense = bmo::row_major(BMO_F64, points.data(), static_cast<std::int64_t>(points.size()) / d(), d());
        data.max_abs = peak(points);
    }
    std::int64_t d() const { return static_cast<std::int64_t>(query.size()); }
    bmo::Queries queries() const {
        return {.points = bmo::row_major(BMO_F64, query.data(), 1, d()), .count = 1, .max_abs = peak(query)};
    }
    double squared_distance(std::int64_t arm) const {
        long double sum = 0;
        for (std::int64_t j = 0; j < d(); ++j) {
            const long double apart = static_cast<long double>(points[static_cast<std::size_t>(arm * d() + j)]) -
                                      query[static_cast<std::size_t>(j)];
            sum += apart * apart;
        }
        return static_cast<double>(sum);
    }
    static double peak(const std::vector<double> &values) {
        double most = 0;
        for (const double value : values)
            most = std::max(most, std::abs(value));
        return most;
    }
};

#endif

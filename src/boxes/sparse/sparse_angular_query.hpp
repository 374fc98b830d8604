// A query against sparse points under cosine or inner product: exact sums alone, over the entries of a point, each of
// which finds the query's.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/angles.hpp"
#include "boxes/norms.hpp"
#include "boxes/sparse/sparse_index.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"

namespace bmo {

class SparseAngularQuery {
public:
    // All outlive it.
    SparseAngularQuery(const Dataset &data, const SparseIndex &index, const Angles &angles);

    void bind(const Queries &queries, std::int64_t query);

    // See angular_sum().
    double sum(std::int32_t arm);
    std::uint64_t sum_ops(std::int32_t arm) const;

    double distance(double sum) const { return angular_distance(angles_.metric, sum, query_.norm, angles_.largest); }
    double sum_of_epsilon(double epsilon) const {
        return sum_of_angular_epsilon(angles_.metric, epsilon, query_.norm, angles_.largest);
    }
    std::uint64_t brute_ops(std::int64_t self) const;

private:
    const Norm &norm_of(std::int32_t arm) const { return (*angles_.norms)[static_cast<std::size_t>(arm)]; }
    DoubleDouble product_with(std::int32_t arm);
    bool may_meet() const;
    double careful_sum(std::int32_t arm) const;

    const Dataset &data_;
    const SparseIndex &index_;
    const Angles &angles_;
    PointsView asked_; // of which the query is this row
    std::int64_t asked_row_ = 0;
    ScaledVector query_, point_;            // their entries alone
    std::vector<std::int32_t> coordinates_; // of the query's entries
    std::vector<double> by_rank_;           // the query's entries
    std::vector<double> met_;               // the query at the entries of a point
    bool has_vanished_ = false;             // an entry of the query that is too small to be scaled
};

} // namespace bmo

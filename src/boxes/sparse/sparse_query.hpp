// A query against sparse points: its entries, scattered so that a point's entry finds the one that it meets.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "boxes/metric.hpp"
#include "boxes/sparse/sparse_index.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"

namespace bmo {

class SparseQuery {
public:
    struct Entry {
        std::int32_t rank; // -1: no point has an entry there
        double value;      // times the scale
    };

    // Both outlive it.
    SparseQuery(const Dataset &data, const SparseIndex &index, const Metric &metric);

    void bind(const Queries &queries, std::int64_t query);

    // By ascending coordinate; position p is of entry p - 1.
    std::span<const Entry> entries() const { return entries_; }
    std::int64_t count() const { return static_cast<std::int64_t>(entries_.size()); }
    // By rank: the position of the query's entry there; 0: none.
    const std::int32_t *positions() const { return position_.data(); }
    bool integers() const { return integers_; }
    double scale() const { return scale_; }
    double norm() const { return norm_; } // the sum of rho(q, 0)
    const Metric &metric() const { return metric_; }

    // The sum of rho(q, x) over the coordinates of either, from differences; its code if that is too small
    // for the scale (boxes/far_number.hpp). The same bits for the same query and point.
    double sum(std::int32_t arm);
    std::uint64_t sum_ops(std::int32_t arm) const;
    // How many of the arm's entries of a lower rank meet none of the query.
    std::uint64_t unmet(std::int32_t arm, std::int64_t below) const;

    double distance(double sum) const { return metric_.distance(sum, scale_); }
    double sum_of_epsilon(double epsilon) const;
    std::uint64_t brute_ops(std::int64_t self) const;

private:
    void add(std::int64_t coordinate, double value);
    template <class T, class Function>
    double sum_typed(std::int32_t arm, Function rho);
    template <class T>
    double pair_sum(std::int32_t arm);

    const Dataset &data_;
    const SparseIndex &index_;
    Metric metric_;
    double scale_ = 1, norm_ = 0, least_plain_ = 0;
    bool integers_ = true;
    std::vector<Entry> entries_;
    std::vector<double> values_, alone_;           // by position: the value, and rho(value, 0); 0 at position 0
    std::vector<double> given_;                    // the same as values_, not scaled
    std::vector<std::pair<double, double>> pairs_; // of two points that are summed at a scale of their own
    std::vector<std::int32_t> position_;           // by rank
    std::vector<std::uint32_t> met_;               // by position: the sum in which a point's entry met it
    std::uint32_t sums_ = 0;
};

} // namespace bmo

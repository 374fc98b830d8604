// What a query says of its overlap with any point, before a point is read: see boxes/sparse/overlap_box.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "boxes/sparse/sparse_index.hpp"
#include "boxes/sparse/sparse_query.hpp"
#include "simd/kernels.hpp"

namespace bmo {

// What a point's entry meets at a coordinate of the query.
struct QueryTerm {
    double size = 0;            // |q|
    double sign = 0;            // of q, times the scale: a value times it is positive if the signs agree
    double largest = 0;         // at least a value times that, of every point
    double most = 0;            // u: at least the overlap with every point
    bool heavy = false;         // read of every point beforehand
    std::int32_t lane = kBatch; // place in its batch of samples; kBatch: it is no sample

    template <bool square>
    double overlap(double signed_value) const {
        if constexpr (square)
            return size * signed_value;
        else
            return std::max(0.0, std::min(size, signed_value));
    }
    // most - overlap, without a difference of products.
    template <bool square>
    double missing(double signed_value) const {
        if constexpr (square)
            return size * (largest - signed_value);
        else
            return most - overlap<square>(signed_value);
    }
};

class OverlapPopulation {
public:
    // square: of l2, else of l1. The index outlives it.
    OverlapPopulation(const SparseIndex &index, bool square) : index_(index), square_(square) {}

    // What a point's entries meet, and then, for sampling, the population and what predicts it. largest_norms: the most that
    // the query's norm and a point's add up to.
    void meet(const SparseQuery &query);
    void draw(const SparseQuery &query, double largest_norms);

    // By the query's positions; of size 0 at position 0.
    std::span<const QueryTerm> meetings() const { return meetings_; }
    // Positions of the heaviest coordinates, and of those of the population in order.
    std::span<const std::int32_t> heavy() const { return heavy_; }
    std::span<const std::int32_t> samples() const { return samples_; }
    std::int64_t size() const { return static_cast<std::int64_t>(samples_.size()); }

    double heavy_most() const { return heavy_most_; } // sum of u over the heaviest
    // Over the samples from `first` on: the sums of u, of |q|^p, and of what predicts z.
    double most_from(std::int64_t first) const { return most_from_[static_cast<std::size_t>(first)]; }
    double norm_from(std::int64_t first) const { return norm_from_[static_cast<std::size_t>(first)]; }
    double expected_from(std::int64_t first) const { return expected_from_[static_cast<std::size_t>(first)]; }
    // What predicts z: any numbers >= 0 that are known before a point is read will do.
    float expected(std::int64_t sample) const { return expected_[static_cast<std::size_t>(sample)]; }
    float largest_expected() const { return largest_expected_; }
    // Samples, and what predicts them, are in units of their own: times this, a power of two. None is above 2 in them.
    double unit() const { return unit_; }

private:
    void part(const SparseQuery &query);
    double largest_sample(const SparseQuery &query) const;
    void predict(const SparseQuery &query);
    void add_up();

    const SparseIndex &index_;
    bool square_;
    std::vector<QueryTerm> meetings_;
    std::vector<std::int32_t> heavy_, samples_;
    std::vector<std::uint64_t> by_rank_; // rank in the high half, position in the low one
    std::vector<double> most_from_, norm_from_, expected_from_;
    std::vector<float> expected_;
    float largest_expected_ = 0;
    double heavy_most_ = 0, unit_ = 1;
};

} // namespace bmo

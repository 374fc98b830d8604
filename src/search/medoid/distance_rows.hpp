// Distances between points of a dataset, computed in full or bounded, on several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "search/knn.hpp"
#include "search/worker.hpp"
#include "util/watch.hpp"

namespace bmo {

// Of each point, what its distances to the others add up to is between these.
struct SumBounds {
    std::vector<double> lower, upper;

    void reset(std::int64_t n) {
        lower.assign(static_cast<std::size_t>(n), 0);
        upper.assign(static_cast<std::size_t>(n), 0);
    }
    void add(std::int64_t point, double of_lower, double of_upper) {
        lower[static_cast<std::size_t>(point)] += of_lower;
        upper[static_cast<std::size_t>(point)] += of_upper;
    }
    SumBounds &operator+=(const SumBounds &other) {
        std::ranges::transform(lower, other.lower, lower.begin(), std::plus<>());
        std::ranges::transform(upper, other.upper, upper.begin(), std::plus<>());
        return *this;
    }
};

class DistanceRows {
public:
    explicit DistanceRows(const KnnSearch &search);
    ~DistanceRows();
    DistanceRows(const DistanceRows &) = delete;
    DistanceRows &operator=(const DistanceRows &) = delete;

    // rows[i * to.size() + j]: the distance of point from[i], as a query, to point to[j]; 0 to itself. Returns the
    // coordinate operations.
    std::uint64_t compute(std::span<const std::int32_t> from, std::span<const std::int32_t> to,
                          std::vector<double> &rows, Watch &watch);

    // Whether bound() is of use for so many points.
    bool has_bounds(std::size_t from);
    // Certain bounds of the distances of each point from[i], as query i, to all points but itself, for which they are 0. take()
    // is called from several threads, for different queries. Returns the coordinate operations.
    std::uint64_t bound(std::span<const std::int32_t> from, Watch &watch, const TakeBounds &take);

    // Of each point, the sums of such bounds, which are rounded. Most pairs are compared once, not twice. Returns the coordinate
    // operations.
    std::uint64_t bound_sums(SumBounds &sums, Watch &watch);

    // Coordinate operations of the distances of one point to all others, on average over those that were asked about.
    double ops_of_scan() const {
        return asked_ == 0 ? 0 : static_cast<double>(scan_ops_) / static_cast<double>(asked_);
    }
    int threads() const { return static_cast<int>(workers_.size()); }

private:
    Queries points() const;
    void bound_group(Worker &worker, std::int64_t first, std::int64_t count, SumBounds &part, Watch &watch);
    Worker &worker(int thread);

    const KnnSearch &search_;
    std::vector<std::unique_ptr<Worker>> workers_; // of the threads
    std::uint64_t scan_ops_ = 0, asked_ = 0;
};

} // namespace bmo

// The exact scan of several queries at once: tiles of points, which stay in cache, against all queries of a group.
//
// For every pair it has a lower and an upper bound of the sum. tau, the k-th smallest upper bound so far, is never below
// the k-th smallest sum, so that a point whose lower bound is above it is not among the k nearest; what is left is summed
// exactly at the end. Pairs of bytes have both bounds at the sum itself.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bandit/box.hpp"
#include "bandit/nearest.hpp"
#include "boxes/metric.hpp"
#include "boxes/tiles/byte_pairs.hpp"
#include "boxes/tiles/float_pairs.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "search/scan.hpp"
#include "util/watch.hpp"

namespace bmo {

// For one thread.
class TiledScan {
public:
    TiledScan(const Dataset &data, const Metric &metric);

    // Whether it is of use for such queries; else scan() by a box is.
    static bool applies(const Dataset &data, const Metric &metric, const Queries &queries);
    // How many queries of `count` go in a group, on each of so many threads.
    static std::int64_t group(const Dataset &data, std::int64_t count, int threads);

    // Compares the queries [first, first + count) with all points, and counts them as done on the watch.
    void run(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t k, Watch &watch);

    // The k nearest of query first + i, to which the box is bound.
    template <Box B>
    void finish(std::int64_t i, B &box, Nearest &nearest, Watch &watch) {
        Leaders &leaders = leaders_[static_cast<std::size_t>(i)];
        if (exact_) {
            std::swap(nearest, leaders.uppers);
            return;
        }
        if (leaders.crowded) {
            scan(box, k_, leaders.self, watch, nearest);
            return;
        }
        nearest.reset(k_);
        const double tau = leaders.uppers.threshold();
        for (const Candidate &candidate : leaders.candidates)
            if (candidate.lower <= tau) {
                watch.poll();
                nearest.offer({box.exact(candidate.arm), candidate.arm});
            }
    }

private:
    struct Candidate {
        double lower;
        std::int32_t arm;
    };
    // What is known of a query's nearest points.
    struct Leaders {
        Nearest uppers;
        double tau = 0;
        std::vector<Candidate> candidates;
        bool crowded = false; // too many cannot be told apart by bounds: all are summed in the end
        std::int64_t self = -1;
    };

    template <class Pairs>
    void compare(Pairs &pairs, const Queries &queries, std::int64_t first, std::int64_t count, Watch &watch);
    template <class Pairs>
    void collect(const Pairs &pairs, const std::vector<typename Pairs::Sum> &sums, std::int64_t first_point,
                 std::int64_t points);
    void consider(Leaders &leaders, double lower, double upper, std::int32_t arm) const;

    const Dataset &data_;
    bool square_;
    std::optional<BytePairs> bytes_;
    std::optional<FloatPairs> floats_;
    bool exact_ = false; // the bounds are the sums
    std::int64_t k_ = 0;
    std::vector<Leaders> leaders_;
    std::vector<double> taus_; // of the leaders, side by side
};

} // namespace bmo

// The exact scan of several queries at once: tiles of points, which stay in cache, against all queries of a group.
//
// For every pair it has a lower and an upper bound of the sum (search/leaders.hpp); what these leave is summed exactly at the end.
// Pairs of bytes have both bounds at the sum itself. Some queries of points in columns are bounded without tiles (search/column_scan.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bandit/nearest.hpp"
#include "boxes/box.hpp"
#include "boxes/dense/point_reader.hpp"
#include "boxes/metric.hpp"
#include "boxes/tiles/byte_pairs.hpp"
#include "boxes/tiles/float_pairs.hpp"
#include "boxes/tiles/lone_products.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "search/column_scan.hpp"
#include "search/largest_sum.hpp"
#include "search/leaders.hpp"
#include "search/panel_scan.hpp"
#include "search/scan.hpp"
#include "search/worker.hpp"
#include "util/watch.hpp"

namespace bmo {

// For one thread.
class TiledScan {
public:
    // angles: of the metrics of angles, else null. codes: of the points, or null.
    TiledScan(const Dataset &data, const Metric &metric, const Angles *angles = nullptr,
              const NarrowCodes *codes = nullptr);

    // Whether it is of use for such queries, several of them or one; else scan() by a box is.
    static bool applies(const Dataset &data, const Metric &metric, const Queries &queries);
    bool applies_to_one(const Queries &queries) const;
    // How many queries of `count` go in a group, on each of so many threads.
    static std::int64_t group(const Dataset &data, std::int64_t count, int threads);

    // Compares the queries [first, first + count) with all points, and counts them as done on the watch.
    void run(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t k, Watch &watch);

    // Whether bound() is of use. An inner product has no distances to add up.
    bool has_bounds(const Queries &queries) const {
        return metric_.id != BMO_METRIC_INNER_PRODUCT && applies(data_, metric_, queries);
    }
    // Bounds of the distances of the queries [first, first + count) to all points from `from` on.
    void bound(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t from, Watch &watch,
               const TakeBounds &take);

    // Points of data in columns that finish() may compute.
    const ReadRows &rows() const { return rows_; }

    // The k nearest of query first + i, to which the box is bound.
    template <Box B>
    void finish(std::int64_t i, B &box, Nearest &nearest, Watch &watch) {
        Leaders &leaders = leaders_[static_cast<std::size_t>(i)];
        if (exact_) {
            std::swap(nearest, leaders.uppers);
            return;
        }
        if (leaders.crowded) {
            scan(box, wanted(i, box), watch, nearest);
            return;
        }
        nearest.reset(k_, wanted(i, box).limit);
        if (i >= read_until_)
            read_candidates(i, watch);
        leaders.sort();
        const Bounds bounds = bound_by_products(i, leaders, watch) ? Bounds::lone : bounds_;
        double tau = leaders.tau();
        for (const Leaders::Candidate &candidate : leaders.candidates) {
            if (candidate.lower > tau)
                break; // and so are those behind it
            watch.poll();
            nearest.offer({box.exact(candidate.arm), candidate.arm});
            tau = std::min(tau, sum_of(bounds, i, box.distance(nearest.threshold())));
        }
    }

private:
    enum class Bounds { none, panels, lone }; // whose sums distances can be brought to

    template <Box B>
    Wanted wanted(std::int64_t i, const B &box) const {
        const auto distance = [&](double sum) { return box.distance(sum); };
        return {k_, queries_->self(first_ + i), largest_sum(queries_->within(first_ + i), distance)};
    }

    bool products_apply(const Queries &queries) const;
    void read_candidates(std::int64_t i, Watch &watch);
    void run_lone(const Queries &queries, std::int64_t query, Watch &watch);
    bool bound_by_products(std::int64_t i, Leaders &leaders, Watch &watch);
    double sum_of(Bounds bounds, std::int64_t i, double distance) const;
    template <class Pairs>
    void compare(Pairs &pairs, const Queries &queries, std::int64_t first, std::int64_t count, Watch &watch);
    double limit_of(const BytePairs &, double distance) const;
    double limit_of(const FloatPairs &pairs, double distance) const;
    template <class Pairs, class Take>
    void for_tiles(Pairs &pairs, std::int64_t count, std::int64_t from, Watch &watch, const Take &take);
    template <class Pairs>
    void collect(const Pairs &pairs, const std::vector<typename Pairs::Sum> &sums, std::int64_t first_point,
                 std::int64_t points);

    const Dataset &data_;
    Metric metric_;
    const Angles *angles_;
    const NarrowCodes *codes_;
    std::optional<BytePairs> bytes_;
    std::optional<FloatPairs> floats_;
    std::optional<PanelScan> panels_;
    std::optional<ColumnScan> columns_;
    std::optional<LoneProducts> lone_;
    Bounds bounds_ = Bounds::none;
    bool exact_ = false; // the bounds are the sums
    std::int64_t k_ = 0;
    const Queries *queries_ = nullptr; // those that were compared, from first_ on
    std::int64_t first_ = 0;
    std::vector<Leaders> leaders_;
    ReadRows rows_;
    PointReader reader_;          // from these rows, or else from the data
    std::int64_t read_until_ = 0; // the query before which rows_ has the candidates
    std::vector<double> taus_;    // of the leaders, side by side
};

} // namespace bmo

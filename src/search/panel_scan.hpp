// The exact scan of several queries at once under l2, its square, cosine and inner product: panels of points, which stay in
// cache, against all queries of a group.
//
// Bounds of sums come from whole numbers of 8 bits if that takes less time, but for a share of the points, spread over all,
// which are first compared by floats: these bounds are tight, so that tau is near its end from the start. Queries of which
// too many points are left are compared again, by floats alone.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/tiles/float_panels.hpp"
#include "boxes/tiles/frame.hpp"
#include "boxes/tiles/narrow_panels.hpp"
#include "search/leaders.hpp"
#include "search/worker.hpp"
#include "util/watch.hpp"

namespace bmo {

// For one thread.
class PanelScan {
public:
    // angles: of the metrics of angles. codes: of all points for this metric; null: there are none.
    PanelScan(const Dataset &data, const Metric &metric, const Angles *angles, const NarrowCodes *codes);

    void run(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t k,
             std::vector<Leaders> &leaders, Watch &watch);

    // Bounds of the distances of the queries [first, first + count) to the points from `from` on, by floats; sums are squares.
    void bound(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t from, Watch &watch,
               const TakeBounds &take);

    // A distance of query first + i as a sum, rounded up.
    double sum_of(std::int64_t i, double distance) const {
        return frame_.sum_of(distance, framed_[static_cast<std::size_t>(i)]);
    }

    // The same of a sum of boxes/tiles/lone_products.hpp, under a metric of angles.
    double sum_of_product(std::int64_t i, double sum) const {
        return frame_.sum_of_product(sum, framed_[static_cast<std::size_t>(i)]);
    }

private:
    void choose_tile(std::int64_t queries);
    bool narrow_pays(const Queries &queries, std::int64_t count) const;
    void repeat_crowded(const Queries &queries, std::int64_t first, std::int64_t k, bool all,
                        std::vector<Leaders> &leaders, Watch &watch);
    template <class Pairs>
    void compare(Pairs &pairs, std::vector<typename Pairs::Sum> &sums, std::int64_t point, Watch &watch);
    std::int64_t crowded() const;

    const Dataset &data_;
    Frame frame_;
    const NarrowCodes *codes_;
    FloatPanels floats_;
    NarrowPanels narrow_;
    std::int64_t tile_points_ = 0;
    bool narrow_fails_ = false; // too many points are left by it
    std::vector<float> float_sums_;
    std::vector<std::int32_t> narrow_sums_;
    std::vector<Leaders *> leaders_; // of the queries that are compared
    std::vector<FramedQuery> framed_;
};

} // namespace bmo

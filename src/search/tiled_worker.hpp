// A thread's part of a search of dense points, whose exact scans take many queries at once.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "search/box_worker.hpp"
#include "search/tiled_scan.hpp"

namespace bmo {

template <QueryBox B>
class TiledWorker : public BoxWorker<B> {
public:
    TiledWorker(const Dataset &data, const Metric &metric, std::function<B()> make_box, const Angles *angles = nullptr,
                const NarrowCodes *codes = nullptr)
        : BoxWorker<B>(std::move(make_box)), tiled_(data, metric, angles, codes) {}

    void scan(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t k, Watch &watch,
              const SlotDone &done) override {
        if (count == 1 && !tiled_.applies_to_one(queries))
            return Worker::scan(queries, first, count, k, watch, done);
        tiled_.run(queries, first, count, k, watch);
        BoxSlot<B> &answered = this->slot(0);
        answered.box.read_from(&tiled_.rows());
        for (std::int64_t i = 0; i < count; ++i) {
            answered.bind(queries, first + i);
            tiled_.finish(i, answered.box, answered.nearest(), watch);
            done(first + i, answered, cost_of_scan(answered.box, queries.self(first + i)));
        }
    }

    bool has_bounds(const Queries &queries) const override { return tiled_.has_bounds(queries); }
    void bound(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t from, Watch &watch,
               const TakeBounds &take) override {
        tiled_.bound(queries, first, count, from, watch, take);
    }

private:
    // Each pair counts once, however often its coordinates were read.
    static Cost cost_of_scan(const B &box, std::int64_t self) {
        Cost cost;
        cost.exact_ops = box.scan_ops(self);
        cost.exact_evals = static_cast<std::uint64_t>(box.arms() - (self < 0 ? 0 : 1));
        return cost;
    }

    TiledScan tiled_;
};

} // namespace bmo

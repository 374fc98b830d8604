// A thread's part of a search by the dense box, whose exact scans take many queries at once.
#pragma once

#include <cstdint>

#include "boxes/dense_box.hpp"
#include "search/tiled_scan.hpp"
#include "search/worker.hpp"

namespace bmo {

class DenseWorker final : public BoxWorker<DenseBox> {
public:
    // As those of a DenseBox.
    DenseWorker(const Dataset &data, const Order &order, const DensePrepared *prepared, const Metric &metric)
        : BoxWorker([&data, &order, prepared, metric] { return DenseBox(data, order, prepared, metric); }),
          tiled_(data, metric) {}

    void scan(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t k, Watch &watch,
              const SeatDone &done) override {
        if (count == 1)
            return BoxWorker::scan(queries, first, count, k, watch, done);
        tiled_.run(queries, first, count, k, watch);
        for (std::int64_t i = 0; i < count; ++i) {
            BoxSeat<DenseBox> &answered = seat(0);
            answered.bind(queries, first + i);
            tiled_.finish(i, answered.box, answered.nearest(), watch);
            done(first + i, answered, cost_of_scan(answered.box, queries.self(first + i)));
        }
    }

private:
    // Each pair counts once, however often its coordinates were read.
    static Cost cost_of_scan(const DenseBox &box, std::int64_t self) {
        Cost cost;
        cost.exact_ops = box.brute_ops(self);
        cost.exact_evals = static_cast<std::uint64_t>(box.arms() - (self < 0 ? 0 : 1));
        return cost;
    }

    TiledScan tiled_;
};

} // namespace bmo

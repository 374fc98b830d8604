// The k nearest of a dataset's points for each of a set of queries.
#pragma once

#include <cstdint>
#include <memory>

#include "bmo.h"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "data/settings.hpp"
#include "search/neighbor_search.hpp"
#include "util/watch.hpp"

namespace bmo {

class Worker;

// A dataset and settings bound: what of `auto` was decided, and that the parameters combine.
class KnnSearch : public NeighborSearch {
public:
    // Fails with BMO_EINVAL if the settings do not combine or do not fit the preparation.
    KnnSearch(std::shared_ptr<const Dataset> data, const Settings &settings, Watch &watch);
    ~KnnSearch() override;

    const Dataset &data() const override { return *data_; }
    const Settings &settings() const override;
    std::int64_t most_candidates(bool own) const override { return data_->n() - (own ? 1 : 0); }
    LabelRule label_rule() const override { return LabelRule::none; }

    void run(const Queries &queries, std::int64_t k, const Deliver &deliver, Watch &watch,
             bmo_stats &stats) const override;
    // The same as part of a call that has begun its phase, for points that lie in rows.
    void run_part(const Queries &queries, std::int64_t k, const Deliver &deliver, Watch &watch, bmo_stats &stats) const;

    // At most so many from call to call.
    void keep_workers(std::size_t most);

    // For other work on the same points: one for a thread, to give back.
    std::unique_ptr<Worker> take_worker() const;
    void give_worker(std::unique_ptr<Worker> worker) const;
    std::int64_t scanned_together(const Queries &queries, int threads) const; // on each of so many threads

    // The same search of a row-major copy of the points; null if that is of no use (data/dataset.hpp).
    std::unique_ptr<KnnSearch> in_rows(Watch &watch) const;

private:
    struct State; // what was decided, and idle workers
    std::shared_ptr<const Dataset> data_;
    Settings asked_;
    std::unique_ptr<State> state_;
};

} // namespace bmo

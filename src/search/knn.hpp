// The k nearest of a dataset's points for each of a set of queries.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "bmo.h"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "data/settings.hpp"
#include "util/watch.hpp"

namespace bmo {

class Worker;

struct Neighbor {
    double distance;
    std::int64_t index;
};

// Receives one finished query: its k neighbors, or fewer if no others are near enough, ascending, ties by index. Called from
// several threads at once, for different queries.
using Deliver = std::function<void(std::int64_t query, std::span<const Neighbor>, const bmo_row_stats &)>;

// A dataset and settings bound: what of `auto` was decided, and that the parameters combine.
class KnnSearch {
public:
    // Fails with BMO_EINVAL if the settings do not combine or do not fit the preparation.
    KnnSearch(std::shared_ptr<const Dataset> data, const Settings &settings, Watch &watch);
    ~KnnSearch();

    const Dataset &data() const { return *data_; }
    const Settings &settings() const; // decided, but for the method

    // Runs all queries; k was checked to be within the candidates (1 if queries.all_within), and no distance of the queries is
    // NaN. Fills every field of *stats but struct_size.
    // Thread-safe.
    void run(const Queries &queries, std::int64_t k, const Deliver &deliver, Watch &watch, bmo_stats &stats) const;

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

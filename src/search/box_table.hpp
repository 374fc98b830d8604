// The Monte Carlo boxes that a search can use: one line of a table each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "data/dataset.hpp"
#include "data/files/sections.hpp"
#include "data/queries.hpp"
#include "search/choice/plan.hpp"
#include "search/worker.hpp"

namespace bmo {

// What decides how long an exact scan of sparse points takes.
struct SparseScan {
    bool of_counts = false; // most entries are read as bytes
    double shared = 0;      // entries of a point in the coordinates of another, on average over the pairs
};

// So few that the state of their arms is small.
inline std::int64_t races_in_step(std::int64_t n) {
    constexpr std::int64_t kMost = 12, kArms = std::int64_t{1} << 21;
    return std::clamp<std::int64_t>(kArms / std::max<std::int64_t>(1, n), 1, kMost);
}

// A box bound to a dataset and a plan: what all threads and calls of a search share. The dataset outlives it.
class BoundBox {
public:
    BoundBox() = default;
    BoundBox(const BoundBox &) = delete;
    BoundBox &operator=(const BoundBox &) = delete;
    virtual ~BoundBox() = default;
    virtual std::unique_ptr<Worker> make_worker() const = 0;
    // How many queries' races of n arms go in step.
    virtual std::int64_t raced_together(std::int64_t n) const { return races_in_step(n); }
    virtual SparseScan sparse_scan() const { return {}; }
    // How many queries an exact scan takes at a time on each of so many threads.
    virtual std::int64_t scanned_together(const Queries &, int) const { return 1; }
};

struct BoxEntry {
    std::int64_t box; // BMO_BOX_*
    // May pass over all points: see bmo_query_create().
    std::unique_ptr<BoundBox> (*share)(const Dataset &data, const Plan &plan, Watch &watch);
    std::shared_ptr<const Preparation> (*prepare)(const Dataset &source, const Settings &settings, int threads,
                                                  Watch &watch);
    // Of some points of a dataset, what prepare() made of all: `chosen` has these points. Null, here or as a result: it is made again.
    std::shared_ptr<const Preparation> (*subset)(const Dataset &whole, std::span<const std::int64_t> rows,
                                                 const Dataset &chosen, Watch &watch);
    // From a file: what prepare() made of the same source and settings. Null: it is made again.
    std::shared_ptr<const Preparation> (*restore)(const Dataset &source, const Settings &settings,
                                                  const Sections &sections, Watch &watch);
};

const BoxEntry &box_entry(std::int64_t box);
bool is_box(std::int64_t box);

} // namespace bmo

#include "search/medoid/distance_rows.hpp"

#include <algorithm>
#include <cmath>

#include "search/choice/plan.hpp"
#include "util/failure.hpp"
#include "util/parallel.hpp"

namespace bmo {
namespace {

constexpr std::size_t kBlock = 512; // distances of an item: few enough to share a row, and to make little of binding

struct Ops {
    std::uint64_t done = 0, of_scans = 0;
};

} // namespace

DistanceRows::DistanceRows(const KnnSearch &search)
    : search_(search), workers_(static_cast<std::size_t>(threads_of(search.settings()))) {}

DistanceRows::~DistanceRows() {
    for (std::unique_ptr<Worker> &worker : workers_)
        if (worker)
            search_.give_worker(std::move(worker));
}

Queries DistanceRows::points() const {
    const Dataset &data = search_.data();
    return {.points = data.points(), .count = data.n(), .own_points = true, .max_abs = data.max_abs};
}

Worker &DistanceRows::worker(int thread) {
    std::unique_ptr<Worker> &worker = workers_[static_cast<std::size_t>(thread)];
    if (!worker)
        worker = search_.take_worker();
    return *worker;
}

bool DistanceRows::has_bounds(std::size_t from) {
    constexpr std::size_t kLeast = 4; // of fewer, to take the points to pieces takes longer
    return from >= kLeast && worker(0).has_bounds(points());
}

std::uint64_t DistanceRows::bound(std::span<const std::int32_t> from, Watch &watch, const TakeBounds &take) {
    const std::vector<std::int64_t> rows(from.begin(), from.end());
    Queries queries = points();
    queries.rows = rows.data();
    queries.count = static_cast<std::int64_t>(rows.size());
    const std::int64_t group = search_.scanned_together(queries, threads());
    parallel_for(threads(), (queries.count + group - 1) / group, watch, [&](std::int64_t item, int thread) {
        const std::int64_t first = item * group;
        const auto take_others = [&](std::int64_t query, std::int64_t point, std::span<double> lower,
                                     std::span<double> upper) {
            const std::int64_t self = queries.row(query) - point;
            if (self >= 0 && self < static_cast<std::int64_t>(lower.size()))
                lower[static_cast<std::size_t>(self)] = upper[static_cast<std::size_t>(self)] = 0;
            take(query, point, lower, upper);
        };
        worker(thread).bound(queries, first, std::min(group, queries.count - first), 0, watch, take_others);
    });
    const auto pairs = rows.size() * static_cast<std::uint64_t>(queries.points.n() - 1);
    return pairs * static_cast<std::uint64_t>(queries.points.d());
}

std::uint64_t DistanceRows::bound_sums(SumBounds &sums, Watch &watch) {
    constexpr std::int64_t kGroup = 256; // whatever the number of threads: in this order bounds are added up
    const Queries queries = points();
    const std::int64_t n = queries.count, group = std::min(kGroup, search_.scanned_together(queries, 1)),
                       groups = (n + group - 1) / group;
    sums.reset(n);
    std::vector<SumBounds> parts(workers_.size());
    for (std::int64_t first = 0; first < groups; first += threads()) {
        const std::int64_t some = std::min<std::int64_t>(threads(), groups - first);
        parallel_for(threads(), some, watch, [&](std::int64_t item, int thread) {
            SumBounds &part = parts[static_cast<std::size_t>(item)];
            part.reset(n);
            bound_group(worker(thread), (first + item) * group, group, part, watch);
        });
        for (std::int64_t item = 0; item < some; ++item)
            sums += parts[static_cast<std::size_t>(item)];
    }
    std::uint64_t pairs = 0;
    for (std::int64_t first = 0; first < n; first += group)
        pairs += static_cast<std::uint64_t>(std::min(group, n - first) * (n - first));
    return (pairs - static_cast<std::uint64_t>(n)) * static_cast<std::uint64_t>(queries.points.d());
}

// The points of a group, with each other and with all points behind them. A bound of the latter serves both points of a pair.
void DistanceRows::bound_group(Worker &worker, std::int64_t first, std::int64_t count, SumBounds &part, Watch &watch) {
    const Queries queries = points();
    const std::int64_t last = std::min(first + count, queries.count);
    worker.bound(queries, first, last - first, first, watch,
                 [&](std::int64_t query, std::int64_t point, std::span<double> lower, std::span<double> upper) {
                     for (std::size_t i = 0; i < lower.size(); ++i) {
                         const std::int64_t other = point + static_cast<std::int64_t>(i);
                         if (other == query)
                             continue;
                         part.add(query, lower[i], upper[i]);
                         if (other >= last)
                             part.add(other, lower[i], upper[i]);
                     }
                 });
}

std::uint64_t DistanceRows::compute(std::span<const std::int32_t> from, std::span<const std::int32_t> to,
                                    std::vector<double> &rows, Watch &watch) {
    const Queries points = this->points();
    const std::size_t blocks = (to.size() + kBlock - 1) / kBlock;
    rows.resize(from.size() * to.size());
    std::vector<Ops> ops(workers_.size());
    parallel_for(threads(), static_cast<std::int64_t>(from.size() * blocks), watch, [&](std::int64_t item, int thread) {
        Ops &own = ops[static_cast<std::size_t>(thread)];
        const std::size_t row = static_cast<std::size_t>(item) / blocks,
                          block = static_cast<std::size_t>(item) % blocks;
        const std::int32_t point = from[row];
        QuerySlot &slot = worker(thread).slot(0);
        slot.bind(points, point);
        if (block == 0)
            own.of_scans += slot.brute_ops(point);
        for (std::size_t j = block * kBlock; j < std::min(to.size(), (block + 1) * kBlock); ++j) {
            watch.poll();
            double &distance = rows[row * to.size() + j];
            distance = to[j] == point ? 0 : slot.distance(slot.exact(to[j]));
            own.done += to[j] == point ? 0 : slot.exact_ops(to[j]);
            if (!std::isfinite(distance))
                fail(BMO_EOVERFLOW, "distance",
                     text("the distance of point ", Position{point}, " to point ", Position{to[j]}, kCountedFrom0,
                          " is beyond the range of double; scale the data down"),
                     point);
        }
    });
    asked_ += to.empty() ? 0 : from.size();
    std::uint64_t done = 0;
    for (const Ops &own : ops) {
        done += own.done;
        scan_ops_ += own.of_scans;
    }
    return done;
}

} // namespace bmo

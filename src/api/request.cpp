#include "api/request.hpp"

#include <atomic>
#include <memory>
#include <vector>

#include "api/handles.hpp"
#include "api/limits.hpp"
#include "api/output.hpp"
#include "api/structs.hpp"
#include "data/params.hpp"
#include "util/counted.hpp"

namespace bmo {

namespace {

void check_k(std::int64_t k, const NeighborSearch &searcher, const Queries &queries) {
    const std::int64_t n = searcher.data().n(), candidates = searcher.most_candidates(queries.own_points);
    const bool bounded = n > 0 || queries.count > 0;
    if (k >= 1 && (k <= candidates || !bounded))
        return;
    if (bounded && candidates < 1)
        fail(BMO_EINVAL, "k",
             text("k is ", k, ", but a query has no candidates: the dataset has ", counted(n, "point")));
    if (bounded)
        refuse("k", k, "1 to ", candidates, ", the candidates of a query");
    refuse("k", k, "1 or more");
}

} // namespace

Queries all_points(const Dataset &data) {
    return {.points = data.points(), .count = data.n(), .max_abs = data.max_abs};
}

void search(const NeighborSearch &searcher, Queries queries, const CheckQueries &check, const Request &request) {
    check_k(request.k, searcher, queries);
    const Output output(request.out, queries.count, request.k);
    const Limits limits(output.limits(), queries, searcher.label_rule(), "out.limits");
    if (limits.max_pairs() != 0)
        refuse("out.limits.max_pairs", limits.max_pairs(), "0, for k bounds the neighbors");
    Watch watch = watch_of(request.monitor);
    if (request.stats)
        check_struct(request.stats, "stats");
    output.clear();
    check(queries, watch);
    limits.set(queries);
    bmo_stats stats{};
    const auto deliver = [&](std::int64_t i, std::span<const Neighbor> neighbors, const bmo_row_stats &row_stats) {
        output.write(i, neighbors, row_stats);
    };
    searcher.run(queries, request.k, deliver, watch, stats);
    if (request.stats)
        write_struct(request.stats, stats);
}

namespace {

// The neighbors of each query, until all are known.
class Gathered {
public:
    Gathered(std::int64_t queries, std::int64_t max_pairs)
        : rows_(static_cast<std::size_t>(queries)), max_pairs_(max_pairs) {}

    // From several threads, for different queries.
    void add(std::int64_t query, std::span<const Neighbor> neighbors) {
        const auto more = static_cast<std::int64_t>(neighbors.size());
        if (pairs_.fetch_add(more) + more > max_pairs_ && max_pairs_ > 0)
            fail(BMO_EOVERFLOW, "limits.max_pairs",
                 text("more than ", max_pairs_, " pairs are within ", Word{"limits.max_distance"},
                      "; expected no more than ", Word{"limits.max_pairs"},
                      ": raise it, or make the distance smaller"));
        rows_[static_cast<std::size_t>(query)].assign(neighbors.begin(), neighbors.end());
    }

    // Frees each row once it is copied.
    std::unique_ptr<bmo_neighbors> together() {
        auto all = std::make_unique<bmo_neighbors>();
        all->offset.reserve(rows_.size() + 1);
        all->index.reserve(static_cast<std::size_t>(pairs_));
        all->distance.reserve(static_cast<std::size_t>(pairs_));
        all->offset.push_back(0);
        for (std::vector<Neighbor> &row : rows_) {
            for (const Neighbor &neighbor : row) {
                all->index.push_back(neighbor.index);
                all->distance.push_back(neighbor.distance);
            }
            all->offset.push_back(static_cast<std::int64_t>(all->index.size()));
            std::vector<Neighbor>().swap(row);
        }
        return all;
    }

private:
    std::vector<std::vector<Neighbor>> rows_;
    std::int64_t max_pairs_;
    std::atomic<std::int64_t> pairs_ = 0;
};

// No other rule stops when all within a distance are known.
void check_race(const Settings &settings) {
    if (settings.method == BMO_METHOD_EXACT)
        return;
    if (settings.method == BMO_METHOD_UNIFORM)
        fail(BMO_EINVAL, "method", "method is uniform, which finds k points: set method to auto, bandit or exact");
    if (settings.bandit != BMO_BANDIT_RACE)
        fail(BMO_EINVAL, "bandit",
             text("bandit is ", choice_text(BMO_PARAM_BANDIT, settings.bandit),
                  ", which finds k points: set bandit to race or auto (of box sparse_union: method to exact)"));
}

} // namespace

void search(const NeighborSearch &searcher, Queries queries, const CheckQueries &check, const RadiusRequest &request) {
    require(request.out, "out");
    require(request.limits, "limits");
    check_race(searcher.settings());
    const Limits limits(request.limits, queries, searcher.label_rule(), "limits");
    if (!limits.has_max_distance())
        fail(BMO_EINVAL, "limits.max_distance",
             text(Word{"limits.max_distance"}, " is NULL; expected the distance to search within"));
    Watch watch = watch_of(request.monitor);
    if (request.stats)
        check_struct(request.stats, "stats");
    check(queries, watch);
    limits.set(queries);
    queries.all_within = true;
    Gathered gathered(queries.count, limits.max_pairs());
    bmo_stats stats{};
    const auto deliver = [&](std::int64_t i, std::span<const Neighbor> neighbors, const bmo_row_stats &) {
        gathered.add(i, neighbors);
    };
    searcher.run(queries, 1, deliver, watch, stats);
    *request.out = gathered.together().release();
    if (request.stats)
        write_struct(request.stats, stats);
}

} // namespace bmo

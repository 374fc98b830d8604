#include "search/knn.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bandit/adaptive/adaptive.hpp"
#include "bandit/adaptive/box_arms.hpp"
#include "bandit/uniform.hpp"
#include "search/box_table.hpp"
#include "search/choice/box_choice.hpp"
#include "search/choice/method_choice.hpp"
#include "search/choice/plan.hpp"
#include "search/stats.hpp"
#include "util/failure.hpp"
#include "util/idle_pool.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

// So few that every thread has some.
std::int64_t queries_together(std::int64_t most, std::int64_t queries, int threads) {
    return std::min(most, std::max<std::int64_t>(1, queries / 2 / threads));
}

// Whether the points are read so often that it pays to bring the coordinates of each together first. A scan reads columns nearly
// as fast as rows, but for what it computes in full: a few dozen points of each query. A race reads few coordinates.
bool reads_often(bool scans, std::int64_t queries, std::int64_t n) {
    constexpr std::int64_t kLeast = 16, kScanShare = 4, kRaceShare = 16;
    return queries >= kLeast && queries * (scans ? kScanShare : kRaceShare) >= n;
}

// Workers that are kept from call to call: such that they have the state of no more arms than this, or one.
std::size_t workers_kept(std::int64_t n) {
    constexpr std::int64_t kArms = std::int64_t{1} << 22;
    return static_cast<std::size_t>(std::max<std::int64_t>(1, kArms / std::max<std::int64_t>(1, n * races_in_step(n))));
}

// What the queries of one call share.
class SearchCall {
public:
    SearchCall(const Dataset &data, const Plan &plan, const BoundBox &box, const Queries &queries, std::int64_t k)
        : data_(data), plan_(plan), queries_(queries),
          candidates_(std::max<std::int64_t>(0, data.n() - (queries.own_points ? 1 : 0))),
          k_(queries.all_within ? std::max<std::int64_t>(1, candidates_) : k), scan_(box.sparse_scan()),
          choice_(choose_method(data, plan, box, candidates_, k, queries)) {
        const bool shared = plan.settings.delta_scope == BMO_SCOPE_CALL && queries.count > 0;
        const std::int64_t sharing = std::max(queries.count, queries.part.queries);
        delta_ = plan.settings.delta / (shared ? static_cast<double>(sharing) : 1);
        if (queries.all_within && candidates_ == 0)
            choice_ = {BMO_METHOD_EXACT, ""};
    }

    // Whether the distances of a few points tell if a race of all within a distance pays.
    bool is_to_probe() const {
        return queries_.all_within && plan_.settings.method == BMO_METHOD_AUTO && !scans() && queries_.count > 0;
    }

    // If more than one of 40 points is within the distance, a race computes as much as a scan does, and samples beside. Asking
    // takes at most 1 of 256 of what the scans of all queries take.
    Cost probe(Worker &worker, Watch &watch) {
        constexpr std::int64_t kQueries = 2, kPoints = 128, kShare = 512, kMostQueries = 4, kScanned = 40;
        const std::int64_t points = std::min(kPoints, candidates_ * std::min(queries_.count, kMostQueries) / kShare);
        std::int64_t probed = 0, within = 0;
        Cost spent;
        for (std::int64_t i = 0; i < std::min(kQueries, queries_.count); ++i) {
            const std::int64_t query = i * (queries_.count - 1);
            QuerySlot &slot = worker.slot(0);
            slot.bind(queries_, query);
            for (std::int64_t p = 0; p < points; ++p) {
                watch.poll();
                const auto arm = static_cast<std::int32_t>(p * data_.n() / points);
                if (arm == queries_.self(query))
                    continue;
                within += slot.distance(slot.exact(arm)) <= queries_.within(query) ? 1 : 0;
                spent.exact_ops += slot.exact_ops(arm);
                ++spent.exact_evals;
                ++probed;
            }
        }
        if (within * kScanned > probed)
            choice_ = {BMO_METHOD_EXACT, "exact: of a few points compared, more than 1 of 40 are within the distance"};
        return spent;
    }

    std::int64_t points() const { return data_.n(); }
    bool scans() const { return choice_.method == BMO_METHOD_EXACT; }
    bool is_on_trial() const { return choice_.on_trial; }

    // Decides by the races of two queries, far from each other. Returns what they took.
    Cost try_races(Worker &worker, Watch &watch) {
        constexpr std::int64_t races = 2;
        Cost spent;
        for (std::int64_t i = 1; i <= races; ++i)
            race(i * (queries_.count / (races + 1)), 1, worker, watch,
                 [&](std::int64_t, QuerySlot &, const Cost &cost) { spent += cost; });
        choice_ = data_.kind == Kind::sparse
                      ? choose_after_trial(scan_, candidates_, spent, races)
                      : choose_after_trial(data_, plan_, choice_, queries_, candidates_, spent, races);
        return spent;
    }

    // Answers the queries [first, first + count), and counts them as done.
    void answer(std::int64_t first, std::int64_t count, Worker &worker, Watch &watch, const SlotDone &done) const {
        if (scans()) {
            worker.scan(queries_, first, count, k_, watch, done);
        } else if (plan_.settings.bandit == BMO_BANDIT_RACE && choice_.method == BMO_METHOD_BANDIT) {
            race(first, count, worker, watch, done);
            watch.advance(count);
        } else {
            sample_each(first, count, worker, watch, done);
        }
    }

    void read_neighbors(std::int64_t query, QuerySlot &slot, std::vector<Neighbor> &neighbors) const {
        const double within = queries_.within(query);
        neighbors.clear();
        for (const Finished &arm : slot.nearest().sorted()) {
            double distance = slot.distance(arm.sum);
            if (distance > within)
                continue;
            if (!neighbors.empty()) // rounding of near-ties does not turn their order
                distance = std::max(distance, neighbors.back().distance);
            if (!std::isfinite(distance) && !queries_.part.is_part()) // a part's may not be in the answer
                fail_beyond_double(query, arm.arm);
            neighbors.push_back({distance, arm.arm});
        }
        if (within == std::numeric_limits<double>::infinity() &&
            static_cast<std::int64_t>(neighbors.size()) < std::min(k_, candidates_))
            fail(BMO_EINTERNAL, "k",
                 text("query ", Position{query}, kCountedFrom0, " has ", neighbors.size(), " neighbors, though ", k_,
                      " were asked for"),
                 query);
    }

    // Everything but the time.
    void fill(const Cost &total, std::uint64_t brute_ops, std::uint64_t neighbors, int threads,
              bmo_stats &stats) const {
        stats = stats_of(plan_.settings, total);
        stats.guarantee = total.complete                         ? BMO_GUARANTEE_EXACT
                          : choice_.method == BMO_METHOD_UNIFORM ? BMO_GUARANTEE_NONE
                                                                 : plan_.guarantee;
        stats.method = static_cast<std::int32_t>(choice_.method);
        stats.threads = threads;
        stats.assumption = stats.guarantee == BMO_GUARANTEE_CONDITIONAL ? plan_.assumption : "";
        stats.reason = choice_.reason;
        stats.queries = static_cast<std::uint64_t>(queries_.count);
        stats.arms = static_cast<std::uint64_t>(candidates_);
        stats.coord_ops_brute = brute_ops;
        stats.neighbors = neighbors;
    }

private:
    void race(std::int64_t first, std::int64_t count, Worker &worker, Watch &watch, const SlotDone &done) const {
        std::vector<RaceRule> rules;
        std::vector<Cost> costs(static_cast<std::size_t>(count));
        worker.bind(queries_, first, count);
        for (std::int64_t i = 0; i < count; ++i) {
            const QuerySlot &slot = worker.slot(static_cast<std::size_t>(i));
            const double limit = slot.sum_within(queries_.within(first + i));
            rules.push_back({.k = k_,
                             .alpha = alpha(),
                             .epsilon_sum = slot.sum_of_epsilon(epsilon_beside(limit)),
                             .self = queries_.self(first + i),
                             .limit = limit,
                             .all = queries_.all_within});
        }
        worker.race(rules, watch, costs);
        for (std::size_t i = 0; i < costs.size(); ++i)
            done(first + static_cast<std::int64_t>(i), worker.slot(i), costs[i]);
    }

    void sample_each(std::int64_t first, std::int64_t count, Worker &worker, Watch &watch, const SlotDone &done) const {
        for (std::int64_t query = first; query < first + count; ++query) {
            QuerySlot &slot = worker.slot(0);
            slot.bind(queries_, query);
            done(query, slot, sample(query, slot, watch));
            watch.advance(1);
        }
    }

    // Of the test of one arm: those that must not be dropped share delta. If all within a distance are wanted, each has delta of
    // its own, or they share that of the call.
    double alpha() const {
        const bool own = queries_.all_within && plan_.settings.delta_scope == BMO_SCOPE_QUERY;
        return own ? delta_ : delta_ / static_cast<double>(std::max(k_, queries_.part.k));
    }

    // An arm that is as good may be beyond the limit, and not count: then a better one must not be dropped for it.
    double epsilon_beside(double limit) const { return std::isinf(limit) ? plan_.settings.epsilon : 0; }

    // Neither a scan nor a race.
    Cost sample(std::int64_t query, QuerySlot &slot, Watch &watch) const {
        const Settings &settings = plan_.settings;
        const Wanted wanted{k_, queries_.self(query), slot.sum_within(queries_.within(query))};
        if (choice_.method == BMO_METHOD_UNIFORM)
            return slot.sample_all({wanted.k, wanted.self, settings.uniform_pulls, wanted.limit}, watch);
        const Draw draw =
            settings.sampling == BMO_SAMPLING_WITH_REPLACEMENT ? Draw::with_replacement : Draw::without_replacement;
        const std::uint64_t stream =
            mix_seed({static_cast<std::uint64_t>(settings.seed), static_cast<std::uint64_t>(query)});
        return slot.sample(adaptive_rule(wanted), draw, stream, watch);
    }

    AdaptiveRule adaptive_rule(const Wanted &wanted) const {
        const Settings &settings = plan_.settings;
        return {.bandit = settings.bandit,
                .confidence = settings.confidence,
                .delta = delta_ / static_cast<double>(queries_.part.searches),
                .sigma = settings.sigma,
                .trial = {.k = wanted.k,
                          .self = wanted.self,
                          .epsilon = epsilon_beside(wanted.limit),
                          .looks = {settings.init_pulls, settings.pulls_per_round, settings.max_pulls},
                          .arms_per_round = settings.arms_per_round,
                          .limit = wanted.limit}};
    }

    const Dataset &data_;
    const Plan &plan_;
    const Queries &queries_;
    std::int64_t candidates_, k_;
    SparseScan scan_;
    MethodChoice choice_;
    double delta_;
};

// What one thread of a call uses and has done.
struct ThreadTotals {
    std::unique_ptr<Worker> worker;
    std::vector<Neighbor> neighbors;
    Cost cost;
    std::uint64_t brute_ops = 0, found = 0;
};

} // namespace

struct KnnSearch::State {
    Plan plan;
    std::unique_ptr<BoundBox> box;
    IdlePool<Worker> idle;

    std::unique_ptr<Worker> take_worker() {
        std::unique_ptr<Worker> worker = idle.take();
        return worker ? std::move(worker) : box->make_worker();
    }

    // Fills all of the stats but the time.
    void answer(SearchCall &call, const Queries &queries, const Deliver &deliver, Watch &watch, bmo_stats &stats) {
        const int threads = threads_of(plan.settings);
        std::vector<ThreadTotals> totals(static_cast<std::size_t>(threads));
        Cost total;
        if (call.is_to_probe() || call.is_on_trial())
            totals[0].worker = take_worker();
        if (call.is_to_probe())
            total += call.probe(*totals[0].worker, watch);
        if (call.is_on_trial()) {
            total += call.try_races(*totals[0].worker, watch);
            total.complete = true; // whatever the trial left open, the answers do not hang on it
        }

        const std::int64_t together =
            call.scans() ? box->scanned_together(queries, threads)
                         : queries_together(box->raced_together(call.points()), queries.count, threads);
        parallel_for(threads, (queries.count + together - 1) / together, watch, [&](std::int64_t group, int thread) {
            ThreadTotals &thread_totals = totals[static_cast<std::size_t>(thread)];
            if (!thread_totals.worker)
                thread_totals.worker = take_worker();
            const auto done = [&](std::int64_t query, QuerySlot &slot, const Cost &cost) {
                call.read_neighbors(query, slot, thread_totals.neighbors);
                deliver(query, thread_totals.neighbors,
                        {.coord_ops = cost.coord_ops(),
                         .rounds = static_cast<std::uint32_t>(cost.rounds),
                         .exact_evals = static_cast<std::uint32_t>(cost.exact_evals)});
                thread_totals.cost += cost;
                thread_totals.found += thread_totals.neighbors.size();
                thread_totals.brute_ops += slot.brute_ops(queries.self(query));
            };
            const std::int64_t first = group * together;
            call.answer(first, std::min(together, queries.count - first), *thread_totals.worker, watch, done);
        });

        std::uint64_t brute_ops = 0, found = 0;
        for (ThreadTotals &thread_totals : totals) {
            total += thread_totals.cost;
            brute_ops += thread_totals.brute_ops;
            found += thread_totals.found;
            if (thread_totals.worker)
                idle.give(std::move(thread_totals.worker));
        }
        call.fill(total, brute_ops, found, threads, stats);
    }
};

KnnSearch::KnnSearch(std::shared_ptr<const Dataset> data, const Settings &settings, Watch &watch)
    : data_(data_for(std::move(data), settings)), asked_(settings), state_(std::make_unique<State>()) {
    state_->plan = make_plan(*data_, settings);
    keep_workers(workers_kept(data_->n()));
    state_->box = box_entry(state_->plan.settings.box).share(*data_, state_->plan, watch);
}

KnnSearch::~KnnSearch() = default;

void KnnSearch::keep_workers(std::size_t most) {
    state_->idle.limit(most);
}

const Settings &KnnSearch::settings() const {
    return state_->plan.settings;
}

std::unique_ptr<Worker> KnnSearch::take_worker() const {
    return state_->take_worker();
}

void KnnSearch::give_worker(std::unique_ptr<Worker> worker) const {
    state_->idle.give(std::move(worker));
}

std::int64_t KnnSearch::scanned_together(const Queries &queries, int threads) const {
    return state_->box->scanned_together(queries, threads);
}

std::unique_ptr<KnnSearch> KnnSearch::in_rows(Watch &watch) const {
    std::shared_ptr<const Dataset> rows = bmo::in_rows(*data_, watch);
    return rows ? std::make_unique<KnnSearch>(std::move(rows), asked_, watch) : nullptr;
}

void KnnSearch::run(const Queries &queries, std::int64_t k, const Deliver &deliver, Watch &watch,
                    bmo_stats &stats) const {
    const Stopwatch stopwatch;
    SearchCall call(*data_, state_->plan, *state_->box, queries, k);
    const bool often = reads_often(call.scans(), queries.count, data_->n());
    if (const std::unique_ptr<KnnSearch> rows = often ? in_rows(watch) : nullptr) {
        Queries same = queries;
        if (queries.own_points)
            same.points = rows->data().points();
        rows->run(same, k, deliver, watch, stats);
    } else {
        watch.begin(BMO_PHASE_SEARCH, queries.count);
        state_->answer(call, queries, deliver, watch, stats);
        watch.finish();
    }
    stats.wall_ns = stopwatch.ns();
}

void KnnSearch::run_part(const Queries &queries, std::int64_t k, const Deliver &deliver, Watch &watch,
                         bmo_stats &stats) const {
    SearchCall call(*data_, state_->plan, *state_->box, queries, k);
    state_->answer(call, queries, deliver, watch, stats);
}

} // namespace bmo

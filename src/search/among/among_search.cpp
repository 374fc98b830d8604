#include "search/among/among_search.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "data/subset.hpp"
#include "search/among/total_stats.hpp"
#include "search/choice/plan.hpp"
#include "search/subset.hpp"
#include "util/stopwatch.hpp"

namespace bmo {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Queries that are asked of one part in one go.
struct Batch {
    std::vector<std::int64_t> queries; // positions in the call
    std::vector<std::int64_t> rows;    // of the part's points if `own`, else of the call's
    std::int64_t left_out = 0;         // most points of the part that have the label of a query
};

std::uint32_t sum_up_to_largest(std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();
    return a > kLargest - b ? kLargest : a + b;
}

// What a query has found so far.
struct Answer {
    std::vector<Neighbor> neighbors;
    bmo_row_stats row_stats{};
    std::size_t own = 0; // the part with the query's label
    std::size_t parts_left = 0;
};

bool is_before(const Neighbor &a, const Neighbor &b) {
    return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
}

// A distance that no equal one is above, as another search computes it: see "Precision" in bmo.h.
double raised(double distance, const Settings &settings, std::int64_t d) {
    const bool roots = settings.metric == BMO_METRIC_LP && settings.p != 1 && settings.p != 2;
    const double of_roots = (64 + static_cast<double>(d) / 8) * 0x1p-53 / std::min(1.0, settings.p);
    const double off = roots ? of_roots : 0x1p-48;
    return distance + 2 * off * std::abs(distance) + std::numeric_limits<double>::min();
}

// What an exact search of few points needs.
Settings settings_of_scan(const Settings &decided) {
    Settings scan;
    scan.method = BMO_METHOD_EXACT;
    scan.metric = decided.metric;
    scan.p = decided.p;
    scan.weights = decided.weights;
    scan.rho = decided.rho;
    scan.threads = decided.threads;
    return scan;
}

// One call of run().
class AmongCall {
public:
    AmongCall(const CandidateParts &parts, std::span<const std::unique_ptr<KnnSearch>> searches,
              const Settings &settings, const Queries &queries, std::int64_t k, const Deliver &deliver)
        : parts_(parts), searches_(searches), settings_(settings), queries_(queries), k_(k), deliver_(deliver),
          answers_(static_cast<std::size_t>(queries.count)) {}

    void run(Watch &watch, bmo_stats &stats) {
        watch.begin(BMO_PHASE_SEARCH, find_parts(watch));
        for (std::int64_t i = 0; i < queries_.count; ++i)
            if (answer(i).parts_left == 0)
                deliver_(i, {}, {});
        for (std::size_t part = 0; part < searches_.size(); ++part)
            for (const auto &[key, batch] : batches_of(part, watch))
                ask(part, key.first, batch, watch);
        if (!stats_.any())
            ask(0, false, {}, watch);
        watch.finish();
        fill(stats);
    }

private:
    // Whether the queries are points of the part; the width of the number of points that are left out.
    using BatchKey = std::pair<bool, int>;

    Answer &answer(std::int64_t query) { return answers_[static_cast<std::size_t>(query)]; }

    std::int32_t label_of(std::int64_t query) const {
        if (parts_.rule() == LabelRule::none)
            return 0;
        return queries_.own_points ? parts_.label_of_point(queries_.row(query)) : queries_.labels[query];
    }

    // Of each query. Returns how many searches there are in all.
    std::int64_t find_parts(Watch &watch) {
        const bool is_one = parts_.rule() != LabelRule::other;
        if (is_one)
            asked_.resize(searches_.size());
        SmallSteps steps(watch);
        std::int64_t searches = 0;
        for (std::int64_t i = 0; i < queries_.count; ++i) {
            steps.step();
            Answer &of_query = answer(i);
            of_query.own = parts_.rule() == LabelRule::none ? 0 : parts_.part_of(label_of(i));
            const bool has_own = of_query.own != CandidateParts::kNone;
            if (is_one && has_own)
                asked_[of_query.own].push_back(i);
            const bool leaves_one = has_own && !parts_.parts()[of_query.own].mixed;
            of_query.parts_left = is_one ? (has_own ? 1 : 0) : searches_.size() - (leaves_one ? 1 : 0);
            searches += static_cast<std::int64_t>(of_query.parts_left);
        }
        return searches;
    }

    std::map<BatchKey, Batch> batches_of(std::size_t part, Watch &watch) {
        std::map<BatchKey, Batch> batches;
        SmallSteps steps(watch);
        if (parts_.rule() != LabelRule::other) {
            for (const std::int64_t query : asked_[part]) {
                steps.step();
                add_to(batches, part, query);
            }
            return batches;
        }
        for (std::int64_t query = 0; query < queries_.count; ++query) {
            steps.step();
            if (parts_.is_asked(part, answer(query).own))
                add_to(batches, part, query);
        }
        return batches;
    }

    void add_to(std::map<BatchKey, Batch> &batches, std::size_t part, std::int64_t query) {
        const std::vector<std::int64_t> &rows = parts_.parts()[part].rows;
        const std::int64_t row = queries_.row(query), left_out = parts_.left_out(part, label_of(query));
        const bool may_be_own = queries_.own_points && part == answer(query).own;
        const auto found = may_be_own ? std::ranges::lower_bound(rows, row) : rows.end();
        const bool own = found != rows.end() && *found == row;
        Batch &batch = batches[{own, std::bit_width(static_cast<std::uint64_t>(left_out))}];
        batch.queries.push_back(query);
        batch.rows.push_back(own ? found - rows.begin() : row);
        batch.left_out = std::max(batch.left_out, left_out);
    }

    // No neighbor of the query that is still to be found is farther.
    double within(std::int64_t query) {
        const std::vector<Neighbor> &found = answer(query).neighbors;
        const bool full = !queries_.all_within && static_cast<std::int64_t>(found.size()) == k_;
        return std::min(queries_.within(query),
                        full ? raised(found.back().distance, settings_, queries_.points.d()) : kInfinite);
    }

    void ask(std::size_t part, bool own, const Batch &batch, Watch &watch) {
        const KnnSearch &search = *searches_[part];
        const std::int64_t candidates = search.most_candidates(own);
        if (candidates < 1) { // the query's own point
            for (const std::int64_t query : batch.queries)
                take(query, part, {}, {});
            return watch.advance(static_cast<std::int64_t>(batch.queries.size()));
        }
        std::vector<double> farthest;
        for (const std::int64_t query : batch.queries)
            farthest.push_back(within(query));
        const Dataset &points = search.data();
        Queries asked = queries_;
        asked.points = own ? points.points() : queries_.points;
        asked.max_abs = own ? points.max_abs : queries_.max_abs;
        asked.own_points = own;
        asked.rows = batch.rows.data();
        asked.count = static_cast<std::int64_t>(batch.queries.size());
        asked.max_distance = farthest.data();
        asked.one_max_distance = false;
        asked.part = {.k = queries_.all_within ? parts_.points() : k_,
                      .queries = queries_.count,
                      .searches = parts_.rule() == LabelRule::other ? static_cast<std::int64_t>(searches_.size()) : 1,
                      .point_in_whole = parts_.parts()[part].rows.data()};
        const std::int64_t k = queries_.all_within ? 1 : std::min(k_ + batch.left_out, candidates);
        const auto deliver = [&](std::int64_t i, std::span<const Neighbor> neighbors, const bmo_row_stats &row_stats) {
            take(batch.queries[static_cast<std::size_t>(i)], part, neighbors, row_stats);
        };
        bmo_stats stats{};
        search.run_part(asked, k, deliver, watch, stats);
        stats_.add(stats);
    }

    // Adds what a part has to the answer, and delivers it if the part is the last one. From several threads, for different queries.
    void take(std::int64_t query, std::size_t part, std::span<const Neighbor> neighbors,
              const bmo_row_stats &row_stats) {
        Answer &whole = answer(query);
        const CandidatePart &from = parts_.parts()[part];
        const bool with_own_label = parts_.left_out(part, label_of(query)) > 0;
        const auto middle = static_cast<std::ptrdiff_t>(whole.neighbors.size());
        for (const Neighbor &neighbor : neighbors) {
            const std::int64_t row = from.rows[static_cast<std::size_t>(neighbor.index)];
            if (!with_own_label || parts_.label_of_point(row) != label_of(query))
                whole.neighbors.push_back({neighbor.distance, row});
        }
        std::sort(whole.neighbors.begin() + middle, whole.neighbors.end(), is_before); // equal ones may lie anyhow
        std::inplace_merge(whole.neighbors.begin(), whole.neighbors.begin() + middle, whole.neighbors.end(), is_before);
        if (!queries_.all_within && static_cast<std::int64_t>(whole.neighbors.size()) > k_)
            whole.neighbors.resize(static_cast<std::size_t>(k_));
        whole.row_stats.coord_ops += row_stats.coord_ops;
        whole.row_stats.rounds = sum_up_to_largest(whole.row_stats.rounds, row_stats.rounds);
        whole.row_stats.exact_evals = sum_up_to_largest(whole.row_stats.exact_evals, row_stats.exact_evals);
        if (--whole.parts_left > 0)
            return;
        for (const Neighbor &neighbor : whole.neighbors)
            if (!std::isfinite(neighbor.distance))
                fail_beyond_double(query, neighbor.index);
        deliver_(query, whole.neighbors, whole.row_stats);
        found_.fetch_add(whole.neighbors.size());
        std::vector<Neighbor>().swap(whole.neighbors);
    }

    void fill(bmo_stats &stats) const {
        stats = stats_.total();
        stats.queries = static_cast<std::uint64_t>(queries_.count);
        stats.arms = static_cast<std::uint64_t>(parts_.points());
        stats.neighbors = found_;
        stats.seed = settings_.seed;
        stats.delta = settings_.delta;
        stats.epsilon = settings_.epsilon;
    }

    const CandidateParts &parts_;
    std::span<const std::unique_ptr<KnnSearch>> searches_;
    const Settings &settings_;
    const Queries &queries_;
    std::int64_t k_;
    const Deliver &deliver_;
    std::vector<Answer> answers_;
    std::vector<std::vector<std::int64_t>> asked_; // the queries of each part, if each asks one
    std::atomic<std::uint64_t> found_ = 0;
    TotalStats stats_;
};

} // namespace

AmongSearch::AmongSearch(std::shared_ptr<const Dataset> data, const Settings &settings, Candidates candidates,
                         Watch &watch)
    : data_(data_for(std::move(data), settings)), settings_(make_plan(*data_, settings).settings),
      parts_(std::move(candidates), watch) {
    for (const CandidatePart &part : parts_.parts())
        searches_.push_back(search_of(part, settings, watch));
}

std::unique_ptr<KnnSearch> AmongSearch::search_of(const CandidatePart &part, const Settings &asked,
                                                  Watch &watch) const {
    const auto points = static_cast<std::int64_t>(part.rows.size());
    const bool in_columns = data_->kind == Kind::dense && data_->dense.coord_stride != 1 && !data_->prepared;
    if (points == data_->n() && !in_columns)
        return std::make_unique<KnnSearch>(data_, asked, watch);
    if (parts_.rule() == LabelRule::none || points >= CandidateParts::least_searched(parts_.points())) {
        auto search = std::make_unique<KnnSearch>(subset(*data_, part.rows, watch), asked, watch);
        search->keep_workers(1);
        return search;
    }
    watch.poll();
    Watch quiet; // there may be many such parts
    auto scan =
        std::make_unique<KnnSearch>(choose_points(*data_, part.rows, quiet), settings_of_scan(settings_), quiet);
    scan->keep_workers(0);
    return scan;
}

void AmongSearch::run(const Queries &queries, std::int64_t k, const Deliver &deliver, Watch &watch,
                      bmo_stats &stats) const {
    const Stopwatch stopwatch;
    AmongCall(parts_, searches_, settings_, queries, k, deliver).run(watch, stats);
    stats.wall_ns = stopwatch.ns();
}

} // namespace bmo

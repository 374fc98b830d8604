#include "search/sketch/sketch_race.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "boxes/tiles/panel_terms.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr std::int64_t kNarrowedShare = 4;       // after one tile of so many, tau is lowered
constexpr std::int64_t kLeastTilesOfOpened = 12; // in all, for each that is opened: else no tile is
constexpr std::int64_t kOpenShare = 16;          // one tile of so many is opened

// Candidates that are computed at once, for a tau.
std::int64_t most_promising(std::int64_t k) {
    return k + k / 4 + 4;
}

// So that a look and a scan after it take at most 1.4 times the operations of the scan, and about 1.1 times its time.
bool pays(const Dataset &data, std::int64_t width) {
    constexpr std::int64_t kLeastPoints = 64;
    return data.n() >= kLeastPoints && 3 * width <= data.d();
}

// Candidates of a query that are kept.
std::size_t most_candidates(std::int64_t n, std::int64_t k) {
    constexpr std::int64_t kMost = 16384, kLeast = 256, kShare = 4;
    return static_cast<std::size_t>(std::max(std::clamp(n / kShare, kLeast, kMost), 4 * k));
}

} // namespace

TileOrder::TileOrder(std::int64_t points, std::int64_t seed)
    : points_(points < kMany ? kMost / 2 : kMost), tiles_((points + points_ - 1) / points_) {
    const std::int64_t tiles = std::max<std::int64_t>(1, tiles_);
    first_ = static_cast<std::int64_t>(SplitMix64(static_cast<std::uint64_t>(seed)).next() >> 1) % tiles;
    step_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(0.618 * static_cast<double>(tiles)));
    while (std::gcd(step_, tiles) != 1)
        ++step_;
}

SketchRace::SketchRace(const Dataset &data, const Metric &metric, const SketchPrepared &prepared)
    : data_(data), prepared_(prepared), panels_(data, metric, prepared), order_(data.n(), prepared.seed) {
    if (prepared.angles)
        products_.emplace(data, *prepared.angles);
}

void SketchRace::run(const Queries &queries, std::int64_t first, Worker &worker, std::span<const RaceRule> rules,
                     Watch &watch, std::span<Cost> costs) {
    start(queries, first, worker, rules, costs);
    if (!std::ranges::all_of(runners_, &Runner::scanned)) {
        open(watch);
        look(watch);
    }
    for (std::size_t i = 0; i < runners_.size(); ++i)
        finish(static_cast<std::int64_t>(i), watch);
}

void SketchRace::start(const Queries &queries, std::int64_t first, Worker &worker, std::span<const RaceRule> rules,
                       std::span<Cost> costs) {
    const auto count = static_cast<std::int64_t>(rules.size());
    const bool applies = Frame::fits_points(data_, queries.max_abs) && pays(data_, prepared_.basis->width());
    const bool by_products =
        applies && products_ && LoneProducts::applies(queries.max_abs) && LoneProducts::applies(data_.max_abs);
    if (applies)
        panels_.take_queries(queries, first, count, rules.front().alpha);
    runners_.resize(rules.size());
    for (std::int64_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        Runner &runner = runners_[at];
        runner.slot = &worker.slot(at);
        runner.rule = &rules[at];
        runner.cost = &costs[at];
        runner.candidates.clear();
        runner.computed.clear();
        runner.opened = 0;
        runner.cut = kNoLimit;
        runner.slot->nearest().reset(rules[at].k, rules[at].limit);
        runner.lowers.clear();
        runner.scanned = !applies || panels_.is_zero(i);
        runner.by_products = by_products && !panels_.is_zero(i);
        if (applies)
            runner.cost->projection_ops = static_cast<std::uint64_t>(data_.d() * prepared_.basis->width());
        if (!runner.by_products)
            continue;
        runner.query.load(queries.points, queries.row(first + i));
        products_->take_query(runner.query);
        runner.uppers.reset(rules[at].k, products_->limit_of(queries.within(first + i)));
    }
}

template <class Visit>
void SketchRace::compare(std::int64_t place, Watch &watch, Visit visit) {
    watch.poll();
    constexpr std::int64_t kStride = TileOrder::kMost;
    const std::int64_t point = order_.first_point(place), points = std::min(order_.points(), data_.n() - point);
    sums_.resize(runners_.size() * static_cast<std::size_t>(kStride));
    panels_.compare(point, points, kStride, sums_.data());
    std::int32_t arms[kStride];
    for (std::size_t q = 0; q < runners_.size(); ++q) {
        Runner &runner = runners_[q];
        if (runner.scanned)
            continue;
        runner.cost->sampling_ops += static_cast<std::uint64_t>(points * prepared_.basis->width());
        const auto query = static_cast<std::int64_t>(q);
        const SketchPanels::Sum *sums = sums_.data() + query * kStride;
        const std::int64_t found =
            kernels().select_bytes(sums, whole_panels(points), panels_.terms(), runner.threshold, arms);
        for (std::int64_t i = 0; i < found && !runner.scanned; ++i)
            if (arms[i] < points && point + arms[i] != runner.rule->self)
                visit(query, Candidate{panels_.shown(arms[i], query, sums[arms[i]]),
                                       static_cast<std::int32_t>(point + arms[i])});
    }
}

void SketchRace::open(Watch &watch) {
    const std::int64_t wanted = most_promising(runners_.front().rule->k);
    const std::int64_t opened = std::max(order_.tiles() / kOpenShare, 2 * wanted / order_.points() + 1);
    // Of a radius the limit is tau. Of few points, most are kept as candidates anyway.
    if (runners_.front().rule->all || kLeastTilesOfOpened * opened > order_.tiles()) {
        for (std::size_t q = 0; q < runners_.size(); ++q)
            lower_most(static_cast<std::int64_t>(q));
        return;
    }
    std::vector<Nearest> least(runners_.size());
    for (std::size_t q = 0; q < runners_.size(); ++q) {
        least[q].reset(wanted);
        runners_[q].threshold = panels_.threshold(static_cast<std::int64_t>(q), kNoLimit);
    }
    for (std::int64_t i = 0; i < opened; ++i) {
        compare(i, watch, [&](std::int64_t query, const Candidate &candidate) {
            least[static_cast<std::size_t>(query)].offer(candidate);
        });
        for (std::size_t q = 0; q < runners_.size(); ++q)
            if (!runners_[q].scanned)
                runners_[q].threshold = panels_.threshold(static_cast<std::int64_t>(q), least[q].threshold());
    }
    for (std::size_t q = 0; q < runners_.size(); ++q) {
        if (runners_[q].scanned)
            continue;
        compute(static_cast<std::int64_t>(q), least[q].sorted(), watch);
        runners_[q].opened = runners_[q].computed.size();
        lower_most(static_cast<std::int64_t>(q));
    }
}

void SketchRace::look(Watch &watch) {
    for (std::int64_t place = 0; place < order_.tiles(); ++place) {
        compare(place, watch, [&](std::int64_t query, const Candidate &candidate) { add(query, candidate, watch); });
        for (std::size_t q = 0; place + 1 == order_.tiles() / kNarrowedShare && q < runners_.size(); ++q)
            if (!runners_[q].scanned && !runners_[q].rule->all)
                narrow(static_cast<std::int64_t>(q), watch);
    }
}

void SketchRace::add(std::int64_t query, const Candidate &candidate, Watch &watch) {
    Runner &runner = runners_[static_cast<std::size_t>(query)];
    const auto opened = runner.computed.begin() + static_cast<std::ptrdiff_t>(runner.opened);
    if (!(candidate.sum <= std::min(runner.most, runner.cut)) ||
        std::find(runner.computed.begin(), opened, candidate.arm) != opened)
        return;
    runner.candidates.push_back(candidate);
    if (runner.candidates.size() > most_candidates(data_.n(), runner.rule->k))
        cut(query, watch);
}

// To half of the candidates that are kept: by what tau is, and where that does not do, by what they show.
void SketchRace::cut(std::int64_t query, Watch &watch) {
    Runner &runner = runners_[static_cast<std::size_t>(query)];
    const std::size_t kept = most_candidates(data_.n(), runner.rule->k) / 2;
    if (!runner.rule->all)
        narrow(query, watch);
    if (runner.candidates.size() <= kept)
        return;
    const auto end = runner.candidates.begin() + static_cast<std::ptrdiff_t>(kept);
    std::nth_element(runner.candidates.begin(), end, runner.candidates.end());
    runner.cut = end->sum;
    runner.candidates.erase(end, runner.candidates.end());
    runner.threshold = panels_.threshold(query, std::min(runner.most, runner.cut));
}

void SketchRace::narrow(std::int64_t query, Watch &watch) {
    Runner &runner = runners_[static_cast<std::size_t>(query)];
    const auto promising = std::min(runner.candidates.size(), static_cast<std::size_t>(most_promising(runner.rule->k)));
    const auto end = runner.candidates.begin() + static_cast<std::ptrdiff_t>(promising);
    std::partial_sort(runner.candidates.begin(), end, runner.candidates.end());
    compute(query, {runner.candidates.data(), promising}, watch);
    runner.candidates.erase(runner.candidates.begin(), end);
    lower_most(query);
    std::erase_if(runner.candidates, [&](const Candidate &candidate) { return !(candidate.sum <= runner.most); });
}

void SketchRace::compute(std::int64_t query, std::span<const Candidate> candidates, Watch &watch) {
    Runner &runner = runners_[static_cast<std::size_t>(query)];
    if (runner.by_products)
        products_->take_query(runner.query);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        watch.poll();
        if (i + 1 < candidates.size())
            runner.slot->prefetch_exact(candidates[i + 1].arm);
        const std::int32_t arm = candidates[i].arm;
        if (runner.by_products)
            bound_by_product(runner, arm);
        else
            runner.slot->nearest().offer({runner.slot->exact(arm), arm});
        runner.computed.push_back(arm);
        runner.cost->exact_ops += runner.slot->exact_ops(arm);
        ++runner.cost->exact_evals;
    }
}

void SketchRace::compute_rest(std::int64_t query, Watch &watch) {
    Runner &runner = runners_[static_cast<std::size_t>(query)];
    std::vector<std::int32_t> computed = runner.computed;
    if (runner.rule->self >= 0)
        computed.push_back(static_cast<std::int32_t>(runner.rule->self));
    std::ranges::sort(computed);
    runner.candidates.clear();
    for (std::int32_t arm = 0; arm < data_.n(); ++arm)
        if (!std::ranges::binary_search(computed, arm))
            runner.candidates.push_back({0, arm});
    compute(query, runner.candidates, watch);
}

void SketchRace::bound_by_product(Runner &runner, std::int32_t arm) {
    products_->compare(arm, 1, [&](std::int64_t, double lower, double upper) {
        runner.uppers.offer({upper, arm});
        runner.lowers.push_back({lower, arm});
    });
}

// In twice the precision. Each counts once, however often its coordinates are read.
void SketchRace::compute_bounded(Runner &runner, Watch &watch) {
    products_->take_query(runner.query);
    std::sort(runner.lowers.begin(), runner.lowers.end());
    Nearest &nearest = runner.slot->nearest();
    double tau = runner.uppers.threshold();
    for (const Finished &bounded : runner.lowers) {
        if (bounded.sum > tau)
            break;
        watch.poll();
        nearest.offer({runner.slot->exact(bounded.arm), bounded.arm});
        tau = std::min(tau, products_->sum_of(runner.slot->distance(nearest.threshold())));
    }
}

// By what tau is now.
void SketchRace::lower_most(std::int64_t query) {
    Runner &runner = runners_[static_cast<std::size_t>(query)];
    if (runner.scanned)
        return;
    const double tau = runner.by_products ? runner.uppers.threshold() : runner.slot->nearest().threshold();
    if (!(tau < kNoLimit))
        runner.most = kNoLimit;
    else
        runner.most = runner.by_products ? panels_.most_shown_of_sum(query, tau)
                                         : panels_.most_shown(query, runner.slot->distance(tau));
    runner.threshold = panels_.threshold(query, std::min(runner.most, runner.cut));
}

void SketchRace::finish(std::int64_t query, Watch &watch) {
    Runner &runner = runners_[static_cast<std::size_t>(query)];
    if (!runner.scanned)
        compute_left(query, watch);
    if (runner.scanned || !(runner.most < runner.cut)) // what was cut may be near
        compute_rest(query, watch);
    if (runner.by_products)
        compute_bounded(runner, watch);
    ++runner.cost->rounds;
    const std::int64_t candidates = data_.n() - (runner.rule->self < 0 ? 0 : 1);
    runner.cost->complete = static_cast<std::int64_t>(runner.cost->exact_evals) == candidates;
}

// The candidates, as far as tau does not drop them.
void SketchRace::compute_left(std::int64_t query, Watch &watch) {
    constexpr std::size_t kTogether = 8; // between looks at tau
    Runner &runner = runners_[static_cast<std::size_t>(query)];
    narrow(query, watch);
    std::sort(runner.candidates.begin(), runner.candidates.end());
    const std::span<const Candidate> left = runner.candidates;
    for (std::size_t i = 0; i < left.size() && left[i].sum <= runner.most; i += kTogether) {
        compute(query, left.subspan(i, std::min(kTogether, left.size() - i)), watch);
        lower_most(query);
    }
}

} // namespace bmo

#include "search/arms/best_arms.hpp"

#include <algorithm>
#include <cmath>

#include "bandit/adaptive/adaptive.hpp"
#include "bandit/adaptive/gaussian.hpp"
#include "bandit/race/sampler.hpp"
#include "data/params.hpp"
#include "search/arms/callback_arms.hpp"
#include "search/choice/combinations.hpp"
#include "search/stats.hpp"
#include "util/failure.hpp"
#include "util/stopwatch.hpp"

namespace bmo {
namespace {

// What one confidence rule needs of the arms, and promises then.
struct Promise {
    bool (*holds)(const Range &range, bool has_exact);
    std::int64_t confidence;
    bmo_guarantee guarantee;
    const char *assumption, *needs;
};

constexpr Promise kPromises[] = {
    {[](const Range &range, bool has_exact) { return range.lower > -kInfinity && (range.bounded() || has_exact); },
     BMO_CONFIDENCE_BETTING, BMO_GUARANTEE_PROVEN, "",
     "samples that are bounded on the side of the best, and on the other side too unless there are exact values"},
    {[](const Range &range, bool) { return range.bounded(); }, BMO_CONFIDENCE_BERNSTEIN, BMO_GUARANTEE_PROVEN, "",
     "samples that are bounded on both sides"},
    {[](const Range &, bool) { return true; }, BMO_CONFIDENCE_EMPIRICAL, BMO_GUARANTEE_HEURISTIC, "", ""},
    {[](const Range &, bool) { return true; }, BMO_CONFIDENCE_SUBGAUSSIAN, BMO_GUARANTEE_CONDITIONAL, "sigma", ""},
    {[](const Range &, bool) { return true; }, BMO_CONFIDENCE_POOLED, BMO_GUARANTEE_HEURISTIC, "", ""},
};

// The first rule that holds and is asked for.
const Promise &find_promise(const Settings &settings, const Range &range, bool has_exact) {
    for (const Promise &promise : kPromises) {
        const bool asked = settings.confidence == promise.confidence;
        const bool holds = promise.holds(range, has_exact);
        if (holds && (asked || settings.confidence == BMO_CONFIDENCE_AUTO))
            return promise;
        if (asked)
            fail(BMO_EINVAL, "confidence",
                 text("confidence is ", choice_text(BMO_PARAM_CONFIDENCE, promise.confidence), ", which needs ",
                      promise.needs));
    }
    fail(BMO_EINTERNAL, "confidence", "no rule for these arms");
}

void check_settings(const Settings &settings, bool has_exact) {
    if (settings.bandit == BMO_BANDIT_RACE)
        fail(BMO_EINVAL, "bandit",
             "bandit is race, which reads samples in an order that all arms share: set bandit to auto, ucb, lucb or "
             "lucb++");
    if (settings.sampling != BMO_SAMPLING_AUTO && settings.sampling != BMO_SAMPLING_WITH_REPLACEMENT)
        fail(BMO_EINVAL, "sampling",
             text("sampling is ", choice_text(BMO_PARAM_SAMPLING, settings.sampling),
                  ", but a callback draws with replacement: set sampling to auto"));
    if (settings.method == BMO_METHOD_EXACT && !has_exact)
        fail(BMO_EINVAL, "method", text("method is exact, but ", Word{"arms.exact"}, " is not given"));
    check_pulls(settings);
}

// All that a search of arms shares.
class ArmSearch {
public:
    ArmSearch(const bmo_arms &arms, std::int64_t k, const Settings &settings, Watch &watch)
        : raw_(arms), k_(k), settings_(settings), watch_(watch), arms_(arms, settings.seed, cost_),
          promise_(find_promise(settings, arms_.range(), arms_.has_exact())) {
        settings_.confidence = promise_.confidence;
        if (settings_.bandit == BMO_BANDIT_AUTO)
            settings_.bandit = BMO_BANDIT_LUCBPP;
        if (settings_.method == BMO_METHOD_AUTO)
            settings_.method = BMO_METHOD_BANDIT;
    }

    std::vector<BestArm> run() {
        switch (settings_.method) {
        case BMO_METHOD_EXACT: return compute_all();
        case BMO_METHOD_UNIFORM: return sample_all();
        default: return choose();
        }
    }

    // Everything but the time.
    void fill(bmo_stats &stats) const {
        stats = stats_of(settings_, cost_);
        stats.guarantee = guarantee_;
        stats.box = BMO_BOX_AUTO;
        stats.sampling = BMO_SAMPLING_WITH_REPLACEMENT;
        stats.threads = 1;
        stats.assumption = guarantee_ == BMO_GUARANTEE_CONDITIONAL ? promise_.assumption : "";
        stats.reason = decided_ ? "" : "max_pulls samples did not tell the best arms from the others";
        stats.queries = 1;
        stats.arms = static_cast<std::uint64_t>(raw_.n);
        stats.coord_ops_brute = arms_.has_exact() ? static_cast<std::uint64_t>(raw_.n) * raw_.exact_cost : 0;
    }

private:
    std::vector<BestArm> compute_all() {
        guarantee_ = BMO_GUARANTEE_EXACT;
        std::vector<BestArm> all;
        for (std::int64_t arm = 0; arm < raw_.n; ++arm) {
            watch_.poll();
            all.push_back({arm, arms_.exact(static_cast<std::int32_t>(arm)), 0});
        }
        return best_first(std::move(all));
    }

    std::vector<BestArm> sample_all() {
        guarantee_ = BMO_GUARANTEE_NONE;
        Gaussian estimates(Spread::empirical, 0, {});
        estimates.begin(raw_.n, {});
        std::vector<BestArm> all;
        for (std::int64_t first = 0; first < raw_.n; first += static_cast<std::int64_t>(kChunk)) {
            watch_.poll();
            std::vector<std::int32_t> some;
            for (std::int64_t arm = first; arm < std::min(raw_.n, first + static_cast<std::int64_t>(kChunk)); ++arm)
                some.push_back(static_cast<std::int32_t>(arm));
            arms_.pull(some, settings_.uniform_pulls, estimates);
            for (const std::int32_t arm : some)
                all.push_back({arm, estimates.tally(arm).mean, kInfinity});
        }
        return best_first(std::move(all));
    }

    std::vector<BestArm> choose() {
        const AdaptiveRule rule = rule_of_settings();
        const Selection found = find_arms(arms_, {arms_.range(), 0, true}, rule, watch_, cost_.rounds);
        std::vector<BestArm> best;
        if (static_cast<std::int64_t>(found.computed.size()) == raw_.n) { // whichever of them were found by bounds
            guarantee_ = BMO_GUARANTEE_EXACT;
            for (const Finished &arm : found.computed)
                best.push_back({arm.arm, arm.sum, 0});
            return best_first(std::move(best));
        }
        decided_ = found.decided;
        guarantee_ = decided_ ? promise_.guarantee : BMO_GUARANTEE_NONE;
        for (std::size_t i = 0; i < found.arms.size(); ++i) {
            const ArmBounds &of = found.standings[i];
            best.push_back({found.arms[i], of.mean, std::max(of.upper - of.mean, of.mean - of.lower)});
        }
        return best_first(std::move(best));
    }

    AdaptiveRule rule_of_settings() const {
        constexpr std::uint64_t kEndless = std::uint64_t{1} << 62;
        const auto worth = static_cast<std::int64_t>(std::min(raw_.exact_cost, kEndless));
        const std::int64_t most = settings_.max_pulls > 0 || !arms_.has_exact() ? settings_.max_pulls : worth;
        return {.bandit = settings_.bandit,
                .confidence = settings_.confidence,
                .delta = settings_.delta,
                .sigma = settings_.sigma,
                .trial = {.k = k_,
                          .self = -1,
                          .epsilon = settings_.epsilon,
                          .looks = {settings_.init_pulls, settings_.pulls_per_round, most},
                          .arms_per_round = settings_.arms_per_round}};
    }

    // The k of least value, in the caller's sign.
    std::vector<BestArm> best_first(std::vector<BestArm> found) const {
        std::sort(found.begin(), found.end(), [](const BestArm &a, const BestArm &b) {
            return a.mean < b.mean || (a.mean == b.mean && a.arm < b.arm);
        });
        found.resize(static_cast<std::size_t>(k_));
        for (BestArm &arm : found)
            arm.mean *= arms_.sign();
        return found;
    }

    const bmo_arms &raw_;
    const std::int64_t k_;
    Settings settings_;
    Watch &watch_;
    Cost cost_;
    CallbackArms arms_;
    const Promise &promise_;
    bmo_guarantee guarantee_ = BMO_GUARANTEE_NONE;
    bool decided_ = true;
};

} // namespace

std::vector<BestArm> best_arms(const bmo_arms &arms, std::int64_t k, const Settings &settings, Watch &watch,
                               bmo_stats &stats) {
    const Stopwatch stopwatch;
    check_settings(settings, arms.exact != nullptr);
    ArmSearch search(arms, k, settings, watch);
    watch.begin(BMO_PHASE_SEARCH, 1);
    std::vector<BestArm> best = search.run();
    watch.advance(1);
    watch.finish();
    search.fill(stats);
    stats.wall_ns = stopwatch.ns();
    return best;
}

} // namespace bmo

#include "bandit/adaptive/adaptive.hpp"

#include <algorithm>

#include "bandit/adaptive/bernstein.hpp"
#include "bandit/adaptive/betting_bounds.hpp"
#include "bandit/adaptive/betting_totals.hpp"
#include "bandit/adaptive/gaussian.hpp"
#include "bandit/adaptive/lucb.hpp"
#include "bandit/adaptive/ucb.hpp"
#include "bmo.h"

namespace bmo {
namespace {

std::unique_ptr<Confidence> make_confidence(const AdaptiveRule &rule, const SampleFacts &facts) {
    switch (rule.confidence) {
    case BMO_CONFIDENCE_BETTING:
        if (facts.totals)
            return std::make_unique<BettingTotals>(facts.range);
        return std::make_unique<BettingBounds>(facts.population);
    case BMO_CONFIDENCE_BERNSTEIN: return std::make_unique<Bernstein>(facts.range, facts.population);
    case BMO_CONFIDENCE_SUBGAUSSIAN: return std::make_unique<Gaussian>(Spread::given, rule.sigma, facts.range);
    case BMO_CONFIDENCE_POOLED: return std::make_unique<Gaussian>(Spread::pooled, 0, facts.range);
    default: return std::make_unique<Gaussian>(Spread::empirical, 0, facts.range);
    }
}

// Bounds by betting hold at all times at once: no share of a look. Those of single samples are lower bounds alone.
Levels levels_of(const AdaptiveRule &rule, const SampleFacts &facts, const ErrorBudget &budget) {
    Looks looks = rule.trial.looks;
    if (rule.confidence == BMO_CONFIDENCE_BETTING) {
        if (!facts.range.bounded() || !facts.totals)
            return lower_levels(budget, looks);
        looks.most = 0;
    }
    return rule.bandit == BMO_BANDIT_LUCBPP ? split_levels(budget, looks) : paper_levels(budget, looks);
}

} // namespace

Selection find_arms(Arms &arms, const SampleFacts &facts, const AdaptiveRule &rule, Watch &watch,
                    std::uint64_t &rounds) {
    TrialRule trial_rule = rule.trial;
    Looks &looks = trial_rule.looks;
    if (looks.most > 0)
        looks.first = std::min(looks.first, looks.most);
    const ErrorBudget budget{rule.delta, arms.count() - (trial_rule.self >= 0 ? 1 : 0), trial_rule.k};
    const std::unique_ptr<Confidence> confidence = make_confidence(rule, facts);
    confidence->begin(arms.count(), levels_of(rule, facts, budget));
    Trial trial(arms, *confidence, trial_rule, watch);
    Selection found = rule.bandit == BMO_BANDIT_UCB ? Ucb(trial).run() : Lucb(trial).run();
    rounds += trial.rounds();
    for (const std::int32_t arm : found.arms)
        found.standings.push_back(trial[arm]);
    found.computed = trial.computed();
    return found;
}

// A value that is known is better than a bound that was relied on: an arm that was computed and not found may still be among
// the k least. More arms than those found cannot make the answer worse.
void offer_found(const Selection &found, Arms &arms, const TrialRule &rule, Watch &watch, Nearest &nearest,
                 Cost &cost) {
    nearest.reset(rule.k, rule.limit);
    for (const Finished &arm : found.computed)
        nearest.offer(arm);
    for (std::size_t i = 0; i < found.arms.size(); ++i) {
        watch.poll();
        if (!found.standings[i].exact && !(found.standings[i].lower > rule.limit_mean))
            nearest.offer({arms.exact(found.arms[i]), found.arms[i]});
    }
    const std::int64_t candidates = arms.count() - (rule.self >= 0 ? 1 : 0);
    cost.complete = cost.exact_evals == static_cast<std::uint64_t>(candidates);
}

} // namespace bmo

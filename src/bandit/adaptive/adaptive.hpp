// The bandits that sample arms one by one, each with any of the confidence rules.
#pragma once

#include <cstdint>
#include <memory>

#include "bandit/adaptive/arms.hpp"
#include "bandit/adaptive/trial.hpp"
#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "util/watch.hpp"

namespace bmo {

struct AdaptiveRule {
    std::int64_t bandit = 0, confidence = 0; // BMO_BANDIT_*, BMO_CONFIDENCE_*
    double delta = 0.01;
    double sigma = 0; // in units of samples
    TrialRule trial;
};

// What is known of the samples of an arm beforehand.
struct SampleFacts {
    Range range;
    std::int64_t population = 0; // to draw without replacement; 0: with replacement
    bool totals = false;         // of several samples only the sum and the sum of squares are told
};

// Finds the k arms of least mean. Adds to `rounds`.
Selection find_arms(Arms &arms, const SampleFacts &facts, const AdaptiveRule &rule, Watch &watch,
                    std::uint64_t &rounds);

// Puts the exact values of the arms that were found or computed in `nearest`, and tells `cost` whether those are all arms.
void offer_found(const Selection &found, Arms &arms, const TrialRule &rule, Watch &watch, Nearest &nearest, Cost &cost);

} // namespace bmo

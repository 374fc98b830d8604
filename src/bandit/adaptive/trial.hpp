// What UCB and LUCB share: the arms' bounds, and sampling an arm until its exact value is cheaper.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bandit/adaptive/arms.hpp"
#include "bandit/adaptive/confidence.hpp"
#include "bandit/adaptive/ranking.hpp"
#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "bandit/race/sampler.hpp"
#include "util/watch.hpp"

namespace bmo {

struct TrialRule {
    std::int64_t k = 1;
    std::int64_t self = -1; // the arm that is no candidate; -1: all are
    double epsilon = 0;     // of a mean: so much worse is as good
    Looks looks;
    std::int64_t arms_per_round = 32;
    double limit = kInfinity;      // no arm whose exact value is above it is wanted,
    double limit_mean = kInfinity; // nor one whose mean is above this
};

// What is known of an arm. `exact`: its value, and both bounds are its mean. `spent`: no more can be known.
struct ArmBounds {
    double lower = -kInfinity, upper = kInfinity, mean = 0, value = 0;
    bool exact = false, spent = false;
};

class Trial {
public:
    Trial(Arms &arms, Confidence &confidence, const TrialRule &rule, Watch &watch)
        : arms_(arms), confidence_(confidence), rule_(rule), watch_(watch),
          standings_(static_cast<std::size_t>(arms.count())) {}

    // The first samples of every candidate; returns the candidates.
    std::vector<std::int32_t> open() {
        std::vector<std::int32_t> candidates;
        for (std::int64_t arm = 0; arm < arms_.count(); ++arm)
            if (arm != rule_.self)
                candidates.push_back(static_cast<std::int32_t>(arm));
        for (std::size_t at = 0; at < candidates.size(); at += kChunk) {
            watch_.poll();
            arms_.pull({candidates.data() + at, std::min(kChunk, candidates.size() - at)}, rule_.looks.first,
                       confidence_);
        }
        confidence_.settle();
        poll_by_chunks(candidates, [this](std::int32_t arm) { refresh(arm); });
        return candidates;
    }

    // Calls visit for each of many, and polls.
    template <class Many, class Visit>
    void poll_by_chunks(const Many &many, Visit visit) {
        std::size_t visited = 0;
        for (const auto &each : many) {
            if (visited++ % kChunk == 0)
                watch_.poll();
            visit(each);
        }
    }

    // A round: each of these arms, none of them exact or spent, is sampled further or computed.
    void advance(std::span<const std::int32_t> arms) {
        watch_.poll();
        ++rounds_;
        sampled_.assign(arms.begin(), arms.end());
        while (!sampled_.empty()) { // arms with as many samples are sampled together
            const std::int64_t more = next_samples(sampled_.front());
            const auto others = std::partition(sampled_.begin(), sampled_.end(),
                                               [&](std::int32_t arm) { return next_samples(arm) == more; });
            const std::span<const std::int32_t> together(sampled_.begin(), others);
            if (more > 0)
                arms_.pull(together, more, confidence_);
            for (const std::int32_t arm : together)
                more > 0 ? refresh(arm) : conclude(arm);
            sampled_.erase(sampled_.begin(), others);
        }
    }

    const ArmBounds &operator[](std::int32_t arm) const { return standings_[static_cast<std::size_t>(arm)]; }

    bool closed(std::int32_t arm) const { return (*this)[arm].exact || (*this)[arm].spent; }

    Preference by_lower(std::int32_t arm) const { return prefer((*this)[arm].lower, arm); }
    Preference by_mean(std::int32_t arm) const { return prefer((*this)[arm].mean, arm); }

    std::int64_t arms() const { return arms_.count(); }
    const TrialRule &rule() const { return rule_; }
    std::uint64_t rounds() const { return rounds_; }

    // Every arm whose value is known.
    std::vector<Finished> computed() const {
        std::vector<Finished> arms;
        for (std::size_t i = 0; i < standings_.size(); ++i)
            if (standings_[i].exact)
                arms.push_back({standings_[i].value, static_cast<std::int32_t>(i)});
        return arms;
    }

private:
    // 0: there are no more to draw.
    std::int64_t next_samples(std::int32_t arm) const {
        if (rule_.looks.most == 0)
            return rule_.looks.step;
        return std::min(rule_.looks.step, rule_.looks.most - confidence_.tally(arm).count);
    }

    void refresh(std::int32_t arm) {
        ArmBounds &standing = standings_[static_cast<std::size_t>(arm)];
        const Bounds bounds = confidence_.bounds(arm);
        standing.lower = bounds.lower;
        standing.upper = bounds.upper;
        standing.mean = confidence_.tally(arm).mean;
    }

    void conclude(std::int32_t arm) {
        watch_.poll();
        ArmBounds &standing = standings_[static_cast<std::size_t>(arm)];
        standing.spent = !arms_.has_exact();
        if (standing.spent)
            return;
        standing.value = arms_.exact(arm);
        standing.lower = standing.upper = standing.mean = arms_.mean_of_exact(standing.value);
        standing.exact = true;
    }

    Preference prefer(double bound, std::int32_t arm) const {
        const ArmBounds &standing = (*this)[arm];
        return {bound, standing.exact ? standing.value : -kInfinity, arm};
    }

    Arms &arms_;
    Confidence &confidence_;
    const TrialRule &rule_;
    Watch &watch_;
    std::vector<ArmBounds> standings_;
    std::vector<std::int32_t> sampled_;
    std::uint64_t rounds_ = 0;
};

// The arms that were found, and whether all of them were told apart from the others.
struct Selection {
    std::vector<std::int32_t> arms;
    bool decided = true;
    std::vector<ArmBounds> standings; // of these arms
    std::vector<Finished> computed;   // found or not
};

} // namespace bmo

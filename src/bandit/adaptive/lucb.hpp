// LUCB (Kalyanakrishnan, Tewari, Auer, Stone, "PAC subset selection in stochastic multi-armed bandits", 2012): the k
// arms of least mean so far against the others. A round samples the arm among the k that may be the worst (highest
// upper bound), and the other that may be the best (lowest lower bound); it ends when the former is not above the
// latter by more than epsilon. Which k is found, not their order. With the levels of split_levels() it is LUCB++.
//
// Epsilon, rank by rank: were the r-th best of the k more than epsilon above the r-th best of all, an arm j at or below
// that would be outside the k, and every arm i of the k has upper(i) <= lower(j) + epsilon.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "bandit/adaptive/ranking.hpp"
#include "bandit/adaptive/trial.hpp"

namespace bmo {

class Lucb {
public:
    explicit Lucb(Trial &trial)
        : trial_(trial), rule_(trial.rule()), others_by_lower_(trial.arms()), others_by_mean_(trial.arms()) {}

    Selection run() {
        std::vector<Preference> means;
        for (const std::int32_t arm : trial_.open())
            means.push_back(trial_.by_mean(arm));
        const auto others = means.begin() + std::min(rule_.k, static_cast<std::int64_t>(means.size()));
        std::partial_sort(means.begin(), others, means.end());
        for (const Preference &mean : std::span(means.begin(), others))
            best_.push_back(mean.arm);
        enter_all(std::span(others, means.end()));
        while (!others_by_lower_.empty() && !decided())
            if (!play_round())
                break;
        return {best_, others_by_lower_.empty() || decided(), {}, {}};
    }

private:
    void enter(std::int32_t arm) {
        others_by_lower_.place(trial_.by_lower(arm));
        others_by_mean_.place(trial_.by_mean(arm));
    }

    void enter_all(std::span<const Preference> means) {
        trial_.poll_by_chunks(means, [this](const Preference &mean) {
            others_by_lower_.seat(trial_.by_lower(mean.arm));
            others_by_mean_.seat(mean);
        });
        others_by_lower_.play_all();
        others_by_mean_.play_all();
    }

    void leave(std::int32_t arm) {
        others_by_lower_.remove(arm);
        others_by_mean_.remove(arm);
    }

    // Position among the best of the arm that may be the worst. Among equal bounds: one that can be sampled, of highest
    // mean.
    std::size_t weakest() const {
        const auto weaker = [&](std::int32_t a, std::int32_t b) {
            const ArmBounds &of_a = trial_[a], &of_b = trial_[b];
            if (of_a.upper != of_b.upper)
                return of_a.upper < of_b.upper;
            return std::make_tuple(!trial_.closed(a), of_a.mean) < std::make_tuple(!trial_.closed(b), of_b.mean);
        };
        return static_cast<std::size_t>(std::max_element(best_.begin(), best_.end(), weaker) - best_.begin());
    }

    std::int32_t challenger() const { return others_by_lower_.first().arm; }

    bool decided() const {
        const ArmBounds &weak = trial_[best_[weakest()]], &strong = trial_[challenger()];
        if (weak.exact && strong.exact)
            return true; // by_mean() has the better of them among the best
        if (strong.lower > rule_.limit_mean)
            return true; // and so are all others
        return rule_.epsilon > 0 ? weak.upper - strong.lower <= rule_.epsilon : weak.upper < strong.lower;
    }

    // False if neither arm can be sampled further.
    bool play_round() {
        const std::int32_t weak = best_[weakest()], strong = challenger();
        round_.clear();
        for (const std::int32_t arm : {weak, strong})
            if (!trial_.closed(arm))
                round_.push_back(arm);
        if (round_.empty())
            return false;
        trial_.advance(round_);
        enter(strong);
        exchange();
        return true;
    }

    // The k of least mean are the best again.
    void exchange() {
        for (;;) {
            const auto worst = std::max_element(best_.begin(), best_.end(), [&](std::int32_t a, std::int32_t b) {
                return trial_.by_mean(a) < trial_.by_mean(b);
            });
            const Preference least = others_by_mean_.first();
            if (!(least < trial_.by_mean(*worst)))
                return;
            leave(least.arm);
            enter(*worst);
            *worst = least.arm;
        }
    }

    Trial &trial_;
    const TrialRule &rule_;
    std::vector<std::int32_t> best_, round_;
    Ranking others_by_lower_, others_by_mean_;
};

} // namespace bmo

// BMO UCB (Bagaria, Baharav, Kamath, Tse, "Bandit-Based Monte Carlo Optimization for Nearest Neighbors", Algorithm 1
// and its practical form): first samples of every arm; then rounds, in each of which the arms of lowest lower bound are
// sampled further, and computed exactly once they have had MAX_PULLS samples. The arm of lowest lower bound is accepted
// when its upper bound is below every other arm's lower bound, until k are. One arm and one sample a round is
// Algorithm 1. With epsilon an arm is also accepted when its bounds are no further apart than that: its mean is then at
// most lower + epsilon <= the least mean + epsilon.
//
// Exact arms compare exactly, so that ties end: an arm of lowest bound that is not exact is always sampled on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bandit/adaptive/trial.hpp"

namespace bmo {

class Ucb {
public:
    explicit Ucb(Trial &trial) : trial_(trial), rule_(trial.rule()) {}

    Selection run() {
        trial_.poll_by_chunks(trial_.open(), [this](std::int32_t arm) { push(arm); });
        while (static_cast<std::int64_t>(found_.arms.size()) < rule_.k) {
            const std::int32_t best = pop();
            if (trial_[best].lower > rule_.limit_mean)
                break; // and so are all others
            if (accepts(best))
                found_.arms.push_back(best);
            else
                play_round(best);
        }
        return found_;
    }

private:
    static bool later(const Preference &a, const Preference &b) { return b < a; }

    void push(std::int32_t arm) {
        heap_.push_back(trial_.by_lower(arm));
        std::push_heap(heap_.begin(), heap_.end(), later);
    }

    std::int32_t pop() {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        const std::int32_t arm = heap_.back().arm;
        heap_.pop_back();
        return arm;
    }

    // best: no arm of the heap has a lower bound below its own.
    bool accepts(std::int32_t best) {
        const ArmBounds &standing = trial_[best];
        if (heap_.empty() || standing.exact || standing.upper < heap_.front().bound ||
            standing.upper - standing.lower <= rule_.epsilon)
            return true;
        if (standing.spent)
            found_.decided = false;
        return standing.spent;
    }

    void play_round(std::int32_t best) {
        open_.assign(1, best);
        closed_.clear();
        while (!heap_.empty() && static_cast<std::int64_t>(open_.size() + closed_.size()) < rule_.arms_per_round) {
            const std::int32_t arm = pop();
            (trial_.closed(arm) ? closed_ : open_).push_back(arm);
        }
        trial_.advance(open_);
        for (const std::int32_t arm : open_)
            push(arm);
        for (const std::int32_t arm : closed_)
            push(arm);
    }

    Trial &trial_;
    const TrialRule &rule_;
    Selection found_;
    std::vector<Preference> heap_; // the lowest in front
    std::vector<std::int32_t> open_, closed_;
};

} // namespace bmo

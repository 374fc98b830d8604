// The race with exact finish: every arm is sampled until a test drops it or its sum is computed exactly.
//
// tau is the k-th smallest of the sums computed so far, over k distinct arms. So it is never below tau*, the true k-th. An
// arm is dropped in two cases: if the test by betting (bandit/betting.hpp) rejects "its sum is at most tau" at level
// alpha = delta / k, or if its samples alone add up to more than tau. Let N be the k arms least in (sum, index). The answer
// is wrong only if the test dropped an arm of N, which happens to each with probability at most alpha: the union runs over
// k arms, not n. To drop any other arm is no error. With epsilon, the test is of "at most tau - epsilon". If it drops one of
// the r best arms, whose sum is indeed above tau - epsilon, the r-th returned is at most tau: less than epsilon above the
// r-th best.
//
// Which arms are sampled, finished and made into a tau, and when, decides the cost alone, not the error:
//
//   opening  a first tau, then the arms enter that it does not rule out: by samples (bandit/race/sampled_opening.hpp), or on a
//            staged box by estimates and certain bounds (bandit/race/staged_opening.hpp)
//   sweep    the first rounds, a block of arms after another
//   rounds   batches of every arm that is left, with a look after each. Now and then, arms that seem below tau are finished
//   finish   of the arms that are left, before their samples cost too much
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "bandit/race/race_state.hpp"
#include "bandit/race/sampled_opening.hpp"
#include "bandit/race/staged_opening.hpp"

namespace bmo {

template <Box B>
struct OpeningFor {
    using type = SampledOpening<B>;
};
template <StagedBox B>
struct OpeningFor<B> {
    using type = StagedOpening<B>;
};

// race_together() has the order in which these are called. Several races may go in step, so that the blocks of arms that one
// reads are in cache for the next.
template <Box B>
class Race {
public:
    using Opening = typename OpeningFor<B>::type;

    Race(B &box, const RaceRule &rule, RaceWorkspace &work, Watch &watch) : state_(box, rule, work, watch) {}
    Race(const Race &) = delete;
    Race &operator=(const Race &) = delete;

    void begin() {
        state_.begin();
        opening_.begin();
    }

    // The opening's first pass over the arms [first, last).
    void open(std::int64_t first, std::int64_t last) { opening_.open(first, last); }

    // Finishes the most promising arms: a tau that is close to tau*.
    void scout() { opening_.scout(); }

    // The opening's second pass: the arms [first, last) enter, if they have not yet and nothing rules them out.
    void enter(std::int64_t first, std::int64_t last) { opening_.enter(first, last); }

    void end_opening() { opening_.end(); }

    // The first rounds of the arms below `last` that are left.
    void sweep(std::int64_t last) {
        if (!sweeps())
            return;
        std::array<Look, kSweepRounds> looks;
        for (std::size_t i = 0; i < looks.size(); ++i)
            looks[i] = state_.look_after(state_.samples_read + static_cast<std::int64_t>(i + 1) * kBatch);
        while (swept_ < state_.contenders.size() && state_.contenders.arm(swept_) < last)
            sweep_chunk(last, looks);
    }

    void end_sweep() {
        if (!sweeps())
            return;
        state_.contenders.shrink(swept_kept_);
        state_.samples_read += kSweepRounds * kBatch;
        state_.cost.rounds += kSweepRounds;
    }

    // False when no further round pays.
    bool round() {
        if (state_.opening_batches == 0 || !pays())
            return false;
        const std::size_t batches = pays(kRoundBatches) ? kRoundBatches : 1;
        read_on(batches);
        if (Opening::kSumsForetell && state_.samples_read >= next_finish_)
            finish_promising();
        return true;
    }

    // The k nearest arms are in the workspace's `nearest` afterwards.
    Cost finish() {
        SmallSteps steps(state_.watch);
        state_.work.scouts.clear();
        for (std::size_t i = 0; i < state_.contenders.size(); ++i, steps.step())
            state_.work.scouts.push_back({state_.estimate(i), i});
        order(state_.work.scouts, state_.watch); // others may fall by their sums
        const std::vector<Scored> &left = state_.work.scouts;
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (i + 1 < left.size())
                state_.prefetch_exact(state_.contenders.arm(left[i + 1].place));
            if (!sum_exceeds(state_.contenders.sum(left[i].place),
                             state_.look_after(std::max<std::int64_t>(state_.samples_read, kBatch))))
                state_.finish(state_.contenders.arm(left[i].place));
        }
        state_.contenders.shrink(0);
        state_.cost.complete = state_.cost.exact_evals == state_.candidates;
        return state_.cost;
    }

private:
    bool sweeps() const { return state_.opening_batches > 0 && pays(kSweepRounds); }

    // Some arms, in order, read all batches of the sweep.
    void sweep_chunk(std::int64_t last, std::span<const Look> looks) {
        std::size_t count = 0;
        while (count < kChunk && swept_ + count < state_.contenders.size() &&
               state_.contenders.arm(swept_ + count) < last)
            ++count;
        swept_kept_ = state_.look_at(state_.samples_read, swept_, count, looks, swept_kept_);
        swept_ += count;
    }

    // All contenders read so many batches, with a look after each.
    void read_on(std::size_t batches) {
        std::array<Look, kRoundBatches> looks;
        for (std::size_t i = 0; i < batches; ++i)
            looks[i] = state_.look_after(state_.samples_read + static_cast<std::int64_t>(i + 1) * kBatch);
        const std::size_t end = state_.contenders.size();
        std::size_t kept = 0;
        for (std::size_t at = 0; at < end; at += kChunk)
            kept = state_.look_at(state_.samples_read, at, std::min(kChunk, end - at), {looks.data(), batches}, kept);
        state_.contenders.shrink(kept);
        state_.samples_read += static_cast<std::int64_t>(batches) * kBatch;
        state_.cost.rounds += batches;
    }

    // Near-ties are cheaper to finish than to tell apart: a race goes no further than half of what a sum takes.
    bool pays(std::int64_t rounds = 1) const {
        const auto arms = static_cast<std::int64_t>(state_.contenders.size());
        const std::int64_t read = state_.samples_read + rounds * kBatch;
        return arms > kFewArms && read <= state_.sample_cap &&
               static_cast<double>(arms) * static_cast<double>(read) <= state_.sampling_budget;
    }

    // Finishes the arms whose estimated sum is below tau.
    void finish_promising() {
        next_finish_ *= 2;
        const double promising = state_.box.sample_units(state_.work.nearest.threshold()) *
                                 static_cast<double>(state_.samples_read) / static_cast<double>(state_.population);
        for (std::size_t i = 0; i < state_.contenders.size(); ++i)
            if (state_.estimate(i) < promising)
                state_.finish_early(i);
    }

    RaceState<B> state_;
    Opening opening_{state_};
    std::int64_t next_finish_ = kFirstFinish;
    std::size_t swept_ = 0, swept_kept_ = 0; // arms that the sweep has passed, and how many of them it kept
};

// Runs several races over the same arms in step. Each goes as it would alone.
template <Box B>
void race_together(std::span<Race<B> *const> races, std::int64_t arms) {
    for (Race<B> *race : races)
        race->begin();
    for (std::int64_t first = 0; first < arms; first += kTile)
        for (Race<B> *race : races)
            race->open(first, std::min(arms, first + kTile));
    for (Race<B> *race : races)
        race->scout();
    for (std::int64_t first = 0; first < arms; first += kTile)
        for (Race<B> *race : races)
            race->enter(first, std::min(arms, first + kTile));
    for (Race<B> *race : races)
        race->end_opening();
    for (std::int64_t first = 0; first < arms; first += kTile)
        for (Race<B> *race : races)
            race->sweep(std::min(arms, first + kTile));
    for (Race<B> *race : races)
        race->end_sweep();
    for (bool running = true; running;) {
        running = false;
        for (Race<B> *race : races)
            running = race->round() || running;
    }
}

} // namespace bmo

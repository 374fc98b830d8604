// The race with exact finish: every arm is sampled until a test drops it or its sum is computed exactly.
//
// tau is the k-th smallest of the sums computed so far (over k distinct arms): never below tau*, the true k-th. An arm
// is dropped only where the test by betting (bandit/betting.hpp) rejects "its sum is at most tau" at level alpha =
// delta / k, or where its samples alone add up to more than tau. Let N be the k arms least in (sum, index). The answer
// is wrong only if one of N was dropped by the test, each with probability at most alpha: the union runs over k arms,
// not n. To drop any other arm is no error. With epsilon, the test is of "at most tau - epsilon": if one of the r best
// arms is dropped and its sum is indeed above tau - epsilon, then the r-th returned, being at most tau, exceeds the
// r-th best by less than epsilon.
//
// In what order arms are sampled, finished and made into a tau has no bearing on that; it is all about cost:
//
//   pilot    every few arms, sampled; the most promising sampled further, and the best of those finished: a first tau
//   opening  the first batches of every arm, with a look after each
//   scout    the most promising that are left, sampled further, and the best of those finished: a tau close to tau*
//   sweep    the first rounds, by parts of the arms
//   rounds   batches of every arm that is left, with a look after each; now and then the arms that seem below tau are finished
//   finish   of what is left, before the samples of arms that are finished in the end cost too much
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "bandit/group_stages.hpp"
#include "bandit/race_state.hpp"
#include "bandit/stages.hpp"

namespace bmo {

// begin(), open() for all arms in parts, scout(), enter_by_guesses() in parts, end_stages(), sweep() in parts, end_sweep(),
// round() as long as it returns true, and finish(). Several races may go in step, so that what one reads is in cache for the
// next: see race_together().
template <Box B>
class Race {
public:
    Race(B &box, const RaceRule &rule, RaceWorkspace &work, Watch &watch)
        : state_(box, rule, work, watch), opening_(std::min(kOpeningBatches, state_.early / kBatch)) {}
    Race(const Race &) = delete;
    Race &operator=(const Race &) = delete;

    void begin() {
        state_.begin();
        state_.work.absent.assign(state_.rule.self < 0 ? 0 : 1, static_cast<std::int32_t>(state_.rule.self));
        if constexpr (StagedBox<B>)
            begin_stages();
        else if (opening_ > 0)
            send_pilots();
    }

    // The arms [first, last) enter, read the opening's batches and are looked at.
    void open(std::int64_t first, std::int64_t last) {
        if constexpr (StagedBox<B>) {
            if (start_ == Start::guesses)
                Stages<B>(state_).guess(first, last);
            else if (start_ == Start::samples)
                enter(static_cast<std::int32_t>(first), static_cast<std::int32_t>(last));
            return;
        }
        for (std::int64_t from = first; from < last; from += static_cast<std::int64_t>(kChunk)) {
            state_.watch.poll();
            const std::size_t entered = state_.contenders.size();
            const std::int64_t to = std::min(last, from + static_cast<std::int64_t>(kChunk));
            enter(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to));
            for (std::int64_t batch = 0; batch < opening_; ++batch) {
                const Look look = state_.look_after((batch + 1) * kBatch);
                const std::size_t count = state_.contenders.size() - entered;
                state_.contenders.shrink(state_.look_at(batch * kBatch, entered, count, {&look, 1}, entered));
            }
        }
        read_ = opening_ * kBatch;
    }

    void scout() {
        if constexpr (StagedBox<B>) {
            if (start_ == Start::groups)
                by_groups([](auto stages) { stages.finish_best(); });
            else if (start_ == Start::guesses)
                Stages<B>(state_).finish_best();
            return;
        }
        if (opening_ == 0)
            return;
        const std::uint64_t before = state_.cost.pulls;
        bmo::scout(state_.sampler, state_.contenders.arms(0, state_.contenders.size()), estimates(), state_.rule.k,
                   read_, state_.early, state_.work.scouts);
        state_.waste_left -= static_cast<double>(state_.cost.pulls - before);
        finish_scouts();
    }

    // Of a staged box: the arms [first, last) enter, but for those that bounds put out of question.
    void enter_by_guesses(std::int64_t first, std::int64_t last) {
        if constexpr (StagedBox<B>)
            if (start_ == Start::guesses)
                Stages<B>(state_).enter(first, last);
    }

    void end_stages() {
        if constexpr (StagedBox<B>) {
            if (start_ == Start::groups)
                by_groups([](auto stages) { stages.enter(); });
            if (start_ != Start::samples)
                Stages<B>(state_).end();
        }
    }

    // The first rounds of all arms, in parts as open(): what the arms of a part read stays in cache for the next race.
    void sweep(std::int64_t last) {
        if (!sweeps())
            return;
        std::array<Look, kSweepRounds> looks;
        for (std::size_t i = 0; i < looks.size(); ++i)
            looks[i] = state_.look_after(read_ + static_cast<std::int64_t>(i + 1) * kBatch);
        while (swept_ < state_.contenders.size() && state_.contenders.arm(swept_) < last)
            sweep_chunk(last, looks);
    }

    void end_sweep() {
        if (!sweeps())
            return;
        state_.contenders.shrink(swept_kept_);
        read_ += kSweepRounds * kBatch;
        state_.cost.rounds += kSweepRounds;
    }

    // False when no further round pays.
    bool round() {
        if (opening_ == 0 || !pays())
            return false;
        const std::size_t batches = pays(kRoundBatches) ? kRoundBatches : 1;
        read_on(batches);
        if (!StagedBox<B> &&
            read_ >= next_finish_) // a sum says nothing of what is left where a part of it is not sampled
            finish_promising();
        return true;
    }

    // The k nearest arms are in the workspace's `nearest` afterwards.
    Cost finish() {
        state_.work.scouts.clear();
        for (std::size_t i = 0; i < state_.contenders.size(); ++i)
            state_.work.scouts.push_back({estimate(i), i});
        // The most promising first: others may fall by their sums.
        std::sort(state_.work.scouts.begin(), state_.work.scouts.end());
        const std::vector<Scout> &left = state_.work.scouts;
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (i + 1 < left.size())
                state_.prefetch_exact(state_.contenders.arm(left[i + 1].place));
            if (!sum_exceeds(state_.contenders.sum(left[i].place),
                             state_.look_after(std::max<std::int64_t>(read_, kBatch))))
                state_.finish(state_.contenders.arm(left[i].place));
        }
        state_.contenders.shrink(0);
        state_.cost.complete = state_.cost.exact_evals == state_.candidates;
        return state_.cost;
    }

private:
    void begin_stages() {
        start_ = Stages<B>(state_).begin() ? Start::guesses : Start::samples;
        if constexpr (GroupedBox<B>)
            if (start_ == Start::guesses && GroupStages<B>(state_).begin())
                start_ = Start::groups;
    }

    template <class Visit>
    void by_groups(Visit visit) {
        if constexpr (GroupedBox<B>)
            visit(GroupStages<B>(state_));
    }

    void finish_scouts() {
        for (const Scout &found : state_.work.scouts) {
            state_.finish(state_.contenders.arm(found.place));
            state_.contenders.retire(found.place);
        }
    }

    // The arms [first, last) but for those that are absent.
    void enter(std::int32_t first, std::int32_t last) {
        for (auto gap = std::lower_bound(state_.work.absent.begin(), state_.work.absent.end(), first);
             gap != state_.work.absent.end() && *gap < last; ++gap) {
            enter_all(first, *gap);
            first = *gap + 1;
        }
        enter_all(first, last);
    }

    void enter_all(std::int32_t first, std::int32_t last) {
        if constexpr (requires { state_.box.start_sum(first); }) {
            for (std::int32_t arm = first; arm < last; ++arm)
                state_.contenders.add(arm, state_.box.start_sum(arm));
        } else {
            state_.contenders.add_range(first, last);
        }
    }

    // What arms that have read as much are compared by.
    double estimate(std::size_t i) const {
        const std::int32_t arm = state_.contenders.arm(i);
        return state_.contenders.sum(i) - start_sum(state_.box, arm) + sampled_start(state_.box, arm, read_);
    }

    std::span<const double> estimates() {
        if constexpr (requires { state_.box.start_sum(0); }) {
            state_.work.estimates.clear();
            for (std::size_t i = 0; i < state_.contenders.size(); ++i)
                state_.work.estimates.push_back(estimate(i));
            return state_.work.estimates;
        } else {
            return state_.contenders.sums();
        }
    }

    void send_pilots() {
        const std::int64_t wanted =
            std::max(state_.box.arms() / kPilotShare, kPilotsPerFinished * scouts_finished(state_.rule.k));
        const std::int64_t step = std::max<std::int64_t>(1, state_.box.arms() / wanted);
        const std::uint64_t before = state_.cost.pulls;
        state_.work.pilots.clear();
        for (std::int64_t arm = 0; arm < state_.box.arms(); arm += step)
            if (arm != state_.rule.self)
                state_.work.pilots.push_back(static_cast<std::int32_t>(arm));
        state_.work.pilot_sums.assign(state_.work.pilots.size(), 0);
        for (std::size_t at = 0; at < state_.work.pilots.size(); at += kChunk) {
            state_.watch.poll();
            const std::span<const std::int32_t> some{state_.work.pilots.data() + at,
                                                     std::min(kChunk, state_.work.pilots.size() - at)};
            for (std::int64_t batch = 0; batch < opening_; ++batch)
                state_.sampler.add_sums(batch * kBatch, some, state_.work.pilot_sums.data() + at);
        }
        bmo::scout(state_.sampler, state_.work.pilots, state_.work.pilot_sums, state_.rule.k, opening_ * kBatch,
                   state_.early, state_.work.scouts);
        state_.waste_left -= static_cast<double>(state_.cost.pulls - before);
        for (const Scout &found : state_.work.scouts) {
            state_.finish(state_.work.pilots[found.place]);
            state_.work.absent.push_back(state_.work.pilots[found.place]);
        }
        std::sort(state_.work.absent.begin(), state_.work.absent.end());
    }

    bool sweeps() const { return opening_ > 0 && pays(kSweepRounds); }

    // Some arms, in order, read all batches of the sweep.
    void sweep_chunk(std::int64_t last, std::span<const Look> looks) {
        std::size_t count = 0;
        while (count < kChunk && swept_ + count < state_.contenders.size() &&
               state_.contenders.arm(swept_ + count) < last)
            ++count;
        swept_kept_ = state_.look_at(read_, swept_, count, looks, swept_kept_);
        swept_ += count;
    }

    // All contenders read so many batches, with a look after each.
    void read_on(std::size_t batches) {
        std::array<Look, kRoundBatches> looks;
        for (std::size_t i = 0; i < batches; ++i)
            looks[i] = state_.look_after(read_ + static_cast<std::int64_t>(i + 1) * kBatch);
        const std::size_t end = state_.contenders.size();
        std::size_t kept = 0;
        for (std::size_t at = 0; at < end; at += kChunk)
            kept = state_.look_at(read_, at, std::min(kChunk, end - at), {looks.data(), batches}, kept);
        state_.contenders.shrink(kept);
        read_ += static_cast<std::int64_t>(batches) * kBatch;
        state_.cost.rounds += batches;
    }

    // Near-ties are cheaper to finish than to tell apart: a race goes no further than half of what a sum takes.
    bool pays(std::int64_t rounds = 1) const {
        const auto arms = static_cast<std::int64_t>(state_.contenders.size());
        const std::int64_t read = read_ + rounds * kBatch;
        return arms > kFewArms && read <= state_.furthest &&
               static_cast<double>(arms) * static_cast<double>(read) <= state_.waste_left;
    }

    // Finishes the arms whose estimated sum is below tau.
    void finish_promising() {
        next_finish_ *= 2;
        const double promising = state_.box.sample_units(state_.work.nearest.threshold()) * static_cast<double>(read_) /
                                 static_cast<double>(state_.population);
        for (std::size_t i = 0; i < state_.contenders.size(); ++i)
            if (estimate(i) < promising) {
                state_.finish(state_.contenders.arm(i));
                state_.contenders.retire(i);
                state_.waste_left -= static_cast<double>(read_);
            }
    }

    RaceState<B> state_;
    const std::int64_t opening_; // batches; 0: so small a population is finished at once
    std::int64_t read_ = 0;      // samples that every arm in the race has read
    std::int64_t next_finish_ = kFirstFinish;
    // How it begins. Of a staged box: by guesses where there are coordinates enough for them to pay, and of groups of arms where
    // there are any.
    enum class Start { samples, guesses, groups } start_ = Start::samples;
    std::size_t swept_ = 0, swept_kept_ = 0; // contenders that the sweep is through with, and how many it kept of them
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
            race->enter_by_guesses(first, std::min(arms, first + kTile));
    for (Race<B> *race : races)
        race->end_stages();
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

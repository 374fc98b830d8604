// The part of a race on a staged box before its first sample: guesses of all sums, then bounds that cannot fail.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "bandit/race/race_state.hpp"

namespace bmo {

template <StagedBox B>
class Stages {
public:
    explicit Stages(RaceState<B> &race) : race_(race) {}

    // Are there coordinates enough for guesses to pay?
    bool begin() {
        race_.work.guesses.resize(static_cast<std::size_t>((race_.box.arms() + kBatch - 1) / kBatch * kBatch));
        return pays(race_.candidates, race_.box.lead());
    }

    void guess(std::int64_t first, std::int64_t last) {
        for_parts(first, last, [&](std::int64_t from, std::int64_t to) {
            race_.cost.sampling_ops += race_.box.guess(from, to, race_.work.guesses.data() + from);
        });
    }

    // Some arms of the best guesses are finished.
    void finish_best() {
        if (race_.rule.self >= 0)
            leave_out(static_cast<std::int32_t>(race_.rule.self));
        if (finished() == 0)
            return;
        std::vector<Scored> &best = race_.work.scouts;
        choose_best(best);
        finish(best, arm_of, [&](std::int32_t arm) { leave_out(arm); });
    }

    // Those of the arms [first, last) enter that neither their guesses nor the whole of their heads put out of question.
    void enter(std::int64_t first, std::int64_t last) {
        const double target = race_.look_after(kBatch).target;
        const std::size_t entered = race_.contenders.size();
        for_parts(first, last, [&](std::int64_t from, std::int64_t to) {
            const float *guesses = race_.work.guesses.data() + from;
            race_.contenders.append_unsampled([&](std::int32_t *kept, double *sums) {
                return race_.box.bound_guesses(from, to - from, guesses, target, kept, sums);
            });
        });
        fall_by_heads(entered, target);
    }

    // Adds the rest of their heads to the sums of the arms from place `entered` on, and drops those above the target.
    void fall_by_heads(std::size_t entered, double target) {
        if (pays(race_.contenders.size() - entered, race_.box.rest()))
            fall(entered, [&](std::span<const std::int32_t> arms, double *sums, std::uint8_t *keep) {
                race_.cost.sampling_ops += race_.box.add_rest(arms, sums);
                race_.box.bound(arms, sums, target, keep);
            });
    }

    // settle(arms, sums, keep) adds to the sums of some arms from place `entered` on, and says which are kept.
    template <class Settle>
    void fall(std::size_t entered, Settle settle) {
        std::uint8_t keep[kChunk];
        const std::uint64_t before = race_.cost.sampling_ops;
        const std::size_t all = race_.contenders.size();
        std::size_t kept = entered;
        for (std::size_t at = entered; at < all; at += kChunk) {
            race_.watch.poll();
            const std::size_t count = std::min(kChunk, all - at);
            settle(race_.contenders.arms(at, count), race_.contenders.state(at).sum, keep);
            kept = race_.contenders.compact_unsampled(keep, at, count, kept);
        }
        race_.contenders.shrink(kept);
        race_.sampling_budget -= static_cast<double>(race_.cost.sampling_ops - before);
    }

    // Whether the budget pays for so many samples of each of these arms, and for what was read before.
    bool pays(std::uint64_t arms, std::int64_t samples, std::uint64_t before = 0) const {
        return static_cast<double>(arms) * static_cast<double>(samples) + static_cast<double>(before) <
               race_.sampling_budget;
    }

    // Refines the guesses if that pays, then leaves as many of the best as are finished. arm_at(place) is the arm.
    template <class ArmAt>
    void narrow_refined(std::vector<Scored> &best, ArmAt arm_at) {
        if (pays(best.size(), race_.box.rest(), race_.cost.sampling_ops))
            refine(best, arm_at);
        bmo::narrow(best, finished(), race_.watch);
    }

    // Finishes these arms, after which finished(arm) is called.
    template <class ArmAt, class Finished>
    void finish(const std::vector<Scored> &best, ArmAt arm_at, Finished finished) {
        for (std::size_t i = 0; i < best.size(); ++i) {
            if (i + 1 < best.size())
                race_.prefetch_exact(arm_at(best[i + 1].place));
            race_.finish(arm_at(best[i].place));
            finished(arm_at(best[i].place));
        }
        race_.sampling_budget -= static_cast<double>(race_.cost.sampling_ops);
    }

    // How many arms are finished by their guesses.
    std::int64_t finished() const {
        return std::min(scouts_finished(race_.rule.scouted()), static_cast<std::int64_t>(race_.candidates));
    }

    // Its guess counts no more.
    void leave_out(std::int32_t arm) {
        race_.work.guesses[static_cast<std::size_t>(arm)] = std::numeric_limits<float>::infinity();
    }

    // When all have entered.
    void end() {
        race_.cost.bounded = race_.candidates - race_.cost.exact_evals - race_.contenders.size();
        race_.contenders.init_wealth(0);
    }

private:
    template <class ArmAt>
    void refine(std::vector<Scored> &best, ArmAt arm_at) {
        visit_scouts(best, [&](std::span<Scored> some, double *guesses) {
            std::int32_t arms[kChunk];
            std::transform(some.begin(), some.end(), arms, [&](const Scored &of) { return arm_at(of.place); });
            race_.cost.sampling_ops += race_.box.refine({arms, some.size()}, guesses);
        });
    }

    template <class Visit>
    void for_parts(std::int64_t first, std::int64_t last, Visit visit) {
        for (std::int64_t from = first; from < last; from += static_cast<std::int64_t>(kChunk)) {
            race_.watch.poll();
            visit(from, std::min(last, from + static_cast<std::int64_t>(kChunk)));
        }
    }

    void choose_best(std::vector<Scored> &best) {
        const std::span<const float> guesses{race_.work.guesses.data(), static_cast<std::size_t>(race_.box.arms())};
        choose_few(guesses, static_cast<std::size_t>(kGuessed * finished()), best);
        narrow_refined(best, arm_of);
    }

    static std::int32_t arm_of(std::size_t place) { return static_cast<std::int32_t>(place); }

    RaceState<B> &race_;
};

} // namespace bmo

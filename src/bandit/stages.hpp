// The part of a race on a staged box before its first sample: guesses of all sums, then bounds that cannot fail.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "bandit/race_state.hpp"

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
            race_.cost.pulls += race_.box.guess(from, to, race_.work.guesses.data() + from);
        });
    }

    // Some arms of the best guesses are finished.
    void finish_best() {
        if (race_.rule.self >= 0)
            leave_out(static_cast<std::size_t>(race_.rule.self));
        std::vector<Scout> &best = race_.work.scouts;
        choose_best(best);
        for (std::size_t i = 0; i < best.size(); ++i) {
            if (i + 1 < best.size())
                race_.prefetch_exact(static_cast<std::int32_t>(best[i + 1].place));
            race_.finish(static_cast<std::int32_t>(best[i].place));
            leave_out(best[i].place);
        }
        race_.waste_left -= static_cast<double>(race_.cost.pulls);
    }

    // Those of the arms [first, last) enter that neither their guesses nor the whole of their heads put out of question.
    void enter(std::int64_t first, std::int64_t last) {
        const double target = race_.look_after(kBatch).target;
        const std::size_t entered = race_.contenders.size();
        for_parts(first, last, [&](std::int64_t from, std::int64_t to) {
            const float *guesses = race_.work.guesses.data() + from;
            race_.contenders.add_without_stakes([&](std::int32_t *kept, double *sums) {
                return race_.box.bound_guesses(from, to - from, guesses, target, kept, sums);
            });
        });
        if (pays(race_.contenders.size() - entered, race_.box.rest()))
            fall_by_heads(entered, target);
    }

    // When all have entered.
    void end() {
        race_.cost.bounded = race_.candidates - race_.cost.exact_evals - race_.contenders.size();
        race_.contenders.give_stakes(0);
    }

private:
    // To read so much of so many arms.
    bool pays(std::uint64_t arms, std::int64_t samples) const {
        return static_cast<double>(arms) * static_cast<double>(samples) < race_.waste_left;
    }

    template <class Visit>
    void for_parts(std::int64_t first, std::int64_t last, Visit visit) {
        for (std::int64_t from = first; from < last; from += static_cast<std::int64_t>(kChunk)) {
            race_.watch.poll();
            visit(from, std::min(last, from + static_cast<std::int64_t>(kChunk)));
        }
    }

    void leave_out(std::size_t arm) { race_.work.guesses[arm] = std::numeric_limits<float>::infinity(); }

    void choose_best(std::vector<Scout> &best) {
        const std::span<const float> guesses{race_.work.guesses.data(), static_cast<std::size_t>(race_.box.arms())};
        const std::int64_t finished =
            std::min(scouts_finished(race_.rule.k), static_cast<std::int64_t>(race_.candidates));
        choose_few(guesses, static_cast<std::size_t>(kGuessed * finished), best);
        visit_scouts(best, [&](std::span<Scout> some, double *sums) {
            std::int32_t arms[kChunk];
            std::transform(some.begin(), some.end(), arms,
                           [](const Scout &of) { return static_cast<std::int32_t>(of.place); });
            race_.cost.pulls += race_.box.refine({arms, some.size()}, sums);
        });
        bmo::narrow(best, finished);
    }

    // Of those that entered from place `entered` on.
    void fall_by_heads(std::size_t entered, double target) {
        std::uint8_t keep[kChunk];
        const std::uint64_t before = race_.cost.pulls;
        const std::size_t all = race_.contenders.size();
        std::size_t kept = entered;
        for (std::size_t at = entered; at < all; at += kChunk) {
            race_.watch.poll();
            const std::size_t count = std::min(kChunk, all - at);
            const std::span<const std::int32_t> arms = race_.contenders.arms(at, count);
            double *sums = race_.contenders.state(at).sum;
            race_.cost.pulls += race_.box.add_rest(arms, sums);
            race_.box.bound(arms, sums, target, keep);
            kept = race_.contenders.compact_without_stakes(keep, at, count, kept);
        }
        race_.contenders.shrink(kept);
        race_.waste_left -= static_cast<double>(race_.cost.pulls - before);
    }

    RaceState<B> &race_;
};

} // namespace bmo

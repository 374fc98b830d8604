// The part of a race on a staged box before its first sample: guesses of all sums, then bounds that cannot fail, stage by stage.
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
        return pays(race_.candidates);
    }

    void guess(std::int64_t first, std::int64_t last) {
        for (std::int64_t from = first; from < last; from += static_cast<std::int64_t>(kChunk)) {
            race_.watch.poll();
            const std::int64_t to = std::min(last, from + static_cast<std::int64_t>(kChunk));
            race_.cost.pulls += race_.box.guess(from, to, race_.work.guesses.data() + from);
        }
    }

    // The best guesses are finished; arms fall by bounds, stage by stage. The contenders are those that are left.
    void narrow() {
        if (race_.rule.self >= 0)
            leave_out(static_cast<std::size_t>(race_.rule.self));
        finish_best_guesses();
        enter_by_guesses();
        race_.waste_left -= static_cast<double>(race_.cost.pulls);
        for (std::int64_t stage = 1; stage < race_.box.stages() && pays(race_.contenders.size()); ++stage) {
            race_.waste_left -= static_cast<double>(race_.contenders.size() * kBatch);
            add_stage(stage);
            fall_by_bounds(stage);
        }
        race_.contenders.give_stakes(0);
    }

private:
    // A stage of so many arms.
    bool pays(std::uint64_t arms) const { return static_cast<double>(arms * kBatch) < race_.waste_left; }

    void leave_out(std::size_t arm) { race_.work.guesses[arm] = std::numeric_limits<float>::infinity(); }

    void finish_best_guesses() {
        const std::span<const float> guesses{race_.work.guesses.data(), static_cast<std::size_t>(race_.box.arms())};
        const std::int64_t finished =
            std::min(scouts_finished(race_.rule.k), static_cast<std::int64_t>(race_.candidates));
        std::vector<Scout> &best = race_.work.scouts;
        choose_few(guesses, static_cast<std::size_t>(kGuessed * finished), best);
        for (Scout &found : best)
            race_.cost.pulls += race_.box.refine(static_cast<std::int32_t>(found.place), found.sum);
        bmo::narrow(best, finished);
        for (std::size_t i = 0; i < best.size(); ++i) {
            if (i + 1 < best.size())
                race_.prefetch_exact(static_cast<std::int32_t>(best[i + 1].place));
            race_.finish(static_cast<std::int32_t>(best[i].place));
            leave_out(best[i].place);
        }
    }

    // The arms that their guesses do not put out of question, without stakes.
    void enter_by_guesses() {
        const double target = race_.look_after(kBatch).target;
        const std::int64_t arms = race_.box.arms();
        for (std::int64_t first = 0; first < arms; first += static_cast<std::int64_t>(kChunk)) {
            race_.watch.poll();
            const std::int64_t count = std::min(static_cast<std::int64_t>(kChunk), arms - first);
            const float *guesses = race_.work.guesses.data() + first;
            race_.contenders.add_without_stakes([&](std::int32_t *kept, double *sums) {
                return race_.box.bound_guesses(first, count, guesses, target, kept, sums);
            });
        }
    }

    void add_stage(std::int64_t stage) {
        for (std::size_t at = 0; at < race_.contenders.size(); at += kChunk) {
            race_.watch.poll();
            const std::size_t count = std::min(kChunk, race_.contenders.size() - at);
            race_.cost.pulls +=
                race_.box.add_stage(stage, race_.contenders.arms(at, count), race_.contenders.state(at).sum);
        }
    }

    void fall_by_bounds(std::int64_t stage) {
        std::uint8_t keep[kChunk];
        const double target = race_.look_after(kBatch).target;
        const std::size_t all = race_.contenders.size();
        std::size_t kept = 0;
        for (std::size_t at = 0; at < all; at += kChunk) {
            const std::size_t count = std::min(kChunk, all - at);
            race_.box.bound(stage, race_.contenders.arms(at, count), race_.contenders.state(at).sum, target, keep);
            kept = race_.contenders.compact_without_stakes(keep, at, count, kept);
        }
        race_.contenders.shrink(kept);
    }

    RaceState<B> &race_;
};

} // namespace bmo

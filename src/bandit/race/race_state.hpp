// What a race has read and computed so far, and the steps that all of its parts are made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bandit/betting.hpp"
#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "bandit/race/contenders.hpp"
#include "bandit/race/race_rule.hpp"
#include "bandit/race/sampler.hpp"
#include "bandit/race/schedule.hpp"
#include "bandit/race/scout.hpp"
#include "boxes/box.hpp"
#include "simd/look.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

// Memory that one race after another uses.
struct RaceWorkspace {
    Contenders contenders;
    std::vector<std::int32_t> pilots;
    std::vector<double> pilot_sums, estimates;
    AlignedVector<float> guesses;        // of the whole sum of every arm; infinite: it does not enter
    std::vector<double> about, at_least; // of the sums of groups
    std::vector<std::int32_t> absent;    // arms that do not enter, ascending: self, and those that are finished already
    std::vector<Scored> scouts;
    Nearest nearest;
};

template <Box B>
struct RaceState {
    RaceState(B &of, const RaceRule &by, RaceWorkspace &workspace, Watch &watched)
        : box(of), rule(by), work(workspace), contenders(workspace.contenders), watch(watched), sampler(of, cost),
          population(of.population()), head(of.head()), sample_cap(std::min(of.readable(), of.whole() / 2)),
          opening_cap(std::clamp<std::int64_t>(of.whole() / kOpeningShare - head, 0, sample_cap)),
          opening_batches(std::min(kOpeningBatches, opening_cap / kBatch)) {}
    RaceState(const RaceState &) = delete;
    RaceState &operator=(const RaceState &) = delete;

    void begin() {
        candidates = static_cast<std::uint64_t>(box.arms() - (rule.self < 0 ? 0 : 1));
        cost.sampling_ops += read_heads(box, watch);
        sampling_budget =
            kWasteShare * static_cast<double>(box.brute_ops(rule.self)) - static_cast<double>(cost.sampling_ops);
        work.nearest.reset(rule.k, rule.limit);
        contenders.reset(static_cast<std::size_t>(box.arms()), watch);
        work.absent.assign(rule.self < 0 ? 0 : 1, static_cast<std::int32_t>(rule.self));
    }

    // The arms [first, last) enter, except the absent ones.
    void enter(std::int32_t first, std::int32_t last) {
        for (auto gap = std::lower_bound(work.absent.begin(), work.absent.end(), first);
             gap != work.absent.end() && *gap < last; ++gap) {
            enter_all(first, *gap);
            first = *gap + 1;
        }
        enter_all(first, last);
    }

    // Arms that have read equally many samples are compared by this.
    double estimate(std::size_t i) const {
        const std::int32_t arm = contenders.arm(i);
        return contenders.sum(i) - box.start_sum(arm) + sampled_start(box, arm, samples_read);
    }

    void finish(std::int32_t arm) {
        watch.poll();
        work.nearest.offer({box.exact(arm), arm});
        cost.exact_ops += box.exact_ops(arm);
        ++cost.exact_evals;
    }

    // Finishes the contender at this place. Its samples were of no use, nor is the batch that it reads before it leaves.
    void finish_early(std::size_t place) {
        finish(contenders.arm(place));
        contenders.retire(place);
        sampling_budget -= static_cast<double>(samples_read + kBatch);
    }

    // The arm is likely to be finished next.
    void prefetch_exact(std::int32_t arm) const { box.prefetch_exact(arm); }

    // A look after `read` samples, the last batch of which is new. The target is raised by what an exact sum may have
    // lost to rounding: at most one unit in 2^52 a term.
    Look look_after(std::int64_t read) const {
        Look look;
        look.target = box.sample_units(work.nearest.target(rule.epsilon_sum)) *
                      (kRoundUp + static_cast<double>(head + population) * 0x1p-52);
        look.unread = static_cast<double>(population - (read - kBatch));
        look.slack = static_cast<double>(read) * kSampleAbsoluteError;
        look.rejection = rejection_level(rule.alpha, read);
        look.last_bet = read <= kAllBets ? kBets : read <= kThreeBets ? 3 : 2;
        look.first_bet = read <= kLateBetsJoin ? kLateBets : 0;
        return look;
    }

    // The contenders [at, at + count), a chunk, read a batch for each look, from sample `first` on. Those that are kept in the
    // end go behind the first `kept`; returns the new number.
    std::size_t look_at(std::int64_t first, std::size_t at, std::size_t count, std::span<const Look> looks,
                        std::size_t kept) {
        watch.poll();
        std::uint8_t keep[kChunk];
        for (std::size_t i = 0; i < looks.size() && count > 0; ++i) {
            const std::int64_t read = first + static_cast<std::int64_t>(i) * kBatch;
            const std::span<const std::int32_t> arms = contenders.arms(at, count);
            if (i + 1 < looks.size())
                sampler.prefetch(read + kBatch, arms);
            sampler.bet(read, arms, looks[i], contenders.state(at), keep);
            const std::size_t to = i + 1 == looks.size() ? kept : at;
            count = contenders.compact(keep, at, count, to) - to;
        }
        return kept + count;
    }

    B &box;
    const RaceRule rule;
    RaceWorkspace &work;
    Contenders &contenders;
    Watch &watch;
    Cost cost;
    Sampler<B> sampler;
    const std::int64_t population, head;
    const std::int64_t sample_cap;  // samples of an arm that a race reads at most,
    const std::int64_t opening_cap; // and at most before it knows whether more of them pay
    std::uint64_t candidates = 0;
    const std::int64_t opening_batches; // that every arm reads first; 0: so small a population is finished at once
    std::int64_t samples_read = 0;      // that every arm left in the race has read
    double sampling_budget = 0;         // operations that may go into samples of arms that are finished in the end

private:
    void enter_all(std::int32_t first, std::int32_t last) {
        if constexpr (kStarts<B>) {
            for (std::int32_t arm = first; arm < last; ++arm)
                contenders.add(arm, box.start_sum(arm));
        } else {
            contenders.add_range(first, last);
        }
    }
};

} // namespace bmo

// The opening of a race by samples:
//
//   pilots   every few arms are sampled, the most promising further, and the best of these are finished: a first tau
//   open     every arm reads the first batches, with a look after each
//   scouts   the most promising that are left are sampled further, and the best of these are finished: a tau close to tau*
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "bandit/race/race_state.hpp"

namespace bmo {

template <Box B>
class SampledOpening {
public:
    // The sum of an arm's samples, in proportion, tells its whole sum.
    static constexpr bool kSumsForetell = true;

    explicit SampledOpening(RaceState<B> &race) : race_(race) {}

    void begin() {
        if (race_.opening_batches > 0 && race_.rule.scouted() > 0)
            send_pilots();
    }

    void open(std::int64_t first, std::int64_t last) {
        for (std::int64_t from = first; from < last; from += static_cast<std::int64_t>(kChunk)) {
            race_.watch.poll();
            const std::size_t entered = race_.contenders.size();
            const std::int64_t to = std::min(last, from + static_cast<std::int64_t>(kChunk));
            race_.enter(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to));
            for (std::int64_t batch = 0; batch < race_.opening_batches; ++batch) {
                const Look look = race_.look_after((batch + 1) * kBatch);
                const std::size_t count = race_.contenders.size() - entered;
                race_.contenders.shrink(race_.look_at(batch * kBatch, entered, count, {&look, 1}, entered));
            }
        }
        race_.samples_read = race_.opening_batches * kBatch;
    }

    void scout() {
        if (race_.opening_batches == 0 || race_.rule.scouted() == 0)
            return;
        send_scouts(race_.contenders.arms(0, race_.contenders.size()), estimates(), race_.contenders.size());
        for (const Scored &found : race_.work.scouts) {
            race_.finish_early(found.place);
        }
    }

    void enter(std::int64_t, std::int64_t) {} // they have already
    void end() {}

private:
    std::span<const double> estimates() {
        if constexpr (kStarts<B>) {
            race_.work.estimates.clear();
            SmallSteps steps(race_.watch);
            for (std::size_t i = 0; i < race_.contenders.size(); ++i, steps.step())
                race_.work.estimates.push_back(race_.estimate(i));
            return race_.work.estimates;
        } else {
            return race_.contenders.sums();
        }
    }

    // Operations that the budget has beside the samples that so many arms have read, or read soon, in the opening.
    double spare(std::uint64_t arms) const {
        return race_.sampling_budget - static_cast<double>(arms) * static_cast<double>(race_.opening_batches * kBatch);
    }

    // Leaves the best of these arms in the scouts. `open` other arms have yet to read the opening's samples.
    void send_scouts(std::span<const std::int32_t> arms, std::span<const double> sums, std::uint64_t open) {
        const std::uint64_t before = race_.cost.sampling_ops;
        bmo::scout(race_.sampler, arms, sums, race_.rule.k, race_.opening_batches * kBatch, race_.opening_cap,
                   spare(open), race_.work.scouts, race_.watch);
        race_.sampling_budget -= static_cast<double>(race_.cost.sampling_ops - before);
    }

    void choose_pilots() {
        const std::int64_t wanted =
            std::max(race_.box.arms() / kPilotShare, kPilotsPerFinished * scouts_finished(race_.rule.k));
        const double most = spare(race_.candidates) / static_cast<double>(race_.opening_batches * kBatch);
        race_.work.pilots.clear();
        if (most < 1)
            return;
        const auto least_step = static_cast<std::int64_t>(std::ceil(static_cast<double>(race_.box.arms()) / most));
        const std::int64_t step = std::max({std::int64_t{1}, race_.box.arms() / wanted, least_step});
        for (std::int64_t arm = 0; arm < race_.box.arms(); arm += step)
            if (arm != race_.rule.self)
                race_.work.pilots.push_back(static_cast<std::int32_t>(arm));
    }

    void send_pilots() {
        choose_pilots();
        const std::uint64_t before = race_.cost.sampling_ops;
        race_.work.pilot_sums.assign(race_.work.pilots.size(), 0);
        for (std::size_t at = 0; at < race_.work.pilots.size(); at += kChunk) {
            race_.watch.poll();
            const std::span<const std::int32_t> some{race_.work.pilots.data() + at,
                                                     std::min(kChunk, race_.work.pilots.size() - at)};
            for (std::int64_t batch = 0; batch < race_.opening_batches; ++batch)
                race_.sampler.add_sums(batch * kBatch, some, race_.work.pilot_sums.data() + at);
        }
        race_.sampling_budget -= static_cast<double>(race_.cost.sampling_ops - before);
        send_scouts(race_.work.pilots, race_.work.pilot_sums, race_.candidates);
        for (const Scored &found : race_.work.scouts) {
            race_.finish(race_.work.pilots[found.place]);
            race_.work.absent.push_back(race_.work.pilots[found.place]);
        }
        std::sort(race_.work.absent.begin(), race_.work.absent.end());
    }

    RaceState<B> &race_;
};

} // namespace bmo

// The arms of a Monte Carlo box, each with samples of its own: in the shared order from its own position on, or drawn
// with replacement from a random stream of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bandit/adaptive/adaptive.hpp"
#include "bandit/adaptive/arms.hpp"
#include "bandit/cost.hpp"
#include "boxes/box.hpp"
#include "simd/bets.hpp"
#include "util/failure.hpp"
#include "util/xoshiro.hpp"

namespace bmo {

enum class Draw { without_replacement, with_replacement };

template <OrderedBox B>
class BoxArms final : public Arms {
public:
    // stream: of the seed and the query.
    BoxArms(B &box, Draw draw, std::uint64_t stream, Cost &cost)
        : box_(box), draw_(draw), stream_(stream), cost_(cost) {}

    std::int64_t count() const override { return box_.arms(); }

    void pull(std::span<const std::int32_t> arms, std::int64_t samples, Confidence &confidence) override {
        samples_.resize(static_cast<std::size_t>(samples));
        const auto foresee = [&](std::size_t i) {
            if (i >= arms.size())
                return;
            const std::int64_t read = confidence.tally(arms[i]).count;
            if (draw_ == Draw::with_replacement)
                draw(arms[i], read);
            else
                box_.prefetch_next(arms[i], read, samples);
        };
        foresee(0);
        for (std::size_t i = 0; i < arms.size(); ++i) {
            coords_.swap(drawn_);
            foresee(i + 1);
            draw_ == Draw::without_replacement ? read_on(arms[i], confidence.tally(arms[i]).count)
                                               : read_drawn(arms[i]);
            confidence.add(arms[i], samples_);
        }
        cost_.sampling_ops += arms.size() * static_cast<std::uint64_t>(samples);
    }

    bool has_exact() const override { return true; }

    double exact(std::int32_t arm) override {
        cost_.exact_ops += box_.exact_ops(arm);
        ++cost_.exact_evals;
        return box_.exact(arm);
    }

    double mean_of_exact(double value) const override {
        return box_.sample_units(value) / static_cast<double>(box_.population());
    }

private:
    // Samples [read, read + size) of the order.
    void read_on(std::int32_t arm, std::int64_t read) {
        std::array<float, kBatch> batch;
        for (std::size_t done = 0; done < samples_.size();) {
            const std::int64_t at = read + static_cast<std::int64_t>(done), first = at / kBatch * kBatch;
            const auto width = static_cast<int>(std::min<std::int64_t>(kBatch, box_.population() - first));
            box_.pull(first, width, {&arm, 1}, batch.data());
            const std::size_t count =
                std::min<std::size_t>(samples_.size() - done, static_cast<std::size_t>(first + width - at));
            std::copy_n(batch.begin() + (at - first), count, samples_.begin() + static_cast<std::ptrdiff_t>(done));
            done += count;
        }
    }

    // The coordinates of the next samples of an arm.
    void draw(std::int32_t arm, std::int64_t read) {
        Xoshiro256pp random(mix_seed({stream_, static_cast<std::uint64_t>(arm), static_cast<std::uint64_t>(read)}));
        drawn_.resize(samples_.size());
        for (std::int32_t &coord : drawn_)
            coord = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(box_.population())));
        box_.prefetch_drawn(arm, drawn_);
    }

    void read_drawn(std::int32_t arm) {
        std::array<float, kBatch> batch;
        for (std::size_t done = 0; done < samples_.size(); done += kBatch) {
            const std::size_t count = std::min<std::size_t>(kBatch, samples_.size() - done);
            if constexpr (DrawableBox<B>)
                box_.sample(arm, coords_.data() + done, static_cast<int>(count), batch.data());
            else
                fail(BMO_EINTERNAL, "sampling", "samples of this box cannot be drawn with replacement");
            std::copy_n(batch.begin(), count, samples_.begin() + static_cast<std::ptrdiff_t>(done));
        }
    }

    B &box_;
    Draw draw_;
    std::uint64_t stream_;
    Cost &cost_;
    std::vector<float> samples_;
    std::vector<std::int32_t> coords_, drawn_; // drawn: of the arm that comes next, so that its values are on their way
};

// The k nearest arms by a bandit that samples them one by one: their exact sums are in `nearest` afterwards. The rule's
// epsilon and sigma are coordinate distances.
template <OrderedBox B>
Cost sample_arms(B &box, AdaptiveRule rule, Draw draw, std::uint64_t stream, Watch &watch, Nearest &nearest) {
    Cost cost;
    BoxArms arms(box, draw, stream, cost);
    rule.trial.epsilon = arms.mean_of_exact(box.sum_of_epsilon(rule.trial.epsilon));
    rule.sigma = box.sample_of(rule.sigma);
    rule.trial.limit_mean = raised_mean(arms, rule.trial.limit);
    std::int64_t &most = rule.trial.looks.most;
    most = most > 0 ? std::min(most, box.population()) : box.whole();
    SampleFacts facts;
    facts.range = {0, box.largest_sample() + kSampleAbsoluteError}; // also if all samples are too small for a float
    facts.population = draw == Draw::without_replacement ? box.population() : 0;
    offer_found(find_arms(arms, facts, rule, watch, cost.rounds), arms, rule.trial, watch, nearest, cost);
    return cost;
}

} // namespace bmo

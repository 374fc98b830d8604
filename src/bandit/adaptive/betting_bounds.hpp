// Lower bounds of means by betting: the largest tau at which the test of bandit/betting.hpp rejects "theta <= tau".
//
// The wealth falls in tau, so that a test that rejects tau rejects everything below it: a bound above theta means that
// theta itself was rejected, whichever means were tried and when. It holds at all times at once, for non-negative samples
// of any distribution, and needs no union over looks. There is no upper bound: an arm is
// accepted by its exact value. With replacement m is tau at every sample (z independent, E z = theta), and the wealth
// is that of a fixed m.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bandit/adaptive/confidence.hpp"
#include "bandit/betting.hpp"
#include "simd/kernels.hpp"

namespace bmo {

class BettingBounds final : public Confidence {
public:
    // population: how many samples there are to draw without replacement; 0: they are drawn with replacement.
    explicit BettingBounds(std::int64_t population) : population_(population) {}

    void begin(std::int64_t arms, const Levels &levels) override {
        Confidence::begin(arms, levels);
        alpha_ = std::exp(-levels.lower);
        ladders_.assign(static_cast<std::size_t>(arms), {});
        samples_.resize(static_cast<std::size_t>(arms));
        for (std::vector<float> &of : samples_)
            of.clear();
    }

    void add(std::int32_t arm, std::span<const float> samples) override {
        Confidence::add(arm, samples);
        std::vector<float> &all = samples_[static_cast<std::size_t>(arm)];
        all.insert(all.end(), samples.begin(), samples.end());
    }

    Bounds bounds(std::int32_t arm) override {
        Ladder &ladder = ladders_[static_cast<std::size_t>(arm)];
        const std::vector<float> &samples = samples_[static_cast<std::size_t>(arm)];
        if (samples.size() < kBatch)
            return {0, kInfinity};
        if (samples.size() < 2 * ladder.put_up_at)
            climb(ladder, samples);
        if (samples.size() >= 2 * ladder.put_up_at || ladder.rejected == kRungs)
            put_up(ladder, samples, tally(arm).mean);
        return {ladder.lower, kInfinity};
    }

private:
    static constexpr std::size_t kRungs = 16;
    static constexpr std::size_t kTogether = 4; // as many as the kernels bet on at a time

    // Means that are bet against together, ascending, and how far the bets are. What is rejected stays so for good.
    struct Ladder {
        double lower = 0; // the largest mean that was rejected, here or on a ladder before
        std::array<double, kRungs> tau{};
        std::array<double, kRungs> sum{}; // of the samples, and what the target of the highest rung is too high by
        std::array<float, kBets * kRungs> wealth{};
        std::size_t read = 0, rejected = 0, put_up_at = 0; // samples, rungs, samples
    };

    // Bets on all samples again, against means from the lower bound to half way to the mean of the samples, beyond which
    // no bound comes but by chance; as often as all of them are rejected. Done whenever the samples have doubled, so that
    // a sample is bet on about three times. The first ladder is a coarse one.
    void put_up(Ladder &ladder, const std::vector<float> &samples, double mean) const {
        constexpr double kHalf = 0.5, kCoarse = 1.0 / 64;
        constexpr int kMost = 8;
        double reach = ladder.put_up_at == 0 ? kCoarse : kHalf;
        ladder.put_up_at = samples.size();
        for (int put_up = 0; put_up < kMost && mean > ladder.lower; ++put_up) {
            place(ladder, mean, std::pow(reach, 1.0 / kRungs));
            climb(ladder, samples);
            if (reach == kHalf && ladder.rejected < kRungs)
                return;
            reach = kHalf;
        }
    }

    // Each rung is `closer` times as far from the mean as the one below.
    void place(Ladder &ladder, double mean, double closer) const {
        double gap = mean - ladder.lower;
        for (double &tau : ladder.tau)
            tau = mean - (gap *= closer);
        ladder.sum = excess(ladder);
        ladder.wealth.fill(1);
        ladder.read = ladder.rejected = 0;
    }

    // With replacement: m = target / unread whatever was read, and no sum is above the target.
    double all() const {
        constexpr double kEndless = 0x1p200;
        return population_ > 0 ? static_cast<double>(population_) : kEndless;
    }

    // The kernel knows one target, that of the highest rung: for a lower one, what it is too high by counts as read.
    std::array<double, kRungs> excess(const Ladder &ladder) const {
        std::array<double, kRungs> excess;
        for (std::size_t i = 0; i < kRungs; ++i)
            excess[i] = (ladder.tau.back() - ladder.tau[i]) * all();
        return excess;
    }

    // Bets on the batches that were not read yet. Whole ones only: a look within a batch is not covered by the proof of
    // betting.hpp.
    void climb(Ladder &ladder, const std::vector<float> &samples) const {
        Look look;
        look.target = ladder.tau.back() * all();
        std::array<float, kBatch> batch;
        std::array<std::array<float, kBatch>, kRungs> z;
        std::array<std::uint8_t, kRungs> keep;
        for (; ladder.read + kBatch <= samples.size() && ladder.rejected < kRungs; ladder.read += kBatch) {
            const std::size_t lowest = ladder.rejected / kTogether * kTogether;
            std::copy_n(samples.data() + ladder.read, kBatch, batch.data());
            std::fill_n(z.begin(), kRungs - lowest, batch);
            if (population_ == 0)
                ladder.sum = excess(ladder);
            look.unread = population_ > 0 ? all() - static_cast<double>(ladder.read) : all();
            look.slack = static_cast<double>(ladder.read + kBatch) * kSampleAbsoluteError;
            look.rejection = rejection_level(alpha_, static_cast<std::int64_t>(ladder.read + kBatch));
            kernels_.bet(z.front().data(), static_cast<std::int64_t>(kRungs - lowest), look,
                         {ladder.sum.data() + lowest, ladder.wealth.data() + lowest, kRungs}, keep.data() + lowest);
            for (std::size_t i = ladder.rejected; i < kRungs; ++i)
                ladder.rejected = keep[i] ? ladder.rejected : i + 1;
        }
        if (ladder.rejected > 0)
            ladder.lower = ladder.tau[ladder.rejected - 1];
    }

    const Kernels &kernels_ = kernels();
    std::int64_t population_;
    double alpha_ = 0;
    std::vector<Ladder> ladders_;
    std::vector<std::vector<float>> samples_;
};

} // namespace bmo

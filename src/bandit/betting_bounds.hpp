// Lower bounds of means by betting: the largest tau at which the test of bandit/betting.hpp rejects "theta <= tau".
//
// The wealth falls in tau, so that a test that rejects tau rejects everything below it: the bound holds at all times at
// once, for non-negative samples of any distribution, and needs no union over looks. There is no upper bound: an arm is
// accepted by its exact value. With replacement m is tau at every sample (z independent, E z = theta), and the wealth
// is that of a fixed m.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bandit/betting.hpp"
#include "bandit/confidence.hpp"
#include "simd/kernels.hpp"

namespace bmo {

class BettingBounds final : public Confidence {
public:
    // population: how many samples there are to draw without replacement; 0: they are drawn with replacement.
    explicit BettingBounds(std::int64_t population) : population_(population) {}

    void begin(std::int64_t arms, const Levels &levels) override {
        Confidence::begin(arms, levels);
        alpha_ = std::exp(-levels.lower);
        lower_.assign(static_cast<std::size_t>(arms), 0);
        looked_at_.assign(static_cast<std::size_t>(arms), 0);
        samples_.resize(static_cast<std::size_t>(arms));
        for (std::vector<float> &of : samples_)
            of.clear();
    }

    void add(std::int32_t arm, std::span<const float> samples) override {
        Confidence::add(arm, samples);
        std::vector<float> &all = samples_[static_cast<std::size_t>(arm)];
        all.insert(all.end(), samples.begin(), samples.end());
    }

    // A bound holds for good. It is looked for anew once there are an eighth more samples: all of them are bet on again.
    Bounds bounds(std::int32_t arm) override {
        const std::int64_t count = tally(arm).count;
        double &lower = lower_[static_cast<std::size_t>(arm)];
        std::int64_t &looked_at = looked_at_[static_cast<std::size_t>(arm)];
        if (count - looked_at > looked_at / 8) {
            raise(samples_[static_cast<std::size_t>(arm)], tally(arm).mean, lower);
            looked_at = count;
        }
        return {lower, kInfinity};
    }

private:
    static constexpr std::size_t kTried = 16; // means at once: as many as the kernels bet on together
    using Tried = std::array<double, kTried>;

    // Cuts the way from `lower` to the mean of the samples, beyond which no bound comes but by chance, into ever smaller
    // parts, until what is left is little of the gap to the mean.
    void raise(const std::vector<float> &samples, double mean, double &lower) const {
        constexpr int kMostCuts = 3;
        double upper = mean;
        for (int cut = 0; cut < kMostCuts && upper - lower > (mean - upper) / 64; ++cut) {
            const double part = (upper - lower) / (kTried + 1);
            Tried taus;
            for (std::size_t i = 0; i < kTried; ++i)
                taus[i] = lower + part * static_cast<double>(i + 1);
            const std::size_t rejected = count_rejected(samples, taus);
            upper = rejected < kTried ? taus[rejected] : upper;
            lower = rejected > 0 ? taus[rejected - 1] : lower;
        }
    }

    // How many of the ascending means, up to the last that is rejected. Whole batches only: a look within a batch is not
    // covered by the proof of betting.hpp. The kernel knows one target, that of the largest mean: for a lesser one, what
    // the target is too high by counts as read already.
    std::size_t count_rejected(const std::vector<float> &samples, const Tried &taus) const {
        // With replacement: m = target / unread whatever was read, and no sum is above the target.
        constexpr double kEndless = 0x1p200;
        const double all = population_ > 0 ? static_cast<double>(population_) : kEndless;
        Look look;
        look.target = taus.back() * all;
        Tried excess;
        for (std::size_t i = 0; i < kTried; ++i)
            excess[i] = (taus.back() - taus[i]) * all;
        Tried sum = excess;
        std::array<float, kBets * kTried> wealth;
        wealth.fill(1);
        std::array<float, kTried * kBatch> z;
        std::array<std::uint8_t, kTried> keep;
        std::size_t rejected = 0;
        for (std::size_t read = 0; read + kBatch <= samples.size() && rejected < kTried; read += kBatch) {
            look.unread = population_ > 0 ? all - static_cast<double>(read) : all;
            if (population_ == 0)
                sum = excess;
            look.slack = static_cast<double>(read + kBatch) * kSampleAbsoluteError;
            look.rejection = rejection_level(alpha_, static_cast<std::int64_t>(read) + kBatch);
            for (std::size_t i = 0; i < kTried; ++i)
                std::copy_n(samples.data() + read, kBatch, z.data() + i * kBatch);
            kernels_.bet(z.data(), kTried, look, {sum.data(), wealth.data(), kTried}, keep.data());
            for (std::size_t i = rejected; i < kTried; ++i)
                rejected = keep[i] ? rejected : i + 1;
        }
        return rejected;
    }

    const Kernels &kernels_ = kernels();
    std::int64_t population_;
    double alpha_ = 0;
    std::vector<double> lower_;
    std::vector<std::int64_t> looked_at_; // of how many samples `lower_` is
    std::vector<std::vector<float>> samples_;
};

} // namespace bmo

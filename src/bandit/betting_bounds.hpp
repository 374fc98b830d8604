// Lower bounds of means by betting: the largest tau at which the test of bandit/betting.hpp rejects "theta <= tau".
//
// The wealth falls in tau, so that a test that rejects tau rejects everything below it: the bound holds at all times at
// once, for non-negative samples of any distribution, and needs no union over looks. There is no upper bound: an arm is
// accepted by its exact value. With replacement m is tau at every sample (z independent, E z = theta), and the wealth
// is that of a fixed m.
#pragma once

#include <algorithm>
#include <cmath>
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
        double &lower = lower_[static_cast<std::size_t>(arm)];
        raise(samples_[static_cast<std::size_t>(arm)], tally(arm).mean, lower);
        return {lower, kInfinity};
    }

private:
    // Halves the way from `lower` to the mean of the samples, beyond which no bound comes but by chance.
    void raise(const std::vector<float> &samples, double mean, double &lower) const {
        constexpr int kHalvings = 10;
        double upper = mean;
        for (int i = 0; i < kHalvings && lower < upper; ++i) {
            const double middle = lower + (upper - lower) / 2;
            (rejects(samples, middle) ? lower : upper) = middle;
        }
    }

    // Whole batches only: a look within a batch is not covered by the proof of betting.hpp.
    bool rejects(const std::vector<float> &samples, double tau) const {
        // With replacement: m = target / unread whatever was read, and no sum is above the target.
        constexpr double kEndless = 0x1p200;
        const double all = population_ > 0 ? static_cast<double>(population_) : kEndless;
        Look look;
        look.target = tau * all;
        float wealth[kBets] = {1, 1, 1, 1};
        double sum = 0;
        const auto batches = static_cast<std::int64_t>(samples.size()) / kBatch;
        for (std::int64_t batch = 0; batch < batches; ++batch) {
            const std::int64_t read = batch * kBatch;
            if (population_ > 0)
                look.unread = all - static_cast<double>(read);
            else
                look.unread = all, sum = 0;
            look.slack = static_cast<double>(read + kBatch) * kSampleAbsoluteError;
            look.rejection = rejection_level(alpha_, read + kBatch);
            std::uint8_t keep = 1;
            kernels_.bet(samples.data() + read, 1, look, {&sum, wealth, 1}, &keep);
            if (!keep)
                return true;
        }
        return false;
    }

    const Kernels &kernels_ = kernels();
    std::int64_t population_;
    double alpha_ = 0;
    std::vector<double> lower_;
    std::vector<std::vector<float>> samples_;
};

} // namespace bmo

// The paper's bounds: mean +- sqrt(2 sigma^2 log(1 / alpha) / t), if samples are sub-Gaussian with parameter sigma.
//
// Given sigma it is Hoeffding's bound, and proven if sigma is what it says (without replacement too: Hoeffding, 1963,
// section 6). With the variance of the samples in its place, of one arm or of all, nothing is proven.
#pragma once

#include <cmath>

#include "bandit/adaptive/confidence.hpp"

namespace bmo {

enum class Spread { given, pooled, empirical };

class Gaussian final : public Confidence {
public:
    Gaussian(Spread spread, double sigma, const Range &range)
        : spread_(spread), variance_(sigma * sigma), range_(range) {}

    // Pooled: the mean of the arms' variances of their first samples, kept from then on.
    void settle() override {
        if (spread_ != Spread::pooled)
            return;
        double sum = 0;
        std::int64_t arms = 0;
        for (const Tally &tally : tallies()) {
            if (tally.count < 2)
                continue;
            sum += tally.variance();
            ++arms;
        }
        variance_ = arms > 0 ? sum / static_cast<double>(arms) : kInfinity;
    }

    Bounds bounds(std::int32_t arm) override {
        const Tally &of = tally(arm);
        if (of.count == 0)
            return {range_.lower, range_.upper};
        const double variance = spread_ == Spread::empirical ? of.variance() : variance_;
        const double unit = 2 * variance / static_cast<double>(of.count);
        return around(of, std::sqrt(unit * levels().at_look(levels().lower, of.count)),
                      std::sqrt(unit * levels().at_look(levels().upper, of.count)), range_);
    }

private:
    Spread spread_;
    double variance_;
    Range range_;
};

} // namespace bmo

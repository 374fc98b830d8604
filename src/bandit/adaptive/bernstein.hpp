// Empirical Bernstein bounds of samples in a known range: proven, with the variance of the samples themselves.
//
// With replacement (Maurer and Pontil, 2009, theorem 4): with probability at least 1 - alpha,
//     theta <= mean + sqrt(2 V log(2 / alpha) / t) + 7 R log(2 / alpha) / (3 (t - 1)),
// V the unbiased variance and R the width of the range. Without (Bardenet and Maillard, 2015, theorem 4.3):
//     theta <= mean + s sqrt(2 rho log(5 / alpha) / t) + (7/3 + 3/sqrt(2)) R log(5 / alpha) / t,
// s^2 = V (t - 1) / t and rho = 1 - (t - 1) / N, or (1 - t / N)(1 + 1 / t) beyond t = N / 2. The lower bounds are those
// of the negated samples.
#pragma once

#include <cmath>
#include <numbers>

#include "bandit/adaptive/confidence.hpp"

namespace bmo {

class Bernstein final : public Confidence {
public:
    // population: how many samples there are to draw without replacement; 0: they are drawn with replacement.
    Bernstein(const Range &range, std::int64_t population) : range_(range), population_(population) {}

    Bounds bounds(std::int32_t arm) override {
        const Tally &of = tally(arm);
        if (of.count < 2)
            return {range_.lower, range_.upper};
        return around(of, width(of, levels().at_look(levels().lower, of.count)),
                      width(of, levels().at_look(levels().upper, of.count)), range_);
    }

private:
    double width(const Tally &of, double log_inverse_alpha) const {
        const auto t = static_cast<double>(of.count);
        if (population_ == 0) {
            const double log = log_inverse_alpha + std::numbers::ln2;
            return std::sqrt(2 * (of.variance() + kSquareAbsoluteError) * log / t) +
                   7 * range_.width() * log / (3 * (t - 1));
        }
        const double log = log_inverse_alpha + std::log(5.0);
        return std::sqrt(2 * unread_share(t) * (of.squared_deviations / t) * log / t) +
               (7.0 / 3 + 3 / std::numbers::sqrt2) * range_.width() * log / t;
    }

    double unread_share(double t) const {
        const auto all = static_cast<double>(population_);
        return t <= all / 2 ? 1 - (t - 1) / all : (1 - t / all) * (1 + 1 / t);
    }

    Range range_;
    std::int64_t population_;
};

} // namespace bmo

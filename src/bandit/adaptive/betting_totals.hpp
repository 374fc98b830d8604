// Bounds by betting, of samples with replacement of which only sums and sums of squares are known.
//
// The wealth of bandit/betting.hpp at a fixed m is sum_g w_g prod_t (1 + c_g (z_t / m - 1)). The logarithm of a product
// is bounded below by what the totals tell (t samples, sum S, sum of squares Q), and a wealth that is too low is sound:
//   chord      z in [0, B], log concave: (1 - z/B) log(1 - c) + (z/B) log(1 + c (B/m - 1)) each. Equal for z in {0, B}.
//   parabola   log(1 + x) >= x + x^2 (log(1 - c) + c) / c^2 for x >= -c (Fan, Grama, Liu, 2015), x = c (z/m - 1).
// The larger of the two counts. An m that is rejected rejects all below it, because the wealth itself falls in m. The
// bounds hold at all times at once. Upper bounds are lower bounds of B - z.
//
// Squares that underflow are made up for, and if m^2 might be one of them the chord counts alone.
//
// Rounding: a mean that is off by e changes either logarithm by less than t e / m (c <= 1/2), which the level is raised by.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bandit/adaptive/confidence.hpp"

namespace bmo {

class BettingTotals final : public Confidence {
public:
    // range.lower is finite.
    explicit BettingTotals(const Range &range) : range_(range) {}

    void begin(std::int64_t arms, const Levels &levels) override {
        Confidence::begin(arms, levels);
        bounds_.assign(static_cast<std::size_t>(arms), {range_.lower, range_.upper});
    }

    Bounds bounds(std::int32_t arm) override {
        Bounds &found = bounds_[static_cast<std::size_t>(arm)];
        const Tally &of = tally(arm);
        const auto t = static_cast<double>(of.count);
        const double squared_deviations = of.squared_deviations + t * kSquareAbsoluteError;
        const double error = std::sqrt(squared_deviations / t + of.mean * of.mean) * kTotalsRelativeError;
        const auto totals = [&](double mean) { return Totals{t, mean, squared_deviations + t * mean * mean, error}; };
        found.lower = range_.lower + raised(found.lower - range_.lower, totals(of.mean - range_.lower), levels().lower);
        if (range_.bounded())
            found.upper =
                range_.upper - raised(range_.upper - found.upper, totals(range_.upper - of.mean), levels().upper);
        return found;
    }

private:
    struct Totals {
        double count, mean, squares, error; // of samples in [0, B]
    };
    struct Fraction {
        double c, log_rest, log_weight; // log(1 - c), log w
    };

    // A lower bound raised by halving the way to the mean, until what is left of it is little of the gap to the mean.
    double raised(double lower, const Totals &of, double level) const {
        constexpr int kMostHalvings = 40;
        double upper = of.mean;
        for (int i = 0; i < kMostHalvings && upper - lower > (of.mean - upper) / 1024; ++i) {
            const double middle = lower + (upper - lower) / 2;
            (rejects(of, middle, level) ? lower : upper) = middle;
        }
        return lower;
    }

    bool rejects(const Totals &of, double m, double level) const {
        constexpr double kRounding = 1e-12; // of these logarithms
        return log_wealth(of, m) >= level + of.count * (kRounding + of.error / m);
    }

    double log_wealth(const Totals &of, double m) const {
        double log[kFractions], largest = -kInfinity;
        for (std::size_t g = 0; g < kFractions; ++g) {
            log[g] = fractions_[g].log_weight + std::max(chord(of, m, fractions_[g]), parabola(of, m, fractions_[g]));
            largest = std::max(largest, log[g]);
        }
        double sum = 0;
        for (const double part : log)
            sum += std::exp(part - largest);
        return largest + std::log(sum);
    }

    double chord(const Totals &of, double m, const Fraction &fraction) const {
        if (!range_.bounded())
            return -kInfinity;
        const double at_width = std::log1p(fraction.c * (range_.width() / m - 1));
        return of.count * fraction.log_rest + of.count * of.mean / range_.width() * (at_width - fraction.log_rest);
    }

    static double parabola(const Totals &of, double m, const Fraction &fraction) {
        if (m < kLeastSquared)
            return -kInfinity;
        const double sum = of.count * of.mean / m;
        return fraction.c * (sum - of.count) +
               (fraction.log_rest + fraction.c) * (of.squares / (m * m) - 2 * sum + of.count);
    }

    static constexpr std::size_t kFractions = 20;
    static constexpr double kLeastSquared = 0x1p-500; // the square of what is less is too near to underflow

    static std::array<Fraction, kFractions> make_fractions() {
        std::array<Fraction, kFractions> made{};
        for (std::size_t g = 0; g < kFractions; ++g) {
            const auto place = static_cast<double>(g);
            const double c = std::exp2(-1 - place);
            made[g] = {c, std::log1p(-c), -std::log((place + 1) * (place + 2))};
        }
        return made;
    }

    std::array<Fraction, kFractions> fractions_ = make_fractions();
    Range range_;
    std::vector<Bounds> bounds_;
};

} // namespace bmo

// Bounds by betting where only sums and sums of squares of the samples are known, drawn with replacement.
//
// The wealth of bandit/betting.hpp at a fixed m is sum_g w_g prod_t (1 + c_g (z_t / m - 1)). The logarithm of a product
// is bounded below by what the totals tell (t samples, sum S, sum of squares Q), and a wealth that is too low is sound:
//   chord      z in [0, B], log concave: (1 - z/B) log(1 - c) + (z/B) log(1 + c (B/m - 1)) each. Equality for z in {0,
//   B}. parabola   log(1 + x) >= x + x^2 (log(1 - c) + c) / c^2 for x >= -c (Fan, Grama, Liu, 2015), x = c (z/m - 1).
// The larger of the two counts. An m that is rejected rejects all below it, because the wealth itself falls in m. The
// bounds hold at all times at once. Upper bounds are lower bounds of B - z.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bandit/betting.hpp"
#include "bandit/confidence.hpp"

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
        const auto totals = [&](double mean) { return Totals{t, t * mean, of.scatter + t * mean * mean}; };
        const double below = lower_bound(totals(of.mean - range_.lower), levels().lower);
        found.lower = std::max(found.lower, range_.lower + below);
        if (range_.bounded()) {
            const double above = lower_bound(totals(range_.upper - of.mean), levels().upper);
            found.upper = std::min(found.upper, range_.upper - above);
        }
        return found;
    }

private:
    struct Totals {
        double count, sum, squares; // of samples in [0, B]
    };

    // With room for the rounding of the caller's sums and of these.
    double lower_bound(const Totals &of, double level) const {
        constexpr int kHalvings = 30;
        const double mean = of.sum / of.count;
        double lower = 0, upper = mean;
        for (int i = 0; i < kHalvings && upper - lower > 1e-6 * mean; ++i) {
            const double middle = lower + (upper - lower) / 2;
            (log_wealth(of, middle) >= level + 1e-9 * of.count ? lower : upper) = middle;
        }
        return lower * (1 - 1e-9);
    }

    double log_wealth(const Totals &of, double m) const {
        double log[kBets], largest = -kInfinity;
        for (std::size_t g = 0; g < kBets; ++g) {
            const double c = 1 - static_cast<double>(kRetained[g]);
            log[g] = std::log(static_cast<double>(kWeight[g])) + std::max(chord(of, m, c), parabola(of, m, c));
            largest = std::max(largest, log[g]);
        }
        double sum = 0;
        for (const double part : log)
            sum += std::exp(part - largest);
        return largest + std::log(sum);
    }

    double chord(const Totals &of, double m, double c) const {
        if (!range_.bounded())
            return -kInfinity;
        const double at_zero = std::log1p(-c), at_width = std::log1p(c * (range_.width() / m - 1));
        return of.count * at_zero + of.sum / range_.width() * (at_width - at_zero);
    }

    static double parabola(const Totals &of, double m, double c) {
        const double sum = of.sum / m;
        return c * (sum - of.count) + (std::log1p(-c) + c) * (of.squares / (m * m) - 2 * sum + of.count);
    }

    Range range_;
    std::vector<Bounds> bounds_;
};

} // namespace bmo

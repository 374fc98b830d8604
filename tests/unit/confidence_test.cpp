// Each confidence rule against its formula, worked out here from all samples at once and in plain double.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bandit/adaptive/bernstein.hpp"
#include "bandit/adaptive/betting_bounds.hpp"
#include "bandit/adaptive/betting_totals.hpp"
#include "bandit/adaptive/gaussian.hpp"
#include "util/xoshiro.hpp"

namespace confidence_test {

using bmo::Bounds;
using bmo::Levels;

constexpr std::int32_t kArm = 1; // of 3

void assert_near(double value, double expected, double relative) {
    const bool near = std::abs(value - expected) <= relative * std::max(1.0, std::abs(expected));
    if (!near)
        print_error("%.17g instead of %.17g\n", value, expected);
    assert_true(near);
}

// Numbers of [0, 1), more of them small: u^3.
std::vector<float> skewed(std::size_t count, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    std::vector<float> made(count);
    for (float &z : made) {
        const float u = static_cast<float>(random.below(1 << 20)) * 0x1p-20F;
        z = u * u * u;
    }
    return made;
}

struct Moments {
    double mean = 0, variance = 0;
};

Moments moments_of(const std::vector<float> &z) {
    Moments of;
    for (const float value : z)
        of.mean += static_cast<double>(value) / static_cast<double>(z.size());
    for (const float value : z)
        of.variance += std::pow(static_cast<double>(value) - of.mean, 2) / static_cast<double>(z.size() - 1);
    return of;
}

// In pieces of these sizes, again and again.
void add_in_pieces(bmo::Confidence &rule, const std::vector<float> &z, std::initializer_list<std::size_t> pieces) {
    for (std::size_t at = 0; at < z.size();)
        for (const std::size_t piece : pieces) {
            const std::size_t count = std::min(piece, z.size() - at);
            if (count > 0)
                rule.add(kArm, std::span(z.data() + at, count));
            at += count;
        }
}

// A level of its own for every look, so that at_look() leaves it as it is.
Levels fixed(double lower, double upper) {
    Levels levels;
    levels.lower = lower;
    levels.upper = upper;
    levels.each_look = true;
    return levels;
}

void tallies_of_pieces_are_those_of_the_whole(void **) {
    const std::vector<float> z = skewed(1000, 1);
    const Moments expected = moments_of(z);
    bmo::Gaussian rule(bmo::Spread::empirical, 0, {});
    rule.begin(3, fixed(1, 1));
    add_in_pieces(rule, z, {1, 7, 16, 3});
    assert_int_equal(rule.tally(kArm).count, 1000);
    assert_near(rule.tally(kArm).mean, expected.mean, 1e-12);
    assert_near(rule.tally(kArm).variance(), expected.variance, 1e-12);
    assert_int_equal(rule.tally(0).count, 0);

    bmo::Gaussian totals(bmo::Spread::empirical, 0, {});
    totals.begin(3, fixed(1, 1));
    double sum = 0, squares = 0;
    for (const float value : z) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    totals.add(kArm, 1000, sum, squares);
    assert_near(totals.tally(kArm).variance(), expected.variance, 1e-12);
}

void gaussian_bounds_are_those_of_the_paper(void **) {
    const std::vector<float> z = skewed(64, 2);
    const Moments of = moments_of(z);
    const double rounding = of.mean * 0x1p-20;

    bmo::Gaussian given(bmo::Spread::given, 0.25, {});
    given.begin(3, fixed(9, 4));
    add_in_pieces(given, z, {64});
    assert_near(given.bounds(kArm).lower, of.mean - std::sqrt(2 * 0.0625 * 9 / 64) - rounding, 1e-9);
    assert_near(given.bounds(kArm).upper, of.mean + std::sqrt(2 * 0.0625 * 4 / 64) + rounding, 1e-9);

    bmo::Gaussian empirical(bmo::Spread::empirical, 0, {});
    empirical.begin(3, fixed(9, 4));
    add_in_pieces(empirical, z, {64});
    assert_near(empirical.bounds(kArm).upper, of.mean + std::sqrt(2 * of.variance * 4 / 64) + rounding, 1e-9);

    bmo::Gaussian pooled(bmo::Spread::pooled, 0, {0, bmo::kInfinity});
    pooled.begin(3, fixed(9, 4));
    add_in_pieces(pooled, z, {64});
    const std::vector<float> other = {0, 2}; // variance 2
    pooled.add(0, other);
    pooled.settle();
    const double variance = (of.variance + 2) / 2;
    assert_near(pooled.bounds(kArm).upper, of.mean + std::sqrt(2 * variance * 4 / 64) + rounding, 1e-9);
    assert_true(pooled.bounds(kArm).lower == 0); // the range
    assert_true(pooled.bounds(2).upper == bmo::kInfinity);
}

void levels_share_delta_as_they_say(void **) {
    const bmo::ErrorBudget budget{0.01, 1000, 5};
    const bmo::Looks looks{32, 256, 3000}; // 32, 288, ..., 2848, 3000: 13 looks
    assert_near(std::exp(-bmo::paper_levels(budget, looks).at_look(bmo::paper_levels(budget, looks).lower, 32)),
                0.01 / 1000 / 3000 / 2, 1e-12);
    const Levels split = bmo::split_levels(budget, looks);
    assert_near(std::exp(-split.at_look(split.lower, 288)), 0.005 / 5 / 13, 1e-12);
    assert_near(std::exp(-split.at_look(split.upper, 288)), 0.005 / 1000 / 13, 1e-12);
    assert_near(std::exp(-bmo::lower_levels(budget, looks).lower), 0.01 / 5, 1e-12);

    // Looks without end: 1/2 + 1/6 + 1/12 + ... is 1.
    const Levels endless = bmo::paper_levels(budget, {32, 256, 0});
    double spent = 0;
    for (std::int64_t look = 1; look <= 100000; ++look)
        spent += std::exp(-endless.at_look(endless.lower, 32 + 256 * (look - 1)));
    assert_true(spent <= 0.01 / 2000 && spent > 0.9999 * 0.01 / 2000);
}

void bernstein_bounds_are_those_of_their_theorems(void **) {
    const std::vector<float> z = skewed(200, 3);
    const Moments of = moments_of(z);
    const double rounding = of.mean * 0x1p-20, width = 1.5;

    bmo::Bernstein replaced({0, width}, 0);
    replaced.begin(3, fixed(6, 3));
    add_in_pieces(replaced, z, {50});
    const double ln = 3 + std::log(2);
    assert_near(replaced.bounds(kArm).upper,
                of.mean + std::sqrt(2 * of.variance * ln / 200) + 7 * width * ln / (3 * 199) + rounding, 1e-9);

    const auto without = [&](std::int64_t population, double rho) {
        bmo::Bernstein rule({-1, width - 1}, population);
        rule.begin(3, fixed(0.5, 0.25));
        add_in_pieces(rule, z, {50});
        const double ln5 = 0.5 + std::log(5), spread = std::sqrt(of.variance * 199 / 200);
        const double kappa = 7.0 / 3 + 3 / std::sqrt(2.0);
        assert_near(rule.bounds(kArm).lower,
                    of.mean - spread * std::sqrt(2 * rho * ln5 / 200) - kappa * width * ln5 / 200 - rounding, 1e-9);
    };
    without(1000, 1 - 199.0 / 1000);
    without(250, (1 - 200.0 / 250) * (1 + 1.0 / 200));
}

constexpr double kFractions[] = {.05, .15, .3, .5}, kWeights[] = {.05, .35, .4, .1999};

// The largest tau, of a fine grid below the mean, at which the wealth at the end of some batch is 1 / alpha.
double betting_bound(const std::vector<float> &z, double alpha, double population) {
    const double mean = moments_of(z).mean;
    for (double tau = mean; tau > 0; tau -= mean / 4096) {
        std::vector<double> wealth(4, 1.0);
        double sum = 0;
        for (std::size_t t = 0; t + 16 <= z.size(); t += 16) {
            const double read = static_cast<double>(t);
            const double m = population > 0 ? (population * tau - sum) / (population - read) : tau;
            double mixture = 0;
            for (int g = 0; g < 4; ++g) {
                for (std::size_t j = t; j < t + 16; ++j)
                    wealth[static_cast<std::size_t>(g)] *= 1 + kFractions[g] * (static_cast<double>(z[j]) / m - 1);
                mixture += kWeights[g] * wealth[static_cast<std::size_t>(g)];
            }
            for (std::size_t j = t; j < t + 16; ++j)
                sum += static_cast<double>(z[j]);
            if (mixture >= 1 / alpha)
                return tau;
        }
    }
    return 0;
}

// The bound is a rung of a ladder, each of which is 2^(1/16) times as far from the mean as the next one.
void bounds_by_betting_invert_the_wealth(void **) {
    const double rung = std::exp2(1.0 / 16) - 1;
    for (const std::int64_t population : {std::int64_t{0}, std::int64_t{2000}})
        for (const std::size_t count : {std::size_t{32}, std::size_t{320}, std::size_t{1007}}) {
            const std::vector<float> z = skewed(count + count / 2, count);
            const std::vector<float> first(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(count));
            bmo::BettingBounds rule(population);
            rule.begin(3, fixed(std::log(20), 0));
            add_in_pieces(rule, first, {32, 256});
            const auto is_rung_below = [&](const std::vector<float> &samples, double within) {
                const double expected = betting_bound(samples, 1.0 / 20, static_cast<double>(population));
                const double mean = moments_of(samples).mean;
                assert_true(expected > 0);
                assert_true(rule.bounds(kArm).lower <= expected * (1 + 1e-3));
                assert_true(rule.bounds(kArm).lower >= expected - (mean - expected) * within - mean / 4096);
            };
            is_rung_below(first, rung);
            assert_true(rule.bounds(kArm).upper == bmo::kInfinity);
            assert_true(rule.bounds(0).lower == 0);

            rule.add(kArm, std::span(z).subspan(count)); // the ladder stays: its rungs are those of the wider gap
            is_rung_below(z, 2 * rung);
            const double lower = rule.bounds(kArm).lower;
            const std::vector<float> large(16, 100.0F), none(16, 0.0F);
            rule.add(kArm, none);
            assert_true(rule.bounds(kArm).lower >= lower);
            rule.add(kArm, large);
            assert_true(rule.bounds(kArm).lower >= lower);
        }
}

// Samples that are zero tell nothing, however many; the first that is not puts up a ladder.
void bounds_by_betting_start_at_zero(void **) {
    bmo::BettingBounds rule(2000);
    rule.begin(3, fixed(std::log(20), 0));
    const std::vector<float> none(64, 0.0F);
    for (int i = 0; i < 4; ++i) {
        rule.add(kArm, none);
        assert_true(rule.bounds(kArm).lower == 0);
    }
    std::vector<float> z(256, 0.0F);
    const std::vector<float> more = skewed(1024, 5);
    rule.add(kArm, more);
    z.insert(z.end(), more.begin(), more.end());
    const double expected = betting_bound(z, 1.0 / 20, 2000);
    assert_true(expected > 0 && rule.bounds(kArm).lower <= expected * (1 + 1e-3));
    assert_true(rule.bounds(kArm).lower >= 0.9 * expected);
}

double log_wealth(const std::vector<float> &z, double m) {
    double wealth = 0;
    for (int g = 0; g < 20; ++g) {
        double log = -std::log((g + 1.0) * (g + 2.0));
        for (const float value : z)
            log += std::log1p(std::pow(0.5, g + 1) * (static_cast<double>(value) / m - 1));
        wealth += std::exp(log);
    }
    return std::log(wealth);
}

double root_of_wealth(const std::vector<float> &z, double level) {
    double lower = 0, upper = moments_of(z).mean;
    for (int i = 0; i < 60; ++i) {
        const double middle = (lower + upper) / 2;
        (log_wealth(z, middle) >= level ? lower : upper) = middle;
    }
    return lower;
}

std::vector<float> mirrored(std::vector<float> z, float width) {
    for (float &value : z)
        value = width - value;
    return z;
}

void totals_lose_nothing_where_samples_are_0_or_1(void **) {
    std::vector<float> z = skewed(500, 9);
    for (float &value : z)
        value = value > 0.5F ? 1.0F : 0.0F;
    bmo::BettingTotals rule({0, 1});
    rule.begin(3, fixed(std::log(50), std::log(30)));
    double sum = 0;
    for (const float value : z)
        sum += static_cast<double>(value);
    rule.add(kArm, 500, sum, sum);
    assert_near(rule.bounds(kArm).lower, root_of_wealth(z, std::log(50)), 1e-4);
    assert_near(rule.bounds(kArm).upper, 1 - root_of_wealth(mirrored(z, 1), std::log(30)), 1e-4);
}

void totals_give_no_better_bound_than_the_samples(void **) {
    for (const std::uint64_t seed : {11U, 12U, 13U}) {
        const std::vector<float> z = skewed(400, seed);
        const Moments of = moments_of(z);
        bmo::BettingTotals bounded({-2, 3}), endless({-2, bmo::kInfinity});
        double sum = 0, squares = 0;
        for (const float value : z) {
            const double shifted = static_cast<double>(value) - 2; // in [-2, -1)
            sum += shifted;
            squares += shifted * shifted;
        }
        for (bmo::BettingTotals *rule : {&bounded, &endless}) {
            rule->begin(3, fixed(std::log(50), std::log(50)));
            rule->add(kArm, 400, sum, squares);
            const double best = root_of_wealth(z, std::log(50)) - 2;
            assert_true(rule->bounds(kArm).lower <= best + 1e-9);
            assert_true(rule->bounds(kArm).lower >= of.mean - 2 - 3 * (of.mean - 2 - best));
        }
        assert_true(endless.bounds(kArm).upper == bmo::kInfinity);
        assert_true(bounded.bounds(kArm).upper >= 3 - root_of_wealth(mirrored(z, 5), std::log(50)) - 1e-9);
        assert_true(bounded.bounds(kArm).upper < 3);
    }
}

// Sums of squares of samples that are far from 0 and close to each other say little of their variance.
void totals_of_samples_far_from_0_are_bounded_safely(void **) {
    const std::vector<float> z = skewed(400, 14);
    const double best = root_of_wealth(z, std::log(50));
    for (const double far : {-1e9, -1e4, 1e4, 1e6, 1e9, 1e12}) {
        double sum = 0, squares = 0;
        for (const float value : z) {
            const double shifted = far + static_cast<double>(value);
            sum += shifted;
            squares += shifted * shifted;
        }
        bmo::BettingTotals betting({far, far + 3});
        bmo::Bernstein bernstein({far, far + 3}, 0);
        for (bmo::Confidence *rule : std::initializer_list<bmo::Confidence *>{&betting, &bernstein}) {
            rule->begin(3, fixed(std::log(50), std::log(50)));
            rule->add(kArm, 400, sum, squares);
            assert_true(rule->bounds(kArm).lower <= far + best + 1e-9);
            assert_true(rule->bounds(kArm).lower >= far);
        }
    }
}

// The squares of small samples underflow, of a caller's, too: bounds are no better for that.
void totals_whose_squares_vanish_are_bounded_safely(void **) {
    const std::vector<float> z = skewed(400, 15);
    const Moments of = moments_of(z);
    const double level = std::log(50), log = level + std::log(2.0), t = 400;
    const double best = root_of_wealth(z, level), best_above = 3 - root_of_wealth(mirrored(z, 3), level);
    const double width = std::sqrt(2 * of.variance * log / t) + 7 * 3 * log / (3 * (t - 1));
    for (int exponent = -1060; exponent <= 0; ++exponent) {
        const double unit = std::ldexp(1, exponent);
        double sum = 0, squares = 0;
        for (const float value : z) {
            sum += static_cast<double>(value) * unit;
            squares += static_cast<double>(value) * unit * (static_cast<double>(value) * unit);
        }
        bmo::BettingTotals bounded({0, 3 * unit}), endless({0, bmo::kInfinity});
        bmo::Bernstein bernstein({0, 3 * unit}, 0);
        for (bmo::Confidence *rule : std::initializer_list<bmo::Confidence *>{&bounded, &endless, &bernstein}) {
            rule->begin(3, fixed(level, level));
            rule->add(kArm, 400, sum, squares);
            assert_true(rule->bounds(kArm).lower <= (best + 1e-9) * unit);
            assert_true(rule->bounds(kArm).upper >= (std::min(best_above, of.mean + width) - 1e-9) * unit);
        }
        assert_true(bernstein.bounds(kArm).upper >= (of.mean + width - 1e-9) * unit);
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(tallies_of_pieces_are_those_of_the_whole),
        cmocka_unit_test(gaussian_bounds_are_those_of_the_paper),
        cmocka_unit_test(levels_share_delta_as_they_say),
        cmocka_unit_test(bernstein_bounds_are_those_of_their_theorems),
        cmocka_unit_test(bounds_by_betting_invert_the_wealth),
        cmocka_unit_test(bounds_by_betting_start_at_zero),
        cmocka_unit_test(totals_lose_nothing_where_samples_are_0_or_1),
        cmocka_unit_test(totals_give_no_better_bound_than_the_samples),
        cmocka_unit_test(totals_whose_squares_vanish_are_bounded_safely),
        cmocka_unit_test(totals_of_samples_far_from_0_are_bounded_safely),
    };
    return cmocka_run_group_tests_name("confidence", tests, nullptr, nullptr);
}

} // namespace confidence_test

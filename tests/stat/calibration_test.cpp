// Calibration of the confidence rules: how often a bound is wrong at any look, on populations made to deceive them.
//
// Each line: 2,000 runs, seeds 1 to 2,000, of up to 480 samples of a population of 1,000, looked at after 32, 96, 160, ...
// samples; a bound that is right with probability 1 - alpha at all looks together is wrong at most binomial(2000, alpha)
// times. alpha is 0.2 and 0.02. A rule fails where its count is above the quantile that such a count exceeds with
// probability 1e-7: with some 200 counts the whole test alarms falsely with probability 2e-5. The rules by the samples' own
// variance have to be found out.
#include "../unit/cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "bandit/adaptive/bernstein.hpp"
#include "bandit/adaptive/betting_bounds.hpp"
#include "bandit/adaptive/betting_totals.hpp"
#include "bandit/adaptive/gaussian.hpp"
#include "util/xoshiro.hpp"

namespace {

constexpr int kRuns = 2000, kSize = 1000, kMost = 480;
constexpr bmo::Looks kLooks{32, 64, kMost};
constexpr double kFalseAlarm = 1e-7;

using Values = std::vector<float>;

// All within [0, 1].
const struct Population {
    const char *name;
    std::function<float(int)> value;
} kPopulations[] = {
    {"one in 1000 is 1", [](int i) { return i == 0 ? 1.0F : 0.0F; }},
    {"three in 1000 are 1, the others 0.01", [](int i) { return i < 3 ? 1.0F : 0.01F; }},
    {"half are 1", [](int i) { return i % 2 == 0 ? 1.0F : 0.0F; }},
    {"all but one are 1", [](int i) { return i == 0 ? 0.0F : 1.0F; }},
    {"heavy tail", [](int i) { return std::min(1.0F, 0.5F / static_cast<float>(i + 1)); }},
    {"even", [](int i) { return static_cast<float>(i) / kSize; }},
};

struct Rule {
    const char *name;
    std::function<std::unique_ptr<bmo::Confidence>(bool replaced)> make;
    bool sound, has_upper, without_replacement;
};

std::int64_t population(bool replaced) {
    return replaced ? 0 : kSize;
}

const Rule kRules[] = {
    {"betting", [](bool replaced) { return std::make_unique<bmo::BettingBounds>(population(replaced)); }, true, false,
     true},
    {"betting by totals",
     [](bool) {
         return std::make_unique<bmo::BettingTotals>(bmo::Range{0, 1});
     },
     true, true, false},
    {"bernstein",
     [](bool replaced) {
         return std::make_unique<bmo::Bernstein>(bmo::Range{0, 1}, population(replaced));
     },
     true, true, true},
    {"sigma of half the range",
     [](bool) { return std::make_unique<bmo::Gaussian>(bmo::Spread::given, 0.5, bmo::Range{}); }, true, true, true},
    {"empirical", [](bool) { return std::make_unique<bmo::Gaussian>(bmo::Spread::empirical, 0, bmo::Range{}); }, false,
     true, true},
    {"pooled", [](bool) { return std::make_unique<bmo::Gaussian>(bmo::Spread::pooled, 0, bmo::Range{}); }, false, true,
     true},
};

// The samples of one run.
Values drawn(const Values &values, bool replaced, bmo::Xoshiro256pp &random) {
    Values z(values);
    for (std::size_t i = 0; i < z.size(); ++i) {
        const std::size_t from = replaced ? 0 : i;
        const std::size_t other = from + static_cast<std::size_t>(random.below(z.size() - from));
        if (replaced)
            z[i] = values[other];
        else
            std::swap(z[i], z[other]);
    }
    z.resize(kMost);
    return z;
}

struct Wrong {
    int lower = 0, upper = 0;
};

Wrong count_wrong(const Rule &rule, const Values &values, bool replaced, double alpha) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / kSize;
    bmo::Levels levels;
    levels.lower = levels.upper = -std::log(alpha);
    levels.looks = kLooks;
    const auto confidence = rule.make(replaced);
    Wrong wrong;
    for (int run = 1; run <= kRuns; ++run) {
        bmo::Xoshiro256pp random(static_cast<std::uint64_t>(run));
        const Values z = drawn(values, replaced, random);
        confidence->begin(1, levels);
        bool lower = false, upper = false;
        for (std::int64_t read = 0; read < kMost;) {
            const std::int64_t more = read == 0 ? kLooks.first : kLooks.step;
            confidence->add(0, std::span(z.data() + read, static_cast<std::size_t>(more)));
            if (read == 0)
                confidence->settle();
            read += more;
            const bmo::Bounds bounds = confidence->bounds(0);
            lower = lower || bounds.lower > mean;
            upper = upper || bounds.upper < mean;
        }
        wrong.lower += lower;
        wrong.upper += upper;
    }
    return wrong;
}

// The least count that binomial(kRuns, alpha) exceeds with probability at most kFalseAlarm.
int most_wrong(double alpha) {
    double tail = 1;
    int count = -1;
    while (tail > kFalseAlarm) {
        ++count;
        tail -= std::exp(std::lgamma(kRuns + 1) - std::lgamma(count + 1) - std::lgamma(kRuns - count + 1) +
                         count * std::log(alpha) + (kRuns - count) * std::log1p(-alpha));
    }
    return count;
}

void test_rule(void **state) {
    const Rule &rule = *static_cast<const Rule *>(*state);
    int found_out = 0;
    for (const double alpha : {0.2, 0.02})
        for (const Population &population : kPopulations)
            for (const bool replaced : {true, false}) {
                if (!replaced && !rule.without_replacement)
                    continue;
                Values values(kSize);
                for (int i = 0; i < kSize; ++i)
                    values[static_cast<std::size_t>(i)] = population.value(i);
                const Wrong wrong = count_wrong(rule, values, replaced, alpha);
                const bool fine = wrong.lower <= most_wrong(alpha) && wrong.upper <= most_wrong(alpha);
                found_out += !fine;
                print_message("# %s, %s, %s replacement, alpha %g: %d lower and %d upper bounds wrong of %d\n",
                              rule.name, population.name, replaced ? "with" : "without", alpha, wrong.lower,
                              wrong.upper, kRuns);
                if (!rule.has_upper)
                    assert_int_equal(wrong.upper, 0);
            }
    assert_true(rule.sound ? found_out == 0 : found_out > 0);
}

} // namespace

int main() {
    std::vector<CMUnitTest> tests;
    for (const Rule &rule : kRules)
        tests.push_back({rule.name, test_rule, nullptr, nullptr, const_cast<Rule *>(&rule)});
    return _cmocka_run_group_tests("calibration", tests.data(), tests.size(), nullptr, nullptr);
}

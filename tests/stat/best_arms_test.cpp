// What bmo_best_arms() proves of arms whose samples are 0 or 1: the set, and the order of those arms whose intervals are apart.
//
// Each line: 400 runs, seeds 1 to 400, at delta = 0.05. Counted are runs in which the set is wrong (with an epsilon: where
// the r-th best of the set is more than epsilon above the r-th best of all), in which intervals that are apart prove a wrong
// order, and in which an interval misses its mean. What is right with probability 1 - delta is wrong at most
// binomial(400, 0.05) times: a count fails above the quantile that such a count exceeds with probability 1e-7, so that
// the 42 counts together alarm falsely with probability 5e-6.
#include "../unit/cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "search/arms/best_arms.hpp"
#include "util/xoshiro.hpp"

namespace {

constexpr int kRuns = 400;
constexpr double kDelta = 0.05, kFalseAlarm = 1e-7;

const struct Problem {
    const char *name;
    std::vector<double> mean;
    std::int64_t k;
    double epsilon;
    std::int64_t init_pulls;
    bool is_order_proven; // in some runs
} kProblems[] = {
    // The set is told apart long before the first two arms are.
    {"a near pair before three far arms", {0.3, 0.95, 0.2, 0.95, 0.95}, 2, 0, 8, false},
    {"arms as far from each other as from the rest", {0.9, 0.5, 0.9, 0.1}, 2, 0, 400, true},
    {"steps of less than epsilon", {0.4, 0.2, 0.3, 0.8, 0.25}, 3, 0.12, 8, false},
};

struct Rule {
    const char *name;
    std::int64_t bandit, confidence;
};
constexpr Rule kRules[] = {{"ucb, betting", BMO_BANDIT_UCB, BMO_CONFIDENCE_BETTING},
                           {"ucb, bernstein", BMO_BANDIT_UCB, BMO_CONFIDENCE_BERNSTEIN},
                           {"lucb, betting", BMO_BANDIT_LUCB, BMO_CONFIDENCE_BETTING},
                           {"lucb, bernstein", BMO_BANDIT_LUCB, BMO_CONFIDENCE_BERNSTEIN},
                           {"lucb++, betting", BMO_BANDIT_LUCBPP, BMO_CONFIDENCE_BETTING},
                           {"lucb++, bernstein", BMO_BANDIT_LUCBPP, BMO_CONFIDENCE_BERNSTEIN}};

std::int32_t pull(void *ctx, const std::int64_t *arms, std::int64_t count, std::int64_t m, std::uint64_t stream,
                  double *sum, double *sumsq) {
    const Problem &problem = *static_cast<const Problem *>(ctx);
    for (std::int64_t i = 0; i < count; ++i) {
        bmo::Xoshiro256pp random(bmo::mix_seed({stream, static_cast<std::uint64_t>(arms[i])}));
        const double mean = problem.mean[static_cast<std::size_t>(arms[i])];
        sum[i] = 0;
        for (std::int64_t s = 0; s < m; ++s)
            sum[i] += static_cast<double>(random.next() >> 11) * 0x1p-53 < mean ? 1 : 0;
        sumsq[i] = sum[i];
    }
    return 0;
}

struct Counts {
    int wrong_sets = 0, wrong_orders = 0, missed = 0; // of what is proven
    int proven_orders = 0, other_orders = 0;          // runs: order proven throughout; not in the order of the means
};

void count(const Problem &problem, const std::vector<bmo::BestArm> &best, Counts &counts) {
    const auto mean = [&](const bmo::BestArm &arm) { return problem.mean[static_cast<std::size_t>(arm.arm)]; };
    std::vector<double> all = problem.mean, got;
    std::sort(all.begin(), all.end());
    bool wrong_order = false, missed = false, proven = true, other = false;
    for (const bmo::BestArm &arm : best) {
        got.push_back(mean(arm));
        missed = missed || std::abs(mean(arm) - arm.mean) > arm.halfwidth;
        for (const bmo::BestArm &later : best) {
            if (&later <= &arm)
                continue;
            const bool apart = arm.mean + arm.halfwidth < later.mean - later.halfwidth;
            wrong_order = wrong_order || (apart && mean(arm) > mean(later));
            proven = proven && apart;
            other = other || mean(arm) > mean(later);
        }
    }
    std::sort(got.begin(), got.end());
    bool wrong_set = false;
    for (std::size_t r = 0; r < got.size(); ++r)
        wrong_set = wrong_set || got[r] > all[r] + problem.epsilon + 1e-12;
    counts.wrong_sets += wrong_set;
    counts.wrong_orders += wrong_order;
    counts.missed += missed;
    counts.proven_orders += proven;
    counts.other_orders += other;
}

// The least count that binomial(kRuns, kDelta) exceeds with probability at most kFalseAlarm.
int most_wrong() {
    double tail = 1;
    int wrong = -1;
    while (tail > kFalseAlarm) {
        ++wrong;
        tail -= std::exp(std::lgamma(kRuns + 1) - std::lgamma(wrong + 1) - std::lgamma(kRuns - wrong + 1) +
                         wrong * std::log(kDelta) + (kRuns - wrong) * std::log1p(-kDelta));
    }
    return wrong;
}

void what_is_proven_errs_at_most_as_often_as_delta_says(void **) {
    for (const Problem &problem : kProblems)
        for (const Rule &rule : kRules) {
            Counts counts;
            for (int seed = 1; seed <= kRuns; ++seed) {
                const bmo_arms arms{.struct_size = sizeof arms,
                                    .flags = BMO_ARMS_BOUNDED,
                                    .n = static_cast<std::int64_t>(problem.mean.size()),
                                    .ctx = const_cast<Problem *>(&problem),
                                    .exact_cost = 0,
                                    .lower = 0,
                                    .upper = 1,
                                    .pull = pull,
                                    .exact = nullptr};
                bmo::Settings settings;
                settings.bandit = rule.bandit;
                settings.confidence = rule.confidence;
                settings.delta = kDelta;
                settings.epsilon = problem.epsilon;
                settings.init_pulls = problem.init_pulls;
                settings.pulls_per_round = 8;
                settings.seed = seed;
                bmo::Watch watch;
                bmo_stats stats{};
                count(problem, bmo::best_arms(arms, problem.k, settings, watch, stats), counts);
                assert_int_equal(stats.guarantee, BMO_GUARANTEE_PROVEN);
            }
            print_message("# %s, %s: of %d runs %d sets, %d proven orders and %d intervals wrong; order proven in %d, "
                          "another than that of the means in %d\n",
                          problem.name, rule.name, kRuns, counts.wrong_sets, counts.wrong_orders, counts.missed,
                          counts.proven_orders, counts.other_orders);
            assert_true(counts.wrong_sets <= most_wrong());
            if (problem.epsilon == 0) {
                assert_true(counts.wrong_orders <= most_wrong());
                assert_true(counts.missed <= most_wrong());
            }
            if (problem.is_order_proven)
                assert_true(counts.proven_orders > 0);
        }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(what_is_proven_errs_at_most_as_often_as_delta_says),
    };
    return cmocka_run_group_tests_name("best_arms", tests, nullptr, nullptr);
}

// UCB and LUCB against the same algorithms written out plainly, on arms whose samples are known beforehand.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "bandit/adaptive/adaptive.hpp"
#include "util/failure.hpp"
#include "util/xoshiro.hpp"

namespace bandits_test {

using bmo::AdaptiveRule;
using bmo::Selection;

constexpr double kEndless = std::numeric_limits<double>::infinity();

// Arm i has the samples rows[i], again and again, and their mean.
class KnownArms final : public bmo::Arms {
public:
    explicit KnownArms(std::vector<std::vector<float>> rows, bool has_exact = true)
        : drawn(rows.size()), computed(rows.size()), rows_(std::move(rows)), has_exact_(has_exact) {}

    std::int64_t count() const override { return static_cast<std::int64_t>(rows_.size()); }
    void pull(std::span<const std::int32_t> arms, std::int64_t samples, bmo::Confidence &confidence) override {
        for (const std::int32_t arm : arms) {
            std::vector<float> z(static_cast<std::size_t>(samples));
            for (float &value : z)
                value = sample(static_cast<std::size_t>(arm), drawn[static_cast<std::size_t>(arm)]++);
            confidence.add(arm, z);
        }
    }
    bool has_exact() const override { return has_exact_; }
    double exact(std::int32_t arm) override {
        ++computed[static_cast<std::size_t>(arm)];
        return mean(static_cast<std::size_t>(arm)) * 10;
    }
    double mean_of_exact(double value) const override { return value / 10; }

    float sample(std::size_t arm, std::int64_t t) const {
        return rows_[arm][static_cast<std::size_t>(t) % rows_[arm].size()];
    }
    double mean(std::size_t arm) const {
        return std::accumulate(rows_[arm].begin(), rows_[arm].end(), 0.0) / static_cast<double>(rows_[arm].size());
    }

    std::vector<std::int64_t> drawn, computed;

private:
    std::vector<std::vector<float>> rows_;
    bool has_exact_;
};

// Arm i: 1000 samples i / 8 + {0, ..., 7} / 4 in random order, and one in a hundred is 4 more.
KnownArms staircase(std::size_t arms, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    std::vector<std::vector<float>> rows(arms, std::vector<float>(1000));
    for (std::size_t i = 0; i < arms; ++i)
        for (float &z : rows[i])
            z = static_cast<float>(i) / 8 + static_cast<float>(random.below(8)) / 4 +
                (random.below(100) == 0 ? 4.0F : 0.0F);
    std::vector<std::vector<float>> shuffled(arms); // so that the index does not tell
    for (std::size_t i = 0; i < arms; ++i)
        shuffled[i * 7 % arms] = rows[i];
    return KnownArms(shuffled);
}

AdaptiveRule rule_of(std::int64_t bandit, std::int64_t k, bmo::Looks looks, std::int64_t arms_per_round) {
    AdaptiveRule rule;
    rule.bandit = bandit;
    rule.confidence = BMO_CONFIDENCE_SUBGAUSSIAN;
    rule.sigma = 0.7;
    rule.trial.k = k;
    rule.trial.looks = looks;
    rule.trial.arms_per_round = arms_per_round;
    return rule;
}

Selection run(KnownArms &arms, const AdaptiveRule &rule, std::uint64_t *rounds = nullptr) {
    bmo::Watch watch;
    std::uint64_t counted = 0;
    const Selection found =
        bmo::find_arms(arms, {{-kEndless, kEndless}, 0, false}, rule, watch, rounds ? *rounds : counted);
    return found;
}

std::vector<std::int32_t> sorted(std::vector<std::int32_t> arms) {
    std::sort(arms.begin(), arms.end());
    return arms;
}

// The k arms of least mean.
std::vector<std::int32_t> best_of(const KnownArms &arms, std::size_t k) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(arms.count()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return arms.mean(static_cast<std::size_t>(a)) < arms.mean(static_cast<std::size_t>(b));
    });
    order.resize(k);
    return sorted(order);
}

// An arm of the plain algorithms: everything is worked out anew at every look.
struct PlainArm {
    std::int64_t drawn = 0;
    bool exact = false, accepted = false;
    double mean = 0, width = 0;
};

void look_plainly(const KnownArms &arms, const AdaptiveRule &rule, std::size_t i, PlainArm &arm) {
    const double n = static_cast<double>(arms.count()), most = static_cast<double>(rule.trial.looks.most);
    double sum = 0;
    for (std::int64_t t = 0; t < arm.drawn; ++t)
        sum += static_cast<double>(arms.sample(i, t));
    arm.mean = arm.exact ? arms.mean(i) : sum / static_cast<double>(arm.drawn);
    const double primed = rule.delta / (n * most);
    arm.width = arm.exact
                    ? 0
                    : std::sqrt(2 * rule.sigma * rule.sigma * std::log(2 / primed) / static_cast<double>(arm.drawn)) +
                          std::abs(arm.mean) * 0x1p-20;
}

// Algorithm 1 with its batches, by scanning all arms for the lowest bounds.
std::vector<PlainArm> plain_ucb(const KnownArms &arms, const AdaptiveRule &rule, std::vector<std::int32_t> &accepted) {
    std::vector<PlainArm> state(static_cast<std::size_t>(arms.count()));
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i].drawn = rule.trial.looks.first;
        look_plainly(arms, rule, i, state[i]);
    }
    while (static_cast<std::int64_t>(accepted.size()) < rule.trial.k) {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < state.size(); ++i)
            if (!state[i].accepted)
                order.push_back(i);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return state[a].mean - state[a].width < state[b].mean - state[b].width;
        });
        PlainArm &best = state[order[0]];
        const bool clear = order.size() == 1 || best.mean + best.width < state[order[1]].mean - state[order[1]].width;
        if (clear || best.exact || 2 * best.width <= rule.trial.epsilon) {
            best.accepted = true;
            accepted.push_back(static_cast<std::int32_t>(order[0]));
            continue;
        }
        order.resize(std::min(order.size(), static_cast<std::size_t>(rule.trial.arms_per_round)));
        for (const std::size_t i : order) {
            if (state[i].exact)
                continue;
            if (state[i].drawn == rule.trial.looks.most)
                state[i].exact = true;
            state[i].drawn = std::min(state[i].drawn + rule.trial.looks.step, rule.trial.looks.most);
            look_plainly(arms, rule, i, state[i]);
        }
    }
    return state;
}

void assert_ucb_is_the_plain_one(KnownArms arms, const AdaptiveRule &rule) {
    std::vector<std::int32_t> expected;
    const std::vector<PlainArm> plain = plain_ucb(arms, rule, expected);
    const Selection found = run(arms, rule);
    assert_true(found.decided);
    assert_true(found.arms == expected);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        assert_int_equal(arms.drawn[i], plain[i].drawn);
        assert_int_equal(arms.computed[i], plain[i].exact ? 1 : 0);
    }
}

void ucb_is_algorithm_1(void **) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) // one arm and one sample at a time
        assert_ucb_is_the_plain_one(staircase(20, seed), rule_of(BMO_BANDIT_UCB, 3, {1, 1, 300}, 1));
}

void ucb_is_its_practical_form(void **) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        assert_ucb_is_the_plain_one(staircase(50, seed), rule_of(BMO_BANDIT_UCB, 5, {32, 256, 1000}, 32));
        assert_ucb_is_the_plain_one(staircase(50, seed), rule_of(BMO_BANDIT_UCB, 5, {4, 10, 95}, 7));
        AdaptiveRule pac = rule_of(BMO_BANDIT_UCB, 5, {4, 10, 2000}, 7);
        pac.trial.epsilon = 0.5;
        assert_ucb_is_the_plain_one(staircase(50, seed), pac);
    }
}

void every_bandit_finds_the_best_when_sigma_holds(void **) {
    for (const std::int64_t bandit : {BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP})
        for (const std::int64_t k : {1, 4, 49, 50}) {
            KnownArms arms = staircase(50, 77);
            const Selection found = run(arms, rule_of(bandit, k, {32, 64, 1000}, 8));
            assert_true(found.decided);
            assert_true(sorted(found.arms) == best_of(arms, static_cast<std::size_t>(k)));
        }
}

// As plain_ucb, of LUCB: which arms it samples.
std::vector<PlainArm> plain_lucb(const KnownArms &arms, const AdaptiveRule &rule, std::vector<std::int32_t> &best) {
    std::vector<PlainArm> state(static_cast<std::size_t>(arms.count()));
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i].drawn = rule.trial.looks.first;
        look_plainly(arms, rule, i, state[i]);
    }
    for (;;) {
        std::vector<std::size_t> order(state.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return state[a].mean < state[b].mean; });
        const auto rest = order.begin() + rule.trial.k;
        const std::size_t weak = *std::max_element(order.begin(), rest, [&](std::size_t a, std::size_t b) {
            return state[a].mean + state[a].width < state[b].mean + state[b].width;
        });
        const std::size_t strong = *std::min_element(rest, order.end(), [&](std::size_t a, std::size_t b) {
            return state[a].mean - state[a].width < state[b].mean - state[b].width;
        });
        if (state[weak].mean + state[weak].width < state[strong].mean - state[strong].width) {
            for (auto i = order.begin(); i != rest; ++i)
                best.push_back(static_cast<std::int32_t>(*i));
            return state;
        }
        for (const std::size_t i : {weak, strong}) {
            if (state[i].drawn == rule.trial.looks.most)
                state[i].exact = true;
            state[i].drawn = std::min(state[i].drawn + rule.trial.looks.step, rule.trial.looks.most);
            look_plainly(arms, rule, i, state[i]);
        }
    }
}

void lucb_samples_the_weakest_and_the_challenger(void **) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        KnownArms arms = staircase(30, seed);
        const AdaptiveRule rule = rule_of(BMO_BANDIT_LUCB, 4, {8, 16, 600}, 2);
        std::vector<std::int32_t> expected;
        const std::vector<PlainArm> plain = plain_lucb(arms, rule, expected);
        const Selection found = run(arms, rule);
        assert_true(sorted(found.arms) == sorted(expected));
        for (std::size_t i = 0; i < plain.size(); ++i)
            assert_int_equal(arms.drawn[i], plain[i].drawn);
    }
}

// Without variance every bound is the mean: nothing tells equal arms apart but their exact values and indices.
void ties_end_and_go_to_the_lower_index(void **) {
    for (const std::int64_t bandit : {BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP}) {
        std::vector<std::vector<float>> rows(40, std::vector<float>{2});
        rows[13] = {1};
        KnownArms arms(rows);
        AdaptiveRule rule = rule_of(bandit, 3, {4, 4, 20}, 32);
        rule.confidence = BMO_CONFIDENCE_EMPIRICAL;
        const Selection found = run(arms, rule);
        assert_true(found.decided);
        assert_true(sorted(found.arms) == (std::vector<std::int32_t>{0, 1, 13}));
        assert_int_equal(std::count(arms.computed.begin(), arms.computed.end(), 1),
                         std::accumulate(arms.computed.begin(), arms.computed.end(), std::int64_t{0}));
    }
}

void epsilon_saves_samples_and_costs_at_most_itself(void **) {
    for (const std::int64_t bandit : {BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP}) {
        KnownArms exact = staircase(60, 5), near = staircase(60, 5);
        AdaptiveRule rule = rule_of(bandit, 6, {16, 16, 4000}, 4);
        run(exact, rule);
        rule.trial.epsilon = 0.4;
        const Selection found = run(near, rule);
        std::vector<double> means, all;
        for (std::size_t i = 0; i < 60; ++i)
            all.push_back(near.mean(i));
        for (const std::int32_t arm : found.arms)
            means.push_back(near.mean(static_cast<std::size_t>(arm)));
        std::sort(means.begin(), means.end());
        std::sort(all.begin(), all.end());
        for (std::size_t r = 0; r < means.size(); ++r)
            assert_true(means[r] <= all[r] + 0.4);
        assert_true(std::accumulate(near.drawn.begin(), near.drawn.end(), std::int64_t{0}) <
                    std::accumulate(exact.drawn.begin(), exact.drawn.end(), std::int64_t{0}));
    }
}

void arms_without_exact_values_say_when_they_cannot_be_told_apart(void **) {
    for (const std::int64_t bandit : {BMO_BANDIT_UCB, BMO_BANDIT_LUCB}) {
        KnownArms tied({{1, 2}, {1, 2}, {5, 6}}, false), apart({{1, 2}, {3, 4}, {5, 6}}, false);
        const AdaptiveRule rule = rule_of(bandit, 1, {8, 8, 4000}, 2);
        assert_false(run(tied, rule).decided);
        const Selection found = run(apart, rule);
        assert_true(found.decided);
        assert_true(found.arms == std::vector<std::int32_t>{0});
    }
}

void self_is_no_candidate(void **) {
    for (const std::int64_t bandit : {BMO_BANDIT_UCB, BMO_BANDIT_LUCB}) {
        KnownArms arms({{0, 1}, {1, 2}, {5, 6}, {7, 8}});
        AdaptiveRule rule = rule_of(bandit, 1, {8, 8, 400}, 2);
        rule.trial.self = 0;
        assert_true(run(arms, rule).arms == std::vector<std::int32_t>{1});
        assert_int_equal(arms.drawn[0], 0);
    }
}

void a_stopped_trial_ends(void **) {
    const auto flag = std::make_shared<bmo::CancelFlag>();
    flag->request();
    bmo::Watch watch(nullptr, nullptr, 0, flag);
    KnownArms arms = staircase(20, 1);
    std::uint64_t rounds = 0;
    const bmo::Failure failure = failure_of([&] {
        bmo::find_arms(arms, {}, rule_of(BMO_BANDIT_UCB, 1, {8, 8, 400}, 2), watch, rounds);
    });
    assert_int_equal(failure.status, BMO_ECANCELED);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(ucb_is_algorithm_1),
        cmocka_unit_test(ucb_is_its_practical_form),
        cmocka_unit_test(every_bandit_finds_the_best_when_sigma_holds),
        cmocka_unit_test(lucb_samples_the_weakest_and_the_challenger),
        cmocka_unit_test(ties_end_and_go_to_the_lower_index),
        cmocka_unit_test(epsilon_saves_samples_and_costs_at_most_itself),
        cmocka_unit_test(arms_without_exact_values_say_when_they_cannot_be_told_apart),
        cmocka_unit_test(self_is_no_candidate),
        cmocka_unit_test(a_stopped_trial_ends),
    };
    return cmocka_run_group_tests_name("bandits", tests, nullptr, nullptr);
}

} // namespace bandits_test

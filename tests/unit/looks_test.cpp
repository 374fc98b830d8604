// Looks of the test by betting, and what goes with them: the same bits on every instruction set, and those of the definition.
#include "cmocka.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "bandit/betting.hpp"
#include "kernel_tables.hpp"

namespace looks_test {

// Samples of arms near and far, and the state of each before the look.
struct Bets {
    static constexpr std::size_t kArms = 83, kRoom = 90; // more than a kernel takes at once
    std::vector<float> z = std::vector<float>(kArms * kBatch), wealth = std::vector<float>(kRoom * bmo::kBets);
    std::vector<double> sum = std::vector<double>(kArms);
    std::vector<std::uint8_t> keep = std::vector<std::uint8_t>(kArms, 9);

    Bets() {
        bmo::Xoshiro256pp random(5);
        for (float &sample : z)
            sample = static_cast<float>(random.below(1000)) / 100;
        for (float &start : wealth)
            start = 1 + static_cast<float>(random.below(100)) / 10;
        for (double &read : sum)
            read = static_cast<double>(random.below(100));
        sum[3] = std::numeric_limits<double>::infinity(); // an arm that was finished
    }
    bmo::ArmState state() { return {sum.data(), wealth.data(), kRoom}; }
    void assert_same(const Bets &expected) const {
        assert_memory_equal(sum.data(), expected.sum.data(), sum.size() * sizeof(double));
        assert_memory_equal(wealth.data(), expected.wealth.data(), wealth.size() * sizeof(float));
        assert_memory_equal(keep.data(), expected.keep.data(), keep.size());
    }
};

struct Active {
    int first = 0, last = bmo::kBets;
};

bmo::Look a_look(int width, Active bets = {}) {
    return {.target = 2000,
            .unread = 984,
            .slack = 1e-30,
            .rejection = 500,
            .width = width,
            .first_bet = bets.first,
            .last_bet = bets.last};
}

// Calls check(look, count) for looks and numbers of arms of every kind.
template <class Check>
void for_looks(Check check) {
    for (const int width : {1, 7, 15, 16})
        for (const Active bets : {Active{}, Active{bmo::kLateBets}, Active{0, 3}, Active{0, 2}})
            for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{64}, Bets::kArms})
                check(a_look(width, bets), static_cast<std::int64_t>(count));
}

void a_look_is_the_same_on_every_target(void **) {
    for_looks([](const bmo::Look &look, std::int64_t arms) {
        Bets expected;
        bmo::kScalarKernels.bet(expected.z.data(), arms, look, expected.state(), expected.keep.data());
        for (const Kernels *table : tables()) {
            Bets bets;
            table->bet(bets.z.data(), arms, look, bets.state(), bets.keep.data());
            bets.assert_same(expected);
        }
    });
}

void foretold_bets_are_the_same_on_every_target(void **) {
    std::array<float, kBatch> h;
    for (std::size_t j = 0; j < h.size(); ++j)
        h[j] = static_cast<float>(j % 5) / 2;
    for_looks([&](const bmo::Look &look, std::int64_t arms) {
        const bmo::ForetoldBets foretold = bmo::foretold_bets({h.data(), static_cast<std::size_t>(look.width)}, 1.5, 4);
        Bets expected;
        bmo::kScalarKernels.bet_foretold(expected.z.data(), arms, look, foretold, expected.state(),
                                         expected.keep.data());
        for (const Kernels *table : tables()) {
            Bets bets;
            table->bet_foretold(bets.z.data(), arms, look, foretold, bets.state(), bets.keep.data());
            bets.assert_same(expected);
        }
    });
}

// What is idle keeps its wealth, and counts with it.
void idle_bets_keep_their_wealth(void **) {
    for (const Active active : {Active{bmo::kLateBets}, Active{0, 3}, Active{0, 2}}) {
        const Bets before;
        Bets idle, all;
        const auto arms = static_cast<std::int64_t>(Bets::kArms);
        bmo::kScalarKernels.bet(idle.z.data(), arms, a_look(kBatch, active), idle.state(), idle.keep.data());
        bmo::kScalarKernels.bet(all.z.data(), arms, a_look(kBatch), all.state(), all.keep.data());
        for (int g = 0; g < bmo::kBets; ++g)
            for (std::size_t arm = 0; arm < Bets::kArms; ++arm) {
                const std::size_t at = static_cast<std::size_t>(g) * Bets::kRoom + arm;
                assert_true(idle.wealth[at] == (g >= active.first && g < active.last ? all : before).wealth[at]);
            }
        for (std::size_t arm = 0; arm < Bets::kArms; ++arm) {
            double total = 0;
            for (std::size_t g = 0; g < bmo::kBets; ++g)
                total += static_cast<double>(idle.wealth[g * Bets::kRoom + arm]) * static_cast<double>(bmo::kWeight[g]);
            if (std::abs(total - 500) > 0.01 && idle.sum[arm] < 1900)
                assert_int_equal(idle.keep[arm], total < 500 ? 1 : 0);
        }
    }
}

void arms_that_are_kept_move_together(void **) {
    constexpr std::int64_t kAt = 5, kCount = 71, kKept = 2, kAll = kAt + kCount;
    for (const unsigned share : {0U, 1U, 3U, 4U})
        for (const Kernels *table : tables()) {
            bmo::Xoshiro256pp random(11);
            std::vector<std::int32_t> arms(kAll);
            std::iota(arms.begin(), arms.end(), 100);
            Bets bets;
            const Bets before;
            std::vector<std::uint8_t> keep(kCount);
            for (auto &kept : keep)
                kept = random.below(4) < share ? 1 : 0;
            const std::int64_t found = table->compact(keep.data(), kAt, kCount, kKept, arms.data(), bets.state());
            std::int64_t kept = kKept;
            for (std::int64_t i = 0; i < kCount; ++i) {
                if (!keep[static_cast<std::size_t>(i)])
                    continue;
                const auto to = static_cast<std::size_t>(kept++), from = static_cast<std::size_t>(kAt + i);
                assert_int_equal(arms[to], 100 + kAt + i);
                assert_true(same_bits(bets.sum[to], before.sum[from]));
                for (std::size_t g = 0; g < bmo::kBets; ++g)
                    assert_true(bets.wealth[g * Bets::kRoom + to] == before.wealth[g * Bets::kRoom + from]);
            }
            assert_int_equal(found, kept);
            for (std::size_t i = 0; i < kKept; ++i)
                assert_int_equal(arms[i], 100 + i);
            for (std::size_t i = kAll; i < Bets::kArms; ++i) // nothing behind is touched
                assert_true(bets.wealth[i] == before.wealth[i]);
        }
}

// To pull and look, or sum, in one go is to pull, and then to look, or sum.
void fused_pulls_are_the_two_steps(void **) {
    const RhoScale rho{.scale = 0.25, .p = 1.5};
    std::vector<std::int32_t> arms;
    for (std::int32_t arm = 0; arm < static_cast<std::int32_t>(Bets::kArms); ++arm)
        arms.push_back((arm * 31) % 100);
    const auto count = static_cast<std::int64_t>(arms.size());
    for (const ValueType source : kValueTypes)
        for (const Rho kind : kRhos) {
            const auto x = values(100 * kBatch, 7, source), q = values(kBatch, 8, source);
            const Stored rows(x, source), query(q, is_narrow(source) ? ValueType::f32 : ValueType::f64);
            Bets expected;
            std::vector<double> sums(arms.size(), 3);
            bmo::kScalarKernels.pull_for(source, kind)(rows.data(), arms.data(), count, query.data(), rho,
                                                       expected.z.data());
            bmo::kScalarKernels.add_sums(expected.z.data(), count, sums.data());
            bmo::kScalarKernels.bet(expected.z.data(), count, a_look(kBatch), expected.state(), expected.keep.data());
            for (const Kernels *table : tables()) {
                Bets bets;
                table->pull_bet_for(source, kind)(rows.data(), arms.data(), count, query.data(), rho, a_look(kBatch),
                                                  bets.state(), bets.keep.data());
                bets.assert_same(expected);
                std::vector<double> found(arms.size(), 3);
                table->pull_sums_for(source, kind)(rows.data(), arms.data(), count, query.data(), rho, found.data());
                assert_true(found == sums);
            }
        }
}

// The definition in double: within the margins that betting.hpp states, and never above them.
void a_look_keeps_to_the_definition(void **) {
    constexpr double kFractions[] = {0.05, 0.15, 0.30, 0.50}, kWeights[] = {0.05, 0.35, 0.40, 0.20};
    Bets before, after;
    const bmo::Look look = a_look(kBatch);
    bmo::kScalarKernels.bet(after.z.data(), Bets::kArms, look, after.state(), after.keep.data());
    int dropped = 0;
    for (std::size_t arm = 0; arm < Bets::kArms; ++arm) {
        const double mean = (look.target - before.sum[arm]) / look.unread;
        double read = before.sum[arm], total = 0;
        for (std::size_t j = 0; j < kBatch; ++j)
            read += static_cast<double>(before.z[arm * kBatch + j]);
        for (std::size_t g = 0; g < bmo::kBets; ++g) {
            double wealth = static_cast<double>(before.wealth[g * Bets::kRoom + arm]);
            if (std::isfinite(mean))
                for (std::size_t j = 0; j < kBatch; ++j)
                    wealth *= 1 + kFractions[g] * (static_cast<double>(before.z[arm * kBatch + j]) / mean - 1);
            total += kWeights[g] * wealth;
            if (std::isfinite(mean)) {
                const double ratio = static_cast<double>(after.wealth[g * Bets::kRoom + arm]) / wealth;
                assert_true(ratio < 1 + kBatch * bmo::kWealthErrorPerSample && ratio > 1 - 1e-3);
            }
        }
        if (std::isfinite(mean))
            assert_true(std::abs(after.sum[arm] / read - 1) < bmo::kSumRelativeError);
        const bool drop = total >= 500 || read > look.target;
        dropped += drop;
        assert_int_equal(after.keep[arm], drop ? 0 : 1);
    }
    assert_true(dropped > 1 && dropped < static_cast<int>(Bets::kArms));
}

void a_target_of_zero_drops_any_positive_sum(void **) {
    for (const Kernels *table : tables()) {
        std::vector<float> z(2 * kBatch, 0), wealth(2 * bmo::kBets, 1);
        z[kBatch] = 1e-45F;
        double sum[2] = {};
        std::uint8_t keep[2] = {9, 9};
        const bmo::Look look{.target = 0, .unread = 100, .slack = 16 * bmo::kSampleAbsoluteError, .rejection = 500};
        table->bet(z.data(), 2, look, {sum, wealth.data(), 2}, keep);
        assert_int_equal(keep[0], 1);
        assert_int_equal(keep[1], 0);
    }
}

// A probability of error that float cannot tell the inverse of is never reached, not even by a wealth that overflowed.
void so_small_an_error_is_never_risked(void **) {
    assert_true(bmo::rejection_level(1e-36, 16) < 3e38F);
    for (const double alpha : {1e-39, 1e-300, 0.0})
        for (const Kernels *table : tables()) {
            std::vector<float> z(kBatch, 1), wealth(bmo::kBets, std::numeric_limits<float>::max());
            double sum = 0;
            std::uint8_t keep = 9;
            bmo::Look look = a_look(kBatch);
            look.rejection = bmo::rejection_level(alpha, kBatch);
            table->bet(z.data(), 1, look, {&sum, wealth.data(), 1}, &keep);
            assert_int_equal(keep, 1);
        }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_look_is_the_same_on_every_target),
        cmocka_unit_test(foretold_bets_are_the_same_on_every_target),
        cmocka_unit_test(idle_bets_keep_their_wealth),
        cmocka_unit_test(arms_that_are_kept_move_together),
        cmocka_unit_test(fused_pulls_are_the_two_steps),
        cmocka_unit_test(a_look_keeps_to_the_definition),
        cmocka_unit_test(a_target_of_zero_drops_any_positive_sum),
        cmocka_unit_test(so_small_an_error_is_never_risked),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace looks_test

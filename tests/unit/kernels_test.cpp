// Every instruction set against plain loops in this file, to the bit where the order of operations is laid down.
#include "cmocka.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "bandit/betting.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"
#include "util/xoshiro.hpp"

namespace {

using bmo::kBatch;
using bmo::Kernels;
using bmo::Rho;
using bmo::RhoScale;
using bmo::Source;

constexpr int kDimensions[] = {1, 7, 8, 15, 16, 17, 31, 33, 1000};
constexpr Source kSources[] = {Source::f32, Source::u8, Source::f32_wide, Source::u8_wide, Source::f64};
constexpr Rho kRhos[] = {Rho::square, Rho::absolute, Rho::power};

std::vector<const Kernels *> tables() {
    std::vector<const Kernels *> found;
    for (const char *name : {"scalar", "sse4", "avx2", "avx512", "avx512vnni", "neon"})
        if (const Kernels *table = bmo::kernels_named(name))
            found.push_back(table);
    return found;
}

bool same_bits(double a, double b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// Values of every size, zeros among them.
std::vector<double> values(std::size_t count, std::uint64_t seed, bool bytes) {
    bmo::Xoshiro256pp random(seed);
    std::vector<double> made(count);
    for (double &value : made) {
        const auto draw = random.next();
        if (bytes)
            value = static_cast<double>(draw % 256);
        else if (draw % 8 > 0)
            value = static_cast<double>(static_cast<float>(static_cast<double>(draw >> 40) / 1e6 - 5));
    }
    return made;
}

bool is_bytes(Source source) {
    return source == Source::u8 || source == Source::u8_wide;
}
bool is_narrow(Source source) {
    return source == Source::u8 || source == Source::f32;
}

// The same numbers as the kernel's source type.
struct Stored {
    std::vector<float> f32;
    std::vector<std::uint8_t> u8;
    std::vector<double> f64;
    Source source;

    Stored(const std::vector<double> &from, Source as) : source(as) {
        for (const double value : from) {
            f32.push_back(static_cast<float>(value));
            u8.push_back(is_bytes(as) ? static_cast<std::uint8_t>(value) : std::uint8_t{0});
            f64.push_back(value);
        }
    }
    const void *data() const {
        if (source == Source::f64)
            return f64.data();
        return is_bytes(source) ? static_cast<const void *>(u8.data()) : static_cast<const void *>(f32.data());
    }
};

template <class Real>
Real rho_of(Real difference, Rho rho, double p) {
    if (rho == Rho::square)
        return difference * difference;
    if (rho == Rho::absolute)
        return std::abs(difference);
    return static_cast<Real>(std::pow(std::abs(static_cast<double>(difference)), p));
}

template <class T, class Combine>
T folded(const std::array<T, 16> &lane, Combine combine) {
    std::array<T, 8> eight;
    std::array<T, 4> four;
    for (std::size_t i = 0; i < 8; ++i)
        eight[i] = combine(lane[i], lane[i + 8]);
    for (std::size_t i = 0; i < 4; ++i)
        four[i] = combine(eight[i], eight[i + 4]);
    return combine(combine(four[0], four[2]), combine(four[1], four[3]));
}

void exact_sums_follow_the_lanes(void **) {
    const RhoScale rho{.scale = 0.5, .p = 1.5};
    for (const Source source : kSources)
        for (const Rho kind : kRhos)
            for (const int d : kDimensions) {
                const auto count = static_cast<std::size_t>(d);
                const auto x = values(count, 1, is_bytes(source)), q = values(count, 2, is_bytes(source));
                std::array<double, 16> lane{};
                for (std::size_t j = 0; j < count; ++j)
                    lane[j % 16] += rho_of(x[j] * rho.scale - q[j], kind, rho.p);
                const double expected = folded(lane, std::plus<>());
                const Stored stored(x, source);
                for (const Kernels *table : tables())
                    assert_true(same_bits(table->exact_for(source, kind)(stored.data(), q.data(), d, rho), expected));
            }
}

void exact_sums_of_bytes_are_integers(void **) {
    for (const std::int64_t d : {std::int64_t{1}, std::int64_t{7}, std::int64_t{63}, std::int64_t{64},
                                 std::int64_t{129}, std::int64_t{1000}, std::int64_t{3000001}}) {
        std::vector<std::uint8_t> x(static_cast<std::size_t>(d)), q(x.size());
        bmo::Xoshiro256pp random(9);
        for (std::size_t j = 0; j < x.size(); ++j) {
            x[j] = static_cast<std::uint8_t>(d > 10000 ? 255 : random.below(256)); // the largest sum there is
            q[j] = static_cast<std::uint8_t>(d > 10000 ? 0 : random.below(256));
        }
        std::int64_t squares = 0, absolutes = 0;
        for (std::size_t j = 0; j < x.size(); ++j) {
            const std::int64_t difference = std::int64_t{x[j]} - q[j];
            squares += difference * difference;
            absolutes += std::abs(difference);
        }
        for (const Kernels *table : tables()) {
            assert_true(table->exact_bytes[0](x.data(), q.data(), d) == squares);
            assert_true(table->exact_bytes[1](x.data(), q.data(), d) == absolutes);
        }
    }
}

void pulls_are_the_samples_in_order(void **) {
    constexpr std::size_t kRows = 37;
    const RhoScale wide{.scale = 0.25, .p = 1.5};
    std::vector<std::int32_t> arms;
    for (std::int32_t arm = 36; arm >= 0; arm -= 3)
        arms.push_back(arm);
    for (const Source source : kSources)
        for (const Rho kind : kRhos) {
            const auto x = values(kRows * kBatch, 3, is_bytes(source)), q = values(kBatch, 4, is_bytes(source));
            const Stored rows(x, source), query(q, is_narrow(source) ? Source::f32 : Source::f64);
            std::vector<float> expected;
            for (const std::int32_t arm : arms)
                for (std::size_t j = 0; j < kBatch; ++j) {
                    const double value = x[static_cast<std::size_t>(arm) * kBatch + j];
                    if (is_narrow(source))
                        expected.push_back(rho_of(static_cast<float>(value) - static_cast<float>(q[j]), kind, wide.p));
                    else
                        expected.push_back(static_cast<float>(rho_of(value * wide.scale - q[j], kind, wide.p)));
                }
            for (const Kernels *table : tables()) {
                std::vector<float> z(expected.size(), -1);
                table->pull_for(source, kind)(rows.data(), arms.data(), static_cast<std::int64_t>(arms.size()),
                                              query.data(), wide, z.data());
                assert_memory_equal(z.data(), expected.data(), z.size() * sizeof(float));
            }
        }
}

void a_sample_has_a_limit(void **) {
    const std::vector<float> rows(kBatch, 3e30F), query(kBatch, -3e30F);
    const std::int32_t arm = 0;
    for (const Kernels *table : tables()) {
        std::array<float, kBatch> z{};
        table->pull_for(Source::f32, Rho::square)(rows.data(), &arm, 1, query.data(), {}, z.data());
        for (const float sample : z)
            assert_true(sample == bmo::kSampleLimit);
        double sum = 0;
        table->add_sums(z.data(), 1, &sum);
        assert_true(std::isfinite(sum));
    }
}

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

bmo::Look a_look(int width, int first_bet = 0) {
    return {.target = 2000, .unread = 984, .slack = 1e-30, .rejection = 500, .width = width, .first_bet = first_bet};
}

// Calls check(look, count) for looks and numbers of arms of every kind.
template <class Check>
void for_looks(Check check) {
    for (const int width : {1, 7, 15, 16})
        for (const int first_bet : {0, bmo::kLateBets})
            for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{64}, Bets::kArms})
                check(a_look(width, first_bet), static_cast<std::int64_t>(count));
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
    const Bets before;
    Bets idle, all;
    const auto arms = static_cast<std::int64_t>(Bets::kArms);
    bmo::kScalarKernels.bet(idle.z.data(), arms, a_look(kBatch, bmo::kLateBets), idle.state(), idle.keep.data());
    bmo::kScalarKernels.bet(all.z.data(), arms, a_look(kBatch), all.state(), all.keep.data());
    for (std::size_t g = 0; g < bmo::kBets; ++g)
        for (std::size_t arm = 0; arm < Bets::kArms; ++arm) {
            const std::size_t at = g * Bets::kRoom + arm;
            assert_true(idle.wealth[at] == (g < bmo::kLateBets ? before : all).wealth[at]);
        }
    for (std::size_t arm = 0; arm < Bets::kArms; ++arm) {
        double total = 0;
        for (std::size_t g = 0; g < bmo::kBets; ++g)
            total += static_cast<double>(idle.wealth[g * Bets::kRoom + arm]) * static_cast<double>(bmo::kWeight[g]);
        if (std::abs(total - 500) > 0.01 && idle.sum[arm] < 1900)
            assert_int_equal(idle.keep[arm], total < 500 ? 1 : 0);
    }
}

void bounds_are_the_same_on_every_target(void **) {
    constexpr std::size_t kCount = 75;
    bmo::Xoshiro256pp random(13);
    std::vector<float> low(100), high(100);
    std::vector<std::int32_t> arms(kCount);
    std::vector<double> sums(kCount);
    for (std::size_t i = 0; i < low.size(); ++i) {
        low[i] = static_cast<float>(random.below(1000)) / 10;
        high[i] = low[i] + static_cast<float>(random.below(10)) / 10;
    }
    for (std::size_t i = 0; i < kCount; ++i) {
        arms[i] = static_cast<std::int32_t>(random.below(100));
        sums[i] = static_cast<double>(random.below(500));
    }
    const bmo::NormBounds norms{low.data(), high.data(), 0.5F, 20, 21};
    for (const Kernels *table : tables()) {
        std::vector<std::uint8_t> keep(kCount, 9);
        table->bound(arms.data(), kCount, sums.data(), norms, 400, keep.data());
        int kept = 0;
        for (std::size_t i = 0; i < kCount; ++i) {
            const auto arm = static_cast<std::size_t>(arms[i]);
            const double least = static_cast<double>(low[arm]) / 2, most = static_cast<double>(high[arm]) / 2;
            const double gap = std::max({20 - most, least - 21, 0.0});
            const double bound = sums[i] + gap * gap;
            if (std::abs(bound - 400) > 1e-3)
                assert_int_equal(keep[i], bound < 400 ? 1 : 0);
            kept += keep[i];
        }
        assert_in_range(kept, 5, kCount - 5);
    }
}

// Guesses from products, and what they put out of question: by doubles.
void guesses_are_the_same_on_every_target(void **) {
    constexpr std::size_t kCount = 75, kRoom = 80;
    bmo::Xoshiro256pp random(14);
    std::vector<float> low(kRoom), high(kRoom), query(bmo::kBatch);
    bmo::AlignedVector<float> leads(kRoom * bmo::kBatch), base(kRoom);
    const auto draw = [&](double most) {
        return static_cast<float>(most * static_cast<double>(random.below(1000)) / 999);
    };
    std::generate(query.begin(), query.end(), [&] { return draw(10); });
    std::generate(leads.begin(), leads.end(), [&] { return draw(10); });
    std::fill(base.begin(), base.end(), 0.0F);
    const double query_square = std::inner_product(query.begin(), query.end(), query.begin(), 0.0);
    std::vector<double> sums(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        low[i] = draw(100);
        high[i] = low[i] + draw(1);
        double square = 0;
        for (std::size_t j = 0; j < bmo::kBatch; ++j) {
            const double lead = static_cast<double>(leads[i / bmo::kBatch * 256 + j * bmo::kBatch + i % bmo::kBatch]);
            square += lead * lead;
            sums[i] += (lead - static_cast<double>(query[j])) * (lead - static_cast<double>(query[j]));
        }
        base[i] = static_cast<float>(square + static_cast<double>(high[i]) * static_cast<double>(high[i]) / 4);
    }
    const bmo::NormBounds norms{low.data(), high.data(), 0.5F, 20, 21};
    bmo::AlignedVector<float> scalar(kRoom);
    bmo::kScalarKernels.guess(leads.data(), kCount, query.data(), base.data(), scalar.data());
    for (const Kernels *table : tables()) {
        bmo::AlignedVector<float> guesses(kRoom);
        std::vector<std::uint8_t> keep(kCount, 9);
        table->guess(leads.data(), kCount, query.data(), base.data(), guesses.data());
        assert_true(guesses == scalar); // bit for bit
        guesses[7] = HUGE_VALF;
        table->bound_guesses({guesses.data(), base.data(), query_square}, kCount, norms, 900, keep.data());
        int kept = 0;
        for (std::size_t i = 0; i < kCount; ++i) {
            const double least = static_cast<double>(low[i]) / 2, most = static_cast<double>(high[i]) / 2;
            const double gap = std::max({20 - most, least - 21, 0.0}), bound = sums[i] + gap * gap;
            assert_true(std::abs(static_cast<double>(scalar[i]) + query_square - (sums[i] + most * most)) <=
                        1e-6 * (static_cast<double>(base[i]) + query_square));
            if (i == 7)
                assert_int_equal(keep[i], 0);
            else if (std::abs(bound - 900) > 0.2)
                assert_int_equal(keep[i], bound < 900 ? 1 : 0);
            kept += keep[i];
        }
        assert_in_range(kept, 5, kCount - 5);
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
    for (const Source source : kSources)
        for (const Rho kind : kRhos) {
            const auto x = values(100 * kBatch, 7, is_bytes(source)), q = values(kBatch, 8, is_bytes(source));
            const Stored rows(x, source), query(q, is_narrow(source) ? Source::f32 : Source::f64);
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

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(exact_sums_follow_the_lanes),
        cmocka_unit_test(exact_sums_of_bytes_are_integers),
        cmocka_unit_test(pulls_are_the_samples_in_order),
        cmocka_unit_test(a_sample_has_a_limit),
        cmocka_unit_test(foretold_bets_are_the_same_on_every_target),
        cmocka_unit_test(bounds_are_the_same_on_every_target),
        cmocka_unit_test(guesses_are_the_same_on_every_target),
        cmocka_unit_test(idle_bets_keep_their_wealth),
        cmocka_unit_test(arms_that_are_kept_move_together),
        cmocka_unit_test(a_look_is_the_same_on_every_target),
        cmocka_unit_test(fused_pulls_are_the_two_steps),
        cmocka_unit_test(a_look_keeps_to_the_definition),
        cmocka_unit_test(a_target_of_zero_drops_any_positive_sum),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

// Bounds of norms, and guesses from products, on every instruction set against doubles.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel_tables.hpp"
#include "util/aligned.hpp"

namespace bounds_test {

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
        table->guess(leads.data(), kCount, query.data(), base.data(), guesses.data());
        assert_true(guesses == scalar); // bit for bit
        guesses[7] = HUGE_VALF;
        std::vector<std::int32_t> arms(kCount);
        std::vector<double> least(kCount), below(kCount, -1);
        const std::int64_t found = table->bound_guesses({guesses.data(), base.data(), query_square, 100}, kCount, norms,
                                                        900, arms.data(), least.data());
        std::vector<std::int32_t> same_arms(kCount);
        std::vector<double> same(kCount);
        assert_int_equal(found, bmo::kScalarKernels.bound_guesses({guesses.data(), base.data(), query_square, 100},
                                                                  kCount, norms, 900, same_arms.data(), same.data()));
        for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) {
            assert_true(arms[i] == same_arms[i] && least[i] == same[i]);
            assert_true(i == 0 || arms[i - 1] < arms[i]);
            below.at(static_cast<std::size_t>(arms[i] - 100)) = least[i];
        }
        int kept = 0;
        for (std::size_t i = 0; i < kCount; ++i) {
            const double low_half = static_cast<double>(low[i]) / 2, most = static_cast<double>(high[i]) / 2;
            const double gap = std::max({20 - most, low_half - 21, 0.0}), bound = sums[i] + gap * gap;
            assert_true(std::abs(static_cast<double>(scalar[i]) + query_square - (sums[i] + most * most)) <=
                        1e-6 * (static_cast<double>(base[i]) + query_square));
            const double room = 3e-5 * (static_cast<double>(base[i]) + query_square);
            const bool is_kept = below[i] >= 0;
            if (is_kept)
                assert_true(below[i] >= std::max(0.0, sums[i] - room) && below[i] <= sums[i]);
            if (i == 7)
                assert_false(is_kept);
            else if (std::abs(bound - 900) > 0.2)
                assert_int_equal(is_kept, bound < 900);
            kept += is_kept;
        }
        assert_in_range(kept, 5, kCount - 5);
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_the_same_on_every_target),
        cmocka_unit_test(guesses_are_the_same_on_every_target),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace bounds_test

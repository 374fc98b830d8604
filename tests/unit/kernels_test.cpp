// Samples and exact sums on every instruction set against plain loops in this file, to the bit where the order of operations is
// laid down.
#include "cmocka.hpp"

#include <array>
#include <cmath>

#include "kernel_tables.hpp"

namespace kernels_test {

constexpr int kDimensions[] = {1, 7, 8, 15, 16, 17, 31, 33, 1000};

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
    for (const ValueType source : kValueTypes)
        for (const Rho kind : kRhos)
            for (const int d : kDimensions) {
                if (is_halves(source))
                    continue; // has no exact sums
                const auto count = static_cast<std::size_t>(d);
                const auto x = values(count, 1, source), q = values(count, 2, source);
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
    for (const ValueType source : kValueTypes)
        for (const Rho kind : kRhos) {
            const auto x = values(kRows * kBatch, 3, source), q = values(kBatch, 4, source);
            const Stored rows(x, source), query(q, is_narrow(source) ? ValueType::f32 : ValueType::f64);
            std::vector<float> expected;
            for (const std::int32_t arm : arms)
                for (std::size_t j = 0; j < kBatch; ++j) {
                    const double value = x[static_cast<std::size_t>(arm) * kBatch + j];
                    if (is_narrow(source) && kind == Rho::power) // the difference of two floats, not rounded
                        expected.push_back(static_cast<float>(rho_of(value - q[j], kind, wide.p)));
                    else if (is_narrow(source))
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

// Differences that float rounds, to the largest power that there is: within what kernels.hpp says of a sample.
void powers_are_of_differences_that_are_not_rounded(void **) {
    const RhoScale rho{.scale = 1, .p = 32};
    std::vector<float> rows(kBatch), query(kBatch);
    bmo::Xoshiro256pp random(11);
    for (std::size_t j = 0; j < rows.size(); ++j) {
        rows[j] = 1 + static_cast<float>(random.next() >> 41) * 0x1p-23F;
        query[j] = -static_cast<float>(1 + (random.next() >> 41)) * 0x1p-26F;
    }
    const std::int32_t arm = 0;
    for (const Kernels *table : tables()) {
        std::array<float, kBatch> z{};
        table->pull_for(ValueType::f32, Rho::power)(rows.data(), &arm, 1, query.data(), rho, z.data());
        for (std::size_t j = 0; j < rows.size(); ++j) {
            long double exact = static_cast<long double>(rows[j]) - static_cast<long double>(query[j]);
            for (int squaring = 0; squaring < 5; ++squaring)
                exact *= exact;
            assert_true(std::abs(static_cast<long double>(z[j]) / exact - 1) <= 0x1p-22L);
        }
    }
}

void a_sample_has_a_limit(void **) {
    const std::vector<float> rows(kBatch, 3e30F), query(kBatch, -3e30F);
    const std::int32_t arm = 0;
    for (const Kernels *table : tables()) {
        std::array<float, kBatch> z{};
        table->pull_for(ValueType::f32, Rho::square)(rows.data(), &arm, 1, query.data(), {}, z.data());
        for (const float sample : z)
            assert_true(sample == bmo::kSampleLimit);
        double sum = 0;
        table->add_sums(z.data(), 1, &sum);
        assert_true(std::isfinite(sum));
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(exact_sums_follow_the_lanes),
        cmocka_unit_test(exact_sums_of_bytes_are_integers),
        cmocka_unit_test(pulls_are_the_samples_in_order),
        cmocka_unit_test(powers_are_of_differences_that_are_not_rounded),
        cmocka_unit_test(a_sample_has_a_limit),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace kernels_test

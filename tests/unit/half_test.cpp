// Numbers of 16 bits: all of them, against their definition.
#include "cmocka.hpp"

#include <cmath>
#include <vector>

#include "kernel_tables.hpp"

namespace half_test {

constexpr std::uint16_t kBeyond = 0x7c00; // infinity: numbers are below it

double by_definition(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 != 0 ? -size : size;
}

bmo::Half with_sign(std::uint16_t bits, bool negative) {
    return {static_cast<std::uint16_t>(negative ? bits | 0x8000 : bits)};
}

void each_is_its_definition(void **) {
    for (std::uint16_t bits = 0; bits < kBeyond; ++bits)
        for (const bool negative : {false, true}) {
            const bmo::Half half = with_sign(bits, negative);
            assert_true(same_bits(static_cast<double>(bmo::to_float(half)), by_definition(half.bits)));
            assert_int_equal(bmo::to_half(bmo::to_float(half)).bits, half.bits);
        }
}

void rounding_is_to_the_nearest(void **) {
    for (std::uint16_t bits = 0; by_definition(bits) < bmo::kLargestHalf; ++bits) {
        const double low = by_definition(bits), high = by_definition(static_cast<std::uint16_t>(bits + 1));
        for (const double part : {0.01, 0.25, 0.5, 0.75, 0.99}) {
            const auto value = static_cast<float>(low + part * (high - low));
            const bmo::Half rounded = bmo::to_half(value);
            const double error = std::abs(static_cast<double>(bmo::to_float(rounded)) - static_cast<double>(value));
            assert_true(error <= (high - low) / 2);
            assert_true(error <= std::max(bmo::kHalfError * static_cast<double>(value), bmo::kHalfTiny));
            if (part == 0.5)
                assert_int_equal(rounded.bits & 1, 0);
        }
    }
}

void pulls_read_each(void **) {
    std::vector<bmo::Half> rows;
    for (std::uint16_t bits = 0; bits < kBeyond; ++bits)
        rows.push_back(with_sign(bits, bits % 2 != 0));
    const auto arms = static_cast<std::int32_t>(rows.size() / bmo::kRowOf<bmo::Half>);
    const std::vector<float> narrow(kBatch);
    const std::vector<double> wide(kBatch);
    for (const Kernels *table : tables())
        for (const ValueType source : {ValueType::half, ValueType::half_wide})
            for (std::int32_t arm = 0; arm < arms; ++arm) {
                std::vector<float> z(kBatch);
                const void *query = source == ValueType::half ? static_cast<const void *>(narrow.data()) : wide.data();
                table->pull_for(source, Rho::square)(rows.data(), &arm, 1, query, {}, z.data());
                for (std::size_t j = 0; j < z.size(); ++j) {
                    const double value = by_definition(rows[static_cast<std::size_t>(arm) * 2 * kBatch + j].bits);
                    assert_true(z[j] == static_cast<float>(value * value)); // of 22 bits: exact in float
                }
            }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(each_is_its_definition),
        cmocka_unit_test(rounding_is_to_the_nearest),
        cmocka_unit_test(pulls_read_each),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace half_test

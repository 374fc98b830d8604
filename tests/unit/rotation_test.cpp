// The rotation: the Walsh-Hadamard transform against its definition, and that distances stay what they are.
#include "cmocka.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "boxes/rotated/rotation.hpp"
#include "simd/kernels.hpp"
#include "util/xoshiro.hpp"

namespace rotation_test {

constexpr const char *kNames[] = {"scalar", "sse4", "avx2", "avx512", "avx512vnni", "neon"};

std::vector<double> integers(std::size_t count, std::uint64_t seed, std::uint64_t range) {
    bmo::Xoshiro256pp random(seed);
    std::vector<double> made(count);
    for (double &value : made)
        value = static_cast<double>(random.below(range)) - static_cast<double>(range / 2);
    return made;
}

void the_transform_is_that_of_its_definition(void **) {
    for (std::size_t size = 16; size <= 8192; size *= 2) {
        const std::vector<double> x = integers(size, size, 1001);
        std::vector<double> expected(size);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j)
                expected[i] += std::popcount(i & j) % 2 == 0 ? x[j] : -x[j];
        for (const char *name : kNames)
            if (const bmo::Kernels *table = bmo::kernels_named(name)) {
                std::vector<double> turned = x;
                table->hadamard(turned.data(), static_cast<std::int64_t>(size));
                assert_true(turned == expected);
            }
    }
}

void the_transform_has_the_same_bits_everywhere(void **) {
    for (std::size_t size = 16; size <= 32768; size *= 2) {
        std::vector<double> x = integers(size, 7, 1u << 30);
        for (double &value : x)
            value = std::sqrt(std::abs(value)) - 1e4;
        std::vector<double> expected = x;
        bmo::kScalarKernels.hadamard(expected.data(), static_cast<std::int64_t>(size));
        for (const char *name : kNames)
            if (const bmo::Kernels *table = bmo::kernels_named(name)) {
                std::vector<double> turned = x;
                table->hadamard(turned.data(), static_cast<std::int64_t>(size));
                assert_memory_equal(turned.data(), expected.data(), size * sizeof(double));
            }
    }
}

bmo::Dataset dataset_of(const std::vector<double> &values, std::int64_t d) {
    bmo::Dataset data;
    data.dense = bmo::row_major(BMO_F64, values.data(), static_cast<std::int64_t>(values.size()) / d, d);
    for (const double value : values)
        data.max_abs = std::max(data.max_abs, std::abs(value));
    return data;
}

// In units of the data.
std::vector<double> turned(const bmo::Rotation &rotation, const double *point, double shrink = 1) {
    std::vector<double> out(static_cast<std::size_t>(rotation.padded()));
    const double norm = rotation.center(point, shrink, out.data());
    rotation.turn(out.data());
    double squares = 0;
    for (double &value : out) {
        squares += value * value;
        value /= rotation.scale() * shrink;
    }
    assert_true(std::abs(norm - std::sqrt(squares)) <= 1e-12 * norm);
    return out;
}

double squared_distance(const std::vector<double> &a, const std::vector<double> &b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

// Expected: integers below 2^53.
void distances_are_kept(void **) {
    for (const std::int64_t d : {1, 2, 15, 16, 17, 100, 1000, 5000})
        for (const double offset : {0.0, 0x1p40}) {
            constexpr std::int64_t kPoints = 4;
            std::vector<double> values = integers(static_cast<std::size_t>(kPoints * d), 3, 2001);
            for (double &value : values)
                value += offset;
            const bmo::Rotation rotation(dataset_of(values, d), 5);
            const std::vector<double> first = turned(rotation, values.data());
            for (std::int64_t i = 1; i < kPoints; ++i) {
                double expected = 0;
                for (std::int64_t j = 0; j < d; ++j) {
                    const double difference =
                        values[static_cast<std::size_t>(i * d + j)] - values[static_cast<std::size_t>(j)];
                    expected += difference * difference;
                }
                const double got = squared_distance(first, turned(rotation, values.data() + i * d));
                assert_true(std::abs(got - expected) <= 1e-12 * expected);
            }
        }
}

void a_shrunk_point_is_the_same_point(void **) {
    const std::vector<double> values = integers(3 * 100, 4, 1001);
    const bmo::Rotation rotation(dataset_of(values, 100), 1);
    const std::vector<double> plain = turned(rotation, values.data() + 100),
                              shrunk = turned(rotation, values.data() + 100, 0x1p-30);
    assert_true(plain == shrunk); // powers of two change no bits
}

// One coordinate of 4096 that differs by 1: without a rotation the largest squared difference is 4096 times the mean.
void a_difference_in_one_coordinate_is_spread(void **) {
    constexpr std::int64_t d = 4096;
    for (std::int64_t seed = 0; seed < 20; ++seed) {
        std::vector<double> values(2 * d, 3.0);
        values[static_cast<std::size_t>(d + 100 * seed)] += 1;
        const bmo::Rotation rotation(dataset_of(values, d), seed);
        const std::vector<double> a = turned(rotation, values.data()), b = turned(rotation, values.data() + d);
        double largest = 0;
        for (std::size_t j = 0; j < a.size(); ++j)
            largest = std::max(largest, (a[j] - b[j]) * (a[j] - b[j]));
        assert_true(largest * d < 30); // of squares of about normal values with mean 1
    }
}

void another_seed_turns_otherwise(void **) {
    const std::vector<double> values = integers(2 * 64, 4, 1001);
    const bmo::Dataset data = dataset_of(values, 64);
    const std::vector<double> first = turned(bmo::Rotation(data, 1), values.data());
    assert_true(first == turned(bmo::Rotation(data, 1), values.data()));
    assert_true(first != turned(bmo::Rotation(data, 2), values.data()));
}

void values_at_the_limits_of_double_do_not_overflow(void **) {
    for (const double unit : {1e308, 1e-308, 4.9406564584124654e-324}) {
        const std::vector<double> values = {unit, -unit, 0, unit, -unit, unit, -unit, unit, 0};
        const bmo::Rotation rotation(dataset_of(values, 3), 1);
        std::vector<double> out(16);
        for (std::int64_t i = 0; i < 3; ++i) {
            assert_true(std::isfinite(rotation.center(values.data() + 3 * i, 1, out.data())));
            rotation.turn(out.data());
            for (const double value : out)
                assert_true(std::isfinite(value) && std::abs(value) < 0x1p46);
        }
    }
}

void too_many_coordinates_are_refused(void **) {
    bmo::Dataset data;
    data.dense = bmo::row_major(BMO_F32, nullptr, 0, (std::int64_t{1} << 30) + 1);
    assert_int_equal(failure_of([&] { bmo::Rotation(data, 0); }).status, BMO_EUNSUPPORTED);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_transform_is_that_of_its_definition),
        cmocka_unit_test(the_transform_has_the_same_bits_everywhere),
        cmocka_unit_test(distances_are_kept),
        cmocka_unit_test(a_shrunk_point_is_the_same_point),
        cmocka_unit_test(a_difference_in_one_coordinate_is_spread),
        cmocka_unit_test(another_seed_turns_otherwise),
        cmocka_unit_test(values_at_the_limits_of_double_do_not_overflow),
        cmocka_unit_test(too_many_coordinates_are_refused),
    };
    return cmocka_run_group_tests_name("rotation", tests, nullptr, nullptr);
}

} // namespace rotation_test

#include "cmocka.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "data/dataset.hpp"

namespace dataset_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
constexpr bmo_dtype dtype_of() {
    if constexpr (std::is_same_v<T, float>)
        return BMO_F32;
    else if constexpr (std::is_same_v<T, double>)
        return BMO_F64;
    else if constexpr (std::is_same_v<T, std::uint8_t>)
        return BMO_U8;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return BMO_I32;
    else if constexpr (std::is_same_v<T, std::int8_t>)
        return BMO_I8;
    else if constexpr (std::is_same_v<T, std::int16_t>)
        return BMO_I16;
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return BMO_U16;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return BMO_U32;
    else
        return BMO_I64;
}

// n points of d coordinates laid out with these strides; value(i, j) at each, `filler` between them.
template <class T>
struct Layout {
    std::int64_t n, d, point_stride, coord_stride;
    std::vector<T> memory;

    template <class Value>
    Layout(std::int64_t points, std::int64_t coords, std::int64_t by_point, std::int64_t by_coord, T filler,
           Value value)
        : n(points), d(coords), point_stride(by_point), coord_stride(by_coord),
          memory(static_cast<std::size_t>((points - 1) * by_point + (coords - 1) * by_coord + 1), filler) {
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < d; ++j)
                at(i, j) = static_cast<T>(value(i, j));
    }
    T &at(std::int64_t i, std::int64_t j) {
        return memory[static_cast<std::size_t>(i * point_stride + j * coord_stride)];
    }
    bmo::DenseView view() const { return {dtype_of<T>(), memory.data(), n, d, point_stride, coord_stride}; }
};

struct Shape {
    std::int64_t n, d, point_stride, coord_stride;
};
// Rows, rows with gaps, columns, columns with gaps, scattered, one point, one coordinate, and more than one piece.
constexpr Shape shapes[] = {{5, 7, 7, 1},      {5, 7, 9, 1},       {5, 7, 1, 5},       {5, 7, 1, 6},
                            {4, 3, 10, 3},     {1, 50, 999, 1},    {50, 1, 1, 999},    {3, 2000, 2000, 1},
                            {3, 2000, 1, 3},   {3, 2000, 4000, 2}, {700, 700, 700, 1}, {700, 700, 1, 700},
                            {1, 300000, 1, 1}, {300000, 1, 1, 1},  {2, 300000, 1, 2}};

double checked(const bmo::DenseView &view) {
    bmo::Watch watch;
    return bmo::check_values(view, "points", watch);
}

bmo::Failure refusal(const bmo::DenseView &view) {
    return failure_of([&] { checked(view); });
}

double pattern(std::int64_t i, std::int64_t j) {
    return static_cast<double>((i * 31 + j * 17) % 101);
}

template <class T>
void peak_and_position_of_one_value(double special, bmo_status status) {
    for (const Shape &shape : shapes)
        for (const auto &[row, col] :
             {std::array{std::int64_t(0), std::int64_t(0)}, {shape.n - 1, shape.d - 1}, {shape.n / 2, shape.d / 3}}) {
            const T filler = status == BMO_OK ? T(127) : static_cast<T>(special); // what lies between is not looked at
            Layout<T> points(shape.n, shape.d, shape.point_stride, shape.coord_stride, filler, pattern);
            points.at(row, col) = static_cast<T>(special);
            if (status == BMO_OK) {
                assert_true(checked(points.view()) == std::fabs(static_cast<double>(static_cast<T>(special))));
                continue;
            }
            const bmo::Failure failure = refusal(points.view());
            assert_int_equal(failure.status, status);
            assert_int_equal(failure.row, row);
            assert_int_equal(failure.col, col);
            assert_string_equal(failure.argument.c_str(), "points");
        }
}

void the_largest_magnitude_is_found(void **) {
    peak_and_position_of_one_value<float>(-12345.5, BMO_OK);
    peak_and_position_of_one_value<float>(3e38, BMO_OK);
    peak_and_position_of_one_value<double>(-1e308, BMO_OK);
    peak_and_position_of_one_value<std::uint8_t>(255, BMO_OK);
    peak_and_position_of_one_value<std::int32_t>(-2147483648.0, BMO_OK);
    peak_and_position_of_one_value<std::int64_t>(9007199254740992.0, BMO_OK);
    peak_and_position_of_one_value<std::int64_t>(-9007199254740992.0, BMO_OK);
}

void values_that_cannot_be_are_refused_with_their_place(void **) {
    for (const double value : {nan, -nan, infinity, -infinity}) {
        peak_and_position_of_one_value<float>(value, BMO_ENONFINITE);
        peak_and_position_of_one_value<double>(value, BMO_ENONFINITE);
    }
    peak_and_position_of_one_value<std::int64_t>(9007199254740994.0, BMO_EINVAL);
    peak_and_position_of_one_value<std::int64_t>(-9007199254740994.0, BMO_EINVAL);
    peak_and_position_of_one_value<std::int64_t>(-9223372036854775808.0, BMO_EINVAL);
}

void subnormals_and_zeros_are_values(void **) {
    const float tiny[] = {0.0f, -0.0f, std::numeric_limits<float>::denorm_min()};
    assert_true(checked(bmo::row_major(BMO_F32, tiny, 1, 3)) == std::numeric_limits<float>::denorm_min());
    assert_true(checked(bmo::row_major(BMO_F32, tiny, 2, 1)) == 0);
    assert_true(checked(bmo::row_major(BMO_F32, nullptr, 0, 3)) == 0);
}

template <class T>
void expect_points(const bmo::Dataset &dataset, Layout<T> &points) {
    assert_int_equal(dataset.n(), points.n);
    assert_int_equal(dataset.d(), points.d);
    std::vector<double> row(static_cast<std::size_t>(points.d));
    for (std::int64_t i = 0; i < points.n; ++i) {
        bmo::load_point(dataset.dense, i, row.data());
        for (std::int64_t j = 0; j < points.d; ++j)
            assert_true(row[static_cast<std::size_t>(j)] == static_cast<double>(points.at(i, j)));
    }
}

template <class T>
void copies_of(bmo_dtype stored, double extreme) {
    for (const Shape &shape : shapes) {
        Layout<T> points(shape.n, shape.d, shape.point_stride, shape.coord_stride, T(), pattern);
        points.at(shape.n - 1, shape.d / 2) = static_cast<T>(extreme);
        bmo::Watch watch;
        const auto copy = bmo::make_dense(points.view(), false, nullptr, watch);
        assert_int_equal(copy->dense.dtype, stored);
        assert_int_equal(copy->dense.coord_stride, 1);
        assert_int_equal(copy->dense.point_stride, shape.d);
        assert_int_equal(reinterpret_cast<std::uintptr_t>(copy->dense.data) % 64, 0);
        assert_int_equal(copy->bytes_owned, static_cast<std::size_t>(shape.n * shape.d) * bmo::dtype_size(stored));
        assert_int_equal(copy->bytes_borrowed, 0);
        assert_true(copy->max_abs == std::fabs(extreme));
        expect_points(*copy, points);
    }
}

void a_copy_is_row_major_with_every_value(void **) {
    copies_of<float>(BMO_F32, -1000.25);
    copies_of<double>(BMO_F64, 1e300);
    copies_of<std::uint8_t>(BMO_U8, 200);
}

void integers_become_the_narrowest_exact_type(void **) {
    copies_of<std::int32_t>(BMO_F32, 16777216);
    copies_of<std::int32_t>(BMO_F32, -16777216);
    copies_of<std::int32_t>(BMO_F64, 16777217);
    copies_of<std::int32_t>(BMO_F64, -2147483648.0);
    copies_of<std::int64_t>(BMO_F32, 16777216);
    copies_of<std::int64_t>(BMO_F64, -16777217);
    copies_of<std::int64_t>(BMO_F64, 9007199254740991.0);
    copies_of<std::int8_t>(BMO_I8, -128);
    copies_of<std::int16_t>(BMO_F32, -32768);
    copies_of<std::uint16_t>(BMO_F32, 65535);
    copies_of<std::uint32_t>(BMO_F32, 16777216);
    copies_of<std::uint32_t>(BMO_F64, 16777217);
    copies_of<std::uint32_t>(BMO_F64, 4294967295.0);
}

// What the bits of a float stand for, by IEEE 754.
double value_of(std::uint32_t bits, int exponent_bits, int fraction_bits) {
    const int exponent = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const auto fraction = std::ldexp(static_cast<double>(bits & ((1U << fraction_bits) - 1)), -fraction_bits);
    const double sign = bits >> (exponent_bits + fraction_bits) != 0 ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1)
        return fraction == 0 ? sign * infinity : nan;
    return sign * std::ldexp(exponent == 0 ? fraction : 1 + fraction, std::max(exponent, 1) - bias);
}

// Every number of 16 bits, in rows and in columns; then each that is none, on its own.
void floats_of_16_bits(bmo_dtype dtype, int exponent_bits, int fraction_bits) {
    std::vector<std::uint16_t> numbers, others;
    for (std::uint32_t bits = 0; bits < 1U << 16; ++bits)
        (std::isfinite(value_of(bits, exponent_bits, fraction_bits)) ? numbers : others)
            .push_back(static_cast<std::uint16_t>(bits));
    const auto n = static_cast<std::int64_t>(numbers.size()) / 8;
    for (const bool by_column : {false, true}) {
        bmo::Watch watch;
        const auto copy =
            bmo::make_dense({dtype, numbers.data(), n, 8, by_column ? 1 : 8, by_column ? n : 1}, true, nullptr, watch);
        assert_int_equal(copy->dense.dtype, dtype);
        double largest = 0, row[8];
        for (std::int64_t i = 0; i < n; ++i) {
            bmo::load_point(copy->dense, i, row);
            for (std::int64_t j = 0; j < 8; ++j) {
                const double value = value_of(numbers[static_cast<std::size_t>(by_column ? j * n + i : i * 8 + j)],
                                              exponent_bits, fraction_bits);
                assert_true(row[j] == value && std::signbit(row[j]) == std::signbit(value));
                largest = std::max(largest, std::fabs(value));
            }
        }
        assert_true(copy->max_abs == largest);
    }
    for (const std::uint16_t bits : others) {
        std::uint16_t values[6] = {0, 0, 0, 0, bits, 0};
        const bmo::Failure failure = refusal(bmo::row_major(dtype, values, 2, 3));
        assert_int_equal(failure.status, BMO_ENONFINITE);
        assert_int_equal(failure.row, 1);
        assert_int_equal(failure.col, 1);
    }
}

void every_float_of_16_bits(void **) {
    floats_of_16_bits(BMO_F16, 5, 10);
    floats_of_16_bits(BMO_BF16, 8, 7);
}

void a_refused_copy_names_the_place(void **) {
    for (const Shape &shape : shapes) {
        Layout<float> points(shape.n, shape.d, shape.point_stride, shape.coord_stride, 0, pattern);
        points.at(shape.n / 2, shape.d - 1) = std::numeric_limits<float>::infinity();
        bmo::Watch watch;
        const bmo::Failure failure = failure_of([&] { bmo::make_dense(points.view(), false, nullptr, watch); });
        assert_int_equal(failure.status, BMO_ENONFINITE);
        assert_int_equal(failure.row, shape.n / 2);
        assert_int_equal(failure.col, shape.d - 1);
    }
}

void borrowed_data_stay_where_they_are(void **) {
    Layout<double> points(4, 3, 1, 5, 0, pattern);
    bmo::Watch watch;
    int released = 0;
    {
        bmo::Memory owner(points.memory.data(), [&](const void *) { ++released; });
        const auto borrowed = bmo::make_dense(points.view(), true, std::move(owner), watch);
        assert_ptr_equal(borrowed->dense.data, points.memory.data());
        assert_int_equal(borrowed->dense.coord_stride, 5);
        assert_int_equal(borrowed->bytes_owned, 0);
        assert_int_equal(borrowed->bytes_borrowed, 4 * 3 * 8);
        expect_points(*borrowed, points);
        assert_int_equal(released, 0);
    }
    assert_int_equal(released, 1);
}

void borrowed_integers_are_converted_and_let_go(void **) {
    Layout<std::int32_t> points(4, 3, 3, 1, 0, pattern);
    bmo::Watch watch;
    int released = 0;
    bmo::Memory owner(points.memory.data(), [&](const void *) { ++released; });
    const auto converted = bmo::make_dense(points.view(), true, std::move(owner), watch);
    assert_int_equal(released, 1);
    assert_int_equal(converted->dense.dtype, BMO_F32);
    expect_points(*converted, points);
}

std::int32_t count_reports(void *ctx, const bmo_progress *progress) {
    auto &last = *static_cast<bmo_progress *>(ctx);
    last = *progress;
    return 0;
}

void checking_reports_rows(void **) {
    for (const Shape &shape : shapes) {
        bmo_progress last = {};
        bmo::Watch watch(count_reports, &last, 1, nullptr);
        Layout<float> points(shape.n, shape.d, shape.point_stride, shape.coord_stride, 0, pattern);
        bmo::check_values(points.view(), "points", watch);
        assert_int_equal(last.phase, BMO_PHASE_CHECK);
        assert_int_equal(last.done, shape.n);
        assert_int_equal(last.total, shape.n);
    }
}

void a_request_stops_check_and_copy(void **) {
    Layout<float> points(700, 700, 700, 1, 0, pattern);
    const auto flag = std::make_shared<bmo::CancelFlag>();
    flag->request();
    for (const bool borrow : {false, true}) {
        bmo::Watch watch(nullptr, nullptr, 0, flag);
        assert_int_equal(failure_of([&] { bmo::make_dense(points.view(), borrow, nullptr, watch); }).status,
                         BMO_ECANCELED);
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_magnitude_is_found),
        cmocka_unit_test(values_that_cannot_be_are_refused_with_their_place),
        cmocka_unit_test(subnormals_and_zeros_are_values),
        cmocka_unit_test(a_copy_is_row_major_with_every_value),
        cmocka_unit_test(integers_become_the_narrowest_exact_type),
        cmocka_unit_test(every_float_of_16_bits),
        cmocka_unit_test(a_refused_copy_names_the_place),
        cmocka_unit_test(borrowed_data_stay_where_they_are),
        cmocka_unit_test(borrowed_integers_are_converted_and_let_go),
        cmocka_unit_test(checking_reports_rows),
        cmocka_unit_test(a_request_stops_check_and_copy),
    };
    return cmocka_run_group_tests_name("dataset", tests, nullptr, nullptr);
}

} // namespace dataset_test

// Sparse datasets from every kind of input, against a map of their entries.
#include <cmath>
#include <limits>

#include "cmocka.hpp"
#include "sparse_points.hpp"

namespace sparse_test {

using bmo::SparseInput;

std::shared_ptr<const bmo::Dataset> make(const SparseInput &input, bool borrow = false) {
    bmo::Watch watch;
    return bmo::make_sparse(input, borrow, nullptr, "data", watch);
}

void assert_holds(const bmo::Dataset &dataset, const Entries &entries, std::int64_t n, std::int64_t d) {
    assert_int_equal(static_cast<int>(dataset.kind), 2);
    assert_int_equal(dataset.n(), n);
    assert_int_equal(dataset.d(), d);
    std::int64_t count = 0, largest = 0;
    for (const auto &[place, value] : entries) {
        count += value != 0;
        largest = std::max(largest, std::abs(value));
    }
    assert_int_equal(dataset.nnz(), count);
    assert_true(dataset.max_abs == static_cast<double>(largest));
    std::vector<double> row(static_cast<std::size_t>(d));
    for (std::int64_t i = 0; i < n; ++i) {
        bmo::load_point(dataset.points(), i, row.data());
        for (std::int64_t j = 0; j < d; ++j)
            assert_true(row[static_cast<std::size_t>(j)] == static_cast<double>(value_at(entries, i, j)));
        for (std::int64_t k = dataset.sparse.first(i); k < dataset.sparse.first(i + 1); ++k) {
            assert_true(dataset.sparse.value(k) != 0);
            assert_true(k == dataset.sparse.first(i) || dataset.sparse.indices[k - 1] < dataset.sparse.indices[k]);
        }
    }
}

template <class Pointer, class Index, class Value>
void every_orientation_and_base(bmo_dtype dtype, bool negative) {
    constexpr std::int64_t kN = 23, kD = 41;
    Entries entries = random_entries(kN, kD, negative, 5);
    std::erase_if(entries, [](const auto &entry) { return entry.first.first == 7 || entry.first.second == 9; });
    for (const bool by_coordinate : {false, true})
        for (const std::int32_t base : {0, 1}) {
            const Arrays<Pointer, Index, Value> arrays(entries, by_coordinate ? kD : kN, by_coordinate, base);
            const Arrays<Pointer, Index, Value> before = arrays;
            const auto dataset = make(arrays.input(kN, kD, by_coordinate, base, dtype));
            assert_holds(*dataset, entries, kN, kD);
            assert_true(dataset->bytes_owned > 0 && dataset->bytes_borrowed == 0);
            assert_true(arrays.values == before.values && arrays.indices == before.indices);
        }
}

void every_type_means_its_matrix(void **) {
    every_orientation_and_base<std::int32_t, std::int32_t, float>(BMO_F32, true);
    every_orientation_and_base<std::int64_t, std::int64_t, double>(BMO_F64, true);
    every_orientation_and_base<std::int32_t, std::int64_t, std::uint8_t>(BMO_U8, false);
    every_orientation_and_base<std::int64_t, std::int32_t, std::int32_t>(BMO_I32, true);
    every_orientation_and_base<std::int32_t, std::int32_t, std::int64_t>(BMO_I64, true);
    every_orientation_and_base<std::int32_t, std::int32_t, std::int8_t>(BMO_I8, true);
    every_orientation_and_base<std::int32_t, std::int32_t, std::int16_t>(BMO_I16, true);
    every_orientation_and_base<std::int32_t, std::int32_t, std::uint16_t>(BMO_U16, false);
    every_orientation_and_base<std::int32_t, std::int32_t, std::uint32_t>(BMO_U32, false);
}

void floats_of_16_bits_become_floats(void **) {
    const std::int32_t pointers[] = {0, 2, 4}, indices[] = {3, 0, 1, 2};
    std::uint16_t halves[] = {0x3c00, 0xc000, 0x7bff, 0x4200}, bfloats[] = {0x3f80, 0xc000, 0x4780, 0x4040};
    const Entries of_halves = {{{0, 0}, -2}, {{0, 3}, 1}, {{1, 1}, 65504}, {{1, 2}, 3}};
    const Entries of_bfloats = {{{0, 0}, -2}, {{0, 3}, 1}, {{1, 1}, 65536}, {{1, 2}, 3}};
    for (const auto &[dtype, values] : {std::pair{BMO_F16, halves}, {BMO_BF16, bfloats}}) {
        SparseInput input{.pointer_dtype = BMO_I32,
                          .value_dtype = dtype,
                          .n = 2,
                          .d = 4,
                          .nnz = 4,
                          .pointers = pointers,
                          .indices = indices,
                          .values = values};
        for (const bool borrow : {false, true}) {
            assert_holds(*make(input, borrow), dtype == BMO_F16 ? of_halves : of_bfloats, 2, 4);
            assert_int_equal(make(input, borrow)->sparse.dtype, BMO_F32);
        }
        values[2] = dtype == BMO_F16 ? 0x7c00 : 0x7f80; // infinity
        const bmo::Failure failure = failure_of([&] { make(input); });
        assert_int_equal(failure.status, BMO_ENONFINITE);
        assert_int_equal(failure.row, 1);
        assert_int_equal(failure.col, 1);
    }
}

void no_values_are_ones(void **) {
    const std::int32_t pointers[] = {0, 2, 5}, indices[] = {3, 0, 1, 1, 1};
    SparseInput input{.pointer_dtype = BMO_I32, .n = 2, .d = 4, .nnz = 5, .pointers = pointers, .indices = indices};
    const Entries expected = {{{0, 0}, 1}, {{0, 3}, 1}, {{1, 1}, 3}};
    assert_holds(*make(input), expected, 2, 4);
    assert_holds(*make(input, true), expected, 2, 4);
}

void tidy_rows_are_borrowed_and_others_copied(void **) {
    const std::int32_t pointers[] = {0, 2, 2, 3};
    std::int32_t indices[] = {1, 3, 0};
    float values[] = {2, -3, 4};
    const SparseInput input{
        .pointer_dtype = BMO_I32, .n = 3, .d = 4, .nnz = 3, .pointers = pointers, .indices = indices, .values = values};
    const auto borrowed = make(input, true);
    assert_ptr_equal(borrowed->sparse.values, values);
    assert_ptr_equal(borrowed->sparse.indices, indices);
    assert_int_equal(borrowed->bytes_owned, 0);
    assert_int_equal(borrowed->bytes_borrowed, 4 * 4 + 3 * 8);
    assert_holds(*borrowed, {{{0, 1}, 2}, {{0, 3}, -3}, {{2, 0}, 4}}, 3, 4);

    std::swap(indices[0], indices[1]); // not sorted
    assert_holds(*make(input, true), {{{0, 3}, 2}, {{0, 1}, -3}, {{2, 0}, 4}}, 3, 4);
    assert_true(make(input, true)->bytes_owned > 0);
    indices[1] = indices[0]; // twice the same place
    assert_holds(*make(input, true), {{{0, 3}, -1}, {{2, 0}, 4}}, 3, 4);
    values[1] = -2; // which adds up to nothing
    values[2] = -0.0F;
    assert_holds(*make(input, true), {}, 3, 4);
}

void sums_keep_to_their_type(void **) {
    const std::int64_t pointers[] = {0, 2};
    const std::int64_t indices[] = {0, 0};
    SparseInput input{.index_dtype = BMO_I64, .n = 1, .d = 1, .nnz = 2, .pointers = pointers, .indices = indices};
    const std::int64_t half = std::int64_t{1} << 52;
    const std::int64_t exact[] = {half, half}, beyond[] = {half, half + 1};
    input.value_dtype = BMO_I64;
    input.values = exact;
    assert_true(make(input)->max_abs == 0x1p53);
    assert_int_equal(make(input)->sparse.dtype, BMO_F32); // 2^53 is a float
    input.values = beyond;
    const auto integer = failure_of([&] { make(input); });
    assert_int_equal(integer.status, BMO_EINVAL);
    assert_int_equal(integer.row, 0);
    assert_int_equal(integer.col, 0);
    const float large[] = {3e38F, 3e38F};
    input.value_dtype = BMO_F32;
    input.values = large;
    assert_int_equal(failure_of([&] { make(input); }).status, BMO_ENONFINITE);
}

struct Refusal {
    bmo_status status;
    const char *argument;
    std::int64_t row, col;
};

void assert_refused(const SparseInput &input, const Refusal &expected) {
    const auto failure = failure_of([&] { make(input); });
    assert_int_equal(failure.status, expected.status);
    assert_string_equal(failure.argument.c_str(), expected.argument);
    assert_int_equal(failure.row, expected.row);
    assert_int_equal(failure.col, expected.col);
}

void arrays_that_are_wrong_are_refused(void **) {
    std::int64_t pointers[] = {0, 2, 3};
    std::int32_t indices[] = {0, 2, 1};
    double values[] = {1, 2, 3};
    SparseInput input{
        .value_dtype = BMO_F64, .n = 2, .d = 3, .nnz = 3, .pointers = pointers, .indices = indices, .values = values};
    assert_int_equal(make(input)->nnz(), 3);
    pointers[0] = 1;
    assert_refused(input, {BMO_EINVAL, "data.pointers", 0, -1});
    pointers[0] = 0;
    pointers[1] = -1;
    assert_refused(input, {BMO_EINVAL, "data.pointers", 1, -1});
    pointers[1] = 4;
    assert_refused(input, {BMO_EINVAL, "data.pointers", 1, -1});
    pointers[1] = std::numeric_limits<std::int64_t>::max();
    assert_refused(input, {BMO_EINVAL, "data.pointers", 1, -1});
    pointers[1] = 2;
    pointers[2] = 2;
    assert_refused(input, {BMO_EINVAL, "data.pointers", 2, -1});
    pointers[2] = 3;
    indices[2] = 3;
    assert_refused(input, {BMO_EINVAL, "data.indices", 1, 3});
    indices[2] = -1;
    assert_refused(input, {BMO_EINVAL, "data.indices", 1, -1});
    input.index_base = 1;
    assert_refused(input, {BMO_EINVAL, "data.pointers", 0, -1});
    input.index_base = 0;
    indices[2] = 1;
    values[1] = std::numeric_limits<double>::quiet_NaN();
    assert_refused(input, {BMO_ENONFINITE, "data", 0, 2});
    values[1] = -std::numeric_limits<double>::infinity();
    assert_refused(input, {BMO_ENONFINITE, "data", 0, 2});
    const std::int64_t large[] = {1, (std::int64_t{1} << 53) + 1, 3};
    input.value_dtype = BMO_I64;
    input.values = large;
    assert_refused(input, {BMO_EINVAL, "data", 0, 2});
}

void wrong_columns_name_their_coordinate(void **) {
    const std::int64_t pointers[] = {0, 1, 1, 2};
    std::int32_t indices[] = {1, 2};
    const float values[] = {1, 2};
    const SparseInput input{
        .by_coordinate = true, .n = 2, .d = 3, .nnz = 2, .pointers = pointers, .indices = indices, .values = values};
    assert_refused(input, {BMO_EINVAL, "data.indices", 2, 2});
    indices[1] = 1;
    assert_holds(*make(input), {{{1, 0}, 1}, {{1, 2}, 2}}, 2, 3);
}

void no_points_and_empty_points_are_fine(void **) {
    assert_holds(*make({.n = 0, .d = 3}), {}, 0, 3);
    const std::int64_t pointers[] = {0, 0, 0};
    assert_holds(*make({.n = 2, .d = 3, .pointers = pointers}), {}, 2, 3);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(every_type_means_its_matrix),
        cmocka_unit_test(floats_of_16_bits_become_floats),
        cmocka_unit_test(no_values_are_ones),
        cmocka_unit_test(tidy_rows_are_borrowed_and_others_copied),
        cmocka_unit_test(sums_keep_to_their_type),
        cmocka_unit_test(arrays_that_are_wrong_are_refused),
        cmocka_unit_test(wrong_columns_name_their_coordinate),
        cmocka_unit_test(no_points_and_empty_points_are_fine),
    };
    return cmocka_run_group_tests_name("sparse", tests, nullptr, nullptr);
}

} // namespace sparse_test

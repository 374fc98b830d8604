/* bmo_dataset: what is taken, what is refused, and what is told about it. */
#include "abi.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>

static const bmo_dtype all_types[] = {BMO_F32, BMO_F64, BMO_U8,  BMO_I32, BMO_I64,
                                      BMO_I16, BMO_U16, BMO_U32, BMO_F16, BMO_BF16};

static const double six[6] = {1, 2, 3, 4, 5, 6};

static bmo_dense two_by_three(void) {
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = six, .n = 2, .d = 3};
    return dense;
}

static bmo_dataset_info info_of(const bmo_dataset *dataset) {
    bmo_dataset_info info = {.struct_size = sizeof info};
    assert_ok(bmo_dataset_describe(dataset, &info));
    return info;
}

static void refuse_dense(const bmo_dense *dense, uint32_t flags, bmo_status status, const char *argument) {
    bmo_dataset *dataset = NULL;
    assert_refused(bmo_dataset_dense(&dataset, dense, flags, NULL, NULL), status, argument);
    assert_null(dataset);
}

static void null_arguments_are_refused(void **state) {
    const bmo_dense dense = two_by_three();
    bmo_dataset *dataset = NULL, *other = NULL;
    bmo_dataset_info info = {.struct_size = sizeof info};
    const int64_t row = 0;
    double out[3];
    (void)state;
    assert_refused(bmo_dataset_dense(NULL, &dense, BMO_COPY, NULL, NULL), BMO_EINVAL, "out");
    assert_refused(bmo_dataset_dense(&dataset, NULL, BMO_COPY, NULL, NULL), BMO_EINVAL, "data");
    assert_refused(bmo_dataset_open(NULL, "x.npy", BMO_COPY, NULL), BMO_EINVAL, "out");
    assert_refused(bmo_dataset_open(&dataset, NULL, BMO_COPY, NULL), BMO_EINVAL, "path");
    assert_refused(bmo_dataset_prepare(&other, NULL, NULL, NULL), BMO_EINVAL, "source");
    assert_refused(bmo_dataset_ref(&other, NULL), BMO_EINVAL, "ds");
    assert_refused(bmo_dataset_describe(NULL, &info), BMO_EINVAL, "ds");
    assert_refused(bmo_dataset_copy_rows(NULL, &row, 1, out), BMO_EINVAL, "ds");
    assert_null(dataset);
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    assert_refused(bmo_dataset_prepare(NULL, dataset, NULL, NULL), BMO_EINVAL, "out");
    assert_refused(bmo_dataset_ref(NULL, dataset), BMO_EINVAL, "out");
    assert_refused(bmo_dataset_describe(dataset, NULL), BMO_EINVAL, "info");
    assert_refused(bmo_dataset_copy_rows(dataset, NULL, 1, out), BMO_EINVAL, "rows");
    assert_refused(bmo_dataset_copy_rows(dataset, &row, 1, NULL), BMO_EINVAL, "out");
    assert_null(other);
    bmo_dataset_free(dataset);
    bmo_dataset_free(NULL);
}

static void bad_fields_are_refused(void **state) {
    static const bmo_dtype bad_types[] = {0, 12, -1, INT32_MAX};
    bmo_dense dense = two_by_three();
    (void)state;
    for (size_t i = 0; i < COUNT(bad_types); ++i) {
        dense.dtype = bad_types[i];
        refuse_dense(&dense, BMO_COPY, BMO_EINVAL, "data.dtype");
    }
    dense = two_by_three();
    dense.n = -1;
    refuse_dense(&dense, BMO_COPY, BMO_EINVAL, "data.n");
    dense = two_by_three();
    dense.d = 0;
    refuse_dense(&dense, BMO_COPY, BMO_EINVAL, "data.d");
    dense.d = INT64_MIN;
    refuse_dense(&dense, BMO_COPY, BMO_EINVAL, "data.d");
    dense = two_by_three();
    dense.data = NULL;
    refuse_dense(&dense, BMO_COPY, BMO_EINVAL, "data.data");
    dense.data = (const char *)six + 4;
    refuse_dense(&dense, BMO_BORROW, BMO_EINVAL, "data.data");
    dense = two_by_three();
    dense.point_stride = -3;
    refuse_dense(&dense, BMO_COPY, BMO_EINVAL, "data.point_stride");
    dense.point_stride = 3;
    dense.coord_stride = -1;
    refuse_dense(&dense, BMO_COPY, BMO_EINVAL, "data.coord_stride");
    dense = two_by_three();
    refuse_dense(&dense, 2, BMO_EINVAL, "flags");
    refuse_dense(&dense, UINT32_MAX, BMO_EINVAL, "flags");
}

static void sizes_beyond_their_types_are_refused(void **state) {
    static const struct {
        int64_t n, d, point_stride, coord_stride;
        const char *argument;
    } cases[] = {
        {INT64_MAX, 2, 0, 0, "data.n"},
        {INT64_MAX / 8 + 1, 1, 1, 0, "data.n"},
        {2, INT64_MAX / 8, 0, 0, "data.d"},
        {INT32_MAX + INT64_C(1), 1, 0, 0, "data.n"},
        {1, INT32_MAX + INT64_C(1), 0, 0, "data.d"},
        {3, 2, INT64_MAX / 2, 1, "data.point_stride"},
        {2, 2, INT64_MAX / 8, 1, "data.point_stride"},
        {2, 3, 1, INT64_MAX / 2, "data.coord_stride"},
    };
    bmo_dense dense = two_by_three();
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        dense.n = cases[i].n;
        dense.d = cases[i].d;
        dense.point_stride = cases[i].point_stride;
        dense.coord_stride = cases[i].coord_stride;
        refuse_dense(&dense, BMO_BORROW, BMO_EOVERFLOW, cases[i].argument);
    }
}

static void struct_sizes_are_checked(void **state) {
    struct {
        bmo_dense dense;
        int64_t later[2];
    } newer = {.dense = two_by_three()};
    bmo_dataset *dataset = NULL;
    (void)state;
    newer.dense.struct_size = sizeof newer;
    assert_ok(bmo_dataset_dense(&dataset, &newer.dense, BMO_COPY, NULL, NULL));
    newer.later[1] = 1;
    refuse_dense(&newer.dense, BMO_COPY, BMO_EVERSION, "data.struct_size");
    newer.dense.struct_size = sizeof newer.dense;
    bmo_dataset_free(dataset);
    dataset = NULL;
    assert_ok(bmo_dataset_dense(&dataset, &newer.dense, BMO_COPY, NULL, NULL));
    static const uint32_t bad_sizes[] = {0, 4, sizeof newer.dense - 1, UINT32_MAX};
    for (size_t i = 0; i < COUNT(bad_sizes); ++i) {
        newer.dense.struct_size = bad_sizes[i];
        refuse_dense(&newer.dense, BMO_COPY, BMO_EINVAL, "data.struct_size");
    }
    bmo_dataset_info info = {.struct_size = sizeof info - 1, .n = 77};
    assert_refused(bmo_dataset_describe(dataset, &info), BMO_EINVAL, "info.struct_size");
    assert_int_equal(info.n, 77);
    struct {
        bmo_dataset_info info;
        int64_t later;
    } newer_info = {.info = {.struct_size = sizeof newer_info}, .later = 77};
    assert_ok(bmo_dataset_describe(dataset, &newer_info.info));
    assert_int_equal(newer_info.info.struct_size, sizeof newer_info);
    assert_int_equal(newer_info.info.n, 2);
    assert_int_equal(newer_info.later, 77);
    bmo_dataset_free(dataset);
}

static void assert_holds(const bmo_dataset *dataset, const Points *points) {
    int64_t *rows = allocate(points->n, sizeof *rows);
    double *values = allocate(points->n * points->d, sizeof *values);
    for (int64_t i = 0; i < points->n; ++i)
        rows[i] = points->n - 1 - i;
    assert_ok(bmo_dataset_copy_rows(dataset, rows, points->n, values));
    for (int64_t i = 0; i < points->n; ++i)
        for (int64_t j = 0; j < points->d; ++j)
            assert_true(values[i * points->d + j] == points->at[rows[i] * points->d + j]);
    free(values);
    free(rows);
}

static void every_type_and_stride_is_read(void **state) {
    static const int64_t sizes[][2] = {{1, 1}, {1, 5}, {5, 1}, {7, 3}, {40, 70}};
    (void)state;
    for (size_t s = 0; s < COUNT(sizes); ++s) {
        const int64_t n = sizes[s][0], d = sizes[s][1];
        const struct {
            int64_t point, coord, given_point, given_coord;
        } strides[] = {{d, 1, 0, 0},
                       {d, 1, d, 1},
                       {1, n, 1, n},
                       {d + 3, 1, d + 3, 0},
                       {d > 1 ? 2 * d : 1, 2, 0, 2},
                       {2, 2 * n + 1, 2, 2 * n + 1},
                       {3 * d, 3, 3 * d, 3}};
        const Points points = points_create(n, d, 11);
        for (size_t t = 0; t < COUNT(all_types); ++t)
            for (size_t i = 0; i < COUNT(strides); ++i)
                for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
                    void *values = points_as(&points, all_types[t], strides[i].point, strides[i].coord);
                    const bmo_dense dense = {.struct_size = sizeof dense,
                                             .dtype = all_types[t],
                                             .data = values,
                                             .n = n,
                                             .d = d,
                                             .point_stride = strides[i].given_point,
                                             .coord_stride = strides[i].given_coord};
                    bmo_dataset *dataset = NULL;
                    assert_ok(bmo_dataset_dense(&dataset, &dense, flags, NULL, NULL));
                    assert_holds(dataset, &points);
                    bmo_dataset_free(dataset);
                    free(values);
                }
        points_free(points);
    }
}

static void the_stride_of_a_single_point_or_coordinate_is_ignored(void **state) {
    bmo_dense dense = two_by_three();
    bmo_dataset *dataset = NULL;
    double values[3];
    const int64_t rows[] = {0, 1, 2};
    (void)state;
    dense.n = 1;
    dense.point_stride = INT64_MIN;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
    assert_ok(bmo_dataset_copy_rows(dataset, rows, 1, values));
    assert_true(values[0] == 1 && values[2] == 3);
    bmo_dataset_free(dataset);
    dense.n = 3;
    dense.d = 1;
    dense.point_stride = 2;
    dense.coord_stride = -9;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
    assert_ok(bmo_dataset_copy_rows(dataset, rows, 3, values));
    assert_true(values[0] == 1 && values[1] == 3 && values[2] == 5);
    bmo_dataset_free(dataset);
}

static void no_points_are_a_dataset(void **state) {
    (void)state;
    for (size_t t = 0; t < COUNT(all_types); ++t)
        for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
            const bmo_dense dense = {.struct_size = sizeof dense, .dtype = all_types[t], .d = 4};
            bmo_dataset *dataset = NULL, *prepared = NULL;
            double nothing = 77;
            assert_ok(bmo_dataset_dense(&dataset, &dense, flags, NULL, NULL));
            assert_int_equal(info_of(dataset).n, 0);
            assert_int_equal(info_of(dataset).d, 4);
            assert_int_equal(info_of(dataset).nnz, 0);
            assert_ok(bmo_dataset_copy_rows(dataset, NULL, 0, NULL));
            const int64_t row = 0;
            assert_refused(bmo_dataset_copy_rows(dataset, &row, 1, &nothing), BMO_EINVAL, "rows");
            assert_true(nothing == 77);
            assert_ok(bmo_dataset_prepare(&prepared, dataset, NULL, NULL));
            assert_int_equal(info_of(prepared).n, 0);
            bmo_dataset_free(dataset);
            bmo_dataset_free(prepared);
        }
}

static void refuse_value(bmo_dtype dtype, void *values, bmo_status status) {
    const bmo_dense by_rows = {.struct_size = sizeof by_rows, .dtype = dtype, .data = values, .n = 4, .d = 5};
    bmo_dense by_columns = by_rows;
    by_columns.point_stride = 1;
    by_columns.coord_stride = 4;
    for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) { /* the bad value is element 13 */
        refuse_dense(&by_rows, flags, status, "data");
        assert_int_equal(last_error().row, 2);
        assert_int_equal(last_error().col, 3);
        refuse_dense(&by_columns, flags, status, "data");
        assert_int_equal(last_error().row, 1);
        assert_int_equal(last_error().col, 3);
    }
}

static void values_that_are_no_numbers_are_refused(void **state) {
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    (void)state;
    for (size_t i = 0; i < COUNT(bad); ++i) {
        double f64[20] = {0};
        float f32[20] = {0};
        f64[13] = bad[i];
        f32[13] = (float)bad[i];
        refuse_value(BMO_F64, f64, BMO_ENONFINITE);
        refuse_value(BMO_F32, f32, BMO_ENONFINITE);
    }
}

static void integers_beyond_2_to_53_are_refused(void **state) {
    static const int64_t bad[] = {9007199254740993, -9007199254740993, INT64_MAX, INT64_MIN};
    int64_t i64[20] = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(bad); ++i) {
        i64[13] = bad[i];
        refuse_value(BMO_I64, i64, BMO_EINVAL);
    }
    i64[13] = -9007199254740992;
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_I64, .data = i64, .n = 4, .d = 5};
    bmo_dataset *dataset = NULL;
    double row[5];
    const int64_t two = 2;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    assert_ok(bmo_dataset_copy_rows(dataset, &two, 1, row));
    assert_true(row[3] == -9007199254740992.0);
    bmo_dataset_free(dataset);
}

static void a_description_tells_type_and_memory(void **state) {
    static const int32_t small[6] = {1, -16777216, 16777216, 0, 5, 6}, large[6] = {1, 16777217, 3, 4, 5, 6};
    static const uint16_t halves[6] = {0x3c00, 0x7bff, 0, 1, 0x8001, 0xc000}; /* finite in both types of floats */
    static const struct {
        bmo_dtype dtype;
        const void *data;
        uint32_t flags;
        bmo_dtype stored;
        uint64_t owned, borrowed;
    } cases[] = {{BMO_F64, six, BMO_COPY, BMO_F64, 48, 0},      {BMO_F64, six, BMO_BORROW, BMO_F64, 0, 48},
                 {BMO_I32, small, BMO_COPY, BMO_F32, 24, 0},    {BMO_I32, small, BMO_BORROW, BMO_F32, 24, 0},
                 {BMO_I32, large, BMO_COPY, BMO_F64, 48, 0},    {BMO_U8, six, BMO_BORROW, BMO_U8, 0, 6},
                 {BMO_I8, six, BMO_BORROW, BMO_I8, 0, 6},       {BMO_I16, halves, BMO_COPY, BMO_F32, 24, 0},
                 {BMO_U16, halves, BMO_COPY, BMO_F32, 24, 0},   {BMO_U32, large, BMO_COPY, BMO_F64, 48, 0},
                 {BMO_F16, halves, BMO_BORROW, BMO_F16, 0, 12}, {BMO_BF16, halves, BMO_COPY, BMO_BF16, 12, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bmo_dense dense = two_by_three();
        bmo_dataset *dataset = NULL;
        dense.dtype = cases[i].dtype;
        dense.data = cases[i].data;
        assert_ok(bmo_dataset_dense(&dataset, &dense, cases[i].flags, NULL, NULL));
        const bmo_dataset_info info = info_of(dataset);
        assert_int_equal(info.kind, 1);
        assert_int_equal(info.box, BMO_BOX_AUTO);
        assert_int_equal(info.metric, 0);
        assert_int_equal(info.dtype, cases[i].stored);
        assert_int_equal(info.n, 2);
        assert_int_equal(info.d, 3);
        assert_int_equal(info.nnz, 6);
        assert_int_equal(info.seed, 0);
        assert_int_equal(info.bytes_owned, cases[i].owned);
        assert_int_equal(info.bytes_borrowed, cases[i].borrowed);
        assert_int_equal(info.prepare_ns, 0);
        bmo_dataset_free(dataset);
    }
}

static void rows_are_copied_by_position(void **state) {
    const bmo_dense dense = two_by_three();
    bmo_dataset *dataset = NULL;
    static const int64_t rows[] = {1, 0, 1}, high[] = {0, 2}, low[] = {0, 1, -1};
    double out[9] = {0};
    (void)state;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    assert_ok(bmo_dataset_copy_rows(dataset, rows, 3, out));
    static const double expected[9] = {4, 5, 6, 1, 2, 3, 4, 5, 6};
    assert_memory_equal(out, expected, sizeof expected);
    out[0] = 77;
    assert_refused(bmo_dataset_copy_rows(dataset, high, 2, out), BMO_EINVAL, "rows");
    assert_int_equal(last_error().row, 1);
    assert_refused(bmo_dataset_copy_rows(dataset, low, 3, out), BMO_EINVAL, "rows");
    assert_int_equal(last_error().row, 2);
    assert_refused(bmo_dataset_copy_rows(dataset, rows, -1, out), BMO_EINVAL, "nrows");
    assert_true(out[0] == 77);
    bmo_dataset_free(dataset);
}

static void a_preparation_is_described(void **state) {
    const Points points = points_create(100, 40, 3);
    bmo_dataset *source = points_dataset(&points), *prepared = NULL, *again = NULL;
    bmo_config *config = NULL;
    (void)state;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_i64(config, BMO_PARAM_SEED, -5));
    assert_ok(bmo_dataset_prepare(&prepared, source, config, NULL));
    bmo_dataset_info info = info_of(prepared);
    assert_int_equal(info.box, BMO_BOX_DENSE);
    assert_int_equal(info.seed, -5);
    assert_int_equal(info.n, 100);
    assert_true(info.bytes_owned >= info_of(source).bytes_owned);
    assert_ok(bmo_config_set_i64(config, BMO_PARAM_SEED, 6));
    assert_ok(bmo_dataset_prepare(&again, prepared, config, NULL));
    bmo_dataset_free(prepared);
    bmo_dataset_free(source);
    assert_int_equal(info_of(again).seed, 6);
    assert_int_equal(info_of(again).bytes_owned, info.bytes_owned);
    assert_holds(again, &points);
    bmo_dataset_free(again);
    bmo_config_free(config);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(bad_fields_are_refused),
        cmocka_unit_test(sizes_beyond_their_types_are_refused),
        cmocka_unit_test(struct_sizes_are_checked),
        cmocka_unit_test(every_type_and_stride_is_read),
        cmocka_unit_test(the_stride_of_a_single_point_or_coordinate_is_ignored),
        cmocka_unit_test(no_points_are_a_dataset),
        cmocka_unit_test(values_that_are_no_numbers_are_refused),
        cmocka_unit_test(integers_beyond_2_to_53_are_refused),
        cmocka_unit_test(a_description_tells_type_and_memory),
        cmocka_unit_test(rows_are_copied_by_position),
        cmocka_unit_test(a_preparation_is_described),
    };
    return cmocka_run_group_tests_name("dataset", tests, NULL, NULL);
}

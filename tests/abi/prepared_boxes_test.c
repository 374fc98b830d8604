/* The boxes that need prepared data, rotated, projected and sketch: answers against exact integer arithmetic, at every scale.
 * Most tests run for both. */
#include "abi.h"
#include "prepared_box.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { K = 5, QUERIES = 4 };

static void answers_are_exact_where_differences_are_few(void **state) {
    const Box *box = *state;
    static const char *const seeds[] = {"0", "1", "-5"};
    const Points points = few_differences(3);
    int64_t index[K], true_index[K], sums[K];
    double dist[K];
    const bmo_output out = output_to(index, dist, K);
    const int64_t row = 0;
    bmo_dataset *source = points_dataset(&points);
    nearest(&points, points.at, 0, K, BMO_METRIC_L2, true_index, sums);
    for (size_t s = 0; s < COUNT(seeds); ++s) {
        bmo_config *config = box_config(box->name, seeds[s]);
        bmo_dataset *dataset = dataset_prepare(source, config);
        bmo_query *query = query_with(dataset, config);
        bmo_stats stats = {.struct_size = sizeof stats};
        assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, &stats));
        assert_memory_equal(index, true_index, sizeof index);
        for (int r = 0; r < K; ++r)
            assert_true(dist[r] == sqrt((double)sums[r]));
        assert_int_equal(stats.box, box->id);
        assert_int_equal(stats.guarantee, BMO_GUARANTEE_PROVEN);
        assert_int_equal(stats.coord_ops_brute, (N - 1) * D);
        if (box == &rotated)
            assert_true(stats.coord_ops < stats.coord_ops_brute / 5);
        bmo_query_free(query);
        bmo_dataset_free(dataset);
        bmo_config_free(config);
    }
    bmo_dataset_free(source);
    points_free(points);
}

static void new_queries_are_projected_and_own_points_are_not(void **state) {
    const Box *box = *state;
    const Points points = points_create(N, D, 1), others = points_create(QUERIES, D, 2);
    const bmo_dense queries = points_dense(&others);
    const int64_t rows[QUERIES] = {5, 0, N - 1, 5};
    int64_t index[QUERIES * K], true_index[K];
    const bmo_output out = output_to(index, NULL, QUERIES * K);
    bmo_stats stats = {.struct_size = sizeof stats};
    bmo_config *config = box_config(box->name, "0");
    assert_ok(bmo_config_set_text(config, "metric", "sqeuclidean"));
    bmo_dataset *source = points_dataset(&points), *dataset = dataset_prepare(source, config);
    bmo_query *query = query_with(dataset, config);
    assert_ok(bmo_query_knn_dense(query, &queries, K, &out, NULL, &stats));
    assert_in_range(stats.projection_ops, QUERIES * box->least_project_ops, QUERIES * box->most_project_ops);
    assert_true((stats.arms_pruned > 0) == (box == &projected));
    assert_true(stats.arms_pruned + stats.exact_evals <= QUERIES * stats.arms);
    for (int i = 0; i < QUERIES; ++i) {
        nearest(&points, others.at + i * D, -1, K, BMO_METRIC_L2, true_index, NULL);
        assert_memory_equal(index + i * K, true_index, sizeof true_index);
    }
    assert_ok(bmo_query_knn_rows(query, rows, QUERIES, K, &out, NULL, &stats));
    assert_int_equal(stats.projection_ops, 0);
    for (int i = 0; i < QUERIES; ++i) {
        nearest(&points, points.at + rows[i] * D, rows[i], K, BMO_METRIC_L2, true_index, NULL);
        assert_memory_equal(index + i * K, true_index, sizeof true_index);
    }
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    bmo_dataset_free(source);
    bmo_config_free(config);
    points_free(others);
    points_free(points);
}

/* (byte + offset) * 2^exponent as another type: distances are those of the bytes times 2^exponent, to the bit. */
static void check_scaled(const Box *box, const Points *points, bmo_dtype dtype, double offset, int exponent) {
    const size_t size = dtype == BMO_F32 ? sizeof(float) : sizeof(double);
    void *values = malloc(N * D * size);
    int64_t index[K], true_index[K], sums[K];
    double dist[K];
    const bmo_output out = output_to(index, dist, K);
    const int64_t row = 11;
    assert_non_null(values);
    for (int64_t i = 0; i < N * D; ++i) {
        const double value = ldexp(points->at[i] + offset, exponent);
        if (dtype == BMO_F32)
            ((float *)values)[i] = (float)value;
        else
            ((double *)values)[i] = value;
    }
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = dtype, .data = values, .n = N, .d = D};
    bmo_dataset *source = NULL;
    assert_ok(bmo_dataset_dense(&source, &dense, BMO_BORROW, NULL, NULL));
    nearest(points, points->at + row * D, row, K, BMO_METRIC_L2, true_index, sums);
    for (int b = 0; b < 2; ++b) {
        bmo_config *config = box_config(b ? box->name : "dense", "1");
        bmo_dataset *dataset = dataset_prepare(source, config);
        bmo_query *query = query_with(dataset, config);
        assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, NULL));
        assert_memory_equal(index, true_index, sizeof index);
        for (int r = 0; r < K; ++r)
            assert_true(dist[r] == ldexp(sqrt((double)sums[r]), exponent));
        bmo_query_free(query);
        bmo_dataset_free(dataset);
        bmo_config_free(config);
    }
    bmo_dataset_free(source);
    free(values);
}

static void far_offsets_and_extreme_scales_are_answered_right(void **state) {
    const Box *box = *state;
    const Points clusters = points_create(N, D, 7), few = few_differences(8);
    for (int i = 0; i < 2; ++i) {
        const Points *points = i ? &few : &clusters;
        check_scaled(box, points, BMO_F32, 4194304.0, 0); /* 2^22 */
        check_scaled(box, points, BMO_F64, 1125899906842624.0, 0);
        check_scaled(box, points, BMO_F32, 0, 100);
        check_scaled(box, points, BMO_F32, 0, -149);
        check_scaled(box, points, BMO_F64, 0, 665);
        check_scaled(box, points, BMO_F64, 0, 1010);
        check_scaled(box, points, BMO_F64, 0, -1060);
    }
    points_free(few);
    points_free(clusters);
}

/* That one query of a call lies far beyond the data does not change the answers of the others. */
static void a_far_query_changes_no_other(void **state) {
    enum { NEAR = 40 };
    const Box *box = *state;
    const Points points = points_create(N, D, 15), others = points_create(NEAR, D, 16);
    bmo_config *config = box_config(box->name, "1");
    bmo_dataset *source = points_dataset(&points), *dataset = dataset_prepare(source, config);
    bmo_query *query = query_with(dataset, config);
    double *values = malloc((NEAR + 1) * D * sizeof *values);
    assert_non_null(values);
    for (int far = 96; far <= 112; far += 2) {
        int64_t index[(NEAR + 1) * K], true_index[K];
        const bmo_dense queries = {
            .struct_size = sizeof queries, .dtype = BMO_F64, .data = values, .n = NEAR + 1, .d = D};
        const bmo_output out = output_to(index, NULL, (NEAR + 1) * K);
        for (int64_t i = 0; i < (NEAR + 1) * D; ++i)
            values[i] = i < NEAR * D ? others.at[i] : ldexp(1, far);
        assert_ok(bmo_query_knn_dense(query, &queries, K, &out, NULL, NULL));
        for (int i = 0; i < NEAR; ++i) {
            nearest(&points, others.at + i * D, -1, K, BMO_METRIC_L2, true_index, NULL);
            assert_memory_equal(index + i * K, true_index, sizeof true_index);
        }
    }
    free(values);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    bmo_dataset_free(source);
    bmo_config_free(config);
    points_free(others);
    points_free(points);
}

/* Five points near the largest double, and many of the other sign. */
static void points_at_the_end_of_double_are_answered_right(void **state) {
    enum { COUNT = 300, COORDINATES = 64 };
    const Box *box = *state;
    double *values = malloc(COUNT * COORDINATES * sizeof *values);
    int64_t index[3];
    const int64_t row = 0, expected[] = {1, 2, 3};
    const bmo_output out = output_to(index, NULL, 3);
    const bmo_dense dense = {
        .struct_size = sizeof dense, .dtype = BMO_F64, .data = values, .n = COUNT, .d = COORDINATES};
    bmo_dataset *source = NULL;
    assert_non_null(values);
    for (int64_t i = 0; i < COUNT * COORDINATES; ++i) {
        const int64_t point = i / COORDINATES;
        values[i] = point < 5 ? (1 - ldexp((double)point, -20)) * DBL_MAX : -0.02 * DBL_MAX - ldexp((double)i, 990);
    }
    assert_ok(bmo_dataset_dense(&source, &dense, BMO_BORROW, NULL, NULL));
    bmo_config *config = box_config(box->name, "1");
    bmo_dataset *dataset = dataset_prepare(source, config);
    bmo_query *query = query_with(dataset, config);
    assert_ok(bmo_query_knn_rows(query, &row, 1, 3, &out, NULL, NULL));
    assert_memory_equal(index, expected, sizeof expected);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    bmo_config_free(config);
    bmo_dataset_free(source);
    free(values);
}

static void a_prepared_dataset_tells_for_what(void **state) {
    const Box *box = *state;
    const Points points = points_create(N, D, 1);
    bmo_config *config = box_config(box->name, "9");
    bmo_dataset *source = points_dataset(&points), *dataset = dataset_prepare(source, config),
                *again = dataset_prepare(dataset, NULL);
    bmo_dataset_info info = {.struct_size = sizeof info};
    assert_ok(bmo_dataset_describe(dataset, &info));
    assert_int_equal(info.box, box->id);
    assert_int_equal(info.metric, BMO_METRIC_L2);
    assert_int_equal(info.seed, 9);
    assert_true(info.bytes_owned >= N * D + N * 512 * sizeof(float));
    assert_true(info.prepare_ns > 0);
    assert_ok(bmo_dataset_describe(again, &info)); /* from the source, with the defaults */
    assert_int_equal(info.box, BMO_BOX_DENSE);
    assert_int_equal(info.seed, 0);
    bmo_dataset_free(again);
    bmo_dataset_free(dataset);
    bmo_dataset_free(source);
    bmo_config_free(config);
    points_free(points);
}

/* Where nothing can be saved, with few coordinates or with points that are all alike, too. */
static void no_search_takes_much_more_than_a_scan(void **state) {
    static const int64_t sizes[] = {1, 3, 16, 32, 48, 100, 160, 168, 169, 200, 300, 700};
    static const char *const boxes[] = {"dense", "rotated", "projected", "sketch"};
    (void)state;
    for (size_t s = 0; s < COUNT(sizes); ++s)
        for (size_t b = 0; b < COUNT(boxes); ++b) {
            const Points points = points_create(N, sizes[s], 31);
            bmo_config *config = box_config(boxes[b], "3");
            bmo_dataset *source = points_dataset(&points), *dataset = dataset_prepare(source, config);
            bmo_query *query = query_with(dataset, config);
            bmo_stats stats = {.struct_size = sizeof stats};
            assert_ok(bmo_query_graph(query, K, NULL, NULL, &stats));
            assert_int_equal(stats.coord_ops_brute, (uint64_t)(N * (N - 1) * sizes[s]));
            const double most = strcmp(boxes[b], "sketch") == 0 ? 1.4 : 1.1;
            assert_true((double)stats.coord_ops <= most * (double)stats.coord_ops_brute);
            bmo_query_free(query);
            bmo_config_free(config);
            bmo_dataset_free(dataset);
            bmo_dataset_free(source);
            points_free(points);
        }
}

/* i + 7 j in bytes, times a unit. */
static void values_are_copied_where_a_narrow_type_holds_them(void **state) {
    enum { ROWS = 30, COLUMNS = 40 };
    static const struct {
        double unit;
        bmo_dtype dtype, prepared;
    } cases[] = {{1, BMO_F64, BMO_U8}, {0.5, BMO_F64, BMO_F32}, {-1, BMO_F64, BMO_F32}, {0.1, BMO_F64, BMO_F64},
                 {1, BMO_F32, BMO_U8}, {0.5, BMO_F32, BMO_F32}, {1, BMO_U8, BMO_U8}};
    (void)state;
    for (size_t c = 0; c < COUNT(cases); ++c)
        for (int by_columns = 0; by_columns < 2; ++by_columns) {
            double wide[ROWS * COLUMNS], copy[COLUMNS];
            float narrow[ROWS * COLUMNS];
            unsigned char bytes[ROWS * COLUMNS];
            const int64_t point_stride = by_columns ? 1 : COLUMNS, coord_stride = by_columns ? ROWS : 1;
            for (int64_t i = 0; i < ROWS; ++i)
                for (int64_t j = 0; j < COLUMNS; ++j) {
                    const int64_t at = i * point_stride + j * coord_stride;
                    wide[at] = (double)((i + 7 * j) % 256) * cases[c].unit;
                    narrow[at] = (float)wide[at];
                    bytes[at] = (unsigned char)((i + 7 * j) % 256);
                }
            const bmo_dense dense = {.struct_size = sizeof dense,
                                     .dtype = cases[c].dtype,
                                     .data = cases[c].dtype == BMO_F64   ? (const void *)wide
                                             : cases[c].dtype == BMO_F32 ? (const void *)narrow
                                                                         : bytes,
                                     .n = ROWS,
                                     .d = COLUMNS,
                                     .point_stride = point_stride,
                                     .coord_stride = coord_stride};
            bmo_dataset *source = NULL, *prepared = NULL;
            bmo_dataset_info info = {.struct_size = sizeof info};
            const bmo_dtype expected = by_columns || cases[c].prepared == BMO_U8 ? cases[c].prepared : cases[c].dtype;
            assert_ok(bmo_dataset_dense(&source, &dense, BMO_BORROW, NULL, NULL));
            assert_ok(bmo_dataset_prepare(&prepared, source, NULL, NULL));
            assert_ok(bmo_dataset_describe(prepared, &info));
            assert_int_equal(info.dtype, expected);
            assert_true((info.bytes_borrowed == 0) == (expected != cases[c].dtype));
            bmo_dataset_free(source);
            for (int64_t i = 0; i < ROWS; ++i) {
                assert_ok(bmo_dataset_copy_rows(prepared, &i, 1, copy));
                for (int64_t j = 0; j < COLUMNS; ++j)
                    assert_true(copy[j] == wide[i * point_stride + j * coord_stride]);
            }
            bmo_dataset_free(prepared);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        on_box(answers_are_exact_where_differences_are_few, rotated),
        on_box(new_queries_are_projected_and_own_points_are_not, rotated),
        on_box(far_offsets_and_extreme_scales_are_answered_right, rotated),
        on_box(a_far_query_changes_no_other, rotated),
        on_box(points_at_the_end_of_double_are_answered_right, rotated),
        on_box(a_prepared_dataset_tells_for_what, rotated),
        on_box(answers_are_exact_where_differences_are_few, projected),
        on_box(new_queries_are_projected_and_own_points_are_not, projected),
        on_box(far_offsets_and_extreme_scales_are_answered_right, projected),
        on_box(a_far_query_changes_no_other, projected),
        on_box(points_at_the_end_of_double_are_answered_right, projected),
        on_box(a_prepared_dataset_tells_for_what, projected),
        on_box(answers_are_exact_where_differences_are_few, sketch),
        on_box(far_offsets_and_extreme_scales_are_answered_right, sketch),
        on_box(a_far_query_changes_no_other, sketch),
        on_box(points_at_the_end_of_double_are_answered_right, sketch),
        cmocka_unit_test(no_search_takes_much_more_than_a_scan),
        cmocka_unit_test(values_are_copied_where_a_narrow_type_holds_them),
    };
    return cmocka_run_group_tests_name("prepared_boxes", tests, NULL, NULL);
}

/* bmo_dataset_subset: the points of a subset are searched as any points, against distances by plain loops. */
#include "abi.h"
#include "prepared_box.h"
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { K = 5, QUERIES_ASKED = 6 };

/* Most of the points, in no order, and some of them twice. */
static int64_t *chosen_rows(int64_t n, int64_t *count) {
    int64_t *rows = allocate(n, sizeof *rows);
    *count = 0;
    for (int64_t i = 0; i < n; ++i)
        if (i % 3 != 1)
            rows[(*count)++] = (i * 11 + 5) % n;
    rows[1] = rows[0];
    return rows;
}

static Points points_at(const Points *points, const int64_t *rows, int64_t count) {
    const Points some = {count, points->d, allocate(count * points->d, 1)};
    for (int64_t i = 0; i < count; ++i)
        memcpy(some.at + i * points->d, points->at + rows[i] * points->d, (size_t)points->d);
    return some;
}

static bmo_dataset *subset_of(const bmo_dataset *dataset, const int64_t *rows, int64_t count) {
    bmo_dataset *some = NULL;
    assert_ok(bmo_dataset_subset(&some, dataset, rows, count, NULL));
    return some;
}

static int32_t see_phase(void *prepared, const bmo_progress *progress) {
    assert_in_range(progress->done, 0, progress->total);
    *(int *)prepared |= progress->phase == BMO_PHASE_PREPARE;
    return 0;
}

/* anew: what was prepared of the points is made again, not copied. */
static bmo_dataset *watched_subset(const bmo_dataset *dataset, const int64_t *rows, int64_t count, int anew) {
    int prepared = 0;
    const bmo_monitor monitor = {.struct_size = sizeof monitor, .progress = see_phase, .ctx = &prepared};
    bmo_dataset *some = NULL;
    assert_ok(bmo_dataset_subset(&some, dataset, rows, count, &monitor));
    assert_int_equal(prepared, anew);
    return some;
}

/* Distances to the k nearest of some points that are in no dataset. */
static double *distances_of(const bmo_dataset *dataset, const bmo_config *config, const Points *asked,
                            bmo_stats *stats) {
    double *distance = allocate(asked->n * K, sizeof *distance);
    const bmo_dense queries = points_dense(asked);
    const bmo_output out = output_to(NULL, distance, asked->n * K);
    bmo_query *query = query_with(dataset, config);
    assert_ok(bmo_query_knn_dense(query, &queries, K, &out, NULL, stats));
    bmo_query_free(query);
    return distance;
}

/* By plain loops over whole numbers, which a double holds. */
static double true_distance(const char *metric, const uint8_t *a, const uint8_t *b, int64_t d) {
    double squares = 0, absolute = 0, product = 0, of_a = 0, of_b = 0;
    for (int64_t c = 0; c < d; ++c) {
        const double difference = fabs((double)a[c] - b[c]);
        squares += difference * difference;
        absolute += difference;
        product += (double)a[c] * b[c];
        of_a += (double)a[c] * a[c];
        of_b += (double)b[c] * b[c];
    }
    if (strcmp(metric, "l1") == 0)
        return absolute;
    if (strcmp(metric, "inner_product") == 0)
        return -product;
    return strcmp(metric, "cosine") == 0 ? (double)(1 - product / (sqrtl(of_a) * sqrtl(of_b))) : sqrt(squares);
}

static void check_found(const bmo_dataset *some, const bmo_config *config, const char *metric, const Points *points,
                        const Points *asked) {
    bmo_stats stats = {.struct_size = sizeof stats};
    double *found = distances_of(some, config, asked, &stats), *all = allocate(points->n, sizeof *all);
    assert_int_equal(stats.arms, points->n);
    for (int64_t i = 0; i < asked->n; ++i) {
        int64_t index[K];
        for (int64_t j = 0; j < points->n; ++j)
            all[j] = true_distance(metric, asked->at + i * points->d, points->at + j * points->d, points->d);
        least(all, points->n, -1, K, index);
        for (int r = 0; r < K; ++r)
            assert_true(fabs(found[i * K + r] - all[index[r]]) <= 1e-12 * fabs(all[index[r]]));
    }
    free(all);
    free(found);
}

static bmo_dataset *reopened(const bmo_dataset *dataset) {
    char path[] = "/tmp/bmo-subset-XXXXXX";
    const int file = mkstemp(path);
    bmo_dataset *again = NULL;
    assert_true(file >= 0 && close(file) == 0);
    assert_ok(bmo_dataset_save(dataset, path, NULL));
    assert_ok(bmo_dataset_open(&again, path, BMO_COPY, NULL));
    assert_int_equal(unlink(path), 0);
    return again;
}

/* Whole: a dataset of the points, not prepared. */
static void check_box(const char *box, const char *metric, const Points *points, const bmo_dataset *whole, int anew) {
    int64_t count, *rows = chosen_rows(points->n, &count);
    const Points some_points = points_at(points, rows, count), asked = points_create(QUERIES_ASKED, points->d, 77);
    bmo_config *config = box_config(box, "3");
    assert_ok(bmo_config_set_text(config, "metric", metric));
    bmo_dataset *prepared = dataset_prepare(whole, config), *some = watched_subset(prepared, rows, count, anew);
    bmo_dataset *again = reopened(some);
    bmo_dataset_info all = {.struct_size = sizeof all}, info = all;
    assert_ok(bmo_dataset_describe(prepared, &all));
    assert_ok(bmo_dataset_describe(some, &info));
    bmo_dataset_free(prepared);
    assert_int_equal(info.n, count);
    assert_int_equal(info.d, points->d);
    assert_int_equal(info.box, all.box);
    assert_int_equal(info.metric, all.metric);
    assert_int_equal(info.seed, 3);
    assert_int_equal(info.dtype, all.dtype);
    assert_int_equal(info.bytes_borrowed, 0);
    assert_true(info.bytes_owned < all.bytes_owned);
    check_found(some, config, metric, &some_points, &asked);
    check_found(again, config, metric, &some_points, &asked);
    bmo_dataset_free(again);
    bmo_dataset_free(some);
    bmo_config_free(config);
    points_free(asked);
    points_free(some_points);
    free(rows);
}

static void every_preparation_serves_a_subset(void **state) {
    (void)state;
    static const struct {
        const char *box, *metric;
        int anew;
    } cases[] = {{"dense", "l1", 0},
                 {"dense", "cosine", 0},
                 {"rotated", "l2", 0},
                 {"rotated", "cosine", 0},
                 {"projected", "l2", 0},
                 {"projected", "cosine", 0},
                 {"projected", "inner_product", 1},
                 {"sketch", "l2", 1},
                 {"sketch", "cosine", 1}};
    const Points points = points_create(N, D, 4);
    bmo_dataset *whole = points_dataset(&points);
    for (size_t i = 0; i < COUNT(cases); ++i)
        check_box(cases[i].box, cases[i].metric, &points, whole, cases[i].anew);
    bmo_dataset_free(whole);
    points_free(points);
}

static void sparse_points_have_subsets(void **state) {
    (void)state;
    const Points points = points_create(200, 90, 8);
    const bmo_sparse sparse = points_sparse(&points);
    bmo_dataset *whole = NULL;
    assert_ok(bmo_dataset_sparse(&whole, &sparse, BMO_COPY, NULL, NULL));
    check_box("sparse", "l1", &points, whole, 1);
    check_box("sparse_union", "l2", &points, whole, 1);
    bmo_dataset_free(whole);
    sparse_free(sparse);
    points_free(points);
}

/* Groups of points fall as a whole: a query takes fewer operations than the leads of all points would. */
static void groups_have_subsets(void **state) {
    (void)state;
    enum { MANY = 14000, WIDE = 256, LEAD = 16 };
    const Points points = points_create(MANY, WIDE, 8);
    int64_t count, *rows = chosen_rows(MANY, &count), asked[20];
    double distance[COUNT(asked) * K];
    bmo_config *config = box_config("projected", "3");
    bmo_dataset *source = points_dataset(&points), *whole = dataset_prepare(source, config);
    bmo_dataset *some = watched_subset(whole, rows, count, 0);
    bmo_query *query = query_with(some, config);
    bmo_stats stats = {.struct_size = sizeof stats};
    const bmo_output out = output_to(NULL, distance, COUNT(distance));
    for (int64_t i = 0; i < (int64_t)COUNT(asked); ++i)
        asked[i] = i * 400;
    assert_ok(bmo_query_knn_rows(query, asked, COUNT(asked), K, &out, NULL, &stats));
    assert_true(stats.coord_ops - stats.exact_evals * WIDE < COUNT(asked) * (uint64_t)count * LEAD);
    bmo_query_free(query);
    check_box("projected", "l2", &points, source, 0);
    bmo_dataset_free(some);
    bmo_dataset_free(whole);
    bmo_dataset_free(source);
    bmo_config_free(config);
    free(rows);
    points_free(points);
}

/* A rotation is scaled by the largest value. */
static void points_without_the_largest_are_rotated_anew(void **state) {
    (void)state;
    Points points = points_create(N, D, 4);
    for (int64_t i = 0; i < N * D; ++i)
        points.at[i] /= 16;
    points.at[16 * D] = 255; /* of no point that is chosen */
    bmo_dataset *whole = points_dataset(&points);
    check_box("rotated", "l2", &points, whole, 1);
    bmo_dataset_free(whole);
    points_free(points);
}

static void every_type_and_layout_is_copied(void **state) {
    (void)state;
    static const bmo_dtype dtypes[] = {BMO_F32, BMO_F64, BMO_U8, BMO_I8, BMO_F16, BMO_BF16};
    const Points points = points_create(70, 33, 2);
    for (int64_t i = 0; i < points.n * points.d; ++i)
        points.at[i] /= 2; /* int8 holds them */
    int64_t count, *rows = chosen_rows(points.n, &count);
    double *expected = allocate(count * points.d, sizeof *expected),
           *copied = allocate(count * points.d, sizeof *copied);
    for (size_t t = 0; t < COUNT(dtypes); ++t)
        for (int layout = 0; layout < 3; ++layout) {
            const int64_t by_point = layout == 0 ? points.d + 2 : layout;
            const int64_t by_coord = layout == 0 ? 1 : 2 * points.n + 3;
            void *values = points_as(&points, dtypes[t], by_point, by_coord);
            const bmo_dense dense = {.struct_size = sizeof dense,
                                     .dtype = dtypes[t],
                                     .data = values,
                                     .n = points.n,
                                     .d = points.d,
                                     .point_stride = by_point,
                                     .coord_stride = by_coord};
            bmo_dataset *whole = NULL;
            assert_ok(bmo_dataset_dense(&whole, &dense, BMO_BORROW, NULL, NULL));
            bmo_dataset *some = subset_of(whole, rows, count);
            bmo_dataset_info info = {.struct_size = sizeof info};
            assert_ok(bmo_dataset_describe(some, &info));
            assert_int_equal(info.dtype, dtypes[t]);
            assert_int_equal(info.box, BMO_BOX_AUTO);
            assert_ok(bmo_dataset_copy_rows(whole, rows, count, expected));
            bmo_dataset_free(whole);
            free(values);
            for (int64_t i = 0; i < count; ++i)
                assert_ok(bmo_dataset_copy_rows(some, &i, 1, copied + i * points.d));
            assert_memory_equal(copied, expected, (size_t)(count * points.d) * sizeof *copied);
            bmo_dataset_free(some);
        }
    free(copied);
    free(expected);
    free(rows);
    points_free(points);
}

static int32_t stop(void *ctx, const bmo_progress *progress) {
    (void)progress;
    ++*(int *)ctx;
    return 1;
}

static void what_is_wrong_is_refused(void **state) {
    (void)state;
    const Points points = points_create(50, 40, 2);
    const int64_t rows[] = {3, 50}, negative = -1;
    int calls = 0;
    bmo_dataset *whole = points_dataset(&points), *some = NULL;
    const bmo_monitor monitor = {.struct_size = sizeof monitor, .progress = stop, .ctx = &calls};
    assert_refused(bmo_dataset_subset(NULL, whole, rows, 1, NULL), BMO_EINVAL, "out");
    assert_refused(bmo_dataset_subset(&some, NULL, rows, 1, NULL), BMO_EINVAL, "ds");
    assert_refused(bmo_dataset_subset(&some, whole, NULL, 1, NULL), BMO_EINVAL, "rows");
    assert_refused(bmo_dataset_subset(&some, whole, rows, -1, NULL), BMO_EINVAL, "nrows");
    assert_refused(bmo_dataset_subset(&some, whole, rows, 2, NULL), BMO_EINVAL, "rows");
    assert_refused(bmo_dataset_subset(&some, whole, &negative, 1, NULL), BMO_EINVAL, "rows");
    assert_refused(bmo_dataset_subset(&some, whole, rows, 1, &monitor), BMO_ECANCELED, "");
    assert_int_equal(calls, 1);
    assert_null(some);
    bmo_dataset_free(whole);
    points_free(points);
}

static void a_subset_may_be_empty(void **state) {
    (void)state;
    static const char *const boxes[] = {"dense", "rotated", "projected", "sketch"};
    const Points points = points_create(600, 1200, 2), asked = points_create(QUERIES_ASKED, 1200, 77);
    const bmo_dense queries = points_dense(&asked);
    bmo_dataset *source = points_dataset(&points);
    for (size_t b = 0; b < COUNT(boxes); ++b) {
        bmo_config *config = box_config(boxes[b], "3");
        bmo_dataset *whole = dataset_prepare(source, config), *some = subset_of(whole, NULL, 0);
        bmo_dataset_info all = {.struct_size = sizeof all}, info = all;
        assert_ok(bmo_dataset_describe(whole, &all));
        assert_ok(bmo_dataset_describe(some, &info));
        assert_int_equal(info.n, 0);
        assert_int_equal(info.d, 1200);
        assert_int_equal(info.box, all.box);
        bmo_query *query = query_with(some, config);
        const bmo_output out = {.struct_size = sizeof out};
        assert_refused(bmo_query_knn_dense(query, &queries, 1, &out, NULL, NULL), BMO_EINVAL, "k");
        bmo_query_free(query);
        bmo_dataset_free(some);
        bmo_dataset_free(whole);
        bmo_config_free(config);
    }
    bmo_dataset_free(source);
    points_free(asked);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preparation_serves_a_subset),
        cmocka_unit_test(sparse_points_have_subsets),
        cmocka_unit_test(groups_have_subsets),
        cmocka_unit_test(points_without_the_largest_are_rotated_anew),
        cmocka_unit_test(every_type_and_layout_is_copied),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(a_subset_may_be_empty),
    };
    return cmocka_run_group_tests_name("subset", tests, NULL, NULL);
}

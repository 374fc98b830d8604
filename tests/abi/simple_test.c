/* The simple calls: answers by integer arithmetic, every type, and what is refused. */
#include "abi.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>

enum { N = 300, D = 70, QUERIES = 7, K = 4 };

typedef union {
    float f32[N * D];
    double f64[N * D];
    uint8_t u8[N * D];
    int32_t i32[N * D];
    int64_t i64[N * D];
    int8_t i8[N * D];
    int16_t i16[N * D];
    uint16_t u16[N * D];
    uint32_t u32[N * D];
} Values;

static const bmo_dtype dtypes[] = {BMO_F32, BMO_F64, BMO_U8,  BMO_I32, BMO_I64, BMO_I8,
                                   BMO_I16, BMO_U16, BMO_U32, BMO_F16, BMO_BF16};

static int digit(int64_t at, int salt) {
    return (int)(((uint64_t)at * 2654435761u + (uint64_t)salt * 40503u) >> 7 & 127);
}

static void fill(Values *values, bmo_dtype dtype, int64_t count, int salt) {
    for (int64_t i = 0; i < count; ++i) {
        const int value = digit(i, salt);
        switch (dtype) {
        case BMO_F32: values->f32[i] = (float)value; break;
        case BMO_F64: values->f64[i] = value; break;
        case BMO_U8: values->u8[i] = (uint8_t)value; break;
        case BMO_I32: values->i32[i] = value; break;
        case BMO_I8: values->i8[i] = (int8_t)value; break;
        case BMO_I16: values->i16[i] = (int16_t)value; break;
        case BMO_U16: values->u16[i] = (uint16_t)value; break;
        case BMO_U32: values->u32[i] = (uint32_t)value; break;
        case BMO_F16: values->u16[i] = f16_of(value); break;
        case BMO_BF16: values->u16[i] = bf16_of(value); break;
        default: values->i64[i] = value; break;
        }
    }
}

static int64_t square(int64_t point, int64_t query, int query_salt) {
    int64_t sum = 0;
    for (int64_t j = 0; j < D; ++j) {
        const int64_t apart = digit(point * D + j, 1) - digit(query * D + j, query_salt);
        sum += apart * apart;
    }
    return sum;
}

/* How many points come before this one: nearer, or as near and of lower index. */
static int64_t rank_of(int64_t point, int64_t query, int salt, int64_t self) {
    int64_t rank = 0;
    const int64_t own = square(point, query, salt);
    for (int64_t other = 0; other < N; ++other) {
        const int64_t sum = square(other, query, salt);
        rank += other != self && (sum < own || (sum == own && other < point));
    }
    return rank;
}

static void assert_row(const int64_t *index, const double *distance, int64_t query, int salt, int64_t self) {
    for (int64_t r = 0; r < K; ++r) {
        assert_true(index[r] != self);
        assert_int_equal(rank_of(index[r], query, salt, self), r);
        assert_true(distance[r] == sqrt((double)square(index[r], query, salt)));
    }
}

static void arrays_of_every_type_are_searched(void **state) {
    (void)state;
    Values *points = malloc(sizeof *points), *queries = malloc(sizeof *queries);
    assert_true(points && queries);
    for (size_t t = 0; t < COUNT(dtypes); ++t) {
        int64_t index[QUERIES * K];
        double distance[QUERIES * K];
        fill(points, dtypes[t], N * D, 1);
        fill(queries, dtypes[t], QUERIES * D, 2);
        assert_ok(bmo_knn(dtypes[t], points, N, queries, QUERIES, D, K, index, distance, NULL));
        for (int64_t i = 0; i < QUERIES; ++i)
            assert_row(index + i * K, distance + i * K, i, 2, -1);
        assert_ok(bmo_knn(dtypes[t], points, N, queries, QUERIES, D, K, index, NULL, NULL));
    }
    free(points), free(queries);
}

static void the_graph_leaves_out_each_point_itself(void **state) {
    (void)state;
    Values *points = malloc(sizeof *points);
    int64_t *index = malloc(sizeof *index * N * K);
    double *distance = malloc(sizeof *distance * N * K);
    assert_true(points && index && distance);
    for (size_t t = 0; t < COUNT(dtypes); ++t) {
        fill(points, dtypes[t], N * D, 1);
        assert_ok(bmo_knn_graph(dtypes[t], points, N, D, K, index, distance, NULL));
        for (int64_t i = 0; i < N; i += 29)
            assert_row(index + i * K, distance + i * K, i, 1, i);
    }
    free(points), free(index), free(distance);
}

/* Boxes that need prepared data are prepared for. */
static void a_config_is_followed(void **state) {
    (void)state;
    static const char *const boxes[] = {"auto", "dense", "rotated", "projected"};
    float *points = malloc(sizeof *points * N * D);
    assert_non_null(points);
    for (int64_t i = 0; i < N * D; ++i)
        points[i] = (float)digit(i, 1);
    for (size_t b = 0; b < COUNT(boxes); ++b) {
        bmo_config *config;
        int64_t index[K];
        double distance[K];
        assert_ok(bmo_config_create(&config));
        assert_ok(bmo_config_set_text(config, "metric", "l2sq"));
        assert_ok(bmo_config_set_text(config, "box", boxes[b]));
        assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
        assert_ok(bmo_knn(BMO_F32, points, N, points + 5 * D, 1, D, K, index, distance, config));
        for (int64_t r = 0; r < K; ++r) {
            assert_int_equal(rank_of(index[r], 5, 1, -1), r);
            assert_true(distance[r] == (double)square(index[r], 5, 1));
        }
        bmo_config_free(config);
    }
    free(points);
}

static void no_queries_and_no_points_are_no_error(void **state) {
    (void)state;
    const float point[2] = {1, 2};
    int64_t index[1] = {-7};
    assert_ok(bmo_knn(BMO_F32, point, 1, NULL, 0, 2, 1, index, NULL, NULL));
    assert_ok(bmo_knn_graph(BMO_F32, NULL, 0, 2, 1, index, NULL, NULL));
    assert_int_equal(index[0], -7);
}

static void wrong_arguments_are_refused_by_name(void **state) {
    (void)state;
    const float x[4] = {1, 2, 3, 4}, bad[4] = {1, 2, NAN, 4};
    int64_t index[4];
    double distance[4];
    assert_refused(bmo_knn(0, x, 2, x, 1, 2, 1, index, distance, NULL), BMO_EINVAL, "dtype");
    assert_refused(bmo_knn(BMO_F32, NULL, 2, x, 1, 2, 1, index, distance, NULL), BMO_EINVAL, "points");
    assert_refused(bmo_knn(BMO_F32, x, -1, x, 1, 2, 1, index, distance, NULL), BMO_EINVAL, "n");
    assert_refused(bmo_knn(BMO_F32, x, 2, NULL, 1, 2, 1, index, distance, NULL), BMO_EINVAL, "queries");
    assert_refused(bmo_knn(BMO_F32, x, 2, x, -1, 2, 1, index, distance, NULL), BMO_EINVAL, "m");
    assert_refused(bmo_knn(BMO_F32, x, 2, x, 1, 0, 1, index, distance, NULL), BMO_EINVAL, "d");
    assert_refused(bmo_knn(BMO_F32, x, 2, x, 1, 2, 3, index, distance, NULL), BMO_EINVAL, "k");
    assert_refused(bmo_knn(BMO_F32, x, 2, x, 1, 2, INT64_MAX, index, distance, NULL), BMO_EINVAL, "k");
    assert_refused(bmo_knn(BMO_F32, x, 2, x, 1, 2, 1, NULL, distance, NULL), BMO_EINVAL, "index");
    assert_refused(bmo_knn(BMO_F32, bad, 2, x, 1, 2, 1, index, distance, NULL), BMO_ENONFINITE, "points");
    assert_int_equal(last_error().row, 1);
    assert_int_equal(last_error().col, 0);
    assert_refused(bmo_knn(BMO_F32, x, 2, bad, 2, 2, 1, index, distance, NULL), BMO_ENONFINITE, "queries");
    assert_refused(bmo_knn_graph(BMO_F32, x, 2, 2, 2, index, distance, NULL), BMO_EINVAL, "k");
    assert_refused(bmo_knn_graph(BMO_F32, x, 1, 2, 1, index, distance, NULL), BMO_EINVAL, "k");
}

static void the_config_of_sparse_points_is_refused(void **state) {
    (void)state;
    const float x[4] = {1, 2, 3, 4};
    int64_t index[1];
    bmo_config *config;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "box", "sparse"));
    assert_refused(bmo_knn(BMO_F32, x, 2, x, 1, 2, 1, index, NULL, config), BMO_EINVAL, "box");
    bmo_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_of_every_type_are_searched),
        cmocka_unit_test(the_graph_leaves_out_each_point_itself),
        cmocka_unit_test(a_config_is_followed),
        cmocka_unit_test(no_queries_and_no_points_are_no_error),
        cmocka_unit_test(wrong_arguments_are_refused_by_name),
        cmocka_unit_test(the_config_of_sparse_points_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

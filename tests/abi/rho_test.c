/* The metric custom: a callback of the caller. */
#include "abi.h"
#include "reference.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { N = 300, D = 600, K = 4, QUERIES = 6 };

static bmo_config *custom(bmo_rho_fn rho, uint32_t flags, void *ctx, const char *method) {
    const bmo_owner owner = {.struct_size = sizeof owner, .ctx = ctx};
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "metric", "custom"));
    assert_ok(bmo_config_set_text(config, "method", method));
    assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
    assert_ok(bmo_config_set_rho(config, rho, flags, &owner));
    return config;
}

static bmo_query *query_on(const bmo_dataset *dataset, const bmo_config *config) {
    bmo_query *query = NULL;
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    return query;
}

/* (1 + j mod 5) * |a - b|, and 2 more where a > b: no metric, but a sum of integers. */
static int64_t rho_of(int64_t coord, int64_t a, int64_t b) {
    return (1 + coord % 5) * llabs(a - b) + (a > b ? 2 : 0);
}

static int32_t integers(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b, double *out) {
    assert_null(ctx);
    assert_true(count > 0);
    for (int64_t i = 0; i < count; ++i)
        out[i] = (double)rho_of(coord[i], (int64_t)a[i], (int64_t)b[i]);
    return 0;
}

static void the_distance_is_the_sum_of_the_callback(void **state) {
    static const char *const methods[] = {"bandit", "exact", "auto"};
    static const bmo_dtype dtypes[] = {BMO_U8, BMO_F32, BMO_F64};
    const Points points = points_create(N, D, 1), queries = points_create(QUERIES, D, 2);
    const bmo_dense query_points = points_dense(&queries);
    double sums[N], dist[QUERIES * K];
    int64_t index[QUERIES * K], expected[K];
    const bmo_output out = {
        .struct_size = sizeof out, .index = index, .distance = dist, .capacity = (int64_t)COUNT(index)};
    (void)state;
    for (size_t c = 0; c < COUNT(methods) * COUNT(dtypes) * 4; ++c) {
        const int by_column = c / COUNT(dtypes) % 2, prepared = c / COUNT(dtypes) / 2 % 2;
        bmo_config *config = custom(integers, 0, NULL, methods[c / COUNT(dtypes) / 4]);
        bmo_dense dense = {.struct_size = sizeof dense, .dtype = dtypes[c % COUNT(dtypes)], .n = N, .d = D};
        dense.point_stride = by_column ? 1 : D;
        dense.coord_stride = by_column ? N : 1;
        void *values = points_as(&points, dense.dtype, dense.point_stride, dense.coord_stride);
        bmo_dataset *dataset = NULL, *searched = NULL;
        bmo_stats stats = {.struct_size = sizeof stats};
        dense.data = values;
        assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
        if (prepared)
            assert_ok(bmo_dataset_prepare(&searched, dataset, config, NULL));
        else
            assert_ok(bmo_dataset_ref(&searched, dataset));
        bmo_query *query = query_on(searched, config);
        assert_ok(bmo_query_knn_dense(query, &query_points, K, &out, NULL, &stats));
        for (int64_t q = 0; q < QUERIES; ++q) {
            for (int64_t i = 0; i < N; ++i) {
                int64_t sum = 0;
                for (int64_t j = 0; j < D; ++j)
                    sum += rho_of(j, queries.at[q * D + j], points.at[i * D + j]);
                sums[i] = (double)sum;
            }
            least(sums, N, -1, K, expected);
            assert_memory_equal(index + q * K, expected, sizeof expected);
            for (int r = 0; r < K; ++r)
                assert_true(dist[q * K + r] == sums[expected[r]]);
        }
        assert_int_equal(stats.coord_ops_brute, QUERIES * N * D);
        bmo_query_free(query);
        bmo_dataset_free(searched);
        bmo_dataset_free(dataset);
        bmo_config_free(config);
        free(values);
    }
    points_free(queries);
    points_free(points);
}

/* Point i has i * D + j at coordinate j. */
static bmo_dataset *numbered(void) {
    double *values = malloc(N * D * sizeof *values);
    bmo_dataset *dataset = NULL;
    assert_non_null(values);
    for (int i = 0; i < N * D; ++i)
        values[i] = i;
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = values, .n = N, .d = D};
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    free(values);
    return dataset;
}

typedef struct Seen {
    int64_t row; /* of the query */
    pthread_t caller;
    int64_t pairs, wrong, elsewhere;
} Seen;

static int32_t look_at_pairs(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b,
                             double *out) {
    Seen *seen = ctx;
    seen->elsewhere += !pthread_equal(seen->caller, pthread_self());
    for (int64_t i = 0; i < count; ++i) {
        seen->wrong += coord[i] < 0 || coord[i] >= D || a[i] != (double)(seen->row * D + coord[i]) ||
                       fmod(b[i], D) != (double)coord[i];
        out[i] = fabs(a[i] - b[i]);
    }
    seen->pairs += count;
    return 0;
}

static void pairs_are_of_one_coordinate_and_on_the_callers_thread(void **state) {
    Seen seen = {.row = 100, .caller = pthread_self()};
    bmo_dataset *dataset = numbered();
    bmo_config *config = custom(look_at_pairs, 0, &seen, "bandit");
    assert_ok(bmo_config_set_text(config, "threads", "4"));
    bmo_query *query = query_on(dataset, config);
    const int64_t rows[8] = {100, 100, 100, 100, 100, 100, 100, 100};
    int64_t index[16];
    const bmo_output out = {.struct_size = sizeof out, .index = index, .capacity = 16};
    bmo_stats stats = {.struct_size = sizeof stats};
    (void)state;
    assert_ok(bmo_query_knn_rows(query, rows, 8, 2, &out, NULL, &stats));
    assert_int_equal(seen.wrong, 0);
    assert_int_equal(seen.elsewhere, 0);
    assert_int_equal(seen.pairs, stats.coord_ops);
    assert_int_equal(stats.threads, 1);
    assert_int_equal(index[0], 99);
    assert_int_equal(index[1], 101);
    bmo_query_free(query);
    bmo_config_free(config);
    bmo_dataset_free(dataset);
}

static void any_thread_means_several(void **state) {
    const Points points = points_create(N, D, 3);
    bmo_dataset *dataset = points_dataset(&points);
    int64_t *index[2];
    (void)state;
    for (int t = 0; t < 2; ++t) {
        bmo_config *config = custom(integers, t ? BMO_CALLBACK_ANY_THREAD : 0, NULL, "bandit");
        assert_ok(bmo_config_set_text(config, "threads", "3"));
        bmo_query *query = query_on(dataset, config);
        bmo_stats stats = {.struct_size = sizeof stats};
        index[t] = calloc(N * K, sizeof *index[t]);
        assert_non_null(index[t]);
        const bmo_output out = {.struct_size = sizeof out, .index = index[t], .capacity = N * K};
        assert_ok(bmo_query_graph(query, K, &out, NULL, &stats));
        assert_int_equal(stats.threads, t ? 3 : 1);
        bmo_query_free(query);
        bmo_config_free(config);
    }
    assert_memory_equal(index[0], index[1], N * K * sizeof *index[0]);
    free(index[0]);
    free(index[1]);
    bmo_dataset_free(dataset);
    points_free(points);
}

typedef struct Misdeed {
    int64_t after; /* calls */
    int32_t result;
    double value; /* of the last pair */
    int64_t coord;
} Misdeed;

static int32_t misbehave(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b,
                         double *out) {
    Misdeed *misdeed = ctx;
    for (int64_t i = 0; i < count; ++i)
        out[i] = fabs(a[i] - b[i]);
    if (misdeed->after-- > 0)
        return 0;
    misdeed->coord = coord[count - 1];
    out[count - 1] = misdeed->value;
    return misdeed->result;
}

static void a_callback_that_fails_ends_the_call(void **state) {
    static const double bad[] = {(double)NAN, (double)INFINITY, -1e-300};
    static const char *const methods[] = {"bandit", "exact"};
    bmo_dataset *dataset = numbered();
    (void)state;
    for (size_t c = 0; c < 2 * (1 + COUNT(bad)) * 3; ++c) {
        const size_t kind = c / 2 % (1 + COUNT(bad));
        Misdeed misdeed = {.after = (int64_t)(c / 2 / (1 + COUNT(bad))) * 2};
        if (kind == 0)
            misdeed.result = -77;
        else
            misdeed.value = bad[kind - 1];
        bmo_config *config = custom(misbehave, 0, &misdeed, methods[c % 2]);
        bmo_query *query = query_on(dataset, config);
        const int64_t row = 50;
        int64_t index = -7;
        const bmo_output out = {.struct_size = sizeof out, .index = &index, .capacity = 1};
        assert_refused(bmo_query_knn_rows(query, &row, 1, 1, &out, NULL, NULL), BMO_ECALLBACK, "rho");
        assert_int_equal(last_error().callback_result, misdeed.result);
        assert_int_equal(last_error().col, kind == 0 ? -1 : misdeed.coord);
        assert_true(kind == 0 ? last_error().row == -1 : last_error().row >= 0 && last_error().row < N);
        assert_int_equal(index, -7);
        misdeed.after = INT64_MAX; /* the query can be used again */
        assert_ok(bmo_query_knn_rows(query, &row, 1, 1, &out, NULL, NULL));
        assert_int_equal(index, 49);
        bmo_query_free(query);
        bmo_config_free(config);
    }
    bmo_dataset_free(dataset);
}

static int32_t huge(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b, double *out) {
    (void)coord;
    for (int64_t i = 0; i < count; ++i)
        out[i] = *(const double *)ctx * fabs(a[i] - b[i]);
    return 0;
}

static void distances_of_every_size(void **state) {
    static const double units[] = {0x1p-1000, 0x1p-200, 0x1p200, 0x1p990, 0x1p1006};
    bmo_dataset *dataset = numbered();
    const int64_t row = 50;
    (void)state;
    for (size_t u = 0; u < COUNT(units); ++u) {
        double unit = units[u], dist[2];
        int64_t index[2];
        const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = 2};
        bmo_config *config = custom(huge, 0, &unit, "bandit");
        bmo_query *query = query_on(dataset, config);
        const bmo_status status = bmo_query_knn_rows(query, &row, 1, 2, &out, NULL, NULL);
        if (unit > 0x1p1000) {
            assert_int_equal(status, BMO_EOVERFLOW);
        } else {
            assert_ok(status);
            assert_int_equal(index[0], 49);
            assert_int_equal(index[1], 51);
            assert_true(dist[0] == (double)D * D * unit);
        }
        bmo_query_free(query);
        bmo_config_free(config);
    }
    bmo_dataset_free(dataset);
}

static void count_release(void *count) {
    ++*(int *)count;
}

static void the_ctx_lives_as_long_as_what_uses_it(void **state) {
    int released[2] = {0, 0};
    const bmo_owner first = {.struct_size = sizeof first, .release = count_release, .ctx = &released[0]};
    const bmo_owner second = {.struct_size = sizeof second, .release = count_release, .ctx = &released[1]};
    bmo_config *config = NULL, *copy = NULL;
    bmo_dataset *dataset = numbered();
    (void)state;
    assert_ok(bmo_config_create(&config));
    assert_refused(bmo_config_set_rho(config, integers, 2, &first), BMO_EINVAL, "flags");
    assert_refused(bmo_config_set_rho(NULL, integers, 0, &first), BMO_EINVAL, "config");
    assert_refused(bmo_config_set_rho(config, NULL, 0, &first), BMO_EINVAL, "owner");
    assert_int_equal(released[0], 0);
    assert_ok(bmo_config_set_rho(config, integers, 0, &first));
    assert_ok(bmo_config_set_text(config, "metric", "custom"));
    assert_ok(bmo_config_copy(&copy, config));
    assert_ok(bmo_config_set_rho(config, integers, 0, &second));
    bmo_query *query = query_on(dataset, copy);
    bmo_config_free(copy);
    assert_int_equal(released[0], 0);
    bmo_query_free(query);
    assert_int_equal(released[0], 1);
    assert_ok(bmo_config_set_rho(config, NULL, 0, NULL));
    assert_int_equal(released[1], 1);
    assert_refused(bmo_query_create(&query, dataset, config, NULL), BMO_EINVAL, "metric");
    bmo_config_free(config);
    bmo_dataset_free(dataset);
    assert_int_equal(released[0] + released[1], 2);
}

static void what_does_not_combine_is_refused(void **state) {
    static const double weights[D] = {1};
    bmo_dataset *dataset = numbered(), *prepared = NULL;
    bmo_config *config = custom(integers, 0, NULL, "auto");
    bmo_query *query = NULL;
    (void)state;
    assert_ok(bmo_config_set_weights(config, weights, D));
    assert_refused(bmo_query_create(&query, dataset, config, NULL), BMO_EINVAL, "weights");
    assert_ok(bmo_config_set_weights(config, NULL, 0));
    assert_ok(bmo_config_set_text(config, "box", "rotated"));
    assert_refused(bmo_dataset_prepare(&prepared, dataset, config, NULL), BMO_EINVAL, "metric");
    assert_null(query);
    bmo_config_free(config);
    bmo_dataset_free(dataset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_distance_is_the_sum_of_the_callback),
        cmocka_unit_test(pairs_are_of_one_coordinate_and_on_the_callers_thread),
        cmocka_unit_test(any_thread_means_several),
        cmocka_unit_test(a_callback_that_fails_ends_the_call),
        cmocka_unit_test(distances_of_every_size),
        cmocka_unit_test(the_ctx_lives_as_long_as_what_uses_it),
        cmocka_unit_test(what_does_not_combine_is_refused),
    };
    return cmocka_run_group_tests_name("rho", tests, NULL, NULL);
}

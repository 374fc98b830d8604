/* Importance sampling: answers against sums of integers, on points of which a few coordinates hold most of a distance. */
#include "abi.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300, D = 1600, K = 4, ROWS = 6 };

static const int64_t rows[ROWS] = {11, 0, N - 1, 150, 11, 77};

/* One of 100 coordinates has any byte, the others are below 8. */
static Points uneven_points(void) {
    const Points points = points_create(N, D, 4);
    for (int64_t i = 0; i < N * D; ++i)
        if (i % D % 100 != 3)
            points.at[i] %= 8;
    return points;
}

/* Every third weight is 0, the others 1 to 7. */
static void make_weights(double *weights) {
    for (int j = 0; j < D; ++j)
        weights[j] = j % 3 == 1 ? 0 : (double)(1 + j % 7);
}

static void sums_from(const Points *points, const double *weights, int power, int64_t row, double *sums) {
    for (int64_t i = 0; i < N; ++i) {
        int64_t sum = 0;
        for (int64_t j = 0; j < D; ++j) {
            const int64_t apart = llabs((int64_t)points->at[i * D + j] - (int64_t)points->at[row * D + j]);
            int64_t part = weights ? (int64_t)weights[j] : 1;
            for (int p = 0; p < power; ++p)
                part *= apart;
            sum += part;
        }
        sums[i] = (double)sum;
    }
}

static bmo_config *config_of(const char *metric, const char *bandit, const char *sampling) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "metric", metric));
    assert_ok(bmo_config_set_text(config, "method", "bandit"));
    assert_ok(bmo_config_set_text(config, "bandit", bandit));
    assert_ok(bmo_config_set_text(config, "sampling", sampling));
    assert_ok(bmo_config_set_text(config, "p", "3"));
    assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
    assert_ok(bmo_config_set_text(config, "seed", "5"));
    return config;
}

static bmo_stats ask(const bmo_dataset *dataset, const bmo_config *config, int64_t *index, double *dist) {
    const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = ROWS * K};
    bmo_stats stats = {.struct_size = sizeof stats};
    bmo_query *query = NULL;
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_ok(bmo_query_knn_rows(query, rows, ROWS, K, &out, NULL, &stats));
    bmo_query_free(query);
    return stats;
}

/* The answers of every row; distances within 1e-12 where a root of a power is taken. */
static void check(const Points *points, const double *weights, int power, double unit, const int64_t *index,
                  const double *dist) {
    for (int q = 0; q < ROWS; ++q) {
        double sums[N];
        int64_t expected[K];
        sums_from(points, weights, power, rows[q], sums);
        least(sums, N, rows[q], K, expected);
        assert_memory_equal(index + q * K, expected, sizeof expected);
        for (int r = 0; r < K; ++r) {
            const double distance = pow(sums[expected[r]], 1.0 / power) * unit;
            assert_true(fabs(dist[q * K + r] - distance) <= 1e-12 * distance);
        }
    }
}

static void answers_are_exact_under_every_metric(void **state) {
    static const struct {
        const char *metric;
        int power;
    } metrics[] = {{"l2", 2}, {"l1", 1}, {"lp", 3}};
    static const char *const bandits[] = {"race", "ucb", "lucb", "lucb++"};
    static const bmo_dtype dtypes[] = {BMO_U8, BMO_F32, BMO_F64};
    const Points points = uneven_points();
    double weights[D], dist[ROWS * K];
    int64_t index[ROWS * K];
    (void)state;
    make_weights(weights);
    for (size_t m = 0; m < COUNT(metrics); ++m)
        for (size_t b = 0; b < COUNT(bandits); ++b)
            for (size_t t = 0; t < (b == 0 ? COUNT(dtypes) : 1); ++t)
                for (int kind = 0; kind < 4; ++kind) {
                    const int weighted = kind % 2, prepared = kind / 2;
                    bmo_config *config = config_of(metrics[m].metric, bandits[b], "importance");
                    bmo_dense dense = {.struct_size = sizeof dense, .dtype = dtypes[t], .n = N, .d = D};
                    dense.point_stride = prepared ? D : 1;
                    dense.coord_stride = prepared ? 1 : N;
                    void *values = points_as(&points, dtypes[t], dense.point_stride, dense.coord_stride);
                    bmo_dataset *source = NULL, *dataset = NULL;
                    dense.data = values;
                    if (weighted)
                        assert_ok(bmo_config_set_weights(config, weights, D));
                    assert_ok(bmo_dataset_dense(&source, &dense, BMO_BORROW, NULL, NULL));
                    if (prepared)
                        assert_ok(bmo_dataset_prepare(&dataset, source, config, NULL));
                    const bmo_stats stats = ask(prepared ? dataset : source, config, index, dist);
                    check(&points, weighted ? weights : NULL, metrics[m].power, 1, index, dist);
                    assert_int_equal(stats.sampling, BMO_SAMPLING_IMPORTANCE);
                    assert_int_equal(stats.box, BMO_BOX_DENSE);
                    assert_true(stats.guarantee >= BMO_GUARANTEE_PROVEN);
                    bmo_dataset_free(dataset);
                    bmo_dataset_free(source);
                    bmo_config_free(config);
                    free(values);
                }
    points_free(points);
}

static void few_coordinates_tell_where_they_hold_most(void **state) {
    const Points points = uneven_points();
    bmo_dataset *dataset = points_dataset(&points);
    uint64_t taken[2];
    (void)state;
    for (int i = 0; i < 2; ++i) {
        double dist[ROWS * K];
        int64_t index[ROWS * K];
        bmo_config *config = config_of("l2", "race", i ? "importance" : "without_replacement");
        const bmo_stats stats = ask(dataset, config, index, dist);
        check(&points, NULL, 2, 1, index, dist);
        taken[i] = stats.coord_ops;
        assert_true((double)stats.coord_ops <= 1.1 * (double)stats.coord_ops_brute);
        bmo_config_free(config);
    }
    assert_true(taken[1] < taken[0] / 2);
    bmo_dataset_free(dataset);
    points_free(points);
}

/* Many queries of points that are not prepared, and of points that are, for another order: two are raced first. */
static void auto_answers_right(void **state) {
    enum { ASKED = 80 };
    const Points points = uneven_points();
    bmo_dataset *source = points_dataset(&points);
    int64_t asked[ASKED], index[ASKED * K];
    (void)state;
    for (int64_t i = 0; i < ASKED; ++i)
        asked[i] = i * 3;
    for (int prepared = 0; prepared < 2; ++prepared) {
        bmo_config *config = config_of("l2", "race", "importance");
        bmo_dataset *dataset = source;
        bmo_query *query = NULL;
        bmo_stats stats = {.struct_size = sizeof stats};
        const bmo_output out = {.struct_size = sizeof out, .index = index, .capacity = ASKED * K};
        if (prepared)
            assert_ok(bmo_dataset_prepare(&dataset, source, config, NULL));
        assert_ok(bmo_config_set_text(config, "method", "auto"));
        assert_ok(bmo_query_create(&query, dataset, config, NULL));
        assert_ok(bmo_query_knn_rows(query, asked, ASKED, K, &out, NULL, &stats));
        assert_true(strlen(stats.reason) > 0);
        for (int i = 0; i < ASKED; ++i) {
            int64_t expected[K];
            nearest(&points, points.at + asked[i] * D, asked[i], K, BMO_METRIC_L2, expected, NULL);
            assert_memory_equal(index + i * K, expected, sizeof expected);
        }
        bmo_query_free(query);
        bmo_config_free(config);
        if (prepared)
            bmo_dataset_free(dataset);
    }
    bmo_dataset_free(source);
    points_free(points);
}

static void every_scale_is_answered_right(void **state) {
    static const int exponents[] = {-1060, -500, -130, 110, 500, 1010};
    const Points points = uneven_points();
    double *values = malloc(N * D * sizeof *values);
    (void)state;
    assert_non_null(values);
    for (size_t e = 0; e < COUNT(exponents); ++e) {
        double dist[ROWS * K];
        int64_t index[ROWS * K];
        const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = values, .n = N, .d = D};
        bmo_config *config = config_of("l2", "race", "importance");
        bmo_dataset *dataset = NULL;
        for (int64_t i = 0; i < N * D; ++i)
            values[i] = ldexp(points.at[i], exponents[e]);
        assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
        ask(dataset, config, index, dist);
        check(&points, NULL, 2, ldexp(1, exponents[e]), index, dist);
        bmo_dataset_free(dataset);
        bmo_config_free(config);
    }
    free(values);
    points_free(points);
}

/* Points that differ from the query by as much, in few coordinates: nothing tells them apart. */
static void ties_take_little_more_than_a_scan(void **state) {
    static const int64_t sizes[][4] = {{64, 161, 1, 5},  {2000, 161, 1, 1},  {64, 321, 1, 5},   {2000, 321, 1, 1},
                                       {64, 512, 17, 5}, {2000, 512, 17, 1}, {64, 2048, 40, 5}, {400, 4096, 16, 3}};
    static const char *const bandits[] = {"race", "ucb", "lucb++"};
    (void)state;
    for (size_t s = 0; s < COUNT(sizes); ++s)
        for (size_t b = 0; b < (sizes[s][0] < 400 ? COUNT(bandits) : 1); ++b) {
            const int64_t n = sizes[s][0], d = sizes[s][1];
            float *values = allocate(n * d, sizeof *values), *origin = allocate(d, sizeof *origin);
            for (int64_t i = 0; i < n; ++i)
                for (int64_t j = 0; j < sizes[s][2]; ++j)
                    values[i * d + 7 * j] = i * (j + 3) % 5 < 2 ? 1 : -1;
            const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F32, .data = values, .n = n, .d = d},
                            asked = {.struct_size = sizeof asked, .dtype = BMO_F32, .data = origin, .n = 1, .d = d};
            bmo_config *config = config_of("l2", bandits[b], "importance");
            bmo_dataset *dataset = NULL;
            bmo_query *query = NULL;
            bmo_stats stats = {.struct_size = sizeof stats};
            assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
            assert_ok(bmo_query_create(&query, dataset, config, NULL));
            assert_ok(bmo_query_knn_dense(query, &asked, sizes[s][3], NULL, NULL, &stats));
            assert_true((double)stats.coord_ops <= (b == 0 ? 1.1 : 2.1) * (double)stats.coord_ops_brute);
            bmo_query_free(query);
            bmo_dataset_free(dataset);
            bmo_config_free(config);
            free(origin);
            free(values);
        }
}

/* Quarters of a unit below 2^-1022, and weights at the end of double: all that is computed here is exact but for the root. */
static void the_ends_of_double_are_answered(void **state) {
    const Points points = uneven_points();
    double *values = allocate(N * D, sizeof *values), *weights = allocate(D, sizeof *weights), dist[ROWS * K];
    int64_t index[ROWS * K];
    (void)state;
    for (int end = 0; end < 2; ++end) {
        const double unit = end ? 1 : ldexp(1, -1040), weight = end ? ldexp(1, 1020) : 1;
        for (int64_t i = 0; i < N * D; ++i)
            values[i] = unit * (i % 11 == 0 ? points.at[i] + 0.25 : points.at[i]);
        for (int64_t j = 0; j < D; ++j)
            weights[j] = weight;
        const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = values, .n = N, .d = D};
        bmo_config *config = config_of("l2", "race", "importance");
        bmo_dataset *dataset = NULL;
        assert_ok(bmo_config_set_weights(config, weights, D));
        assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
        ask(dataset, config, index, dist);
        for (int q = 0; q < ROWS; ++q) {
            double sums[N] = {0};
            int64_t expected[K];
            for (int64_t i = 0; i < N * D; ++i) {
                const double apart = (values[i] - values[rows[q] * D + i % D]) / unit;
                sums[i / D] += apart * apart;
            }
            least(sums, N, rows[q], K, expected);
            assert_memory_equal(index + q * K, expected, sizeof expected);
            for (int r = 0; r < K; ++r) {
                const double distance = sqrt(sums[expected[r]]) * unit * sqrt(weight);
                assert_true(fabs(dist[q * K + r] - distance) <= 1e-12 * distance + ldexp(1, -1073));
            }
        }
        bmo_dataset_free(dataset);
        bmo_config_free(config);
    }
    free(values);
    free(weights);
    points_free(points);
}

static void threads_and_repetitions_change_nothing(void **state) {
    const Points points = uneven_points();
    bmo_dataset *dataset = points_dataset(&points);
    double dist[2][ROWS * K];
    int64_t index[2][ROWS * K];
    bmo_stats stats[2];
    (void)state;
    for (int i = 0; i < 2; ++i) {
        bmo_config *config = config_of("l1", "race", "importance");
        assert_ok(bmo_config_set_text(config, "threads", i ? "3" : "1"));
        stats[i] = ask(dataset, config, index[i], dist[i]);
        bmo_config_free(config);
    }
    assert_memory_equal(index[0], index[1], sizeof index[0]);
    assert_memory_equal(dist[0], dist[1], sizeof dist[0]);
    assert_int_equal(stats[0].coord_ops, stats[1].coord_ops);
    bmo_dataset_free(dataset);
    points_free(points);
}

/* One point, no other, and coordinates of which all are alike or there is one. */
static void small_data_are_answered(void **state) {
    static const int64_t sizes[][2] = {{2, 1}, {2, 700}, {5, 16}, {40, 17}, {3, 513}};
    (void)state;
    for (size_t s = 0; s < COUNT(sizes); ++s) {
        const Points points = points_create(sizes[s][0], sizes[s][1], 9);
        bmo_dataset *dataset = points_dataset(&points);
        bmo_config *config = config_of("l2", "race", "importance");
        bmo_query *query = NULL;
        for (int64_t row = 0; row < points.n; ++row) {
            int64_t index = -1, expected = -1;
            const bmo_output out = {.struct_size = sizeof out, .index = &index, .capacity = 1};
            assert_ok(bmo_query_create(&query, dataset, config, NULL));
            assert_ok(bmo_query_knn_rows(query, &row, 1, 1, &out, NULL, NULL));
            nearest(&points, points.at + row * points.d, row, 1, BMO_METRIC_L2, &expected, NULL);
            assert_int_equal(index, expected);
            bmo_query_free(query);
        }
        bmo_config_free(config);
        bmo_dataset_free(dataset);
        points_free(points);
    }
}

static void what_does_not_combine_is_refused(void **state) {
    static const char *const refused[][2] = {{"confidence", "subgaussian"}, {"metric", "cosine"}, {"box", "rotated"}};
    const Points points = points_create(20, 30, 1);
    bmo_dataset *dataset = points_dataset(&points);
    (void)state;
    for (size_t i = 0; i < COUNT(refused); ++i) {
        bmo_config *config = config_of("l2", "auto", "importance");
        bmo_query *query = NULL;
        assert_ok(bmo_config_set_text(config, refused[i][0], refused[i][1]));
        assert_int_equal(bmo_query_create(&query, dataset, config, NULL), BMO_EINVAL);
        assert_null(query);
        bmo_config_free(config);
    }
    bmo_config *config = config_of("l2", "auto", "importance");
    bmo_query *query = NULL;
    assert_ok(bmo_config_set_text(config, "method", "uniform"));
    assert_refused(bmo_query_create(&query, dataset, config, NULL), BMO_EINVAL, "sampling");
    bmo_config_free(config);
    bmo_dataset_free(dataset);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_exact_under_every_metric),
        cmocka_unit_test(few_coordinates_tell_where_they_hold_most),
        cmocka_unit_test(auto_answers_right),
        cmocka_unit_test(every_scale_is_answered_right),
        cmocka_unit_test(ties_take_little_more_than_a_scan),
        cmocka_unit_test(the_ends_of_double_are_answered),
        cmocka_unit_test(threads_and_repetitions_change_nothing),
        cmocka_unit_test(small_data_are_answered),
        cmocka_unit_test(what_does_not_combine_is_refused),
    };
    return cmocka_run_group_tests_name("importance", tests, NULL, NULL);
}

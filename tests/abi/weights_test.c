/* Weights of the coordinates, against sums of integers. */
#include "abi.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>

enum { N = 260, D = 700, K = 4, ROW = 11 };

static bmo_config *config_of(const char *metric, const char *method) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "metric", metric));
    assert_ok(bmo_config_set_text(config, "method", method));
    assert_ok(bmo_config_set_text(config, "p", "3"));
    assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
    assert_ok(bmo_config_set_text(config, "seed", "5"));
    return config;
}

/* Every third weight is 0, the others 1 to 7. */
static void make_weights(double *weights, double unit) {
    for (int j = 0; j < D; ++j)
        weights[j] = j % 3 == 0 ? 0 : unit * (double)(1 + j % 7);
}

/* Sums over coordinates of weight * |a - b|^power: integers. */
static void weighted_sums(const Points *points, const double *weights, int power, double *sums) {
    for (int64_t i = 0; i < N; ++i) {
        int64_t sum = 0;
        for (int64_t j = 0; j < D; ++j) {
            const int64_t difference = llabs((int64_t)points->at[i * D + j] - (int64_t)points->at[ROW * D + j]);
            int64_t part = (int64_t)weights[j];
            for (int p = 0; p < power; ++p)
                part *= difference;
            sum += part;
        }
        sums[i] = (double)sum;
    }
}

static void ask(const bmo_dataset *dataset, const bmo_config *config, int64_t *index, double *dist, bmo_stats *stats) {
    const int64_t row = ROW;
    const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = K};
    bmo_query *query = NULL;
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, stats));
    bmo_query_free(query);
}

static void weighted_distances_are_exact(void **state) {
    static const struct {
        const char *metric;
        int power;
    } metrics[] = {{"l2", 2}, {"sqeuclidean", 2}, {"l1", 1}, {"lp", 3}};
    static const char *const methods[] = {"bandit", "exact", "auto"};
    static const bmo_dtype dtypes[] = {BMO_U8, BMO_F32, BMO_F64};
    const Points points = points_create(N, D, 4);
    double weights[D], sums[N], dist[K];
    int64_t index[K], expected[K];
    (void)state;
    make_weights(weights, 1);
    for (size_t m = 0; m < COUNT(metrics); ++m) {
        weighted_sums(&points, weights, metrics[m].power, sums);
        least(sums, N, ROW, K, expected);
        for (size_t c = 0; c < COUNT(methods) * COUNT(dtypes) * 4; ++c) {
            const bmo_dtype dtype = dtypes[c % COUNT(dtypes)];
            const int by_column = c / COUNT(dtypes) % 2, prepared = c / COUNT(dtypes) / 2 % 2;
            bmo_config *config = config_of(metrics[m].metric, methods[c / COUNT(dtypes) / 4]);
            bmo_dense dense = {.struct_size = sizeof dense, .dtype = dtype, .n = N, .d = D};
            dense.point_stride = by_column ? 1 : D;
            dense.coord_stride = by_column ? N : 1;
            void *values = points_as(&points, dtype, dense.point_stride, dense.coord_stride);
            bmo_dataset *dataset = NULL;
            bmo_stats stats = {.struct_size = sizeof stats};
            dense.data = values;
            assert_ok(bmo_config_set_weights(config, weights, D));
            assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
            if (prepared) {
                bmo_dataset *source = dataset;
                assert_ok(bmo_dataset_prepare(&dataset, source, config, NULL));
                bmo_dataset_free(source);
            }
            ask(dataset, config, index, dist, &stats);
            assert_memory_equal(index, expected, sizeof index);
            for (int r = 0; r < K; ++r) {
                const double sum = sums[expected[r]];
                if (metrics[m].power == 3)
                    assert_true(fabs(dist[r] - cbrt(sum)) <= 1e-12 * cbrt(sum));
                else
                    assert_true(dist[r] == (metrics[m].metric[0] == 'l' && metrics[m].power == 2 ? sqrt(sum) : sum));
            }
            assert_int_equal(stats.coord_ops_brute, (N - 1) * (D - (D + 2) / 3)); /* a weight of 0 costs nothing */
            if (stats.method == BMO_METHOD_EXACT)
                assert_int_equal(stats.coord_ops, stats.coord_ops_brute);
            bmo_dataset_free(dataset);
            bmo_config_free(config);
            free(values);
        }
    }
    points_free(points);
}

static void weights_of_every_size_scale_the_distances(void **state) {
    static const int exponents[] = {-1060, -601, -1, 0, 1, 600, 1000};
    const Points points = points_create(N, D, 6);
    double weights[D], sums[N], dist[K];
    int64_t index[K], expected[K];
    bmo_dataset *dataset = points_dataset(&points);
    (void)state;
    make_weights(weights, 1);
    weighted_sums(&points, weights, 2, sums);
    least(sums, N, ROW, K, expected);
    for (size_t e = 0; e < COUNT(exponents); ++e) {
        bmo_config *config = config_of("l2", "bandit");
        make_weights(weights, ldexp(1, exponents[e]));
        assert_ok(bmo_config_set_weights(config, weights, D));
        ask(dataset, config, index, dist, NULL);
        assert_memory_equal(index, expected, sizeof index);
        for (int r = 0; r < K; ++r) {
            const double exact = sqrt(sums[expected[r]]) * ldexp(sqrt(ldexp(1, exponents[e] & 1)), exponents[e] >> 1);
            assert_true(fabs(dist[r] - exact) <= 1e-15 * exact);
        }
        bmo_config_free(config);
    }
    bmo_dataset_free(dataset);
    points_free(points);
}

/* Where the weight is 0 the points are far apart; where it is not, only one of them is near. */
static void a_coordinate_of_weight_0_is_none(void **state) {
    Points points = points_create(N, D, 7);
    double weights[D], dist[K];
    int64_t index[K];
    bmo_stats stats = {.struct_size = sizeof stats};
    (void)state;
    for (int64_t j = 0; j < D; ++j) {
        weights[j] = j < 600 ? 0 : 2;
        for (int64_t i = 0; i < N; ++i)
            points.at[i * D + j] = (uint8_t)(j < 600 ? i : 9 * (i == 70) + 200 * (i != 70 && i != ROW));
    }
    bmo_dataset *dataset = points_dataset(&points);
    bmo_config *config = config_of("l1", "bandit");
    assert_ok(bmo_config_set_weights(config, weights, D));
    ask(dataset, config, index, dist, &stats);
    assert_int_equal(index[0], 70);
    assert_true(dist[0] == 2 * 9 * 100);
    assert_true(dist[1] == 2 * 200 * 100 && index[1] == 0);
    assert_int_equal(stats.coord_ops_brute, (N - 1) * 100);

    assert_ok(bmo_config_set_weights(config, NULL, 0));
    ask(dataset, config, index, dist, &stats);
    assert_int_equal(index[0], 10); /* the neighbor by its row number, were it not for the weights */
    assert_int_equal(stats.coord_ops_brute, (N - 1) * D);
    bmo_config_free(config);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void bad_weights_are_refused_and_change_nothing(void **state) {
    static const double bad[] = {-1, -1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY};
    const Points points = points_create(5, 3, 1);
    double weights[4] = {1, 2, 3, 4};
    bmo_config *config = config_of("l2", "auto"), *copy = NULL;
    bmo_dataset *dataset = points_dataset(&points), *prepared = NULL;
    bmo_query *query = NULL;
    (void)state;
    assert_refused(bmo_config_set_weights(NULL, weights, 3), BMO_EINVAL, "config");
    assert_refused(bmo_config_set_weights(config, NULL, 3), BMO_EINVAL, "d");
    assert_refused(bmo_config_set_weights(config, weights, 0), BMO_EINVAL, "d");
    assert_refused(bmo_config_set_weights(config, weights, -3), BMO_EINVAL, "d");
    assert_ok(bmo_config_set_weights(config, weights, 3));
    for (size_t i = 0; i < COUNT(bad); ++i) {
        double wrong[3] = {1, 2, 3};
        wrong[1] = bad[i];
        assert_refused(bmo_config_set_weights(config, wrong, 3), BMO_EINVAL, "weights");
        assert_int_equal(last_error().col, 1);
    }
    const double zeros[3] = {0, -0.0, 0}, apart[3] = {1, 1e-301, 0};
    assert_refused(bmo_config_set_weights(config, zeros, 3), BMO_EINVAL, "weights");
    assert_refused(bmo_config_set_weights(config, apart, 3), BMO_EINVAL, "weights");

    assert_ok(bmo_config_copy(&copy, config));
    assert_ok(bmo_dataset_prepare(&prepared, dataset, copy, NULL)); /* with 1, 2, 3 */
    assert_ok(bmo_config_set_weights(config, weights, 4));
    assert_refused(bmo_query_create(&query, dataset, config, NULL), BMO_EINVAL, "weights");
    assert_refused(bmo_dataset_prepare(&prepared, dataset, config, NULL), BMO_EINVAL, "weights");
    weights[0] = 9;
    assert_ok(bmo_config_set_weights(config, weights, 3));
    assert_refused(bmo_query_create(&query, prepared, config, NULL), BMO_EINVAL, "weights");
    assert_ok(bmo_config_set_weights(config, NULL, 0));
    assert_refused(bmo_query_create(&query, prepared, config, NULL), BMO_EINVAL, "weights");
    weights[0] = 1;
    assert_ok(bmo_config_set_weights(config, weights, 3));
    assert_ok(bmo_query_create(&query, prepared, config, NULL));
    bmo_query_free(query);
    query = NULL;

    assert_ok(bmo_config_set_text(config, "box", "rotated"));
    assert_refused(bmo_dataset_prepare(&prepared, dataset, config, NULL), BMO_EINVAL, "weights");
    bmo_dataset_free(prepared);
    assert_ok(bmo_dataset_prepare(&prepared, dataset, NULL, NULL));
    assert_ok(bmo_config_set_text(config, "box", "dense"));
    assert_ok(bmo_config_set_text(config, "seed", "0"));
    assert_refused(bmo_query_create(&query, prepared, config, NULL), BMO_EINVAL, "weights");
    assert_null(query);
    bmo_dataset_free(prepared);
    bmo_dataset_free(dataset);
    bmo_config_free(copy);
    bmo_config_free(config);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weighted_distances_are_exact),
        cmocka_unit_test(weights_of_every_size_scale_the_distances),
        cmocka_unit_test(a_coordinate_of_weight_0_is_none),
        cmocka_unit_test(bad_weights_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests_name("weights", tests, NULL, NULL);
}

/* bmo_query_medoid against sums of distances in integers or long double. */
#include "abi.h"
#include "reference.h"
#include "search.h"

#include <math.h>
#include <stdlib.h>

enum { N = 150 };

static long double distance(const char *metric, const Points *points, const double *weights, int64_t i, int64_t j) {
    const uint8_t *a = points->at + i * points->d, *b = points->at + j * points->d;
    const int power = strcmp(metric, "l1") == 0 ? 1 : strcmp(metric, "lp") == 0 ? 3 : 2;
    int64_t product = 0, of_a = 0, of_b = 0;
    double sum = 0; /* exact, as all of these are */
    for (int64_t c = 0; c < points->d; ++c) {
        const double difference = fabs((double)a[c] - b[c]), square = difference * difference;
        sum += (weights ? weights[c] : 1) * (power == 1 ? difference : power == 2 ? square : square * difference);
        product += a[c] * b[c];
        of_a += a[c] * a[c];
        of_b += b[c] * b[c];
    }
    if (strcmp(metric, "cosine") == 0)
        return of_a == 0 || of_b == 0 ? 1 : 1 - product / (sqrtl(of_a) * sqrtl(of_b));
    if (strcmp(metric, "inner_product") == 0)
        return -(long double)product;
    return strcmp(metric, "l2") == 0 ? sqrtl(sum) : strcmp(metric, "lp") == 0 ? cbrtl(sum) : sum;
}

static long double sum_of(const char *metric, const Points *points, const double *weights, int64_t i) {
    long double sum = 0;
    for (int64_t j = 0; j < points->n; ++j)
        sum += j == i ? 0 : distance(metric, points, weights, i, j);
    return sum;
}

typedef struct Truth {
    int64_t medoid;
    long double mean;
} Truth;

/* The lowest index of those whose sums are within rounding of the least. */
static Truth truth_of(const char *metric, const Points *points, const double *weights) {
    long double *sums = allocate(points->n, sizeof *sums), least = INFINITY;
    for (int64_t i = 0; i < points->n; ++i) {
        sums[i] = sum_of(metric, points, weights, i);
        least = sums[i] < least ? sums[i] : least;
    }
    Truth truth = {0, points->n > 1 ? least / (points->n - 1) : 0};
    while (sums[truth.medoid] > least + fabsl(least) * 1e-13L)
        ++truth.medoid;
    free(sums);
    return truth;
}

static bmo_config *config_of(const char *metric, const char *method) {
    bmo_config *config = config_with("metric", metric);
    assert_ok(bmo_config_set_text(config, "method", method));
    assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
    if (strcmp(metric, "lp") == 0)
        assert_ok(bmo_config_set_text(config, "p", "3"));
    return config;
}

static bmo_medoid medoid_of(const bmo_dataset *dataset, const bmo_config *config, bmo_stats *stats) {
    bmo_query *query = NULL;
    bmo_medoid found = {.struct_size = sizeof found};
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_ok(bmo_query_medoid(query, &found, NULL, stats));
    bmo_query_free(query);
    return found;
}

static void check(Truth truth, const bmo_dataset *dataset, const bmo_config *config, bmo_stats *stats) {
    const bmo_medoid found = medoid_of(dataset, config, stats);
    assert_int_equal(found.index, truth.medoid);
    assert_true(fabsl(found.mean_distance - truth.mean) <= 1e-12L * fabsl(truth.mean));
}

static const char *const metrics[] = {"l2", "sqeuclidean", "l1", "lp", "cosine", "inner_product"};

static void every_metric(void **state) {
    (void)state;
    for (int64_t d = 30; d <= 520; d += 490) {
        Points points = points_create(N, d, 21);
        memset(points.at + 7 * d, 0, (size_t)d); /* at distance 1 by cosine */
        bmo_dataset *dataset = points_dataset(&points);
        for (size_t m = 0; m < COUNT(metrics); ++m) {
            const Truth truth = truth_of(metrics[m], &points, NULL);
            for (int exact = 0; exact < 2; ++exact) {
                bmo_config *config = config_of(metrics[m], exact ? "exact" : "auto");
                bmo_stats stats = {.struct_size = sizeof stats};
                check(truth, dataset, config, &stats);
                assert_int_equal(stats.arms, N);
                assert_int_equal(stats.coord_ops_brute, N * (N - 1) * d);
                assert_int_equal(stats.coord_ops, stats.coord_ops_sampled + stats.coord_ops_exact);
                const int scanned = exact || strcmp(metrics[m], "inner_product") == 0;
                assert_int_equal(stats.method, scanned ? BMO_METHOD_EXACT : BMO_METHOD_BANDIT);
                if (scanned) {
                    assert_int_equal(stats.guarantee, BMO_GUARANTEE_EXACT);
                    const int64_t spared = m == 5 ? 2 * (N - 1) * d : 0; /* of zeros, by angle, one by one */
                    assert_int_equal(stats.coord_ops, (int64_t)stats.coord_ops_brute - spared);
                    assert_int_equal(stats.exact_evals, N);
                }
                assert_int_equal(strlen(stats.reason) > 0, !exact);
                bmo_config_free(config);
            }
        }
        bmo_dataset_free(dataset);
        points_free(points);
    }
}

static void every_kind_of_points(void **state) {
    (void)state;
    const Points points = points_create(N, 530, 5);
    const bmo_dtype dtypes[] = {BMO_U8, BMO_F32, BMO_F64, BMO_I64, BMO_F16, BMO_BF16};
    for (size_t m = 0; m < 5; ++m) {
        bmo_config *config = config_of(metrics[m], "bandit");
        const Truth truth = truth_of(metrics[m], &points, NULL);
        for (size_t t = 0; t < COUNT(dtypes); ++t) {
            void *values = points_as(&points, dtypes[t], 2, 2 * N + 3);
            const bmo_dense dense = {.struct_size = sizeof dense,
                                     .dtype = dtypes[t],
                                     .data = values,
                                     .n = N,
                                     .d = points.d,
                                     .point_stride = 2,
                                     .coord_stride = 2 * N + 3};
            bmo_dataset *dataset = NULL, *prepared = NULL;
            assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
            check(truth, dataset, config, NULL);
            assert_ok(bmo_dataset_prepare(&prepared, dataset, config, NULL));
            check(truth, prepared, config, NULL);
            bmo_dataset_free(prepared);
            bmo_dataset_free(dataset);
            free(values);
        }
        const bmo_sparse sparse = points_sparse(&points);
        bmo_dataset *dataset = NULL;
        assert_ok(bmo_dataset_sparse(&dataset, &sparse, BMO_COPY, NULL, NULL));
        assert_ok(bmo_config_set_text(
            config, "method", strcmp(metrics[m], "lp") == 0 || strcmp(metrics[m], "cosine") == 0 ? "auto" : "bandit"));
        check(truth, dataset, config, NULL);
        bmo_dataset_free(dataset);
        sparse_free(sparse);
        bmo_config_free(config);
    }
    points_free(points);
}

static void weights_count(void **state) {
    (void)state;
    for (int64_t d = 40; d <= 640; d += 600) {
        const Points points = points_create(N, d, 8);
        bmo_dataset *dataset = points_dataset(&points);
        double *weights = allocate(d, sizeof *weights);
        for (int64_t j = 0; j < d; ++j)
            weights[j] = (double)(j % 5);
        for (size_t m = 0; m < 4; ++m) {
            bmo_config *config = config_of(metrics[m], "bandit");
            assert_ok(bmo_config_set_weights(config, weights, d));
            check(truth_of(metrics[m], &points, weights), dataset, config, NULL);
            bmo_config_free(config);
        }
        free(weights);
        bmo_dataset_free(dataset);
        points_free(points);
    }
}

static int32_t absolute(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b, double *out) {
    (void)ctx;
    (void)coord;
    for (int64_t i = 0; i < count; ++i)
        out[i] = fabs(a[i] - b[i]);
    return 0;
}

static void a_callback_is_computed(void **state) {
    (void)state;
    const Points points = points_create(80, 30, 9);
    bmo_dataset *dataset = points_dataset(&points);
    bmo_config *config = config_of("custom", "auto");
    assert_ok(bmo_config_set_rho(config, absolute, 0, NULL));
    check(truth_of("l1", &points, NULL), dataset, config, NULL);
    bmo_config_free(config);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void ties_go_to_the_lowest(void **state) {
    (void)state;
    for (int64_t d = 30; d <= 520; d += 490) {
        Points points = points_create(N, d, 33);
        for (size_t m = 0; m < 5; ++m) {
            const int64_t medoid = truth_of(metrics[m], &points, NULL).medoid, lower = medoid / 2;
            if (medoid > 0)
                memcpy(points.at + lower * d, points.at + medoid * d, (size_t)d);
            bmo_dataset *dataset = points_dataset(&points);
            bmo_config *config = config_of(metrics[m], "auto");
            check(truth_of(metrics[m], &points, NULL), dataset, config, NULL);
            bmo_config_free(config);
            bmo_dataset_free(dataset);
        }
        memset(points.at, 3, (size_t)(N * d));
        bmo_dataset *dataset = points_dataset(&points);
        const bmo_medoid found = medoid_of(dataset, NULL, NULL);
        assert_int_equal(found.index, 0);
        assert_true(found.mean_distance == 0);
        bmo_dataset_free(dataset);
        points_free(points);
    }
}

static void few_points(void **state) {
    (void)state;
    for (int64_t n = 1; n <= 70; n += n < 4 ? 1 : 11) {
        const Points points = points_create(n, 12, (uint64_t)n);
        bmo_dataset *dataset = points_dataset(&points);
        bmo_config *config = config_of("l1", "auto");
        check(truth_of("l1", &points, NULL), dataset, config, NULL);
        bmo_config_free(config);
        bmo_dataset_free(dataset);
        points_free(points);
    }
}

/* A few points in the middle of all others. */
static void few_distances_are_computed(void **state) {
    (void)state;
    enum { MANY = 2000, WIDTH = 24 };
    const Points points = points_create(MANY, WIDTH, 3);
    for (int64_t i = 0; i < MANY * WIDTH; ++i) {
        uint64_t random = (uint64_t)i * 0x9e3779b97f4a7c15U; /* as splitmix64 mixes */
        random = (random ^ (random >> 30)) * 0xbf58476d1ce4e5b9U;
        const int value = (int)(((random ^ (random >> 27)) * 0x94d049bb133111ebU) >> 56);
        points.at[i] = (uint8_t)(i / WIDTH % 400 == 7 ? 124 + value % 8 : value);
    }
    bmo_dataset *dataset = points_dataset(&points);
    for (size_t m = 0; m < 4; ++m) {
        bmo_stats stats = {.struct_size = sizeof stats};
        bmo_config *config = config_of(metrics[m], "bandit");
        check(truth_of(metrics[m], &points, NULL), dataset, config, &stats);
        assert_int_equal(stats.guarantee, BMO_GUARANTEE_PROVEN);
        assert_true(stats.coord_ops * 8 < stats.coord_ops_brute);
        bmo_config_free(config);
    }
    bmo_dataset_free(dataset);
    points_free(points);
}

static void sums_beyond_double(void **state) {
    (void)state;
    double values[200];
    for (int i = 0; i < 200; ++i)
        values[i] = i % 2 ? 8e305 : -8e305 * (1 + i / 1000.0);
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = values, .n = 200, .d = 1};
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;
    bmo_medoid found = {.struct_size = sizeof found};
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    assert_ok(bmo_query_create(&query, dataset, NULL, NULL));
    assert_int_equal(bmo_query_medoid(query, &found, NULL, NULL), BMO_EOVERFLOW);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_metric),
        cmocka_unit_test(every_kind_of_points),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(a_callback_is_computed),
        cmocka_unit_test(ties_go_to_the_lowest),
        cmocka_unit_test(few_points),
        cmocka_unit_test(few_distances_are_computed),
        cmocka_unit_test(sums_beyond_double),
    };
    return cmocka_run_group_tests_name("medoid", tests, NULL, NULL);
}

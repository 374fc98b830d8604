/* bmo_query_kmeans of points that are the same, or the same but for the last bits of a double: rounding must not keep it
 * going. */
#include "clustering.h"

#include <math.h>
#include <stdlib.h>

enum { D = 5, COPIES = 7, DIFFERENT = 3, N = DIFFERENT * COPIES };

static const char *const ways[][3] = {{NULL}, {"method", "exact", NULL}, {"threads", "3", NULL}};

/* No sum of three of these or more is a multiple of them, once rounded. */
static double value_of(int64_t i, int64_t j) {
    return (0.1 + (double)j) * (1 + (double)(i % DIFFERENT)) / 7;
}

static void fill(double *values) {
    for (int64_t i = 0; i < N; ++i)
        for (int64_t j = 0; j < D; ++j)
            values[i * D + j] = value_of(i, j);
}

static bmo_dataset *copies_dense(bmo_dtype dtype) {
    static double doubles[N * D];
    static float floats[N * D];
    fill(doubles);
    for (int64_t i = 0; i < N * D; ++i)
        floats[i] = (float)doubles[i];
    const void *data = dtype == BMO_F64 ? (const void *)doubles : floats;
    const bmo_dense dense = {sizeof dense, dtype, data, N, D, 0, 0};
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    return dataset;
}

/* Of D coordinates out of 2 D, every other one. */
static bmo_dataset *copies_sparse(void) {
    double values[N * D];
    int32_t pointers[N + 1], indices[N * D];
    fill(values);
    for (int32_t i = 0; i <= N; ++i)
        pointers[i] = i * D;
    for (int32_t i = 0; i < N * D; ++i)
        indices[i] = i % D * 2 + 1;
    const bmo_sparse sparse = {.struct_size = sizeof sparse,
                               .pointer_dtype = BMO_I32,
                               .index_dtype = BMO_I32,
                               .value_dtype = BMO_F64,
                               .n = N,
                               .d = 2 * D,
                               .nnz = (int64_t)N * D,
                               .pointers = pointers,
                               .indices = indices,
                               .values = values};
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_sparse(&dataset, &sparse, BMO_COPY, NULL, NULL));
    return dataset;
}

/* As many centers at points as there are different points, or all: one move, or a few where centers are given at copies. */
static void assert_ends(const bmo_dataset *dataset, int64_t d, int64_t k, int32_t init) {
    for (size_t way = 0; way < COUNT(ways); ++way) {
        bmo_query *query = query_of(dataset, ways[way]);
        Clustering got = clustering_create(k, N, d);
        for (int64_t c = 0; c < k; ++c) {
            const int64_t row = c < DIFFERENT ? 0 : c;
            assert_ok(bmo_dataset_copy_rows(dataset, &row, 1, got.centers + c * d));
        }
        const bmo_kmeans run = run_of(&got, d, init);
        assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
        assert_true(got.inertia == 0);
        assert_in_range(got.iterations, 1, 4);
        double *row = allocate(d, sizeof *row);
        for (int64_t i = 0; i < N; ++i) {
            assert_ok(bmo_dataset_copy_rows(dataset, &i, 1, row));
            assert_memory_equal(row, got.centers + got.labels[i] * d, (size_t)d * sizeof *row);
        }
        free(row);
        clustering_free(got);
        bmo_query_free(query);
    }
}

static void equal_points_have_themselves_for_center(void **state) {
    (void)state;
    for (int64_t k = DIFFERENT; k <= N; k += 2)
        for (int32_t init = BMO_INIT_PLUSPLUS; init <= BMO_INIT_GIVEN; ++init) {
            bmo_dataset *datasets[] = {copies_dense(BMO_F64), copies_dense(BMO_F32), copies_sparse()};
            for (size_t i = 0; i < COUNT(datasets); ++i) {
                if (init != BMO_INIT_RANDOM || k == N) /* k points may be copies of two: a minimum that is no zero */
                    assert_ends(datasets[i], i == 2 ? 2 * D : D, k, init);
                bmo_dataset_free(datasets[i]);
            }
        }
}

static void one_value_everywhere(void **state) {
    (void)state;
    static const double values[] = {0.1, -0.7, 1e-310, 1.7e308};
    for (size_t v = 0; v < COUNT(values); ++v)
        for (int64_t n = 1; n <= 12; ++n)
            for (int64_t k = 1; k <= n; ++k) {
                double line[12];
                for (int64_t i = 0; i < n; ++i)
                    line[i] = values[v];
                const bmo_dense dense = {sizeof dense, BMO_F64, line, n, 1, 0, 0};
                bmo_dataset *dataset = NULL;
                assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
                bmo_query *query = query_of(dataset, NULL);
                Clustering got = clustering_create(k, n, 1);
                const bmo_kmeans run = run_of(&got, 1, BMO_INIT_PLUSPLUS);
                assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
                assert_true(got.inertia == 0 && got.centers[0] == values[v]);
                assert_int_equal(got.iterations, 1);
                clustering_free(got);
                bmo_query_free(query);
                bmo_dataset_free(dataset);
            }
}

/* Points 3, 3 + 1 and twice 3 + 2 last bits of a double: no mean of two that differ is a double. A point that moved to the
 * nearer center makes this one's rounded mean the farther one. */
static void last_bits_go_in_no_circle(void **state) {
    (void)state;
    const double bit = ldexp(1, -51), line[] = {3 + bit, 3, 3 + 2 * bit, 3 + 2 * bit};
    const bmo_dense dense = {sizeof dense, BMO_F64, line, 4, 1, 0, 0};
    for (size_t way = 0; way < COUNT(ways); ++way) {
        bmo_dataset *dataset = NULL;
        assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
        bmo_query *query = query_of(dataset, ways[way]);
        Clustering got = clustering_create(2, 4, 1);
        got.centers[0] = got.centers[1] = 3 + 2 * bit;
        const bmo_kmeans run = run_of(&got, 1, BMO_INIT_GIVEN);
        assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
        assert_in_range(got.iterations, 1, 10);
        for (int64_t i = 0; i < 4; ++i) /* to the nearer, of two that are the same to the first */
            assert_int_equal(got.labels[i], fabs(line[i] - got.centers[1]) < fabs(line[i] - got.centers[0]));
        clustering_free(got);
        bmo_query_free(query);
        bmo_dataset_free(dataset);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_points_have_themselves_for_center),
        cmocka_unit_test(one_value_everywhere),
        cmocka_unit_test(last_bits_go_in_no_circle),
    };
    return cmocka_run_group_tests_name("kmeans_copies", tests, NULL, NULL);
}

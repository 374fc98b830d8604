/* Cosine and inner product: neighbors and distances against sums of integers. */
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

enum { N = 400 };

static void check_rows(const bmo_dataset *dataset, const Vectors *vectors, const char *metric, const char *method) {
    for (int64_t row = 0; row < vectors->n; row += 97)
        check_row(dataset, vectors, row, metric, method, NULL);
}

static void check(const Vectors *vectors, bmo_dtype dtype, int (*exponent)(int64_t), const char *metric) {
    bmo_dataset *source = vectors_dense(vectors, dtype, exponent);
    for (int how = 0; how < PREPARATIONS; ++how) {
        bmo_dataset *dataset = vectors_prepared(source, how, metric);
        check_rows(dataset, vectors, metric, "bandit");
        check_rows(dataset, vectors, metric, "exact");
        check_rows(dataset, vectors, metric, "auto");
        bmo_dataset_free(dataset);
    }
    bmo_dataset_free(source);
    if (dtype == BMO_U8)
        return;
    bmo_dataset *sparse = vectors_sparse(vectors, dtype, exponent);
    check_rows(sparse, vectors, metric, "exact");
    check_rows(sparse, vectors, metric, "auto");
    bmo_dataset_free(sparse);
}

static void angles_and_products_of_integers_are_exact(void **state) {
    (void)state;
    for (int least = -7; least <= 0; least += 7) {
        const Vectors vectors = vectors_create(N, 3, least);
        for (int c = 0; c < 2; ++c) {
            const char *metric = c ? "cosine" : "inner_product";
            check(&vectors, BMO_F32, NULL, metric);
            check(&vectors, BMO_F64, NULL, metric);
            if (least == 0)
                check(&vectors, BMO_U8, NULL, metric);
        }
        free(vectors.at);
    }
}

/* Multiples of a few vectors, and zeros: most distances are ties. */
static void equal_angles_are_ties(void **state) {
    const Vectors vectors = vectors_create(N, 5, -7);
    (void)state;
    for (int64_t i = 0; i < N; ++i)
        for (int64_t j = 0; j < D; ++j)
            vectors.at[i * D + j] = vectors.at[i % 3 * D + j] % 4 * (int)(i % 7);
    check(&vectors, BMO_F32, NULL, "cosine");
    check(&vectors, BMO_F64, NULL, "cosine");
    check(&vectors, BMO_F32, NULL, "inner_product");
    free(vectors.at);
}

static void nearly_equal_angles_keep_their_digits(void **state) {
    const Vectors vectors = vectors_create(N, 6, 1);
    (void)state;
    for (int64_t i = 0; i < N; ++i)
        for (int64_t j = 0; j < D; ++j)
            vectors.at[i * D + j] = 40 * vectors.at[j] + (j < i);
    for (int64_t row = 0; row < N; row += 50) {
        bmo_dataset *dataset = vectors_dense(&vectors, BMO_F32, NULL);
        bmo_config *config = angular_config("cosine", "bandit");
        bmo_query *query = NULL;
        int64_t index[K];
        double dist[K];
        const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = K};
        assert_ok(bmo_query_create(&query, dataset, config, NULL));
        assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, NULL));
        for (int r = 0; r < K; ++r) {
            const int *a = vectors.at + row * D, *b = vectors.at + index[r] * D;
            const int64_t p = product(a, b), a2 = product(a, a), b2 = product(b, b);
            const long double root = sqrtl((long double)a2) * sqrtl((long double)b2);
            /* a2 * b2 - p * p, of which the products are beyond 64 bits */
            const uint64_t numerator = (uint64_t)a2 * (uint64_t)b2 - (uint64_t)p * (uint64_t)p;
            const long double exact = (long double)numerator / (root * (root + (long double)p));
            assert_true(exact > 0 && exact < 1e-5L);
            assert_true(fabsl((long double)dist[r] - exact) <= 3e-16L * exact);
        }
        bmo_query_free(query);
        bmo_config_free(config);
        bmo_dataset_free(dataset);
    }
    free(vectors.at);
}

static int apart(int64_t row) {
    return (int)(row % 5 * 500 - 1070); /* from subnormal values to 2^930 */
}

static void a_cosine_does_not_depend_on_lengths(void **state) {
    const Vectors vectors = vectors_create(N, 7, -7);
    (void)state;
    check(&vectors, BMO_F64, apart, "cosine");
    free(vectors.at);
}

static int high(int64_t row) {
    (void)row;
    return 490;
}

static int low(int64_t row) {
    (void)row;
    return -1070;
}

static void products_of_every_size(void **state) {
    const Vectors vectors = vectors_create(N, 8, -7);
    int (*const exponents[])(int64_t) = {high, low};
    (void)state;
    for (int e = 0; e < 2; ++e) {
        bmo_dataset *dataset = vectors_dense(&vectors, BMO_F64, exponents[e]);
        bmo_config *config = angular_config("inner_product", "bandit");
        bmo_query *query = NULL;
        int64_t index[K], expected[K];
        long double exact[K];
        double dist[K];
        const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = K};
        const int64_t row = 3;
        assert_ok(bmo_query_create(&query, dataset, config, NULL));
        assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, NULL));
        true_neighbors(&vectors, vectors.at + row * D, row, 0, expected, exact);
        for (int r = 0; r < K; ++r) {
            assert_int_equal(index[r], expected[r]); /* also where the distances, below 2^-1074, are 0 */
            assert_true(dist[r] == ldexp((double)exact[r], e ? -2140 : 980));
        }
        bmo_query_free(query);
        bmo_config_free(config);
        bmo_dataset_free(dataset);
    }
    free(vectors.at);
}

static int beyond(int64_t row) {
    (void)row;
    return 600;
}

static void a_product_beyond_double_is_refused(void **state) {
    const Vectors vectors = vectors_create(N, 8, 1);
    bmo_dataset *dataset = vectors_dense(&vectors, BMO_F64, beyond);
    bmo_config *config = angular_config("inner_product", "bandit");
    bmo_query *query = NULL;
    const int64_t row = 0;
    (void)state;
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_refused(bmo_query_knn_rows(query, &row, 1, K, NULL, NULL, NULL), BMO_EOVERFLOW, "distance");
    bmo_query_free(query);
    bmo_config_free(config);
    bmo_dataset_free(dataset);
    free(vectors.at);
}

static void a_zero_query_is_at_distance_1_from_everything(void **state) {
    const Vectors vectors = vectors_create(N, 9, -7);
    (void)state;
    memset(vectors.at + 5 * D, 0, D * sizeof *vectors.at);
    memset(vectors.at + 200 * D, 0, D * sizeof *vectors.at);
    bmo_dataset *dataset = vectors_dense(&vectors, BMO_F32, NULL);
    for (int c = 0; c < 4; ++c)
        check_row(dataset, &vectors, 5, c / 2 ? "cosine" : "inner_product", c % 2 ? "bandit" : "exact", NULL);
    bmo_dataset_free(dataset);

    memset(vectors.at, 0, (size_t)(N * D) * sizeof *vectors.at);
    dataset = vectors_dense(&vectors, BMO_F32, NULL);
    for (int c = 0; c < 4; ++c)
        check_row(dataset, &vectors, 5, c / 2 ? "cosine" : "inner_product", c % 2 ? "bandit" : "exact", NULL);
    bmo_dataset_free(dataset);
    free(vectors.at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_and_products_of_integers_are_exact),
        cmocka_unit_test(equal_angles_are_ties),
        cmocka_unit_test(nearly_equal_angles_keep_their_digits),
        cmocka_unit_test(a_cosine_does_not_depend_on_lengths),
        cmocka_unit_test(products_of_every_size),
        cmocka_unit_test(a_product_beyond_double_is_refused),
        cmocka_unit_test(a_zero_query_is_at_distance_1_from_everything),
    };
    return cmocka_run_group_tests_name("angular", tests, NULL, NULL);
}

/* Cosine and inner product, against sums of integers. */
#include "abi.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>

enum { N = 400, D = 700, K = 6 };

typedef struct Vectors { /* of small integers */
    int64_t n;
    int *at;
} Vectors;

static Vectors vectors_create(int64_t n, uint64_t seed, int least) {
    const Points points = points_create(n, D, seed);
    const Vectors vectors = {n, malloc((size_t)(n * D) * sizeof(int))};
    assert_non_null(vectors.at);
    for (int64_t i = 0; i < n * D; ++i)
        vectors.at[i] = points.at[i] % 16 + least;
    points_free(points);
    return vectors;
}

static int64_t product(const int *a, const int *b) {
    int64_t sum = 0;
    for (int j = 0; j < D; ++j)
        sum += (int64_t)a[j] * b[j];
    return sum;
}

/* Of two points with products p, q with the query and squared norms a, b: is the angle of the first the smaller? The
 * integers are small enough for their products. */
static int is_nearer(int64_t p, int64_t a, int64_t q, int64_t b) {
    if (a == 0)
        p = 0, a = 1;
    if (b == 0)
        q = 0, b = 1;
    if ((p > 0) != (q > 0))
        return p > 0;
    return p > 0 ? p * p * b > q * q * a : p * p * b < q * q * a;
}

static long double cosine_distance(int64_t p, int64_t a, int64_t b) {
    if (a == 0 || b == 0)
        return 1;
    const long double root = sqrtl((long double)(a * b));
    if (p > 0)
        return (long double)(a * b - p * p) / (root * (root + (long double)p));
    return 1 - (long double)p / root;
}

/* The k nearest by angle, or by inner product; ties by index. */
static void true_neighbours(const Vectors *points, const int *query, int64_t self, int cosine, int64_t *index,
                            long double *dist) {
    int64_t *p = malloc((size_t)points->n * sizeof *p), *norm = malloc((size_t)points->n * sizeof *norm);
    const int64_t query_norm = product(query, query);
    assert_true(p && norm);
    for (int64_t i = 0; i < points->n; ++i) {
        p[i] = product(query, points->at + i * D);
        norm[i] = cosine ? product(points->at + i * D, points->at + i * D) : 1;
    }
    for (int r = 0; r < K; ++r) {
        int64_t best = -1;
        for (int64_t i = 0; i < points->n; ++i) {
            int taken = i == self;
            for (int s = 0; s < r; ++s)
                taken |= index[s] == i;
            if (!taken && (best < 0 || (cosine ? is_nearer(p[i], norm[i], p[best], norm[best]) : p[i] > p[best])))
                best = i;
        }
        index[r] = best;
        dist[r] = cosine ? cosine_distance(p[best], query_norm, norm[best]) : -(long double)p[best];
    }
    free(p);
    free(norm);
}

static bmo_config *config_of(const char *metric, const char *method) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "metric", metric));
    assert_ok(bmo_config_set_text(config, "method", method));
    assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
    return config;
}

/* As a matrix of this type, row i multiplied by 2^exponent(i). */
static void *matrix_of(const Vectors *vectors, bmo_dtype dtype, int (*exponent)(int64_t)) {
    const size_t size = dtype == BMO_U8 ? 1 : dtype == BMO_F32 ? sizeof(float) : sizeof(double);
    void *matrix = malloc((size_t)(vectors->n * D) * size);
    assert_non_null(matrix);
    for (int64_t i = 0; i < vectors->n * D; ++i) {
        const double value = ldexp(vectors->at[i], exponent ? exponent(i / D) : 0);
        if (dtype == BMO_U8)
            ((uint8_t *)matrix)[i] = (uint8_t)value;
        else if (dtype == BMO_F32)
            ((float *)matrix)[i] = (float)value;
        else
            ((double *)matrix)[i] = value;
    }
    return matrix;
}

static bmo_dataset *dataset_of(const Vectors *vectors, bmo_dtype dtype, int (*exponent)(int64_t)) {
    void *matrix = matrix_of(vectors, dtype, exponent);
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = dtype, .data = matrix, .n = vectors->n, .d = D};
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL));
    free(matrix);
    return dataset;
}

static void check_row(const bmo_dataset *dataset, const Vectors *vectors, int64_t row, const char *metric,
                      const char *method, bmo_stats *stats) {
    const int cosine = metric[0] == 'c';
    bmo_config *config = config_of(metric, method);
    bmo_query *query = NULL;
    int64_t index[K], expected[K];
    double dist[K];
    long double exact[K];
    const bmo_output out = {.struct_size = sizeof out, .index = index, .dist = dist, .capacity = K};
    assert_ok(bmo_query_create(&query, dataset, config));
    assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, stats));
    true_neighbours(vectors, vectors->at + row * D, row, cosine, expected, exact);
    assert_memory_equal(index, expected, sizeof index);
    for (int r = 0; r < K; ++r)
        assert_true(fabsl((long double)dist[r] - exact[r]) <= (cosine ? 3e-16L : 0) * fabsl(exact[r]));
    bmo_query_free(query);
    bmo_config_free(config);
}

enum { AS_IT_IS, FOR_ANY_METRIC, FOR_THIS_METRIC, ROTATED, PREPARATIONS };

static bmo_dataset *prepared(const bmo_dataset *source, int how, const char *metric) {
    bmo_dataset *dataset = NULL;
    if (how == AS_IT_IS) {
        assert_ok(bmo_dataset_ref(&dataset, source));
        return dataset;
    }
    bmo_config *config = config_of(how == FOR_ANY_METRIC ? "l2" : metric, "auto");
    if (how == ROTATED)
        assert_ok(bmo_config_set_text(config, "box", "rotated"));
    assert_ok(bmo_dataset_prepare(&dataset, source, config, NULL));
    bmo_config_free(config);
    return dataset;
}

/* The same points as a sparse dataset. */
static bmo_dataset *sparse_of(const Vectors *vectors, bmo_dtype dtype, int (*exponent)(int64_t)) {
    double *matrix = matrix_of(vectors, BMO_F64, exponent), *values = malloc((size_t)(vectors->n * D) * sizeof *values);
    int64_t *pointers = malloc((size_t)(vectors->n + 1) * sizeof *pointers), nnz = 0;
    int32_t *indices = malloc((size_t)(vectors->n * D) * sizeof *indices);
    bmo_dataset *dataset = NULL;
    assert_true(values && pointers && indices);
    for (int64_t i = 0; i <= vectors->n; ++i) {
        pointers[i] = nnz;
        for (int32_t j = 0; i < vectors->n && j < D; ++j)
            if (matrix[i * D + j] != 0) {
                indices[nnz] = j;
                if (dtype == BMO_F32)
                    ((float *)(void *)values)[nnz++] = (float)matrix[i * D + j];
                else
                    values[nnz++] = matrix[i * D + j];
            }
    }
    const bmo_sparse sparse = {.struct_size = sizeof sparse,
                               .pointer_dtype = BMO_I64,
                               .index_dtype = BMO_I32,
                               .value_dtype = dtype,
                               .n = vectors->n,
                               .d = D,
                               .nnz = nnz,
                               .pointers = pointers,
                               .indices = indices,
                               .values = values};
    assert_ok(bmo_dataset_sparse(&dataset, &sparse, BMO_COPY, NULL));
    free(indices);
    free(pointers);
    free(values);
    free(matrix);
    return dataset;
}

static void check_rows(const bmo_dataset *dataset, const Vectors *vectors, const char *metric, const char *method) {
    for (int64_t row = 0; row < vectors->n; row += 97)
        check_row(dataset, vectors, row, metric, method, NULL);
}

static void check(const Vectors *vectors, bmo_dtype dtype, int (*exponent)(int64_t), const char *metric) {
    bmo_dataset *source = dataset_of(vectors, dtype, exponent);
    for (int how = 0; how < PREPARATIONS; ++how) {
        bmo_dataset *dataset = prepared(source, how, metric);
        check_rows(dataset, vectors, metric, "bandit");
        check_rows(dataset, vectors, metric, "exact");
        check_rows(dataset, vectors, metric, "auto");
        bmo_dataset_free(dataset);
    }
    bmo_dataset_free(source);
    if (dtype == BMO_U8)
        return;
    bmo_dataset *sparse = sparse_of(vectors, dtype, exponent);
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
        bmo_dataset *dataset = dataset_of(&vectors, BMO_F32, NULL);
        bmo_config *config = config_of("cosine", "bandit");
        bmo_query *query = NULL;
        int64_t index[K];
        double dist[K];
        const bmo_output out = {.struct_size = sizeof out, .index = index, .dist = dist, .capacity = K};
        assert_ok(bmo_query_create(&query, dataset, config));
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
        bmo_dataset *dataset = dataset_of(&vectors, BMO_F64, exponents[e]);
        bmo_config *config = config_of("inner_product", "bandit");
        bmo_query *query = NULL;
        int64_t index[K], expected[K];
        long double exact[K];
        double dist[K];
        const bmo_output out = {.struct_size = sizeof out, .index = index, .dist = dist, .capacity = K};
        const int64_t row = 3;
        assert_ok(bmo_query_create(&query, dataset, config));
        assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, NULL));
        true_neighbours(&vectors, vectors.at + row * D, row, 0, expected, exact);
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
    bmo_dataset *dataset = dataset_of(&vectors, BMO_F64, beyond);
    bmo_config *config = config_of("inner_product", "bandit");
    bmo_query *query = NULL;
    const int64_t row = 0;
    (void)state;
    assert_ok(bmo_query_create(&query, dataset, config));
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
    bmo_dataset *dataset = dataset_of(&vectors, BMO_F32, NULL);
    for (int c = 0; c < 4; ++c)
        check_row(dataset, &vectors, 5, c / 2 ? "cosine" : "inner_product", c % 2 ? "bandit" : "exact", NULL);
    bmo_dataset_free(dataset);

    memset(vectors.at, 0, (size_t)(N * D) * sizeof *vectors.at);
    dataset = dataset_of(&vectors, BMO_F32, NULL);
    for (int c = 0; c < 4; ++c)
        check_row(dataset, &vectors, 5, c / 2 ? "cosine" : "inner_product", c % 2 ? "bandit" : "exact", NULL);
    bmo_dataset_free(dataset);
    free(vectors.at);
}

static void sampling_saves_operations(void **state) {
    const Vectors vectors = vectors_create(3000, 10, -7);
    (void)state;
    for (int64_t i = 100; i < 3000; i += 300) /* near point 17 */
        for (int64_t j = i / 20; j < D; ++j)
            vectors.at[i * D + j] = vectors.at[17 * D + j];
    bmo_dataset *source = dataset_of(&vectors, BMO_F32, NULL);
    for (int how = 0; how < PREPARATIONS; ++how)
        for (int c = 0; c < 2; ++c) {
            const char *metric = c ? "cosine" : "inner_product";
            bmo_dataset *dataset = prepared(source, how, metric);
            bmo_stats stats = {.struct_size = sizeof stats};
            check_row(dataset, &vectors, 17, metric, "bandit", &stats);
            assert_int_equal(stats.guarantee, BMO_GUARANTEE_PROVEN);
            assert_int_equal(stats.coord_ops_brute, 2999 * D);
            assert_true(stats.coord_ops < stats.coord_ops_brute / 2);
            bmo_dataset_free(dataset);
        }
    bmo_dataset_free(source);
    free(vectors.at);
}

static int one_is_long(int64_t row) {
    return row == 0 ? 10 : 0;
}

/* That one point is a thousand times as long as the others is no reason to read more of these. */
static void lengths_far_apart_cost_nothing(void **state) {
    const Vectors vectors = vectors_create(3000, 12, -7);
    (void)state;
    for (int64_t i = 100; i < 3000; i += 300)
        for (int64_t j = i / 20; j < D; ++j)
            vectors.at[i * D + j] = vectors.at[17 * D + j];
    for (int64_t j = 0; j < D; ++j)
        vectors.at[j] = -vectors.at[17 * D + j]; /* and far away */
    bmo_dataset *even = dataset_of(&vectors, BMO_F32, NULL), *uneven = dataset_of(&vectors, BMO_F32, one_is_long);
    bmo_stats alike = {.struct_size = sizeof alike}, apart_too = {.struct_size = sizeof apart_too};
    check_row(even, &vectors, 17, "inner_product", "bandit", &alike);
    check_row(uneven, &vectors, 17, "inner_product", "bandit", &apart_too);
    assert_true(apart_too.coord_ops < alike.coord_ops * 5 / 4);
    bmo_dataset_free(even);
    bmo_dataset_free(uneven);
    free(vectors.at);
}

static void epsilon_is_of_the_distance(void **state) {
    const Vectors vectors = vectors_create(3000, 13, 0);
    bmo_dataset *dataset = dataset_of(&vectors, BMO_F32, NULL);
    const int64_t row = 4;
    (void)state;
    for (int c = 0; c < 2; ++c) {
        uint64_t ops[2];
        for (int loose = 0; loose < 2; ++loose) {
            bmo_config *config = config_of(c ? "cosine" : "inner_product", "bandit");
            const double epsilon = c ? 0.05 : 20000;
            assert_ok(bmo_config_set_f64(config, BMO_PARAM_EPSILON, loose ? epsilon : 0));
            bmo_query *query = NULL;
            bmo_stats stats = {.struct_size = sizeof stats};
            int64_t index[K], expected[K];
            double dist[K];
            long double exact[K];
            const bmo_output out = {.struct_size = sizeof out, .index = index, .dist = dist, .capacity = K};
            assert_ok(bmo_query_create(&query, dataset, config));
            assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, &stats));
            true_neighbours(&vectors, vectors.at + row * D, row, c, expected, exact);
            for (int r = 0; r < K; ++r)
                assert_true((long double)dist[r] <= exact[r] + (loose ? epsilon : 0) + 1e-15L);
            ops[loose] = stats.coord_ops;
            bmo_query_free(query);
            bmo_config_free(config);
        }
        assert_true(ops[1] < ops[0]);
    }
    bmo_dataset_free(dataset);
    free(vectors.at);
}

static void what_does_not_combine_is_refused(void **state) {
    static const double weights[D] = {1};
    const Vectors vectors = vectors_create(10, 11, 0);
    bmo_dataset *dataset = dataset_of(&vectors, BMO_U8, NULL);
    bmo_query *query = NULL;
    (void)state;
    for (int c = 0; c < 2; ++c) {
        bmo_config *config = config_of(c ? "cosine" : "inner_product", "auto");
        assert_ok(bmo_config_set_weights(config, weights, D));
        assert_refused(bmo_query_create(&query, dataset, config), BMO_EINVAL, "weights");
        assert_ok(bmo_config_set_weights(config, NULL, 0));
        assert_ok(bmo_config_set_text(config, "bandit", "ucb"));
        assert_refused(bmo_query_create(&query, dataset, config), BMO_EINVAL, "metric");
        bmo_config_free(config);
    }
    bmo_config *angle = config_of("cosine", "auto"), *distance = config_of("l2", "auto");
    bmo_dataset *of_angles = prepared(dataset, ROTATED, "inner_product"),
                *of_distances = prepared(dataset, ROTATED, "l2");
    assert_refused(bmo_query_create(&query, of_angles, distance), BMO_EINVAL, "metric");
    assert_refused(bmo_query_create(&query, of_distances, angle), BMO_EINVAL, "metric");
    bmo_dataset *sparse = sparse_of(&vectors, BMO_F32, NULL);
    bmo_config *sampled = config_of("cosine", "bandit");
    assert_refused(bmo_query_create(&query, sparse, sampled), BMO_EINVAL, "method");
    assert_null(query);
    bmo_config_free(sampled);
    bmo_dataset_free(sparse);
    bmo_dataset_free(of_distances);
    bmo_dataset_free(of_angles);
    bmo_config_free(distance);
    bmo_config_free(angle);
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
        cmocka_unit_test(sampling_saves_operations),
        cmocka_unit_test(lengths_far_apart_cost_nothing),
        cmocka_unit_test(epsilon_is_of_the_distance),
        cmocka_unit_test(what_does_not_combine_is_refused),
    };
    return cmocka_run_group_tests_name("angular", tests, NULL, NULL);
}

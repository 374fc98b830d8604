#include "vectors.h"

#include <math.h>
#include <stdlib.h>

Vectors vectors_create(int64_t n, uint64_t seed, int least) {
    const Points points = points_create(n, D, seed);
    const Vectors vectors = {n, malloc((size_t)(n * D) * sizeof(int))};
    assert_non_null(vectors.at);
    for (int64_t i = 0; i < n * D; ++i)
        vectors.at[i] = points.at[i] % 16 + least;
    points_free(points);
    return vectors;
}

int64_t product(const int *a, const int *b) {
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
void true_neighbors(const Vectors *points, const int *query, int64_t self, int cosine, int64_t *index,
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

bmo_config *angular_config(const char *metric, const char *method) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "metric", metric));
    assert_ok(bmo_config_set_text(config, "method", method));
    assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
    return config;
}

/* As a matrix of this type, row i multiplied by 2^exponent(i). */
static void *matrix_of(const Vectors *vectors, bmo_dtype dtype, int (*exponent)(int64_t)) {
    const size_t size = dtype == BMO_U8 || dtype == BMO_I8      ? 1
                        : dtype == BMO_F16 || dtype == BMO_BF16 ? 2
                        : dtype == BMO_F32                      ? sizeof(float)
                                                                : sizeof(double);
    void *matrix = malloc((size_t)(vectors->n * D) * size);
    assert_non_null(matrix);
    for (int64_t i = 0; i < vectors->n * D; ++i) {
        const double value = ldexp(vectors->at[i], exponent ? exponent(i / D) : 0);
        if (dtype == BMO_U8)
            ((uint8_t *)matrix)[i] = (uint8_t)value;
        else if (dtype == BMO_I8)
            ((int8_t *)matrix)[i] = (int8_t)value;
        else if (dtype == BMO_F16)
            ((uint16_t *)matrix)[i] = f16_of(value);
        else if (dtype == BMO_BF16)
            ((uint16_t *)matrix)[i] = bf16_of(value);
        else if (dtype == BMO_F32)
            ((float *)matrix)[i] = (float)value;
        else
            ((double *)matrix)[i] = value;
    }
    return matrix;
}

bmo_dataset *vectors_dense(const Vectors *vectors, bmo_dtype dtype, int (*exponent)(int64_t)) {
    void *matrix = matrix_of(vectors, dtype, exponent);
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = dtype, .data = matrix, .n = vectors->n, .d = D};
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    free(matrix);
    return dataset;
}

void check_row(const bmo_dataset *dataset, const Vectors *vectors, int64_t row, const char *metric, const char *method,
               bmo_stats *stats) {
    const int cosine = metric[0] == 'c';
    bmo_config *config = angular_config(metric, method);
    bmo_query *query = NULL;
    int64_t index[K], expected[K];
    double dist[K];
    long double exact[K];
    const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = K};
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, stats));
    true_neighbors(vectors, vectors->at + row * D, row, cosine, expected, exact);
    assert_memory_equal(index, expected, sizeof index);
    for (int r = 0; r < K; ++r)
        assert_true(fabsl((long double)dist[r] - exact[r]) <= (cosine ? 3e-16L : 0) * fabsl(exact[r]));
    bmo_query_free(query);
    bmo_config_free(config);
}

bmo_dataset *vectors_prepared(const bmo_dataset *source, int how, const char *metric) {
    bmo_dataset *dataset = NULL;
    if (how == AS_IT_IS) {
        assert_ok(bmo_dataset_ref(&dataset, source));
        return dataset;
    }
    bmo_config *config = angular_config(how == FOR_ANY_METRIC ? "l2" : metric, "auto");
    if (how == ROTATED || how == PROJECTED)
        assert_ok(bmo_config_set_text(config, "box", how == ROTATED ? "rotated" : "projected"));
    assert_ok(bmo_dataset_prepare(&dataset, source, config, NULL));
    bmo_config_free(config);
    return dataset;
}

/* The same points as a sparse dataset. */
bmo_dataset *vectors_sparse(const Vectors *vectors, bmo_dtype dtype, int (*exponent)(int64_t)) {
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
    assert_ok(bmo_dataset_sparse(&dataset, &sparse, BMO_COPY, NULL, NULL));
    free(indices);
    free(pointers);
    free(values);
    free(matrix);
    return dataset;
}

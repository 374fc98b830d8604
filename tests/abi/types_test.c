/* Points that are stored as int8, float16 and bfloat16: true neighbors, whatever the metric, the preparation, the layout and the
 * file. Values are small integers, some below 0, so that they are not copied as bytes. */
#include "abi.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "saved_files.h"
#include "vectors.h"

enum { N = 150, LEAST = -8, ROWS = 4 };

static const bmo_dtype dtypes[] = {BMO_I8, BMO_F16, BMO_BF16};
static const char *const methods[] = {"bandit", "exact"};

static bmo_dtype dtype_of(const bmo_dataset *dataset) {
    bmo_dataset_info info = {.struct_size = sizeof info};
    assert_ok(bmo_dataset_describe(dataset, &info));
    return info.dtype;
}

static void angles(void **state) {
    static const char *const metrics[] = {"cosine", "inner_product"};
    (void)state;
    const Vectors vectors = vectors_create(N, 3, LEAST);
    for (size_t t = 0; t < COUNT(dtypes); ++t)
        for (size_t m = 0; m < COUNT(metrics); ++m) {
            bmo_dataset *dataset = vectors_dense(&vectors, dtypes[t], NULL);
            for (int how = AS_IT_IS; how < PREPARATIONS; ++how) {
                bmo_dataset *prepared = vectors_prepared(dataset, how, metrics[m]);
                assert_int_equal(dtype_of(prepared), dtypes[t]);
                for (size_t way = 0; way < COUNT(methods); ++way)
                    for (int64_t row = 0; row < ROWS; ++row)
                        check_row(prepared, &vectors, row * 37, metrics[m], methods[way], NULL);
                bmo_dataset_free(prepared);
            }
            bmo_dataset_free(dataset);
        }
    free(vectors.at);
}

/* The sum of a distance, as an integer. */
static int64_t sum_of(const Vectors *vectors, int64_t a, int64_t b, char metric) {
    int64_t sum = 0;
    for (int64_t j = 0; j < D; ++j) {
        const int64_t apart = vectors->at[a * D + j] - vectors->at[b * D + j];
        sum += metric == '1' ? llabs(apart) : apart * apart;
    }
    return sum;
}

static void check_sums(const bmo_dataset *dataset, const Vectors *vectors, int64_t row, const char *metric,
                       const char *method) {
    bmo_config *config = angular_config(metric, method);
    bmo_query *query = NULL;
    int64_t index[K];
    double dist[K];
    const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = K};
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, NULL));
    for (int r = 0; r < K; ++r) {
        const int64_t own = sum_of(vectors, index[r], row, metric[1]);
        int64_t nearer = 0;
        for (int64_t i = 0; i < N; ++i) {
            const int64_t sum = sum_of(vectors, i, row, metric[1]);
            nearer += i != row && (sum < own || (sum == own && i < index[r]));
        }
        assert_int_equal(nearer, r);
        assert_true(dist[r] == (strcmp(metric, "l2") == 0 ? sqrt((double)own) : (double)own));
    }
    bmo_query_free(query);
    bmo_config_free(config);
}

static void check_all(const bmo_dataset *dataset, const Vectors *vectors, const char *metric) {
    for (size_t way = 0; way < COUNT(methods); ++way)
        for (int64_t row = 0; row < ROWS; ++row)
            check_sums(dataset, vectors, row * 37, metric, methods[way]);
}

static void differences(void **state) {
    static const char *const metrics[] = {"l2", "sqeuclidean", "l1"};
    (void)state;
    const Vectors vectors = vectors_create(N, 4, LEAST);
    for (size_t t = 0; t < COUNT(dtypes); ++t)
        for (size_t m = 0; m < COUNT(metrics); ++m) {
            bmo_dataset *dataset = vectors_dense(&vectors, dtypes[t], NULL);
            const int last = metrics[m][1] == '1' ? ROTATED : PREPARATIONS;
            for (int how = AS_IT_IS; how < last; ++how) {
                bmo_dataset *prepared = vectors_prepared(dataset, how, metrics[m]), *opened = NULL;
                check_all(prepared, &vectors, metrics[m]);
                assert_ok(bmo_dataset_save(prepared, saved_path, NULL));
                for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
                    assert_ok(bmo_dataset_open(&opened, saved_path, flags, NULL));
                    assert_int_equal(dtype_of(opened), dtypes[t]);
                    check_all(opened, &vectors, metrics[m]);
                    bmo_dataset_free(opened);
                }
                bmo_dataset_free(prepared);
            }
            bmo_dataset_free(dataset);
        }
    free(vectors.at);
}

static void columns(void **state) {
    (void)state;
    const Vectors vectors = vectors_create(N, 5, LEAST);
    uint16_t *halves = malloc(sizeof *halves * N * D);
    assert_non_null(halves);
    for (int64_t i = 0; i < N; ++i)
        for (int64_t j = 0; j < D; ++j)
            halves[j * N + i] = f16_of(vectors.at[i * D + j]);
    const bmo_dense dense = {sizeof dense, BMO_F16, halves, N, D, 1, N};
    bmo_dataset *dataset = NULL, *prepared = NULL;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
    check_all(dataset, &vectors, "l2");
    check_all(dataset, &vectors, "l1");
    check_row(dataset, &vectors, 7, "cosine", "bandit", NULL);
    assert_ok(bmo_dataset_prepare(&prepared, dataset, NULL, NULL));
    check_all(prepared, &vectors, "l2");
    bmo_dataset_free(prepared);
    bmo_dataset_free(dataset);
    free(halves);
    free(vectors.at);
}

/* Values that are all whole numbers from 0 to 255 are copied as bytes, as those of wider types are. */
static void whole_numbers_are_prepared_as_bytes(void **state) {
    (void)state;
    const Vectors vectors = vectors_create(N, 6, 0);
    for (size_t t = 0; t < COUNT(dtypes); ++t) {
        bmo_dataset *dataset = vectors_dense(&vectors, dtypes[t], NULL);
        bmo_dataset *prepared = vectors_prepared(dataset, FOR_ANY_METRIC, "l2");
        assert_int_equal(dtype_of(prepared), BMO_U8);
        check_all(prepared, &vectors, "l2");
        check_all(dataset, &vectors, "l2");
        bmo_dataset_free(prepared);
        bmo_dataset_free(dataset);
    }
    free(vectors.at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles),
        cmocka_unit_test(differences),
        cmocka_unit_test(columns),
        cmocka_unit_test(whole_numbers_are_prepared_as_bytes),
    };
    return cmocka_run_group_tests_name("types", tests, make_saved_directory, remove_saved_directory);
}

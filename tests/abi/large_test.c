/* More than 2^31 values, dense and sparse, in memory that costs next to nothing: pages of zeros that were never written, and
 * a few megabytes that are mapped again and again. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "abi.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void *reserve(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(memory != MAP_FAILED);
    return memory;
}

/* The last point is the only one that is not 0, and so is the query but for one coordinate. */
static void the_last_dense_point_is_found(void **state) {
    (void)state;
    const int64_t n = (INT64_C(1) << 17) + 1, d = INT64_C(1) << 14;
    const size_t bytes = (size_t)n * (size_t)d;
    assert_true(bytes > (size_t)INT32_MAX);
    uint8_t *values = reserve(bytes), *query_values = calloc((size_t)d, 1);
    assert_non_null(query_values);
    for (int64_t j = 0; j < d; j += 2)
        values[(n - 1) * d + j] = query_values[j] = 3;
    query_values[1] = 4;
    const bmo_dense points = {.struct_size = sizeof points, .dtype = BMO_U8, .data = values, .n = n, .d = d};
    bmo_dataset *data = NULL;
    assert_ok(bmo_dataset_dense(&data, &points, BMO_BORROW, NULL, NULL));
    bmo_dataset_info info = {.struct_size = sizeof info};
    assert_ok(bmo_dataset_describe(data, &info));
    assert_int_equal(info.nnz, n * d);
    assert_int_equal(info.bytes_borrowed, bytes);

    bmo_query *query = NULL;
    assert_ok(bmo_query_create(&query, data, NULL, NULL));
    const bmo_dense asked = {.struct_size = sizeof asked, .dtype = BMO_U8, .data = query_values, .n = 1, .d = d};
    int64_t index[2];
    double dist[2];
    const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = 2};
    assert_ok(bmo_query_knn_dense(query, &asked, 2, &out, NULL, NULL));
    assert_int_equal(index[0], n - 1);
    assert_true(dist[0] == 4);
    assert_int_equal(index[1], 0);
    assert_true(dist[1] * dist[1] > (double)(9 * d / 2) && dist[1] * dist[1] < (double)(9 * d / 2 + 17));
    bmo_query_free(query);
    bmo_dataset_free(data);
    free(query_values);
    munmap(values, bytes);
}

/* A file of these bytes without a name. */
static int unnamed_file(const void *bytes, size_t size) {
    char name[] = "/tmp/bmo-test-XXXXXX";
    const int file = mkstemp(name);
    assert_true(file >= 0);
    unlink(name);
    assert_int_equal(write(file, bytes, size), size);
    return file;
}

enum { ROW = 1 << 20, ROWS = (1 << 11) + 1 };

/* Every row of the same file but the last one. */
static void *map_rows(int file, int last) {
    const size_t bytes = (size_t)ROW * 4;
    char *memory = reserve(bytes * ROWS);
    for (size_t i = 0; i < ROWS; ++i)
        assert_true(mmap(memory + i * bytes, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, i + 1 < ROWS ? file : last,
                         0) != MAP_FAILED);
    return memory;
}

static void the_last_sparse_point_is_read(void **state) {
    (void)state;
    int32_t *indices = malloc((size_t)ROW * 4);
    float *values = malloc((size_t)ROW * 4);
    int64_t *pointers = malloc((ROWS + 1) * sizeof *pointers);
    assert_true(indices && values && pointers);
    for (int32_t j = 0; j < ROW; ++j) {
        indices[j] = j;
        values[j] = 1;
    }
    for (int64_t i = 0; i <= ROWS; ++i)
        pointers[i] = i * ROW;
    const int plain_indices = unnamed_file(indices, (size_t)ROW * 4),
              plain_values = unnamed_file(values, (size_t)ROW * 4);
    indices[ROW - 1] = ROW;
    values[ROW - 1] = 7;
    const int last_indices = unnamed_file(indices, (size_t)ROW * 4),
              last_values = unnamed_file(values, (size_t)ROW * 4);
    void *all_indices = map_rows(plain_indices, last_indices), *all_values = map_rows(plain_values, last_values);

    const bmo_sparse points = {.struct_size = sizeof points,
                               .pointer_dtype = BMO_I64,
                               .index_dtype = BMO_I32,
                               .value_dtype = BMO_F32,
                               .n = ROWS,
                               .d = ROW + 1,
                               .nnz = pointers[ROWS],
                               .pointers = pointers,
                               .indices = all_indices,
                               .values = all_values};
    assert_true(points.nnz > INT32_MAX);
    bmo_dataset *data = NULL;
    assert_ok(bmo_dataset_sparse(&data, &points, BMO_BORROW, NULL, NULL));
    bmo_dataset_info info = {.struct_size = sizeof info};
    assert_ok(bmo_dataset_describe(data, &info));
    assert_int_equal(info.nnz, points.nnz);
    assert_int_equal(info.bytes_owned, 0);
    double *row = malloc((ROW + 1) * sizeof *row);
    assert_non_null(row);
    const int64_t last = ROWS - 1;
    assert_ok(bmo_dataset_copy_rows(data, &last, 1, row));
    int64_t ones = 0;
    for (int j = 0; j < ROW - 1; ++j)
        ones += row[j] == 1;
    assert_int_equal(ones, ROW - 1);
    assert_true(row[ROW - 1] == 0 && row[ROW] == 7);
    bmo_dataset_free(data);

    free(row);
    munmap(all_indices, (size_t)ROW * 4 * ROWS);
    munmap(all_values, (size_t)ROW * 4 * ROWS);
    const int files[] = {plain_indices, plain_values, last_indices, last_values};
    for (size_t i = 0; i < COUNT(files); ++i)
        close(files[i]);
    free(indices);
    free(values);
    free(pointers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_dense_point_is_found),
        cmocka_unit_test(the_last_sparse_point_is_read),
    };
    return cmocka_run_group_tests_name("large", tests, NULL, NULL);
}

/* A program built with an earlier header, whose structs end before the newest fields: the library neither reads nor
 * writes behind struct_size. What lies there is made of values that would be refused, or noticed when overwritten. */
#include <bmo.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { N = 50, D = 16, POISON = 0xA5 };

/* The size of a struct whose last field comes before this one. */
#define SIZE_BEFORE(type, field) ((uint32_t)offsetof(struct type, field))

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, bmo_last_error());
    return 1;
}

/* Fills a struct with poison, so that fields behind its size are noticed. */
static void poison(void *object, size_t full) {
    memset(object, POISON, full);
}

static int is_poison(const void *object, size_t size, size_t full) {
    const unsigned char *bytes = object;
    for (size_t i = size; i < full; i++)
        if (bytes[i] != POISON)
            return 0;
    return 1;
}

static int check_info(const bmo_dataset *data) {
    bmo_dataset_info info;
    poison(&info, sizeof info);
    info.struct_size = SIZE_BEFORE(bmo_dataset_info, bytes_owned);
    if (bmo_dataset_describe(data, &info))
        return fail("describe");
    if (info.n != N || info.d != D || info.nnz != N * D)
        return fail("info");
    return is_poison(&info, info.struct_size, sizeof info) ? 0 : fail("info was overrun");
}

static int check_param(void) {
    bmo_param_info param;
    poison(&param, sizeof param);
    param.struct_size = SIZE_BEFORE(bmo_param_info, lower_f64);
    if (bmo_param_at(0, &param) || strcmp(param.name, "metric") != 0)
        return fail("parameter");
    return is_poison(&param, param.struct_size, sizeof param) ? 0 : fail("parameter was overrun");
}

static int check_error(void) {
    bmo_error error;
    poison(&error, sizeof error);
    error.struct_size = SIZE_BEFORE(bmo_error, argument);
    if (bmo_param_at(-1, NULL) == BMO_OK)
        return fail("a position of -1");
    bmo_error_detail(&error);
    if (error.status != BMO_EINVAL || error.row != -1)
        return fail("error");
    return is_poison(&error, error.struct_size, sizeof error) ? 0 : fail("error was overrun");
}

static int check_search(const bmo_dataset *data) {
    bmo_query *query = NULL;
    if (bmo_query_create(&query, data, NULL))
        return fail("query");

    const int64_t rows[2] = {0, 20};
    int64_t index[4] = {0};
    double dist[4] = {0};
    bmo_output out;
    poison(&out, sizeof out);
    out.struct_size = SIZE_BEFORE(bmo_output, query_stride);
    out.index_base = 0;
    out.index_dtype = BMO_I64;
    out.dist_dtype = BMO_F64;
    out.index = index;
    out.dist = dist;
    out.capacity = 4;
    bmo_stats stats;
    poison(&stats, sizeof stats);
    stats.struct_size = SIZE_BEFORE(bmo_stats, project_ops);
    if (bmo_query_knn_rows(query, rows, 2, 2, &out, NULL, &stats))
        return fail("search");
    bmo_query_free(query);

    const int64_t expected_index[4] = {1, 2, 19, 21};
    const double expected_dist[4] = {4, 8, 4, 4};
    if (memcmp(index, expected_index, sizeof index) != 0 || memcmp(dist, expected_dist, sizeof dist) != 0)
        return fail("neighbours");
    if (stats.queries != 2 || stats.coord_ops_brute != 2 * (N - 1) * D)
        return fail("stats");
    return is_poison(&stats, stats.struct_size, sizeof stats) ? 0 : fail("stats were overrun");
}

int main(void) {
    float points[N * D];
    for (int i = 0; i < N * D; i++)
        points[i] = (float)(i / D);

    bmo_dense dense;
    poison(&dense, sizeof dense);
    dense.struct_size = SIZE_BEFORE(bmo_dense, point_stride);
    dense.dtype = BMO_F32;
    dense.data = points;
    dense.n = N;
    dense.d = D;
    bmo_dataset *data = NULL;
    if (bmo_dataset_dense(&data, &dense, BMO_COPY, NULL))
        return fail("dataset");
    int status = check_info(data) || check_param() || check_error() || check_search(data);
    bmo_dataset_free(data);
    return status;
}

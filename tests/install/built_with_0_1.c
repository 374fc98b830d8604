/* A program as it was built with the header of 0.1.0: that version's layouts, copied, so that it notices when a field
 * moves, and when the library reads or writes behind what a struct had then. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct dense {
    uint32_t struct_size;
    int32_t dtype;
    const void *data;
    int64_t n, d, point_stride, coord_stride;
};

struct dataset_info {
    uint32_t struct_size;
    int32_t kind, box, metric, dtype, reserved;
    int64_t n, d, nnz, seed;
    uint64_t bytes_owned, bytes_borrowed, prepare_ns;
};

struct param_info {
    uint32_t struct_size;
    int32_t param, type;
    uint32_t reserved;
    const char *name, *choices, *initial, *summary;
    double lower_f64, upper_f64;
    int64_t lower_i64, upper_i64;
};

struct error {
    uint32_t struct_size;
    int32_t status;
    int64_t row, col;
    int32_t callback_result, reserved;
    const char *argument, *message;
};

struct row_stats {
    uint64_t coord_ops;
    uint32_t rounds, exact_evals;
};

struct output {
    uint32_t struct_size;
    int32_t index_base, index_dtype, distance_dtype;
    void *index, *distance;
    int64_t capacity, query_stride, rank_stride;
    uint8_t *done;
    struct row_stats *row_stats;
};

struct stats {
    uint32_t struct_size;
    int32_t guarantee, method, box, bandit, confidence, sampling, threads;
    const char *assumption, *reason;
    uint64_t queries, arms, rounds, coord_ops_sampled, exact_evals, coord_ops, coord_ops_exact, coord_ops_brute,
        projection_ops;
    int64_t seed;
    double delta, epsilon;
    uint64_t wall_ns;
};

int32_t bmo_dataset_dense(void **out, const struct dense *data, uint32_t flags, const void *owner, const void *monitor);
int32_t bmo_dataset_describe(const void *ds, struct dataset_info *info);
void bmo_dataset_free(void *ds);
int32_t bmo_param_at(int32_t position, struct param_info *info);
void bmo_error_detail(struct error *error);
const char *bmo_last_error(void);
int32_t bmo_query_create(void **out, const void *ds, const void *config, const void *monitor);
int32_t bmo_query_knn_rows(const void *query, const int64_t *rows, int64_t nrows, int64_t k, const struct output *out,
                           const void *monitor, struct stats *stats);
void bmo_query_free(void *query);

enum { F64 = 2, I32 = 4, EINVAL_STATUS = -1, PROVEN = 3, N = 50, D = 16, K = 2, POISON = 0xA5, BEHIND = 64 };

/* A struct, and what lies behind it in memory. */
#define WITH_POISON(type, name)                                                                                        \
    struct {                                                                                                           \
        struct type it;                                                                                                \
        unsigned char behind[BEHIND];                                                                                  \
    } name;                                                                                                            \
    memset(&(name), POISON, sizeof(name));                                                                             \
    memset(&(name).it, 0, sizeof(name).it);                                                                            \
    (name).it.struct_size = sizeof(name).it

static int is_poison(const unsigned char *behind) {
    for (int i = 0; i < BEHIND; i++)
        if (behind[i] != POISON)
            return 0;
    return 1;
}

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, bmo_last_error());
    return 1;
}

static int check_info(const void *data) {
    WITH_POISON(dataset_info, info);
    if (bmo_dataset_describe(data, &info.it))
        return fail("describe");
    if (info.it.dtype != F64 || info.it.n != N || info.it.d != D || info.it.nnz != N * D)
        return fail("info");
    return is_poison(info.behind) ? 0 : fail("info was overrun");
}

static int check_parameter(void) {
    WITH_POISON(param_info, param);
    int32_t position = 0;
    do {
        if (bmo_param_at(position++, &param.it))
            return fail("parameter");
    } while (strcmp(param.it.name, "delta") != 0);
    if (param.it.upper_f64 != 0.5 || strcmp(param.it.initial, "0.01") != 0)
        return fail("delta");
    return is_poison(param.behind) ? 0 : fail("parameter was overrun");
}

static int check_error(void) {
    WITH_POISON(error, error);
    if (bmo_param_at(0, NULL) != EINVAL_STATUS)
        return fail("NULL for a parameter");
    bmo_error_detail(&error.it);
    if (error.it.status != EINVAL_STATUS || error.it.row != -1 || strcmp(error.it.message, bmo_last_error()) != 0)
        return fail("error");
    return is_poison(error.behind) ? 0 : fail("error was overrun");
}

static int check_search(const void *data) {
    void *query = NULL;
    if (bmo_query_create(&query, data, NULL, NULL))
        return fail("query");
    const int64_t rows[2] = {0, 20};
    int32_t index[2 * K] = {0};
    double dist[2 * K] = {0};
    uint8_t done[2] = {0};
    struct row_stats row_stats[2];
    WITH_POISON(output, out);
    out.it.index_base = 1;
    out.it.index_dtype = I32;
    out.it.index = index;
    out.it.distance = dist;
    out.it.capacity = 2 * K;
    out.it.done = done;
    out.it.row_stats = row_stats;
    WITH_POISON(stats, stats);
    int32_t status = bmo_query_knn_rows(query, rows, 2, K, &out.it, NULL, &stats.it);
    bmo_query_free(query);
    if (status)
        return fail("search");

    const int32_t expected_index[2 * K] = {2, 3, 20, 22};
    const double expected_dist[2 * K] = {4, 8, 4, 4};
    if (memcmp(index, expected_index, sizeof index) != 0 || memcmp(dist, expected_dist, sizeof dist) != 0)
        return fail("neighbors");
    if (!done[0] || !done[1] || row_stats[0].coord_ops + row_stats[1].coord_ops != stats.it.coord_ops)
        return fail("rows");
    if (stats.it.guarantee < PROVEN || stats.it.coord_ops_brute != 2 * (N - 1) * D || stats.it.delta != 0.01)
        return fail("stats");
    return is_poison(stats.behind) ? 0 : fail("stats were overrun");
}

int main(void) {
    double points[N * D]; /* point i is (i, i, ..., i): its distance to point j is 4 |i - j| */
    for (int i = 0; i < N * D; i++)
        points[i] = i / D;
    WITH_POISON(dense, dense);
    dense.it.dtype = F64;
    dense.it.data = points;
    dense.it.n = N;
    dense.it.d = D;
    void *data = NULL;
    if (bmo_dataset_dense(&data, &dense.it, 0, NULL, NULL))
        return fail("dataset");
    int status = check_info(data) || check_parameter() || check_error() || check_search(data);
    bmo_dataset_free(data);
    return status;
}

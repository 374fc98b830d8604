/* A C program that knows libbmo by its header alone: the neighbors are those of a full scan in integers. */
#include <bmo.h>
#include <stdio.h>

enum { N = 400, D = 2048, K = 5, QUERIES = 4 };

static uint8_t points[N][D];

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 24;
}

static int64_t squared_distance(int a, int b) {
    int64_t sum = 0;
    for (int j = 0; j < D; j++) {
        int difference = points[a][j] - points[b][j];
        sum += difference * difference;
    }
    return sum;
}

/* Candidates that come before neighbor r of a query, by (distance, index). */
static int rank_of(int query, int neighbor) {
    int64_t distance = squared_distance(query, neighbor);
    int rank = 0;
    for (int i = 0; i < N; i++) {
        int64_t other = squared_distance(query, i);
        rank += i != query && (other < distance || (other == distance && i < neighbor));
    }
    return rank;
}

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, bmo_last_error());
    return 1;
}

static int search(const bmo_query *query) {
    const int64_t rows[QUERIES] = {0, 7, 200, N - 1};
    int32_t index[QUERIES * K];
    double dist[QUERIES * K];
    bmo_output out = {
        .struct_size = sizeof out, .index_dtype = BMO_I32, .index = index, .distance = dist, .capacity = QUERIES * K};
    bmo_stats stats = {.struct_size = sizeof stats};
    if (bmo_query_knn_rows(query, rows, QUERIES, K, &out, NULL, &stats))
        return fail("search");
    if (stats.queries != QUERIES || stats.guarantee < BMO_GUARANTEE_PROVEN)
        return fail("stats");
    for (int i = 0; i < QUERIES; i++)
        for (int r = 0; r < K; r++) {
            int neighbor = index[i * K + r];
            if (rank_of((int)rows[i], neighbor) != r)
                return fail("rank");
            if (dist[i * K + r] != (double)squared_distance((int)rows[i], neighbor))
                return fail("distance");
        }
    return 0;
}

int main(void) {
    uint32_t state = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++)
            points[i][j] = (uint8_t)(next_random(&state) / 4);

    const int32_t version = 1000000 * BMO_VERSION_MAJOR + 1000 * BMO_VERSION_MINOR + BMO_VERSION_PATCH;
    if (bmo_version() != version)
        return fail("version");

    bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_U8, .data = points, .n = N, .d = D};
    bmo_dataset *data = NULL;
    bmo_config *config = NULL;
    bmo_query *query = NULL;
    if (bmo_dataset_dense(&data, &dense, BMO_COPY, NULL, NULL))
        return fail("dataset");
    if (bmo_config_create(&config) || bmo_config_set_text(config, "metric", "sqeuclidean"))
        return fail("config");
    if (bmo_query_create(&query, data, config, NULL))
        return fail("query");
    bmo_config_free(config);
    bmo_dataset_free(data);
    int status = search(query);
    bmo_query_free(query);
    return status;
}

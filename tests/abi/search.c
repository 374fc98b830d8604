#include "search.h"

#include <stdlib.h>

#include "abi.h"

Search search_create(int64_t n, int64_t d, const bmo_config *config) {
    Search search = {.candidates = points_create(n, d, 1), .queries = points_create(QUERIES, d, 2)};
    int64_t metric = BMO_METRIC_L2;
    if (config)
        assert_ok(bmo_config_get_i64(config, BMO_PARAM_METRIC, &metric));
    search.metric = (int32_t)metric;
    for (int64_t i = 0; i < QUERIES; ++i)
        search.rows[i] = n > 0 ? (7 * (i / 2)) % n : 0;
    search.sparse_queries = points_sparse(&search.queries);
    search.candidate_set = points_dataset(&search.candidates);
    search.query_set = points_dataset(&search.queries);
    assert_ok(bmo_query_create(&search.query, search.candidate_set, config, NULL));
    return search;
}

void search_free(Search search) {
    bmo_query_free(search.query);
    bmo_dataset_free(search.query_set);
    bmo_dataset_free(search.candidate_set);
    sparse_free(search.sparse_queries);
    points_free(search.queries);
    points_free(search.candidates);
}

int64_t search_count(const Search *search, Kind kind) {
    return kind == GRAPH ? search->candidates.n : QUERIES;
}

bmo_status search_run(const Search *search, Kind kind, int64_t k, const bmo_output *out, const bmo_monitor *monitor,
                      bmo_stats *stats) {
    const bmo_dense dense = points_dense(&search->queries);
    switch (kind) {
    case KNN: return bmo_query_knn(search->query, search->query_set, k, out, monitor, stats);
    case KNN_DENSE: return bmo_query_knn_dense(search->query, &dense, k, out, monitor, stats);
    case KNN_SPARSE: return bmo_query_knn_sparse(search->query, &search->sparse_queries, k, out, monitor, stats);
    case KNN_ROWS: return bmo_query_knn_rows(search->query, search->rows, QUERIES, k, out, monitor, stats);
    default: return bmo_query_graph(search->query, k, out, monitor, stats);
    }
}

void search_expect(const Search *search, Kind kind, int64_t query, int64_t k, int64_t *index, double *dist) {
    const int64_t self = kind == GRAPH ? query : kind == KNN_ROWS ? search->rows[query] : -1;
    const uint8_t *point =
        self < 0 ? search->queries.at + query * search->queries.d : search->candidates.at + self * search->candidates.d;
    int64_t *sums = allocate(k, sizeof *sums);
    nearest(&search->candidates, point, self, k, search->metric, index, sums);
    for (int64_t r = 0; r < k; ++r)
        dist[r] = distance_of_sum(sums[r], search->metric);
    free(sums);
}

static void check_row(const Search *search, Kind kind, int64_t query, int64_t k, const int64_t *index,
                      const double *dist) {
    int64_t *true_index = allocate(k, sizeof *true_index);
    double *true_dist = allocate(k, sizeof *true_dist);
    search_expect(search, kind, query, k, true_index, true_dist);
    assert_memory_equal(index, true_index, (size_t)k * sizeof *index);
    for (int64_t r = 0; r < k; ++r)
        assert_true(dist[r] == true_dist[r]);
    free(true_dist);
    free(true_index);
}

void search_check(const Search *search, Kind kind, int64_t k, bmo_stats *stats) {
    const int64_t count = search_count(search, kind);
    int64_t *index = allocate(count * k, sizeof *index);
    double *dist = allocate(count * k, sizeof *dist);
    const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = count * k};
    assert_ok(search_run(search, kind, k, &out, NULL, stats));
    for (int64_t i = 0; i < count; ++i)
        check_row(search, kind, i, k, index + i * k, dist + i * k);
    free(dist);
    free(index);
}

bmo_config *config_with(const char *name, const char *value) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, name, value));
    return config;
}

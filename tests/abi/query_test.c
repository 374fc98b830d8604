/* bmo_query: the five searches, against exact integer arithmetic. */
#include "abi.h"
#include "search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static void the_neighbors_are_the_true_ones(void **state) {
    static const char *const metrics[] = {"l2", "sqeuclidean", "l1"};
    static const char *const methods[] = {"auto", "exact", "bandit"};
    (void)state;
    for (size_t m = 0; m < COUNT(metrics); ++m)
        for (size_t e = 0; e < COUNT(methods); ++e) {
            bmo_config *config = config_with("metric", metrics[m]);
            assert_ok(bmo_config_set_text(config, "method", methods[e]));
            assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
            const Search search = search_create(250, 600, config);
            bmo_config_free(config);
            for (Kind kind = KNN; kind < KINDS; ++kind) {
                search_check(&search, kind, 1, NULL);
                search_check(&search, kind, 5, NULL);
            }
            search_free(search);
        }
}

static void every_size_and_k_works(void **state) {
    static const int64_t sizes[][2] = {{1, 1}, {2, 1}, {3, 17}, {40, 1}, {16, 33}};
    (void)state;
    for (size_t s = 0; s < COUNT(sizes); ++s) {
        const Search search = search_create(sizes[s][0], sizes[s][1], NULL);
        for (Kind kind = KNN; kind < KINDS; ++kind) {
            const int64_t candidates = sizes[s][0] - (kind >= KNN_ROWS);
            for (int64_t k = 1; k <= candidates; ++k)
                search_check(&search, kind, k, NULL);
            assert_refused(search_run(&search, kind, candidates + 1, NULL, NULL, NULL), BMO_EINVAL, "k");
        }
        search_free(search);
    }
}

static void k_is_checked_first(void **state) {
    const Search search = search_create(20, 3, NULL);
    (void)state;
    for (Kind kind = KNN; kind < KINDS; ++kind) {
        static const int64_t bad[] = {0, -1, INT64_MIN, INT64_MAX, 21};
        for (size_t i = 0; i < COUNT(bad); ++i)
            assert_refused(search_run(&search, kind, bad[i], NULL, NULL, NULL), BMO_EINVAL, "k");
    }
    search_free(search);
}

static void null_arguments_are_refused(void **state) {
    const Search search = search_create(20, 3, NULL);
    const bmo_dense dense = points_dense(&search.queries);
    bmo_query *query = NULL;
    (void)state;
    assert_refused(bmo_query_create(NULL, search.candidate_set, NULL, NULL), BMO_EINVAL, "out");
    assert_refused(bmo_query_create(&query, NULL, NULL, NULL), BMO_EINVAL, "ds");
    assert_null(query);
    assert_refused(bmo_query_knn(NULL, search.query_set, 1, NULL, NULL, NULL), BMO_EINVAL, "query");
    assert_refused(bmo_query_knn(search.query, NULL, 1, NULL, NULL, NULL), BMO_EINVAL, "queries");
    assert_refused(bmo_query_knn_dense(NULL, &dense, 1, NULL, NULL, NULL), BMO_EINVAL, "query");
    assert_refused(bmo_query_knn_dense(search.query, NULL, 1, NULL, NULL, NULL), BMO_EINVAL, "queries");
    assert_refused(bmo_query_knn_sparse(NULL, &search.sparse_queries, 1, NULL, NULL, NULL), BMO_EINVAL, "query");
    assert_refused(bmo_query_knn_sparse(search.query, NULL, 1, NULL, NULL, NULL), BMO_EINVAL, "queries");
    assert_refused(bmo_query_knn_rows(NULL, search.rows, 1, 1, NULL, NULL, NULL), BMO_EINVAL, "query");
    assert_refused(bmo_query_knn_rows(search.query, NULL, 1, 1, NULL, NULL, NULL), BMO_EINVAL, "rows");
    assert_refused(bmo_query_graph(NULL, 1, NULL, NULL, NULL), BMO_EINVAL, "query");
    bmo_query_free(NULL);
    search_free(search);
}

/* The same points, all of whose small values are gone, as a sparse dataset. */
static void sparse_points_have_the_same_neighbors(void **state) {
    static const char *const metrics[] = {"l2", "l1"};
    (void)state;
    for (size_t m = 0; m < COUNT(metrics); ++m) {
        bmo_config *config = config_with("metric", metrics[m]);
        assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
        Search search = search_create(120, 300, config);
        for (int64_t i = 0; i < search.candidates.n * search.candidates.d; ++i)
            if (search.candidates.at[i] < 150)
                search.candidates.at[i] = 0;
        const bmo_sparse sparse = points_sparse(&search.candidates);
        bmo_query_free(search.query);
        bmo_dataset_free(search.candidate_set);
        assert_ok(bmo_dataset_sparse(&search.candidate_set, &sparse, BMO_BORROW, NULL, NULL));
        assert_ok(bmo_query_create(&search.query, search.candidate_set, config, NULL));
        for (Kind kind = KNN; kind < KINDS; ++kind)
            search_check(&search, kind, 4, NULL);
        search_free(search);
        sparse_free(sparse);
        bmo_config_free(config);
    }
}

static void bad_rows_are_refused(void **state) {
    const Search search = search_create(20, 3, NULL);
    static const int64_t high[] = {0, 19, 20}, low[] = {-1, 0, 1};
    (void)state;
    assert_refused(bmo_query_knn_rows(search.query, high, 3, 1, NULL, NULL, NULL), BMO_EINVAL, "rows");
    assert_int_equal(last_error().row, 2);
    assert_non_null(strstr(bmo_last_error(), "20"));
    assert_ok(bmo_query_knn_rows(search.query, high, 2, 1, NULL, NULL, NULL));
    assert_refused(bmo_query_knn_rows(search.query, low, 3, 1, NULL, NULL, NULL), BMO_EINVAL, "rows");
    assert_int_equal(last_error().row, 0);
    assert_refused(bmo_query_knn_rows(search.query, low, -1, 1, NULL, NULL, NULL), BMO_EINVAL, "nrows");
    search_free(search);
}

static void queries_of_another_d_are_refused(void **state) {
    const Search search = search_create(20, 3, NULL);
    const Points other = points_create(2, 4, 5);
    bmo_dataset *other_set = points_dataset(&other);
    bmo_dense dense = points_dense(&other);
    (void)state;
    assert_refused(bmo_query_knn(search.query, other_set, 1, NULL, NULL, NULL), BMO_EINVAL, "queries.d");
    assert_refused(bmo_query_knn_dense(search.query, &dense, 1, NULL, NULL, NULL), BMO_EINVAL, "queries.d");
    dense.n = 0;
    assert_refused(bmo_query_knn_dense(search.query, &dense, 1, NULL, NULL, NULL), BMO_EINVAL, "queries.d");
    bmo_dataset_free(other_set);
    points_free(other);
    search_free(search);
}

static void bad_query_points_are_refused(void **state) {
    const Search search = search_create(20, 3, NULL);
    double values[6] = {0};
    bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = values, .n = 2, .d = 3};
    int64_t index[2] = {77, 77};
    const bmo_output out = {.struct_size = sizeof out, .index = index, .capacity = 2};
    (void)state;
    values[4] = (double)NAN;
    assert_refused(bmo_query_knn_dense(search.query, &dense, 1, &out, NULL, NULL), BMO_ENONFINITE, "queries");
    assert_int_equal(last_error().row, 1);
    assert_int_equal(last_error().col, 1);
    values[4] = -(double)INFINITY;
    assert_refused(bmo_query_knn_dense(search.query, &dense, 1, &out, NULL, NULL), BMO_ENONFINITE, "queries");
    values[4] = 0;
    dense.dtype = 99;
    assert_refused(bmo_query_knn_dense(search.query, &dense, 1, &out, NULL, NULL), BMO_EINVAL, "queries.dtype");
    dense.dtype = BMO_F64;
    dense.n = -1;
    assert_refused(bmo_query_knn_dense(search.query, &dense, 1, &out, NULL, NULL), BMO_EINVAL, "queries.n");
    dense.n = 2;
    dense.coord_stride = -1;
    assert_refused(bmo_query_knn_dense(search.query, &dense, 1, &out, NULL, NULL), BMO_EINVAL, "queries.coord_stride");
    dense.coord_stride = 0;
    dense.struct_size = 3;
    assert_refused(bmo_query_knn_dense(search.query, &dense, 1, &out, NULL, NULL), BMO_EINVAL, "queries.struct_size");
    assert_int_equal(index[0], 77);
    assert_int_equal(index[1], 77);
    search_free(search);
}

static void structs_of_a_call_are_checked(void **state) {
    const Search search = search_create(20, 3, NULL);
    (void)state;
    for (Kind kind = KNN; kind < KINDS; ++kind) {
        bmo_output out = {.struct_size = offsetof(bmo_output, limits) - 1};
        bmo_monitor monitor = {.struct_size = 0};
        bmo_stats stats = {.struct_size = offsetof(bmo_stats, wall_ns), .queries = 77};
        assert_refused(search_run(&search, kind, 1, &out, NULL, NULL), BMO_EINVAL, "out.struct_size");
        assert_refused(search_run(&search, kind, 1, NULL, &monitor, NULL), BMO_EINVAL, "monitor.struct_size");
        monitor.struct_size = sizeof monitor;
        monitor.interval_ms = -1;
        assert_refused(search_run(&search, kind, 1, NULL, &monitor, NULL), BMO_EINVAL, "monitor.interval_ms");
        assert_refused(search_run(&search, kind, 1, NULL, NULL, &stats), BMO_EINVAL, "stats.struct_size");
        assert_int_equal(stats.queries, 77);
        struct {
            bmo_monitor monitor;
            int64_t later;
        } newer_monitor = {.monitor = {.struct_size = sizeof newer_monitor}, .later = 1};
        assert_refused(search_run(&search, kind, 1, NULL, &newer_monitor.monitor, NULL), BMO_EVERSION,
                       "monitor.struct_size");
        struct {
            bmo_stats stats;
            int64_t later;
        } newer_stats = {.stats = {.struct_size = sizeof newer_stats}, .later = 77};
        newer_monitor.later = 0;
        assert_ok(search_run(&search, kind, 1, NULL, &newer_monitor.monitor, &newer_stats.stats));
        assert_int_equal(newer_stats.stats.struct_size, sizeof newer_stats);
        assert_int_equal(newer_stats.stats.queries, search_count(&search, kind));
        assert_int_equal(newer_stats.later, 77);
    }
    search_free(search);
}

static void no_queries_are_no_work(void **state) {
    const Search search = search_create(20, 3, NULL);
    const bmo_dense none = {.struct_size = sizeof none, .dtype = BMO_F32, .d = 3};
    bmo_dataset *empty = NULL;
    bmo_stats stats = {.struct_size = sizeof stats, .coord_ops = 77};
    (void)state;
    assert_ok(bmo_dataset_dense(&empty, &none, BMO_COPY, NULL, NULL));
    const bmo_output out = {.struct_size = sizeof out};
    assert_ok(bmo_query_knn(search.query, empty, 2, &out, NULL, &stats));
    assert_int_equal(stats.queries, 0);
    assert_int_equal(stats.coord_ops, 0);
    assert_int_equal(stats.coord_ops_brute, 0);
    assert_ok(bmo_query_knn_dense(search.query, &none, 20, &out, NULL, &stats));
    assert_ok(bmo_query_knn_rows(search.query, NULL, 0, 19, &out, NULL, &stats));
    assert_refused(bmo_query_knn(search.query, empty, 0, &out, NULL, NULL), BMO_EINVAL, "k");
    assert_refused(bmo_query_knn_dense(search.query, &none, 21, &out, NULL, NULL), BMO_EINVAL, "k");
    assert_refused(bmo_query_knn_rows(search.query, NULL, 0, 20, &out, NULL, NULL), BMO_EINVAL, "k");
    bmo_dataset_free(empty);
    search_free(search);
}

static void no_candidates_serve_no_queries_only(void **state) {
    const bmo_dense none = {.struct_size = sizeof none, .dtype = BMO_F32, .d = 3};
    static const float point[3] = {1, 2, 3};
    bmo_dense one = none;
    bmo_dataset *empty = NULL;
    bmo_query *query = NULL;
    bmo_stats stats = {.struct_size = sizeof stats};
    const int64_t row = 0;
    (void)state;
    one.n = 1;
    one.data = point;
    assert_ok(bmo_dataset_dense(&empty, &none, BMO_COPY, NULL, NULL));
    assert_ok(bmo_query_create(&query, empty, NULL, NULL));
    assert_ok(bmo_query_graph(query, 5, NULL, NULL, &stats));
    assert_int_equal(stats.queries, 0);
    assert_int_equal(stats.arms, 0);
    assert_int_equal(stats.coord_ops_brute, 0);
    assert_ok(bmo_query_knn_dense(query, &none, 5, NULL, NULL, &stats));
    assert_ok(bmo_query_knn_rows(query, NULL, 0, 5, NULL, NULL, &stats));
    assert_refused(bmo_query_graph(query, 0, NULL, NULL, NULL), BMO_EINVAL, "k");
    assert_refused(bmo_query_knn_dense(query, &one, 1, NULL, NULL, NULL), BMO_EINVAL, "k");
    assert_refused(bmo_query_knn_rows(query, &row, 1, 1, NULL, NULL, NULL), BMO_EINVAL, "rows");
    bmo_query_free(query);
    bmo_dataset_free(empty);
}

static void a_duplicate_is_a_neighbor_and_ties_go_to_the_lower_index(void **state) {
    static const double same[8] = {5, 5, 5, 5, 5, 5, 5, 6};
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = same, .n = 4, .d = 2};
    static const int64_t expected[12] = {1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2};
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;
    int64_t index[12];
    double dist[12];
    const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = 12};
    (void)state;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    assert_ok(bmo_query_create(&query, dataset, NULL, NULL));
    assert_ok(bmo_query_graph(query, 3, &out, NULL, NULL));
    assert_memory_equal(index, expected, sizeof expected);
    for (int i = 0; i < 12; ++i)
        assert_true(dist[i] == (i / 3 == 3 || i % 3 == 2 ? 1 : 0));
    bmo_query_free(query);
    bmo_dataset_free(dataset);
}

static void lp_of_small_integers(void **state) {
    static const double rows[6] = {0, 0, 1, 2, 3, 1}; /* |a-b|: (1,2) and (3,1) from the first */
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = rows, .n = 3, .d = 2};
    static const struct {
        const char *p;
        double near, far;
    } cases[] = {{"1", 3, 4},
                 {"2", 2.23606797749979, 3.1622776601683795},
                 {"3", 2.080083823051904, 3.0365889718756627},
                 {"0.5", 5.82842712474619, 7.464101615137754}};
    bmo_dataset *dataset = NULL;
    (void)state;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bmo_config *config = config_with("metric", "lp");
        assert_ok(bmo_config_set_text(config, "p", cases[i].p));
        bmo_query *query = NULL;
        assert_ok(bmo_query_create(&query, dataset, config, NULL));
        int64_t index[2];
        double dist[2];
        const int64_t first = 0;
        const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = 2};
        assert_ok(bmo_query_knn_rows(query, &first, 1, 2, &out, NULL, NULL));
        assert_int_equal(index[0], 1);
        assert_int_equal(index[1], 2);
        assert_true(fabs(dist[0] / cases[i].near - 1) < 1e-14);
        assert_true(fabs(dist[1] / cases[i].far - 1) < 1e-14);
        bmo_query_free(query);
        bmo_config_free(config);
    }
    bmo_dataset_free(dataset);
}

static void a_distance_beyond_double_is_refused(void **state) {
    static const double rows[4] = {1e200, 1e200, -1e200, -1e200};
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = rows, .n = 2, .d = 2};
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;
    bmo_config *config = config_with("metric", "sqeuclidean");
    double dist[2] = {77, 77};
    uint8_t done[2] = {9, 9};
    bmo_stats stats = {.struct_size = sizeof stats, .queries = 77};
    const bmo_output out = {.struct_size = sizeof out, .distance = dist, .capacity = 2, .done = done};
    (void)state;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_int_equal(bmo_query_graph(query, 1, &out, NULL, &stats), BMO_EOVERFLOW);
    assert_true(dist[0] == 77 && dist[1] == 77);
    assert_int_equal(done[0], 0);
    assert_int_equal(done[1], 0);
    assert_int_equal(stats.queries, 77);
    bmo_query_free(query);
    assert_ok(bmo_query_create(&query, dataset, NULL, NULL)); /* l2 of the same is a double */
    assert_ok(bmo_query_graph(query, 1, &out, NULL, &stats));
    assert_true(fabs(dist[0] / 2.8284271247461903e200 - 1) < 1e-15);
    bmo_query_free(query);
    bmo_config_free(config);
    bmo_dataset_free(dataset);
}

static void a_preparation_changes_no_answer_and_fixes_the_seed(void **state) {
    bmo_config *config = config_with("method", "bandit"), *other_seed = config_with("seed", "9");
    assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
    Search search = search_create(200, 800, config);
    bmo_dataset *prepared = NULL;
    bmo_query *query = NULL;
    (void)state;
    assert_ok(bmo_dataset_prepare(&prepared, search.candidate_set, config, NULL));
    bmo_query_free(search.query);
    assert_ok(bmo_query_create(&search.query, prepared, config, NULL));
    for (Kind kind = KNN; kind < KINDS; ++kind)
        search_check(&search, kind, 4, NULL);
    assert_refused(bmo_query_create(&query, prepared, other_seed, NULL), BMO_EINVAL, "seed");
    assert_null(query);
    bmo_dataset_free(prepared);
    search_free(search);
    bmo_config_free(other_seed);
    bmo_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_neighbors_are_the_true_ones),
        cmocka_unit_test(every_size_and_k_works),
        cmocka_unit_test(sparse_points_have_the_same_neighbors),
        cmocka_unit_test(k_is_checked_first),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(bad_rows_are_refused),
        cmocka_unit_test(queries_of_another_d_are_refused),
        cmocka_unit_test(bad_query_points_are_refused),
        cmocka_unit_test(structs_of_a_call_are_checked),
        cmocka_unit_test(no_queries_are_no_work),
        cmocka_unit_test(no_candidates_serve_no_queries_only),
        cmocka_unit_test(a_duplicate_is_a_neighbor_and_ties_go_to_the_lower_index),
        cmocka_unit_test(lp_of_small_integers),
        cmocka_unit_test(a_distance_beyond_double_is_refused),
        cmocka_unit_test(a_preparation_changes_no_answer_and_fixes_the_seed),
    };
    return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}

/* bmo_query_radius: all neighbors within a distance, against exact integer arithmetic. */
#include "abi.h"
#include "search.h"

#include <math.h>
#include <stdlib.h>

static bmo_status radius_run(const Search *search, Kind kind, const bmo_limits *limits, bmo_neighbors **out,
                             bmo_stats *stats) {
    const bmo_dense dense = points_dense(&search->queries);
    switch (kind) {
    case KNN: return bmo_query_radius(search->query, search->query_set, limits, out, NULL, stats);
    case KNN_DENSE: return bmo_query_radius_dense(search->query, &dense, limits, out, NULL, stats);
    case KNN_SPARSE: return bmo_query_radius_sparse(search->query, &search->sparse_queries, limits, out, NULL, stats);
    case KNN_ROWS: return bmo_query_radius_rows(search->query, search->rows, QUERIES, limits, out, NULL, stats);
    default: return bmo_query_radius_graph(search->query, limits, out, NULL, stats);
    }
}

static int64_t candidates(const Search *search, Kind kind) {
    return search->candidates.n - (kind >= KNN_ROWS);
}

static bmo_neighbors_view view_of(const bmo_neighbors *neighbors) {
    bmo_neighbors_view view = {.struct_size = sizeof view};
    assert_ok(bmo_neighbors_read(neighbors, &view));
    return view;
}

/* The distances are those of the query's neighbor of this rank: the tie with it is inside. */
static void check_radius(const Search *search, Kind kind, int64_t rank, int is_one) {
    const int64_t count = search_count(search, kind), all = candidates(search, kind);
    int64_t *index = allocate(all, sizeof *index);
    double *dist = allocate(all, sizeof *dist), *within = allocate(count, sizeof *within);
    for (int64_t i = 0; i < count; ++i) {
        search_expect(search, kind, i, all, index, dist);
        within[i] = dist[rank];
    }
    const bmo_limits limits = {
        .struct_size = sizeof limits, .max_distance = within, .max_distance_count = is_one ? 1 : count};
    bmo_stats stats = {.struct_size = sizeof stats};
    bmo_neighbors *neighbors = NULL;
    assert_ok(radius_run(search, kind, &limits, &neighbors, &stats));
    const bmo_neighbors_view view = view_of(neighbors);
    assert_int_equal(view.queries, count);
    assert_int_equal(view.pairs, view.offset[count]);
    assert_int_equal(view.offset[0], 0);
    assert_int_equal(stats.neighbors, view.pairs);
    assert_true((double)stats.coord_ops <= 1.1 * (double)stats.coord_ops_brute);
    for (int64_t i = 0; i < count; ++i) {
        search_expect(search, kind, i, all, index, dist);
        int64_t found = 0;
        for (; found < all && dist[found] <= within[is_one ? 0 : i]; ++found) {
            assert_int_equal(view.index[view.offset[i] + found], index[found]);
            assert_true(view.distance[view.offset[i] + found] == dist[found]);
        }
        assert_int_equal(view.offset[i + 1] - view.offset[i], found);
    }
    bmo_neighbors_free(neighbors);
    free(within);
    free(dist);
    free(index);
}

static void all_neighbors_within_the_distance_are_found(void **state) {
    static const struct {
        int64_t n, d;
        const char *metric, *method;
    } cases[] = {{60, 300, "l2", "auto"},   {60, 300, "l1", "exact"},          {60, 300, "sqeuclidean", "bandit"},
                 {60, 300, "l1", "bandit"}, {300, 70, "sqeuclidean", "exact"}, {300, 70, "l2", "bandit"}};
    (void)state;
    for (size_t c = 0; c < COUNT(cases); ++c) {
        bmo_config *config = config_with("metric", cases[c].metric);
        assert_ok(bmo_config_set_text(config, "method", cases[c].method));
        assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
        assert_ok(bmo_config_set_text(config, "delta_scope", c % 2 ? "call" : "query"));
        const Search search = search_create(cases[c].n, cases[c].d, config);
        bmo_config_free(config);
        for (Kind kind = KNN; kind < KINDS; ++kind) {
            if (kind == GRAPH && cases[c].n > 100)
                continue;
            check_radius(&search, kind, 0, 0);
            check_radius(&search, kind, 7, 1);
            check_radius(&search, kind, candidates(&search, kind) - 1, 0);
        }
        search_free(search);
    }
}

/* The overlap race and the scans of sparse points; and the boxes that points are prepared for. */
static void prepared_and_sparse_points_have_the_same_neighbors(void **state) {
    static const char *const boxes[] = {"dense", "rotated", "projected", "sketch", "sparse"};
    (void)state;
    for (size_t b = 0; b < COUNT(boxes); ++b)
        for (int exact = 0; exact < 2; ++exact) {
            bmo_config *config = config_with("box", boxes[b]);
            assert_ok(bmo_config_set_text(config, "method", exact ? "exact" : "bandit"));
            assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
            Search search = search_create(150, 200, NULL);
            const bmo_sparse sparse = points_sparse(&search.candidates);
            bmo_query_free(search.query);
            if (strcmp(boxes[b], "sparse") == 0) {
                bmo_dataset_free(search.candidate_set);
                assert_ok(bmo_dataset_sparse(&search.candidate_set, &sparse, BMO_COPY, NULL, NULL));
            }
            bmo_dataset *prepared = NULL;
            assert_ok(bmo_dataset_prepare(&prepared, search.candidate_set, config, NULL));
            assert_ok(bmo_query_create(&search.query, prepared, config, NULL));
            for (Kind kind = KNN; kind < GRAPH; ++kind) {
                check_radius(&search, kind, 0, 0);
                check_radius(&search, kind, 9, 1);
            }
            bmo_dataset_free(prepared);
            sparse_free(sparse);
            bmo_config_free(config);
            search_free(search);
        }
}

static void no_candidates_have_no_neighbors(void **state) {
    static const double far = INFINITY;
    const bmo_limits limits = {.struct_size = sizeof limits, .max_distance = &far, .max_distance_count = 1};
    (void)state;
    for (int64_t n = 0; n < 2; ++n)
        for (Kind kind = n == 0 ? KNN : KNN_ROWS; kind < KINDS; ++kind) {
            const Search search = search_create(n, 3, NULL);
            bmo_neighbors *neighbors = NULL;
            if (n > 0 || kind != KNN_ROWS) {
                assert_ok(radius_run(&search, kind, &limits, &neighbors, NULL));
                assert_int_equal(view_of(neighbors).pairs, 0);
                assert_int_equal(view_of(neighbors).queries, search_count(&search, kind));
                bmo_neighbors_free(neighbors);
            }
            search_free(search);
        }
}

static void more_pairs_than_the_cap_are_an_error(void **state) {
    static const double far = INFINITY;
    const Search search = search_create(30, 3, NULL);
    bmo_limits limits = {.struct_size = sizeof limits, .max_distance = &far, .max_distance_count = 1};
    bmo_neighbors *neighbors = NULL;
    (void)state;
    limits.max_pairs = 30 * QUERIES - 1;
    assert_refused(radius_run(&search, KNN, &limits, &neighbors, NULL), BMO_EOVERFLOW, "limits.max_pairs");
    assert_null(neighbors);
    ++limits.max_pairs;
    assert_ok(radius_run(&search, KNN, &limits, &neighbors, NULL));
    assert_int_equal(view_of(neighbors).pairs, limits.max_pairs);
    bmo_neighbors_free(neighbors);
    bmo_neighbors_free(NULL);
    search_free(search);
}

static void what_does_not_fit_is_refused(void **state) {
    static const double one = 1;
    static const char *const settings[][3] = {
        {"method", "uniform", "method"}, {"bandit", "ucb", "bandit"}, {"bandit", "lucb++", "bandit"}};
    Search search = search_create(30, 3, NULL);
    bmo_limits limits = {.struct_size = sizeof limits, .max_distance = &one, .max_distance_count = 1};
    bmo_neighbors *neighbors = NULL;
    (void)state;
    assert_refused(radius_run(&search, KNN, NULL, &neighbors, NULL), BMO_EINVAL, "limits");
    assert_refused(radius_run(&search, KNN, &limits, NULL, NULL), BMO_EINVAL, "out");
    limits.max_pairs = -1;
    assert_refused(radius_run(&search, KNN, &limits, &neighbors, NULL), BMO_EINVAL, "limits.max_pairs");
    limits = (bmo_limits){.struct_size = sizeof limits};
    assert_refused(radius_run(&search, KNN, &limits, &neighbors, NULL), BMO_EINVAL, "limits.max_distance");
    limits = (bmo_limits){.struct_size = sizeof limits, .max_distance = &one, .max_distance_count = 1, .max_pairs = 3};
    const bmo_output out = {.struct_size = sizeof out, .limits = &limits};
    assert_refused(search_run(&search, KNN, 1, &out, NULL, NULL), BMO_EINVAL, "out.limits.max_pairs");
    for (size_t s = 0; s < COUNT(settings); ++s) {
        bmo_config *config = config_with(settings[s][0], settings[s][1]);
        bmo_query_free(search.query);
        assert_ok(bmo_query_create(&search.query, search.candidate_set, config, NULL));
        assert_refused(radius_run(&search, KNN, &limits, &neighbors, NULL), BMO_EINVAL, settings[s][2]);
        bmo_config_free(config);
    }
    assert_refused(bmo_neighbors_read(NULL, NULL), BMO_EINVAL, "neighbors");
    assert_null(neighbors);
    search_free(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_neighbors_within_the_distance_are_found),
        cmocka_unit_test(prepared_and_sparse_points_have_the_same_neighbors),
        cmocka_unit_test(no_candidates_have_no_neighbors),
        cmocka_unit_test(more_pairs_than_the_cap_are_an_error),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

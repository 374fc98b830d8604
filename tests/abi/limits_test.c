/* bmo_limits: neighbors within a largest distance, against exact integer arithmetic. */
#include "abi.h"
#include "search.h"

#include <math.h>
#include <stdlib.h>

enum { K = 6 };

/* The distance of every query's neighbor of this rank: the tie with it is inside. */
static void distances_at_rank(const Search *search, Kind kind, int64_t rank, double *distance) {
    int64_t index[K];
    double dist[K];
    for (int64_t i = 0; i < search_count(search, kind); ++i) {
        search_expect(search, kind, i, K, index, dist);
        distance[i] = dist[rank];
    }
}

static void check_rows(const Search *search, Kind kind, const double *max_distance, int64_t max_distance_count) {
    const int64_t count = search_count(search, kind);
    int64_t *index = allocate(count * K, sizeof *index);
    double *dist = allocate(count * K, sizeof *dist);
    const bmo_limits limits = {
        .struct_size = sizeof limits, .max_distance = max_distance, .max_distance_count = max_distance_count};
    const bmo_output out = {
        .struct_size = sizeof out, .index = index, .distance = dist, .capacity = count * K, .limits = &limits};
    bmo_stats stats = {.struct_size = sizeof stats};
    uint64_t found = 0;
    assert_ok(search_run(search, kind, K, &out, NULL, &stats));
    for (int64_t i = 0; i < count; ++i) {
        int64_t true_index[K];
        double true_dist[K];
        search_expect(search, kind, i, K, true_index, true_dist);
        for (int64_t r = 0; r < K; ++r) {
            const int is_within = true_dist[r] <= max_distance[max_distance_count == 1 ? 0 : i];
            found += is_within ? 1 : 0;
            assert_int_equal(index[i * K + r], is_within ? true_index[r] : -1);
            assert_true(dist[i * K + r] == (is_within ? true_dist[r] : (double)INFINITY));
        }
    }
    assert_int_equal(stats.neighbors, found);
    free(dist);
    free(index);
}

static void neighbors_within_the_distance_are_the_true_ones(void **state) {
    static const char *const metrics[] = {"l2", "sqeuclidean", "l1"};
    static const struct {
        const char *method, *bandit, *confidence;
    } rules[] = {{"auto", "auto", "auto"},       {"exact", "auto", "auto"},     {"bandit", "auto", "auto"},
                 {"bandit", "ucb", "bernstein"}, {"bandit", "lucb", "betting"}, {"bandit", "lucb++", "bernstein"},
                 {"bandit", "ucb", "betting"}};
    (void)state;
    for (size_t m = 0; m < COUNT(metrics); ++m)
        for (size_t e = 0; e < COUNT(rules); ++e) {
            bmo_config *config = config_with("metric", metrics[m]);
            assert_ok(bmo_config_set_text(config, "method", rules[e].method));
            assert_ok(bmo_config_set_text(config, "bandit", rules[e].bandit));
            assert_ok(bmo_config_set_text(config, "confidence", rules[e].confidence));
            assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
            const Search search = search_create(120, 400, config);
            bmo_config_free(config);
            for (Kind kind = KNN; kind < KINDS; ++kind) {
                double *each = allocate(search_count(&search, kind), sizeof *each);
                for (int64_t rank = 0; rank < K; rank += K - 1) {
                    distances_at_rank(&search, kind, rank, each);
                    check_rows(&search, kind, each, search_count(&search, kind));
                    check_rows(&search, kind, each + 3, 1);
                }
                free(each);
            }
            search_free(search);
        }
}

static void a_distance_may_be_anything_but_nan(void **state) {
    static const double all[] = {INFINITY, 0, -1, -INFINITY, 1e-320, 1e308, NAN};
    const Search search = search_create(60, 20, NULL);
    (void)state;
    for (size_t i = 0; i + 1 < COUNT(all); ++i)
        for (Kind kind = KNN; kind < KINDS; ++kind)
            check_rows(&search, kind, all + i, 1);
    const bmo_limits limits = {.struct_size = sizeof limits, .max_distance = all + 6, .max_distance_count = 1};
    const bmo_output out = {.struct_size = sizeof out, .limits = &limits};
    assert_refused(search_run(&search, KNN, 1, &out, NULL, NULL), BMO_EINVAL, "out.limits.max_distance");
    assert_int_equal(last_error().row, 0);
    search_free(search);
}

static void places_beyond_the_last_neighbor_are_marked_in_every_type(void **state) {
    static const double nothing = -1;
    const bmo_limits limits = {.struct_size = sizeof limits, .max_distance = &nothing, .max_distance_count = 1};
    const Search search = search_create(60, 20, NULL);
    int32_t index[QUERIES * 2];
    float dist[QUERIES * 2];
    const bmo_output out = {.struct_size = sizeof out,
                            .index_base = 1,
                            .index_dtype = BMO_I32,
                            .distance_dtype = BMO_F32,
                            .index = index,
                            .distance = dist,
                            .capacity = COUNT(index),
                            .query_stride = 1,
                            .rank_stride = QUERIES,
                            .limits = &limits};
    (void)state;
    assert_ok(search_run(&search, KNN, 2, &out, NULL, NULL));
    for (size_t i = 0; i < COUNT(index); ++i) {
        assert_int_equal(index[i], -1);
        assert_true(isinf(dist[i]) && dist[i] > 0);
    }
    search_free(search);
}

static void bad_limits_are_refused(void **state) {
    static const double some[3] = {1, 2, 3};
    const Search search = search_create(60, 20, NULL);
    bmo_limits limits = {.struct_size = 1};
    const bmo_output out = {.struct_size = sizeof out, .limits = &limits};
    (void)state;
    assert_refused(search_run(&search, KNN, 1, &out, NULL, NULL), BMO_EINVAL, "out.limits.struct_size");
    limits = (bmo_limits){.struct_size = sizeof limits, .reserved = 1};
    assert_refused(search_run(&search, KNN, 1, &out, NULL, NULL), BMO_EINVAL, "out.limits.reserved");
    limits = (bmo_limits){.struct_size = sizeof limits, .max_distance_count = 1};
    assert_refused(search_run(&search, KNN, 1, &out, NULL, NULL), BMO_EINVAL, "out.limits.max_distance_count");
    limits = (bmo_limits){.struct_size = sizeof limits, .max_distance = some};
    for (limits.max_distance_count = -1; limits.max_distance_count <= 3; ++limits.max_distance_count)
        if (limits.max_distance_count != 1)
            assert_refused(search_run(&search, KNN, 1, &out, NULL, NULL), BMO_EINVAL, "out.limits.max_distance_count");
    search_free(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbors_within_the_distance_are_the_true_ones),
        cmocka_unit_test(a_distance_may_be_anything_but_nan),
        cmocka_unit_test(places_beyond_the_last_neighbor_are_marked_in_every_type),
        cmocka_unit_test(bad_limits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

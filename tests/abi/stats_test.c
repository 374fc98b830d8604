/* bmo_stats: what a search says that it did. */
#include "abi.h"
#include "search.h"

static void statistics_tell_what_was_done(void **state) {
    bmo_config *config = config_with("seed", "-3");
    assert_ok(bmo_config_set_text(config, "method", "exact"));
    assert_ok(bmo_config_set_text(config, "threads", "2"));
    const Search search = search_create(30, 8, config);
    (void)state;
    for (Kind kind = KNN; kind < KINDS; ++kind) {
        bmo_stats stats = {.struct_size = sizeof stats};
        search_check(&search, kind, 2, &stats);
        const uint64_t queries = (uint64_t)search_count(&search, kind), arms = kind < KNN_ROWS ? 30 : 29;
        assert_int_equal(stats.struct_size, sizeof stats);
        assert_int_equal(stats.guarantee, BMO_GUARANTEE_EXACT);
        assert_int_equal(stats.method, BMO_METHOD_EXACT);
        assert_int_equal(stats.threads, 2);
        assert_string_equal(stats.assumption, "");
        assert_non_null(stats.reason);
        assert_int_equal(stats.queries, queries);
        assert_int_equal(stats.arms, arms);
        assert_int_equal(stats.rounds, 0);
        assert_int_equal(stats.coord_ops_sampled, 0);
        assert_int_equal(stats.exact_evals, queries * arms);
        assert_int_equal(stats.coord_ops, queries * arms * 8);
        assert_int_equal(stats.coord_ops_exact, queries * arms * 8);
        assert_int_equal(stats.coord_ops_brute, queries * arms * 8);
        assert_int_equal(stats.projection_ops, 0);
        assert_int_equal(stats.seed, -3);
        assert_true(stats.delta == 0.01);
        assert_true(stats.epsilon == 0);
    }
    search_free(search);
    bmo_config_free(config);
}

static void the_bandit_counts_its_operations(void **state) {
    bmo_config *config = config_with("method", "bandit");
    const Search search = search_create(400, 2000, config);
    bmo_row_stats rows[QUERIES] = {{0, 0, 0}};
    const bmo_output out = {.struct_size = sizeof out, .row_stats = rows};
    bmo_stats stats = {.struct_size = sizeof stats};
    uint64_t coord_ops = 0, rounds = 0, exact_evals = 0;
    (void)state;
    assert_ok(search_run(&search, KNN, 3, &out, NULL, &stats));
    for (int i = 0; i < QUERIES; ++i) {
        coord_ops += rows[i].coord_ops;
        rounds += rows[i].rounds;
        exact_evals += rows[i].exact_evals;
        assert_true(rows[i].exact_evals >= 3);
    }
    assert_int_equal(stats.method, BMO_METHOD_BANDIT);
    assert_int_equal(stats.guarantee, BMO_GUARANTEE_PROVEN);
    assert_int_equal(stats.coord_ops, coord_ops);
    assert_int_equal(stats.rounds, rounds);
    assert_int_equal(stats.exact_evals, exact_evals);
    assert_int_equal(stats.coord_ops, stats.coord_ops_sampled + stats.coord_ops_exact);
    assert_int_equal(stats.coord_ops_exact, stats.exact_evals * 2000);
    assert_int_equal(stats.coord_ops_brute, (uint64_t)QUERIES * 400 * 2000);
    assert_true(stats.coord_ops < stats.coord_ops_brute);
    search_free(search);
    bmo_config_free(config);
}

static void threads_change_nothing_but_time(void **state) {
    static const char *const counts[] = {"1", "2", "5"};
    bmo_stats first = {.struct_size = 0};
    (void)state;
    for (size_t i = 0; i < COUNT(counts); ++i) {
        bmo_config *config = config_with("threads", counts[i]);
        assert_ok(bmo_config_set_text(config, "method", "bandit"));
        const Search search = search_create(200, 800, config);
        bmo_stats stats = {.struct_size = sizeof stats};
        search_check(&search, GRAPH, 4, &stats);
        if (i == 0)
            first = stats;
        assert_int_equal(stats.coord_ops, first.coord_ops);
        assert_int_equal(stats.coord_ops_sampled, first.coord_ops_sampled);
        assert_int_equal(stats.rounds, first.rounds);
        assert_int_equal(stats.exact_evals, first.exact_evals);
        search_free(search);
        bmo_config_free(config);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_tell_what_was_done),
        cmocka_unit_test(the_bandit_counts_its_operations),
        cmocka_unit_test(threads_change_nothing_but_time),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}

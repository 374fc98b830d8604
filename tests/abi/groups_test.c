/* The projected box on points in clusters: groups of them fall without a look at each, and the answers are exact all the same. */
#include "prepared_box.h"
#include "saved_files.h"

#include <stdlib.h>

enum { MANY = 9000, WIDE = 256, K = 5, QUERIES = 20, LEAD = 16 };

static const bmo_monitor *const nobody = NULL;

static bmo_config *of_threads(const char *threads) {
    bmo_config *config = box_config("projected", "3");
    assert_ok(bmo_config_set_text(config, "threads", threads));
    return config;
}

/* Prepared by as many threads as search it. */
static bmo_dataset *clusters(const Points *points, const bmo_config *config) {
    bmo_dataset *source = points_dataset(points), *dataset = NULL;
    assert_ok(bmo_dataset_prepare(&dataset, source, config, nobody));
    bmo_dataset_free(source);
    return dataset;
}

static void assert_exact(const Points *points, const uint8_t *query, int64_t self, const double *dist) {
    int64_t index[K], sums[K];
    nearest(points, query, self, K, BMO_METRIC_L2, index, sums);
    for (int r = 0; r < K; ++r)
        assert_true(dist[r] == distance_of_sum(sums[r], BMO_METRIC_L2));
}

/* Beyond exact distances, fewer operations than the leads of all points would take. */
static void assert_groups_fell(const bmo_stats *stats) {
    assert_true(stats->coord_ops - stats->exact_evals * WIDE < stats->queries * MANY * LEAD);
}

/* Asks the rows 0, 450, ..., and returns what that took. */
static bmo_stats ask_rows(const Points *points, const bmo_dataset *dataset, const bmo_config *config) {
    int64_t rows[QUERIES], index[QUERIES * K];
    double dist[QUERIES * K];
    const bmo_output out = output_to(index, dist, QUERIES * K);
    bmo_stats stats = {.struct_size = sizeof stats};
    bmo_query *query = query_with(dataset, config);
    for (int i = 0; i < QUERIES; ++i)
        rows[i] = i * (MANY / QUERIES) + i;
    assert_ok(bmo_query_knn_rows(query, rows, QUERIES, K, &out, nobody, &stats));
    for (int i = 0; i < QUERIES; ++i)
        assert_exact(points, points->at + rows[i] * WIDE, rows[i], dist + i * K);
    assert_int_equal(stats.guarantee, BMO_GUARANTEE_PROVEN);
    assert_groups_fell(&stats);
    bmo_query_free(query);
    return stats;
}

static void groups_fall_as_a_whole(void **state) {
    const Points points = points_create(MANY, WIDE, 8);
    bmo_config *config = of_threads("1");
    bmo_dataset *dataset = clusters(&points, config);
    const bmo_stats stats = ask_rows(&points, dataset, config);
    (void)state;
    assert_true(stats.arms_pruned > (uint64_t)QUERIES * MANY / 2);
    bmo_dataset_free(dataset);
    bmo_config_free(config);
    points_free(points);
}

/* Queries as far from one cluster as from the next: points are looked at in order. */
static void queries_between_the_groups_are_answered(void **state) {
    const Points points = points_create(MANY, WIDE, 8), others = points_create(QUERIES, WIDE, 99);
    const bmo_dense queries = points_dense(&others);
    int64_t index[QUERIES * K];
    double dist[QUERIES * K];
    const bmo_output out = output_to(index, dist, QUERIES * K);
    bmo_stats stats = {.struct_size = sizeof stats};
    bmo_config *config = of_threads("1");
    bmo_dataset *dataset = clusters(&points, config);
    bmo_query *query = query_with(dataset, config);
    (void)state;
    assert_ok(bmo_query_knn_dense(query, &queries, K, &out, nobody, &stats));
    assert_true(stats.arms_pruned > QUERIES * MANY / 4);
    assert_true(stats.coord_ops <= stats.coord_ops_brute);
    for (int i = 0; i < QUERIES; ++i)
        assert_exact(&points, others.at + i * WIDE, -1, dist + i * K);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    bmo_config_free(config);
    points_free(others);
    points_free(points);
}

static void points_that_are_alike_tie(void **state) {
    enum { DISTINCT = 40 };
    const Points points = points_create(MANY, WIDE, 8);
    bmo_config *config = of_threads("1");
    (void)state;
    for (int64_t i = DISTINCT; i < MANY; ++i)
        memcpy(points.at + i * WIDE, points.at + i % DISTINCT * WIDE, WIDE);
    bmo_dataset *dataset = clusters(&points, config);
    ask_rows(&points, dataset, config);
    bmo_dataset_free(dataset);
    bmo_config_free(config);
    points_free(points);
}

/* Nor does a file change anything. */
static void threads_change_nothing(void **state) {
    static const char *const threads[] = {"1", "3"};
    const Points points = points_create(MANY, WIDE, 8);
    uint64_t ops[COUNT(threads)];
    (void)state;
    for (size_t t = 0; t < COUNT(threads); ++t) {
        bmo_config *config = of_threads(threads[t]);
        bmo_dataset *dataset = clusters(&points, config), *opened = NULL;
        ops[t] = ask_rows(&points, dataset, config).coord_ops;
        assert_ok(bmo_dataset_save(dataset, saved_path, nobody));
        bmo_dataset_free(dataset);
        assert_ok(bmo_dataset_open(&opened, saved_path, BMO_BORROW, nobody));
        assert_int_equal(ask_rows(&points, opened, config).coord_ops, ops[t]);
        bmo_dataset_free(opened);
        bmo_config_free(config);
    }
    assert_int_equal(ops[0], ops[1]);
    points_free(points);
}

/* Lengths and angles of points in clusters are in clusters too. */
static void angles_go_by_groups_too(void **state) {
    static const char *const metrics[] = {"cosine", "inner_product"};
    const Points points = points_create(MANY, WIDE, 8);
    const int64_t row = 4321;
    (void)state;
    for (size_t m = 0; m < COUNT(metrics); ++m) {
        int64_t index[2][K];
        double dist[2][K];
        for (int exact = 0; exact < 2; ++exact) {
            const bmo_output out = output_to(index[exact], dist[exact], K);
            bmo_stats stats = {.struct_size = sizeof stats};
            bmo_config *config = of_threads("1");
            assert_ok(bmo_config_set_text(config, "metric", metrics[m]));
            assert_ok(bmo_config_set_text(config, "box", exact ? "dense" : "projected"));
            assert_ok(bmo_config_set_text(config, "method", exact ? "exact" : "bandit"));
            bmo_dataset *dataset = exact ? points_dataset(&points) : clusters(&points, config);
            bmo_query *query = query_with(dataset, config);
            assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, nobody, &stats));
            if (!exact)
                assert_groups_fell(&stats);
            bmo_query_free(query);
            bmo_dataset_free(dataset);
            bmo_config_free(config);
        }
        for (int r = 0; r < K; ++r)
            assert_true(dist[0][r] == dist[1][r]);
    }
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_fall_as_a_whole),    cmocka_unit_test(queries_between_the_groups_are_answered),
        cmocka_unit_test(points_that_are_alike_tie), cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(angles_go_by_groups_too),
    };
    return cmocka_run_group_tests(tests, make_saved_directory, remove_saved_directory);
}

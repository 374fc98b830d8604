/* bmo_query_create_among: what its calls promise beyond the neighbors: order, delta, progress, and what they refuse. */
#include "abi.h"
#include "prepared_box.h"

#include <stdlib.h>

enum { POINTS = 900, NEIGHBORS = 6 };

/* All points are alike: the neighbors are the first, whichever part has them. */
static void ties_go_to_the_least_index(void **state) {
    (void)state;
    enum { ALIKE = 600 };
    const Points points = {.n = ALIKE, .d = 40, .at = allocate(ALIKE * 40, 1)};
    int32_t labels[ALIKE];
    int64_t index[3 * NEIGHBORS];
    for (int32_t i = 0; i < ALIKE; ++i)
        labels[i] = i < 100 ? INT32_MIN : i < 500 ? 2 : i < 590 ? INT32_MAX : i; /* the largest part comes first */
    bmo_dataset *dataset = points_dataset(&points);
    const bmo_candidates other = {.struct_size = sizeof other, .label_rule = BMO_LABELS_OTHER, .labels = labels};
    bmo_query *query = NULL;
    assert_ok(bmo_query_create_among(&query, dataset, NULL, &other, NULL));
    const int64_t rows[] = {550, 50, 595};
    bmo_output out = output_to(index, NULL, 3 * NEIGHBORS);
    out.index_base = 1;
    assert_ok(bmo_query_knn_rows(query, rows, 3, NEIGHBORS, &out, NULL, NULL));
    for (int64_t r = 0; r < NEIGHBORS; ++r) {
        assert_int_equal(index[r], 1 + r);
        assert_int_equal(index[NEIGHBORS + r], 101 + r);
        assert_int_equal(index[2 * NEIGHBORS + r], 1 + r);
    }
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    points_free(points);
}

/* A neighbor of the first part that is beyond double, but not among the nearest of all. */
static void what_is_no_answer_may_be_beyond_double(void **state) {
    (void)state;
    enum { FAR = 100, NEAR = 40, WIDE = 4 };
    double *values = allocate((FAR + NEAR) * WIDE, sizeof *values);
    int32_t labels[FAR + NEAR];
    const double origin[WIDE] = {0};
    const int32_t asked_label = 9;
    int64_t index[2];
    double distance[2];
    for (int64_t i = 0; i < FAR + NEAR; ++i) {
        labels[i] = i < FAR;
        for (int64_t j = 0; j < WIDE; ++j)
            values[i * WIDE + j] = i < FAR ? 1e308 : (double)(i - FAR);
    }
    const bmo_dense points = {
        .struct_size = sizeof points, .dtype = BMO_F64, .data = values, .n = FAR + NEAR, .d = WIDE};
    const bmo_dense asked = {.struct_size = sizeof asked, .dtype = BMO_F64, .data = origin, .n = 1, .d = WIDE};
    const bmo_limits limits = {.struct_size = sizeof limits, .query_labels = &asked_label, .query_label_count = 1};
    const bmo_candidates other = {.struct_size = sizeof other, .label_rule = BMO_LABELS_OTHER, .labels = labels};
    bmo_config *config = box_config("auto", "0");
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;
    assert_ok(bmo_config_set_text(config, "metric", "sqeuclidean"));
    assert_ok(bmo_dataset_dense(&dataset, &points, BMO_BORROW, NULL, NULL));
    assert_ok(bmo_query_create_among(&query, dataset, config, &other, NULL));
    bmo_output out = output_to(index, distance, 2);
    out.limits = &limits;
    assert_ok(bmo_query_knn_dense(query, &asked, 2, &out, NULL, NULL));
    assert_true(index[0] == FAR && index[1] == FAR + 1 && distance[0] == 0 && distance[1] == WIDE);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    bmo_config_free(config);
    free(values);
}

/* The operations of a graph of k neighbors, or of all within a radius if there is one. */
static uint64_t operations(const bmo_dataset *dataset, const bmo_candidates *candidates, const bmo_config *config,
                           const double *radius) {
    int64_t *index = allocate(POINTS * NEIGHBORS, sizeof *index);
    bmo_stats stats = {.struct_size = sizeof stats};
    bmo_query *query = NULL;
    assert_ok(bmo_query_create_among(&query, dataset, config, candidates, NULL));
    if (radius) {
        const bmo_limits limits = {.struct_size = sizeof limits, .max_distance = radius, .max_distance_count = 1};
        bmo_neighbors *within = NULL;
        assert_ok(bmo_query_radius_graph(query, &limits, &within, NULL, &stats));
        bmo_neighbors_free(within);
    } else {
        const bmo_output out = output_to(index, NULL, POINTS * NEIGHBORS);
        assert_ok(bmo_query_graph(query, NEIGHBORS, &out, NULL, &stats));
    }
    bmo_query_free(query);
    free(index);
    return stats.coord_ops;
}

/* delta of a call is shared by all its queries, and those of ucb by the parts: as a delta of its own says that is divided so. */
static void delta_is_shared_over_parts(void **state) {
    (void)state;
    const Points points = points_create(POINTS, 600, 5);
    bmo_dataset *dataset = points_dataset(&points);
    int32_t labels[POINTS];
    uint8_t mask[POINTS];
    for (int32_t i = 0; i < POINTS; ++i) {
        labels[i] = i % 3;
        mask[i] = i % 4 > 0;
    }
    const bmo_candidates chosen[] = {{.struct_size = sizeof *chosen, .mask = mask},
                                     {.struct_size = sizeof *chosen, .label_rule = BMO_LABELS_OTHER, .labels = labels},
                                     {.struct_size = sizeof *chosen, .label_rule = BMO_LABELS_SAME, .labels = labels}};
    for (size_t i = 0; i < COUNT(chosen); ++i)
        for (int within = 0; within < 2; ++within) {
            const double radius = 800, delta = 0.25;
            const int64_t candidates = i == 0 ? POINTS * 3 / 4 : POINTS;
            bmo_config *call = box_config("auto", "0"), *query = box_config("auto", "0");
            assert_ok(bmo_config_set_text(query, "bandit", "race"));
            assert_ok(bmo_config_set_text(call, "delta_scope", "call"));
            assert_ok(bmo_config_set_f64(call, BMO_PARAM_DELTA, delta));
            assert_ok(bmo_config_set_text(call, "bandit", "race"));
            assert_ok(bmo_config_set_f64(query, BMO_PARAM_DELTA,
                                         within ? delta / POINTS / (double)candidates : delta / POINTS));
            assert_int_equal(operations(dataset, &chosen[i], call, within ? &radius : NULL),
                             operations(dataset, &chosen[i], query, within ? &radius : NULL));
            bmo_config_free(query);
            bmo_config_free(call);
        }
    bmo_dataset_free(dataset);
    points_free(points);
}

static void what_is_wrong_is_refused(void **state) {
    (void)state;
    enum { FIVE = 5, TWO = 2 };
    const Points points = points_create(FIVE, 30, 2), asked = points_create(TWO, 30, 3);
    const bmo_dense queries = points_dense(&asked);
    const int64_t far[] = {3, FIVE}, twice[] = {2, 4, 2}, negative = -1;
    const uint8_t none[FIVE] = {0}, all[FIVE] = {1, 1, 1, 1, 1};
    const int32_t labels[FIVE] = {1, 1, 2, 2, 3};
    int64_t index[TWO * FIVE];
    bmo_dataset *dataset = points_dataset(&points);
    bmo_query *query = NULL;
    const bmo_candidates whole = {.struct_size = sizeof whole};
#define refuse_candidates(argument, ...)                                                                               \
    do {                                                                                                               \
        const bmo_candidates wrong = {.struct_size = sizeof wrong, __VA_ARGS__};                                       \
        assert_refused(bmo_query_create_among(&query, dataset, NULL, &wrong, NULL), BMO_EINVAL, argument);             \
        assert_null(query);                                                                                            \
    } while (0)
    assert_refused(bmo_query_create_among(NULL, dataset, NULL, &whole, NULL), BMO_EINVAL, "out");
    assert_refused(bmo_query_create_among(&query, NULL, NULL, &whole, NULL), BMO_EINVAL, "ds");
    assert_refused(bmo_query_create_among(&query, dataset, NULL, NULL, NULL), BMO_EINVAL, "candidates");
    refuse_candidates("candidates.rows", .rows = far, .nrows = 2);
    refuse_candidates("candidates.rows", .rows = &negative, .nrows = 1);
    refuse_candidates("candidates.rows", .rows = twice, .nrows = 3);
    refuse_candidates("candidates.nrows", .rows = far, .nrows = -1);
    refuse_candidates("candidates.nrows", .nrows = 1);
    refuse_candidates("candidates", .rows = far, .nrows = 0);
    refuse_candidates("candidates", .mask = none);
    refuse_candidates("candidates.mask", .mask = all, .rows = far, .nrows = 1);
    refuse_candidates("candidates.labels", .label_rule = BMO_LABELS_SAME);
    refuse_candidates("candidates.label_rule", .labels = labels);
    refuse_candidates("candidates.label_rule", .labels = labels, .label_rule = 3);
#undef refuse_candidates

    const bmo_candidates same = {.struct_size = sizeof same, .label_rule = BMO_LABELS_SAME, .labels = labels};
    bmo_output out = output_to(index, NULL, TWO * FIVE);
    bmo_limits limits = {.struct_size = sizeof limits};
    out.limits = &limits;
    assert_ok(bmo_query_create_among(&query, dataset, NULL, &same, NULL));
    assert_refused(bmo_query_knn_dense(query, &queries, FIVE + 1, &out, NULL, NULL), BMO_EINVAL, "k");
    assert_refused(bmo_query_knn_dense(query, &queries, 1, &out, NULL, NULL), BMO_EINVAL, "out.limits.query_labels");
    limits.query_labels = labels;
    assert_refused(bmo_query_knn_dense(query, &queries, 1, &out, NULL, NULL), BMO_EINVAL,
                   "out.limits.query_label_count");
    limits.query_label_count = TWO;
    assert_refused(bmo_query_graph(query, 1, &out, NULL, NULL), BMO_EINVAL, "out.limits.query_labels");
    assert_ok(bmo_query_knn_dense(query, &queries, FIVE, &out, NULL, NULL));
    bmo_medoid medoid = {.struct_size = sizeof medoid};
    bmo_kmeans clusters = {.struct_size = sizeof clusters, .k = 1};
    assert_refused(bmo_query_medoid(query, &medoid, NULL, NULL), BMO_EINVAL, "query");
    assert_refused(bmo_query_kmeans(query, &clusters, NULL, NULL), BMO_EINVAL, "query");
    bmo_query_free(query);

    assert_ok(bmo_query_create(&query, dataset, NULL, NULL));
    assert_refused(bmo_query_knn_dense(query, &queries, 1, &out, NULL, NULL), BMO_EINVAL, "out.limits.query_labels");
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    points_free(asked);
    points_free(points);
}

static int32_t see_it_rise(void *at, const bmo_progress *progress) {
    if (progress->phase != BMO_PHASE_SEARCH)
        return 0;
    assert_in_range(progress->done, *(int64_t *)at, progress->total);
    *(int64_t *)at = progress->done;
    return 0;
}

/* The phase of a search goes on from part to part. */
static void progress_never_goes_back(void **state) {
    (void)state;
    const Points points = points_create(POINTS, 130, 5);
    bmo_dataset *dataset = points_dataset(&points);
    int32_t labels[POINTS];
    int64_t *index = allocate(POINTS, sizeof *index), done = 0;
    for (int64_t i = 0; i < POINTS; ++i)
        labels[i] = (int32_t)(i % 5);
    const bmo_candidates other = {.struct_size = sizeof other, .label_rule = BMO_LABELS_OTHER, .labels = labels};
    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .progress = see_it_rise, .ctx = &done, .interval_ms = 1};
    bmo_query *query = NULL;
    assert_ok(bmo_query_create_among(&query, dataset, NULL, &other, &monitor));
    const bmo_output out = output_to(index, NULL, POINTS);
    assert_ok(bmo_query_graph(query, 1, &out, &monitor, NULL));
    assert_int_equal(done, 4 * POINTS);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    free(index);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_go_to_the_least_index), cmocka_unit_test(what_is_no_answer_may_be_beyond_double),
        cmocka_unit_test(delta_is_shared_over_parts), cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(progress_never_goes_back),
    };
    return cmocka_run_group_tests_name("among calls", tests, NULL, NULL);
}

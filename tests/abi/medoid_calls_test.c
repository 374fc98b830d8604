/* Calls of bmo_query_medoid that are refused, stopped, watched, or made on several threads. */
#include "clustering.h"

enum { N = 150 };

static bmo_medoid medoid_by(const bmo_dataset *dataset, const char *metric, const char *seed, const char *threads,
                            bmo_stats *stats) {
    const char *const settings[] = {"metric", metric, "seed",   seed,     "threads", threads,
                                    "delta",  "1e-9", "method", "bandit", NULL};
    bmo_query *query = query_of(dataset, settings);
    bmo_medoid found = {.struct_size = sizeof found};
    assert_ok(bmo_query_medoid(query, &found, NULL, stats));
    bmo_query_free(query);
    return found;
}

static void threads_and_seeds(void **state) {
    (void)state;
    static const char *const metrics[] = {"l2", "sqeuclidean", "l1", "cosine"}, *const seeds[] = {"0", "1", "-9"};
    const Points points = points_create(200, 520, 4);
    bmo_dataset *dataset = points_dataset(&points);
    for (size_t m = 0; m < COUNT(metrics); ++m) {
        bmo_medoid first = {0};
        for (size_t seed = 0; seed < COUNT(seeds); ++seed) {
            bmo_stats of_one = {.struct_size = sizeof of_one}, of_four = {.struct_size = sizeof of_four};
            const bmo_medoid one = medoid_by(dataset, metrics[m], seeds[seed], "1", &of_one);
            const bmo_medoid four = medoid_by(dataset, metrics[m], seeds[seed], "4", &of_four);
            assert_true(one.index == four.index && one.mean_distance == four.mean_distance);
            assert_int_equal(of_one.coord_ops, of_four.coord_ops);
            first = seed == 0 ? one : first;
            assert_true(one.index == first.index && one.mean_distance == first.mean_distance);
        }
    }
    bmo_dataset_free(dataset);
    points_free(points);
}

/* Prepared with another seed, too. */
static void a_seed_of_its_own_draws_the_references(void **state) {
    (void)state;
    static const char *const eighth[] = {"seed", "8", NULL}, *const first[] = {"seed", "1", "box", "dense", NULL};
    const int64_t seed = 8;
    const Points points = points_create(N, 60, 4);
    bmo_dataset *dataset = points_dataset(&points), *prepared = prepared_of(dataset, first);
    bmo_query *queries[] = {query_of(dataset, eighth), query_of(dataset, NULL), query_of(prepared, NULL)};
    bmo_stats stats[] = {
        {.struct_size = sizeof *stats}, {.struct_size = sizeof *stats}, {.struct_size = sizeof *stats}};
    for (size_t i = 0; i < COUNT(queries); ++i) {
        bmo_medoid found = {.struct_size = sizeof found, .seed = i == 0 ? NULL : &seed};
        assert_ok(bmo_query_medoid(queries[i], &found, NULL, &stats[i]));
        assert_ptr_equal(found.seed, i == 0 ? NULL : &seed);
        assert_int_equal(stats[i].seed, 8);
        assert_int_equal(stats[i].coord_ops, stats[0].coord_ops);
        bmo_query_free(queries[i]);
    }
    bmo_dataset_free(prepared);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void refusals(void **state) {
    (void)state;
    const Points points = points_create(100, 10, 2);
    bmo_dataset *dataset = points_dataset(&points);
    bmo_query *query = NULL;
    bmo_medoid found = {.struct_size = sizeof found, .index = -5};
    bmo_stats stats = {.struct_size = 4};
    assert_ok(bmo_query_create(&query, dataset, NULL, NULL));
    assert_refused(bmo_query_medoid(NULL, &found, NULL, NULL), BMO_EINVAL, "query");
    assert_refused(bmo_query_medoid(query, NULL, NULL, NULL), BMO_EINVAL, "out");
    assert_refused(bmo_query_medoid(query, &found, NULL, &stats), BMO_EINVAL, "stats.struct_size");
    found.reserved = 1;
    assert_refused(bmo_query_medoid(query, &found, NULL, NULL), BMO_EINVAL, "out.reserved");
    found.reserved = 0;
    found.struct_size = 8;
    assert_refused(bmo_query_medoid(query, &found, NULL, NULL), BMO_EINVAL, "out.struct_size");
    found.struct_size = sizeof found;
    bmo_query_free(query);
    static const char *const unfit[][2] = {{"l2", "uniform"}, {"inner_product", "bandit"}};
    for (size_t i = 0; i < COUNT(unfit); ++i) {
        const char *const settings[] = {"metric", unfit[i][0], "method", unfit[i][1], NULL};
        query = query_of(dataset, settings);
        assert_refused(bmo_query_medoid(query, &found, NULL, NULL), BMO_EINVAL, "method");
        bmo_query_free(query);
    }
    bmo_dataset_free(dataset);
    const bmo_dense none = {.struct_size = sizeof none, .dtype = BMO_F32, .n = 0, .d = 4};
    assert_ok(bmo_dataset_dense(&dataset, &none, BMO_COPY, NULL, NULL));
    assert_ok(bmo_query_create(&query, dataset, NULL, NULL));
    assert_refused(bmo_query_medoid(query, &found, NULL, NULL), BMO_EINVAL, "query");
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    assert_int_equal(found.index, -5);
    points_free(points);
}

static int32_t note_last(void *ctx, const bmo_progress *progress) {
    *(bmo_progress *)ctx = *progress;
    return 0;
}

static void watched_and_canceled(void **state) {
    (void)state;
    const Points points = points_create(N, 600, 13);
    bmo_dataset *dataset = points_dataset(&points);
    bmo_query *query = NULL;
    bmo_medoid found = {.struct_size = sizeof found, .index = -1};
    bmo_cancel *cancel = NULL;
    bmo_progress last = {0};
    assert_ok(bmo_query_create(&query, dataset, NULL, NULL));
    assert_ok(bmo_cancel_create(&cancel));
    const bmo_monitor monitor = {.struct_size = sizeof monitor, .cancel = cancel, .progress = note_last, .ctx = &last};
    assert_ok(bmo_query_medoid(query, &found, &monitor, NULL));
    assert_true(last.phase == BMO_PHASE_SEARCH && last.done == N && last.total == N);
    bmo_cancel_request(cancel);
    found.index = -1;
    assert_int_equal(bmo_query_medoid(query, &found, &monitor, NULL), BMO_ECANCELED);
    assert_int_equal(found.index, -1);
    bmo_cancel_free(cancel);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_seeds),
        cmocka_unit_test(a_seed_of_its_own_draws_the_references),
        cmocka_unit_test(refusals),
        cmocka_unit_test(watched_and_canceled),
    };
    return cmocka_run_group_tests_name("medoid_calls", tests, NULL, NULL);
}

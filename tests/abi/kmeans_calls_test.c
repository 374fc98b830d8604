/* Calls of bmo_query_kmeans that are refused, stopped or watched. */
#include "clustering.h"

#include <math.h>
#include <stdlib.h>

enum { N = 240, D = 150, K = 9 };

static void refusals(void **state) {
    (void)state;
    const Points points = points_create(20, 4, 12);
    bmo_query *query = query_on(&points, NULL);
    Clustering got = clustering_create(3, 20, 4);
    const bmo_kmeans good = run_of(&got, 4, BMO_INIT_GIVEN);
    bmo_kmeans run = good;
    assert_refused(bmo_query_kmeans(NULL, &run, NULL, NULL), BMO_EINVAL, "query");
    assert_refused(bmo_query_kmeans(query, NULL, NULL, NULL), BMO_EINVAL, "run");
#define assert_field_refused(field, value, status, argument)                                                           \
    run = good;                                                                                                        \
    run.field = value;                                                                                                 \
    assert_refused(bmo_query_kmeans(query, &run, NULL, NULL), status, argument)
    assert_field_refused(struct_size, 8, BMO_EINVAL, "run.struct_size");
    assert_field_refused(init, 3, BMO_EINVAL, "run.init");
    assert_field_refused(reserved, 1, BMO_EINVAL, "run.reserved");
    assert_field_refused(k, 0, BMO_EINVAL, "run.k");
    assert_field_refused(k, 21, BMO_EINVAL, "run.k");
    assert_field_refused(n_init, 2, BMO_EINVAL, "run.n_init");
    assert_field_refused(max_iter, -1, BMO_EINVAL, "run.max_iter");
    assert_field_refused(tol, -1, BMO_EINVAL, "run.tol");
    assert_field_refused(tol, NAN, BMO_EINVAL, "run.tol");
    assert_field_refused(centers, NULL, BMO_EINVAL, "run.centers");
    assert_field_refused(centers_capacity, 11, BMO_EINVAL, "run.centers_capacity");
    got.centers[5] = NAN;
    assert_refused(bmo_query_kmeans(query, &good, NULL, NULL), BMO_ENONFINITE, "run.centers");
    assert_int_equal(last_error().row, 1);
    assert_int_equal(last_error().col, 1);
    assert_true(got.inertia == -1 && got.iterations == -1);
    bmo_query_free(query);
    static const char *const unfit[][3] = {
        {"metric", "l1", NULL}, {"metric", "cosine", NULL}, {"method", "uniform", NULL}};
    got.centers[5] = 0;
    for (size_t i = 0; i < COUNT(unfit); ++i) {
        query = query_on(&points, unfit[i]);
        assert_refused(bmo_query_kmeans(query, &good, NULL, NULL), BMO_EINVAL, unfit[i][0]);
        bmo_query_free(query);
    }
    clustering_free(got);
    points_free(points);
}

static void canceled(void **state) {
    (void)state;
    const Points points = points_create(N, D, 13);
    bmo_query *query = query_on(&points, NULL);
    Clustering got = clustering_create(K, N, D);
    const bmo_kmeans run = run_of(&got, D, BMO_INIT_PLUSPLUS);
    bmo_cancel *cancel = NULL;
    assert_ok(bmo_cancel_create(&cancel));
    bmo_cancel_request(cancel);
    const bmo_monitor monitor = {.struct_size = sizeof monitor, .cancel = cancel};
    assert_int_equal(bmo_query_kmeans(query, &run, &monitor, NULL), BMO_ECANCELED);
    assert_true(got.inertia == -1 && got.centers[0] == 0);
    bmo_cancel_free(cancel);
    clustering_free(got);
    bmo_query_free(query);
    points_free(points);
}

static int32_t check_phase(void *ctx, const bmo_progress *progress) {
    ++*(int *)ctx;
    assert_int_equal(progress->phase, BMO_PHASE_SEARCH);
    assert_int_equal(progress->total, N);
    assert_in_range(progress->done, 0, N);
    return 0;
}

static void progress_is_of_points(void **state) {
    (void)state;
    const Points points = points_create(N, D, 27);
    bmo_query *query = query_on(&points, NULL);
    Clustering got = clustering_create(K, N, D);
    const bmo_kmeans run = run_of(&got, D, BMO_INIT_PLUSPLUS);
    int calls = 0;
    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .interval_ms = 1, .progress = check_phase, .ctx = &calls};
    assert_ok(bmo_query_kmeans(query, &run, &monitor, NULL));
    assert_true(calls > 0);
    clustering_free(got);
    bmo_query_free(query);
    points_free(points);
}

/* Borrowed data that change, which they must not: bounds contradict each other, or are no numbers. Any answer will do, and a
 * failure that says that an inertia is none. */
static void changed_data_are_survived(void **state) {
    (void)state;
    const Points points = points_create(N, D, 14);
    float *values = points_as(&points, BMO_F32, D, 1);
    for (int64_t i = 0; i < N * D; ++i)
        values[i] += 0.5F; /* so that the preparation does not copy them as bytes */
    const bmo_dense dense = {sizeof dense, BMO_F32, values, N, D, 0, 0};
    bmo_dataset *dataset = NULL, *prepared = NULL;
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "box", "projected"));
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
    assert_ok(bmo_dataset_prepare(&prepared, dataset, config, NULL));
    bmo_query *query = query_of(prepared, NULL);
    Clustering got = clustering_create(K, N, D);
    static const float changes[] = {0, -1e6F, 3e38F, INFINITY, NAN};
    for (size_t change = 0; change < COUNT(changes); ++change) {
        for (int64_t i = 0; i < 3 * D; ++i)
            values[i] = changes[change];
        start_from_points(&points, &got);
        const bmo_kmeans run = run_of(&got, D, BMO_INIT_GIVEN);
        const bmo_status status = bmo_query_kmeans(query, &run, NULL, NULL);
        assert_true(status == BMO_OK || (change > 1 && status == BMO_EOVERFLOW));
        for (int64_t i = 0; i < N; ++i)
            assert_in_range(got.labels[i], 0, K - 1);
    }
    clustering_free(got);
    bmo_query_free(query);
    bmo_config_free(config);
    bmo_dataset_free(prepared);
    bmo_dataset_free(dataset);
    free(values);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(canceled),
        cmocka_unit_test(progress_is_of_points),
        cmocka_unit_test(changed_data_are_survived),
    };
    return cmocka_run_group_tests_name("kmeans_calls", tests, NULL, NULL);
}

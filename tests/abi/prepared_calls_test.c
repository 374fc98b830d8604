/* The boxes that need prepared data: what they do not combine with, how preparing is watched, and threads. Each test runs for
 * both. */
#include "abi.h"
#include "prepared_box.h"

#include <stdlib.h>

enum { K = 5 };

static void what_does_not_combine_is_refused(void **state) {
    const Box *box = *state;
    const Points points = points_create(30, 20, 1);
    bmo_dataset *source = points_dataset(&points), *dataset = NULL, *other = NULL;
    bmo_config *config = box_config(box->name, "3"), *usual = NULL;
    bmo_query *query = NULL;
    assert_ok(bmo_config_create(&usual));
    assert_ok(bmo_config_set_text(usual, "seed", "3"));
    assert_refused(bmo_query_create(&query, source, config, NULL), BMO_EINVAL, "box");
    assert_non_null(strstr(bmo_last_error(), "bmo_dataset_prepare"));
    assert_ok(bmo_config_set_text(config, "metric", "l1"));
    assert_refused(bmo_dataset_prepare(&dataset, source, config, NULL), BMO_EINVAL, "metric");
    assert_refused(bmo_query_create(&query, source, config, NULL), BMO_EINVAL, "metric");
    assert_ok(bmo_config_set_text(config, "metric", "l2"));
    dataset = dataset_prepare(source, config);

    assert_ok(bmo_config_set_text(usual, "metric", "l1")); /* box auto is the one that was prepared for */
    assert_refused(bmo_query_create(&query, dataset, usual, NULL), BMO_EINVAL, "metric");
    assert_ok(bmo_config_set_text(usual, "metric", "sqeuclidean"));
    assert_ok(bmo_config_set_text(usual, "box", "dense"));
    assert_refused(bmo_query_create(&query, dataset, usual, NULL), BMO_EINVAL, "box");
    assert_ok(bmo_config_set_text(config, "seed", "4"));
    assert_refused(bmo_query_create(&query, dataset, config, NULL), BMO_EINVAL, "seed");
    bmo_config *seedless = NULL, *copy = NULL;
    assert_ok(bmo_config_create(&seedless));
    assert_ok(bmo_query_create(&query, dataset, seedless, NULL)); /* the seed is that of the preparation */
    bmo_query_free(query);
    query = NULL;
    assert_ok(bmo_config_set_text(seedless, "seed", "0"));
    assert_ok(bmo_config_copy(&copy, seedless));
    assert_refused(bmo_query_create(&query, dataset, copy, NULL), BMO_EINVAL, "seed");
    bmo_config_free(seedless);
    bmo_config_free(copy);
    other = dataset_prepare(source, usual);
    assert_ok(bmo_config_set_text(config, "seed", "3"));
    assert_refused(bmo_query_create(&query, other, config, NULL), BMO_EINVAL, "box");
    assert_null(query);
    bmo_dataset_free(other);
    bmo_dataset_free(dataset);
    bmo_dataset_free(source);
    bmo_config_free(usual);
    bmo_config_free(config);
    points_free(points);
}

static int32_t stop_in_the_middle(void *reports, const bmo_progress *progress) {
    ++*(int *)reports;
    assert_int_equal(progress->phase, BMO_PHASE_PREPARE);
    assert_int_equal(progress->total, N);
    return progress->done > 0 ? 17 : 0;
}

static void preparing_is_watched(void **state) {
    const Box *box = *state;
    const Points points = points_create(N, D, 1);
    bmo_config *config = box_config(box->name, "0");
    bmo_dataset *source = points_dataset(&points), *dataset = NULL;
    int reports = 0;
    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .interval_ms = 1, .progress = stop_in_the_middle, .ctx = &reports};
    assert_refused(bmo_dataset_prepare(&dataset, source, config, &monitor), BMO_ECANCELED, "");
    assert_int_equal(last_error().callback_result, 17);
    assert_true(reports >= 2);
    assert_null(dataset);
    bmo_dataset_free(source);
    bmo_config_free(config);
    points_free(points);
}

static int32_t note_phase(void *ctx, const bmo_progress *progress) {
    int32_t *phases = ctx; /* of the first report, and of the last */
    if (phases[0] == 0)
        phases[0] = progress->phase;
    phases[1] = progress->phase;
    assert_in_range(progress->done, 0, progress->total);
    return 0;
}

/* By rows and by columns, of bytes and of others. */
static void floats_are_checked_before_they_are_prepared(void **state) {
    const Box *box = *state;
    static float values[60 * 40];
    for (int c = 0; c < 4; ++c) {
        for (int i = 0; i < 60 * 40; ++i)
            values[i] = (float)(i % 7) + (c / 2 ? 0.5F : 0);
        const bmo_dense dense = {.struct_size = sizeof dense,
                                 .dtype = BMO_F32,
                                 .data = values,
                                 .n = 60,
                                 .d = 40,
                                 .point_stride = c % 2 ? 1 : 40,
                                 .coord_stride = c % 2 ? 60 : 1};
        int32_t phases[2] = {0, 0};
        const bmo_monitor monitor = {
            .struct_size = sizeof monitor, .interval_ms = 1, .progress = note_phase, .ctx = phases};
        bmo_config *config = box_config(box->name, "0");
        bmo_dataset *source = NULL, *dataset = NULL;
        assert_ok(bmo_dataset_dense(&source, &dense, BMO_BORROW, NULL, NULL));
        assert_ok(bmo_dataset_prepare(&dataset, source, config, &monitor));
        assert_int_equal(phases[0], BMO_PHASE_CHECK);
        assert_int_equal(phases[1], BMO_PHASE_PREPARE);
        bmo_dataset_free(dataset);
        bmo_dataset_free(source);
        bmo_config_free(config);
    }
}

static void threads_change_nothing(void **state) {
    const Box *box = *state;
    const Points points = few_differences(5);
    bmo_dataset *source = points_dataset(&points);
    int64_t *index[2];
    bmo_stats stats[2] = {{.struct_size = sizeof stats[0]}, {.struct_size = sizeof stats[0]}};
    for (int t = 0; t < 2; ++t) {
        bmo_config *config = box_config(box->name, "6");
        assert_ok(bmo_config_set_i64(config, BMO_PARAM_THREADS, t ? 3 : 1));
        bmo_dataset *dataset = dataset_prepare(source, config);
        bmo_query *query = query_with(dataset, config);
        index[t] = calloc(N * K, sizeof *index[t]);
        assert_non_null(index[t]);
        const bmo_output out = output_to(index[t], NULL, N * K);
        assert_ok(bmo_query_graph(query, K, &out, NULL, &stats[t]));
        bmo_query_free(query);
        bmo_dataset_free(dataset);
        bmo_config_free(config);
    }
    assert_memory_equal(index[0], index[1], N * K * sizeof *index[0]);
    assert_int_equal(stats[0].coord_ops, stats[1].coord_ops);
    for (int t = 0; t < 2; ++t)
        free(index[t]);
    bmo_dataset_free(source);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        on_box(what_does_not_combine_is_refused, rotated),
        on_box(preparing_is_watched, rotated),
        on_box(floats_are_checked_before_they_are_prepared, rotated),
        on_box(threads_change_nothing, rotated),
        on_box(what_does_not_combine_is_refused, projected),
        on_box(preparing_is_watched, projected),
        on_box(floats_are_checked_before_they_are_prepared, projected),
        on_box(threads_change_nothing, projected),
    };
    return cmocka_run_group_tests_name("prepared_calls", tests, NULL, NULL);
}

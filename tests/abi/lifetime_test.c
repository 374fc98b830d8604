/* Who keeps what alive: borrowed memory, and handles that are freed in any order. */
#include "abi.h"
#include "reference.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static void count_release(void *count) {
    int *counter = count;
    ++*counter;
}

static bmo_owner counting(void *count) {
    const bmo_owner owner = {.struct_size = sizeof owner, .release = count_release, .ctx = count};
    return owner;
}

static const double four[4] = {1, 2, 3, 4.5}; /* 4.5: preparing copies whole numbers up to 255 as bytes */

static bmo_dense two_by_two(void) {
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = four, .n = 2, .d = 2};
    return dense;
}

static void a_borrow_is_released_once_with_its_last_handle(void **state) {
    const bmo_dense dense = two_by_two();
    int released = 0;
    const bmo_owner owner = counting(&released);
    bmo_dataset *dataset = NULL, *again = NULL, *prepared = NULL;
    bmo_query *query = NULL;
    (void)state;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, &owner, NULL));
    assert_ok(bmo_dataset_ref(&again, dataset));
    assert_ok(bmo_dataset_prepare(&prepared, again, NULL, NULL));
    assert_ok(bmo_query_create(&query, prepared, NULL, NULL));
    bmo_dataset_free(dataset);
    bmo_dataset_free(prepared);
    bmo_dataset_free(again);
    assert_int_equal(released, 0);
    bmo_query_free(query);
    assert_int_equal(released, 1);
}

static void a_copy_is_released_before_the_call_returns(void **state) {
    static const struct {
        bmo_dtype dtype;
        uint32_t flags;
    } cases[] = {{BMO_F64, BMO_COPY}, {BMO_I64, BMO_COPY}, {BMO_I64, BMO_BORROW}, {BMO_I32, BMO_BORROW}};
    static const int64_t integers[4] = {1, 2, 3, 4};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bmo_dense dense = two_by_two();
        int released = 0;
        const bmo_owner owner = counting(&released);
        bmo_dataset *dataset = NULL;
        dense.dtype = cases[i].dtype;
        if (dense.dtype != BMO_F64)
            dense.data = integers;
        assert_ok(bmo_dataset_dense(&dataset, &dense, cases[i].flags, &owner, NULL));
        assert_int_equal(released, 1);
        bmo_dataset_free(dataset);
        assert_int_equal(released, 1);
    }
}

static void no_points_are_released_too(void **state) {
    (void)state;
    for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
        bmo_dense dense = two_by_two();
        int released = 0;
        const bmo_owner owner = counting(&released);
        bmo_dataset *dataset = NULL;
        dense.n = 0;
        assert_ok(bmo_dataset_dense(&dataset, &dense, flags, &owner, NULL));
        bmo_dataset_free(dataset);
        assert_int_equal(released, 1);
    }
}

static void a_failure_never_releases(void **state) {
    const double bad[4] = {1, 2, (double)NAN, 4};
    const bmo_dense good = two_by_two();
    int released = 0;
    const bmo_owner owner = counting(&released);
    bmo_dataset *dataset = NULL;
    (void)state;
    for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
        bmo_dense dense = good;
        dense.data = bad;
        assert_refused(bmo_dataset_dense(&dataset, &dense, flags, &owner, NULL), BMO_ENONFINITE, "data");
        dense = good;
        dense.dtype = 0;
        assert_refused(bmo_dataset_dense(&dataset, &dense, flags, &owner, NULL), BMO_EINVAL, "data.dtype");
        assert_refused(bmo_dataset_dense(NULL, &good, flags, &owner, NULL), BMO_EINVAL, "out");
        assert_refused(bmo_dataset_dense(&dataset, NULL, flags, &owner, NULL), BMO_EINVAL, "data");
    }
    assert_refused(bmo_dataset_dense(&dataset, &good, 7, &owner, NULL), BMO_EINVAL, "flags");
    assert_int_equal(released, 0);
    assert_null(dataset);
}

static void an_owner_is_checked(void **state) {
    const bmo_dense dense = two_by_two();
    int released = 0;
    struct {
        bmo_owner owner;
        int64_t later;
    } newer = {.owner = counting(&released), .later = 1};
    bmo_dataset *dataset = NULL;
    (void)state;
    newer.owner.struct_size = sizeof newer.owner - 1;
    assert_refused(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, &newer.owner, NULL), BMO_EINVAL,
                   "owner.struct_size");
    newer.owner.struct_size = sizeof newer;
    assert_refused(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, &newer.owner, NULL), BMO_EVERSION,
                   "owner.struct_size");
    newer.later = 0;
    newer.owner.reserved = 1;
    assert_refused(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, &newer.owner, NULL), BMO_EINVAL, "owner.reserved");
    assert_int_equal(released, 0);
    newer.owner.reserved = 0;
    newer.owner.release = NULL;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, &newer.owner, NULL));
    bmo_dataset_free(dataset);
    assert_int_equal(released, 0);
}

typedef struct Releaser {
    pthread_t thread;
    int count;
} Releaser;

static void note_thread(void *releaser) {
    ((Releaser *)releaser)->thread = pthread_self();
    ++((Releaser *)releaser)->count;
}

static void *free_dataset(void *dataset) {
    bmo_dataset_free(dataset);
    return NULL;
}

static void the_thread_of_the_last_free_releases(void **state) {
    const bmo_dense dense = two_by_two();
    Releaser releaser = {.count = 0};
    const bmo_owner owner = {.struct_size = sizeof owner, .release = note_thread, .ctx = &releaser};
    bmo_dataset *dataset = NULL;
    pthread_t thread;
    (void)state;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, &owner, NULL));
    assert_int_equal(pthread_create(&thread, NULL, free_dataset, dataset), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(releaser.count, 1);
    assert_false(pthread_equal(releaser.thread, pthread_self()));
}

/* Every handle there is, with a search behind it. */
typedef struct Handles {
    bmo_dataset *dataset, *prepared;
    bmo_config *config;
    bmo_cancel *cancel;
    bmo_query *query;
} Handles;

static void search_with(const Handles *handles) {
    const int64_t row = 0;
    int64_t index = -1;
    const bmo_output out = {.struct_size = sizeof out, .index = &index, .capacity = 1};
    const bmo_monitor monitor = {.struct_size = sizeof monitor, .cancel = handles->cancel};
    assert_ok(bmo_query_knn_rows(handles->query, &row, 1, 1, &out, &monitor, NULL));
    assert_int_equal(index, 1);
}

static void free_one(Handles *handles, int which) {
    switch (which) {
    case 0: bmo_dataset_free(handles->dataset); break;
    case 1: bmo_dataset_free(handles->prepared); break;
    case 2: bmo_config_free(handles->config); break;
    case 3:
        bmo_cancel_free(handles->cancel);
        handles->cancel = NULL;
        break;
    default: bmo_query_free(handles->query); handles->query = NULL;
    }
}

/* The permutation of 0 to 4 that has this number among all 120. */
static void permutation(int number, int order[5]) {
    int left[5] = {0, 1, 2, 3, 4};
    for (int i = 0; i < 5; ++i) {
        int fewer = 1;
        for (int j = 2; j <= 4 - i; ++j)
            fewer *= j;
        const int pick = number / fewer % (5 - i);
        order[i] = left[pick];
        for (int j = pick; j < 4; ++j)
            left[j] = left[j + 1];
    }
}

static Handles create_all(const bmo_dense *dense, const bmo_owner *owner) {
    Handles handles;
    assert_ok(bmo_config_create(&handles.config));
    assert_ok(bmo_cancel_create(&handles.cancel));
    assert_ok(bmo_dataset_dense(&handles.dataset, dense, BMO_BORROW, owner, NULL));
    assert_ok(bmo_dataset_prepare(&handles.prepared, handles.dataset, handles.config, NULL));
    assert_ok(bmo_query_create(&handles.query, handles.prepared, handles.config, NULL));
    return handles;
}

static void handles_are_freed_in_any_order(void **state) {
    const bmo_dense dense = two_by_two();
    (void)state;
    for (int number = 0; number < 120; ++number) {
        int released = 0, owners = 3, order[5]; /* dataset, prepared and query refer to the memory */
        const bmo_owner owner = counting(&released);
        Handles handles = create_all(&dense, &owner);
        permutation(number, order);
        for (int i = 0; i < 5; ++i) {
            if (handles.query)
                search_with(&handles);
            free_one(&handles, order[i]);
            owners -= order[i] != 2 && order[i] != 3;
            assert_int_equal(released, owners == 0);
        }
    }
}

static void a_query_has_its_own_copy_of_the_config(void **state) {
    const bmo_dense dense = two_by_two();
    bmo_dataset *dataset = NULL;
    bmo_config *config = NULL;
    bmo_query *query = NULL;
    bmo_stats stats = {.struct_size = sizeof stats};
    (void)state;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_i64(config, BMO_PARAM_SEED, 5));
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_ok(bmo_config_set_i64(config, BMO_PARAM_SEED, 6));
    assert_ok(bmo_query_graph(query, 1, NULL, NULL, &stats));
    assert_int_equal(stats.seed, 5);
    bmo_query_free(query);
    bmo_config_free(config);
    bmo_dataset_free(dataset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_borrow_is_released_once_with_its_last_handle),
        cmocka_unit_test(a_copy_is_released_before_the_call_returns),
        cmocka_unit_test(no_points_are_released_too),
        cmocka_unit_test(a_failure_never_releases),
        cmocka_unit_test(an_owner_is_checked),
        cmocka_unit_test(the_thread_of_the_last_free_releases),
        cmocka_unit_test(handles_are_freed_in_any_order),
        cmocka_unit_test(a_query_has_its_own_copy_of_the_config),
    };
    return cmocka_run_group_tests_name("lifetime", tests, NULL, NULL);
}

/* Memory that runs out, at every allocation of every call in turn. glibc only: malloc is this program's own. */
#include "abi.h"
#include "search.h"

#include <stdlib.h>

/* The names are those of glibc. NOLINTBEGIN(bugprone-reserved-identifier) */
extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
/* NOLINTEND(bugprone-reserved-identifier) */

static long long grants = INT64_MAX; /* allocations that still succeed */

static int is_granted(void) {
    return __atomic_fetch_sub(&grants, 1, __ATOMIC_RELAXED) > 0;
}

void *malloc(size_t size) {
    return is_granted() ? __libc_malloc(size) : NULL;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return is_granted() ? __libc_memalign(alignment, size) : NULL;
}

/* Runs the call with 0 allocations granted, then 1, and so on, until it ends as it does with enough. */
static void run_out(bmo_status (*call)(void), bmo_status last) {
    for (int granted = 0; granted < 10000; ++granted) {
        __atomic_store_n(&grants, granted, __ATOMIC_RELAXED);
        const bmo_status status = call();
        __atomic_store_n(&grants, INT64_MAX, __ATOMIC_RELAXED);
        if (status == last) {
            assert_true(granted > 0);
            return;
        }
        assert_int_equal(status, BMO_ENOMEM);
        assert_string_equal(bmo_last_error(), "out of memory");
    }
    fail_msg("the call never ends");
}

static Search search;
static bmo_config *config;

static int create_search(void **state) {
    (void)state;
    config = config_with("method", "bandit");
    assert_ok(bmo_config_set_text(config, "threads", "2"));
    assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
    search = search_create(150, 700, config);
    return 0;
}

static int free_search(void **state) {
    (void)state;
    search_free(search);
    bmo_config_free(config);
    return 0;
}

static bmo_status create_and_free_config(void) {
    bmo_config *made = NULL;
    const bmo_status status = bmo_config_create(&made);
    assert_true((status == BMO_OK) == (made != NULL));
    bmo_config_free(made);
    return status;
}

static bmo_status copy_and_free_config(void) {
    bmo_config *made = NULL;
    const bmo_status status = bmo_config_copy(&made, config);
    bmo_config_free(made);
    return status;
}

static bmo_status set_wrong_text(void) {
    return bmo_config_set_text(config, "seed", "no number, and a long text at that");
}

static bmo_status create_and_free_cancel(void) {
    bmo_cancel *made = NULL;
    const bmo_status status = bmo_cancel_create(&made);
    bmo_cancel_free(made);
    return status;
}

static void small_handles_need_memory(void **state) {
    (void)state;
    run_out(create_and_free_config, BMO_OK);
    run_out(copy_and_free_config, BMO_OK);
    run_out(create_and_free_cancel, BMO_OK);
    run_out(set_wrong_text, BMO_EINVAL);
}

static void count_release(void *count) {
    int *counter = count;
    ++*counter;
}

static bmo_status create_and_free_dataset(uint32_t flags) {
    const bmo_dense dense = points_dense(&search.candidates);
    int released = 0;
    const bmo_owner owner = {.struct_size = sizeof owner, .release = count_release, .ctx = &released};
    bmo_dataset *made = NULL;
    const bmo_status status = bmo_dataset_dense(&made, &dense, flags, &owner);
    bmo_dataset_free(made);
    assert_int_equal(released, status == BMO_OK);
    return status;
}

static bmo_status copy_dataset(void) {
    return create_and_free_dataset(BMO_COPY);
}
static bmo_status borrow_dataset(void) {
    return create_and_free_dataset(BMO_BORROW);
}

static bmo_status prepare_and_free(void) {
    bmo_dataset *made = NULL;
    const bmo_status status = bmo_dataset_prepare(&made, search.candidate_set, config, NULL);
    bmo_dataset_free(made);
    return status;
}

static bmo_status refer_and_free(void) {
    bmo_dataset *made = NULL;
    const bmo_status status = bmo_dataset_ref(&made, search.candidate_set);
    bmo_dataset_free(made);
    return status;
}

static void datasets_need_memory(void **state) {
    (void)state;
    run_out(copy_dataset, BMO_OK);
    run_out(borrow_dataset, BMO_OK);
    run_out(prepare_and_free, BMO_OK);
    run_out(refer_and_free, BMO_OK);
}

static bmo_status create_and_free_query(void) {
    bmo_query *made = NULL;
    const bmo_status status = bmo_query_create(&made, search.candidate_set, config);
    bmo_query_free(made);
    return status;
}

enum { K = 3 };

static int64_t true_index[QUERIES * K];
static double true_dist[QUERIES * K];

/* Rows that are done are right, and the others untouched. */
static bmo_status run_search(void) {
    int64_t index[QUERIES * K];
    uint8_t done[QUERIES];
    memset(index, 0xff, sizeof index);
    memset(done, 0, sizeof done);
    const bmo_output out = {.struct_size = sizeof out, .index = index, .capacity = COUNT(index), .done = done};
    const bmo_status status = search_run(&search, KNN_DENSE, K, &out, NULL, NULL);
    for (int i = 0; i < QUERIES; ++i)
        for (int r = 0; r < K; ++r)
            assert_int_equal(index[i * K + r], done[i] ? true_index[i * K + r] : -1);
    return status;
}

static void searches_need_memory(void **state) {
    (void)state;
    for (int64_t i = 0; i < QUERIES; ++i)
        search_expect(&search, KNN_DENSE, i, K, true_index + i * K, true_dist + i * K);
    run_out(create_and_free_query, BMO_OK);
    run_out(run_search, BMO_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_handles_need_memory),
        cmocka_unit_test(datasets_need_memory),
        cmocka_unit_test(searches_need_memory),
    };
    return cmocka_run_group_tests_name("memory", tests, create_search, free_search);
}

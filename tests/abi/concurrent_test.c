/* One handle in several threads at once. */
#include "abi.h"
#include "search.h"

#include <pthread.h>

static void *run_graph(void *search) {
    enum { N = 150, K = 4, REPEATS = 5 };
    static int64_t wrong = 1;
    int64_t index[N * K], expected[K];
    double dist[K];
    const bmo_output out = {.struct_size = sizeof out, .index = index, .capacity = COUNT(index)};
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        memset(index, 0xff, sizeof index);
        if (search_run(search, GRAPH, K, &out, NULL, NULL) != BMO_OK)
            return &wrong;
        for (int64_t i = 0; i < N; ++i) {
            search_expect(search, GRAPH, i, K, expected, dist);
            if (memcmp(expected, index + i * K, sizeof expected) != 0)
                return &wrong;
        }
    }
    return NULL;
}

static void one_query_serves_several_threads_at_once(void **state) {
    enum { THREADS = 4 };
    bmo_config *config = config_with("method", "bandit");
    assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
    assert_ok(bmo_config_set_text(config, "threads", "2"));
    Search search = search_create(150, 700, config);
    pthread_t threads[THREADS];
    (void)state;
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, run_graph, &search), 0);
    for (int i = 0; i < THREADS; ++i) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    search_free(search);
    bmo_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_query_serves_several_threads_at_once),
    };
    return cmocka_run_group_tests_name("concurrent", tests, NULL, NULL);
}

/* Threads of a host may have small stacks: calls need no more than 128 KiB. */
#include "clustering.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

enum { N = 300, D = 1100, K = 5 };

static const char *const boxes[] = {"dense", "rotated", "projected", "sketch"};

static void search(const bmo_dataset *dataset, const char *const *settings) {
    bmo_query *query = query_of(dataset, settings);
    const int64_t row = 7;
    int64_t index[K];
    const bmo_output out = {.struct_size = sizeof out, .index = index, .capacity = K};
    assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, NULL));
    bmo_query_free(query);
}

static void *call_all(void *data) {
    const Points *points = data;
    bmo_dataset *dataset = points_dataset(points);
    for (size_t i = 0; i < COUNT(boxes); ++i) {
        bmo_config *config = NULL;
        bmo_dataset *prepared = NULL;
        assert_ok(bmo_config_create(&config));
        assert_ok(bmo_config_set_text(config, "box", boxes[i]));
        assert_ok(bmo_dataset_prepare(&prepared, dataset, config, NULL));
        static const char *const bandit[] = {"method", "bandit", NULL}, *const exact[] = {"method", "exact", NULL};
        search(prepared, bandit);
        search(prepared, exact);
        bmo_dataset_free(prepared);
        bmo_config_free(config);
    }
    static const char *const lucb[] = {"method", "bandit", "bandit", "lucb++", NULL};
    search(dataset, lucb);
    bmo_query *query = query_of(dataset, NULL);
    Clustering got = clustering_create(K, N, D);
    const bmo_kmeans run = run_of(&got, D, BMO_INIT_PLUSPLUS);
    assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
    bmo_medoid medoid = {.struct_size = sizeof medoid};
    assert_ok(bmo_query_medoid(query, &medoid, NULL, NULL));
    bmo_query_free(query);
    clustering_free(got);
    bmo_dataset_free(dataset);
    return NULL;
}

static void small_stacks_do(void **state) {
    (void)state;
    Points points = points_create(N, D, 3);
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 128 << 10), 0);
    assert_int_equal(pthread_create(&thread, &attributes, call_all, &points), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_stacks_do),
    };
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}

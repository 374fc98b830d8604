/* bmo_cancel and bmo_monitor: how long calls report, and how they are stopped. */
#include "abi.h"
#include "search.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

/* A graph that takes far longer than any test may: a call on it ends in time only by being stopped. */
enum { N = 4000, D = 6000, K = 4 };

static Search endless;

static int create_endless(void **state) {
    bmo_config *config = config_with("method", "exact");
    (void)state;
    assert_ok(bmo_config_set_text(config, "threads", "2"));
    endless = search_create(N, D, config);
    bmo_config_free(config);
    return 0;
}

static int free_endless(void **state) {
    (void)state;
    search_free(endless);
    return 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Where a stopped graph leaves its results. */
static int64_t graph_index[N * K];
static double graph_dist[N * K];
static uint8_t graph_done[N];

static bmo_output graph_output(void) {
    memset(graph_index, 0xff, sizeof graph_index);
    memset(graph_done, 9, sizeof graph_done);
    for (int i = 0; i < N * K; ++i)
        graph_dist[i] = -1;
    const bmo_output out = {.struct_size = sizeof out,
                            .index = graph_index,
                            .distance = graph_dist,
                            .capacity = (int64_t)N * K,
                            .done = graph_done};
    return out;
}

/* Rows with done = 1 are right, the others untouched. Returns how many are done. */
static int check_stopped(void) {
    int done = 0;
    for (int64_t i = 0; i < N; ++i) {
        assert_in_range(graph_done[i], 0, 1);
        done += graph_done[i];
        if (graph_done[i] && done <= 20) {
            int64_t index[K];
            double dist[K];
            search_expect(&endless, GRAPH, i, K, index, dist);
            assert_memory_equal(graph_index + i * K, index, sizeof index);
            assert_memory_equal(graph_dist + i * K, dist, sizeof dist);
        }
        for (int64_t r = 0; !graph_done[i] && r < K; ++r)
            assert_true(graph_index[i * K + r] == -1 && graph_dist[i * K + r] == -1);
    }
    assert_true(done < N);
    return done;
}

static void null_tokens_do_nothing(void **state) {
    (void)state;
    assert_refused(bmo_cancel_create(NULL), BMO_EINVAL, "out");
    bmo_cancel_request(NULL);
    bmo_cancel_reset(NULL);
    bmo_cancel_free(NULL);
}

static void a_requested_token_stops_until_it_is_reset(void **state) {
    const Search search = search_create(20, 3, NULL);
    const bmo_dense dense = points_dense(&search.candidates);
    bmo_cancel *token = NULL;
    bmo_dataset *prepared = NULL, *kept = search.candidate_set;
    (void)state;
    assert_ok(bmo_cancel_create(&token));
    const bmo_monitor monitor = {.struct_size = sizeof monitor, .cancel = token};
    bmo_cancel_request(token);
    for (Kind kind = KNN; kind < KINDS; ++kind) {
        assert_refused(search_run(&search, kind, 1, NULL, &monitor, NULL), BMO_ECANCELED, "");
        assert_int_equal(last_error().callback_result, 0);
    }
    assert_refused(bmo_dataset_prepare(&prepared, kept, NULL, &monitor), BMO_ECANCELED, "");
    assert_null(prepared);
    bmo_cancel_reset(token);
    for (Kind kind = KNN; kind < KINDS; ++kind)
        assert_ok(search_run(&search, kind, 1, NULL, &monitor, NULL));
    assert_ok(bmo_dataset_prepare(&prepared, kept, NULL, &monitor));
    bmo_dataset_free(prepared);
    assert_ok(bmo_dataset_dense(&prepared, &dense, BMO_COPY, NULL, NULL));
    bmo_dataset_free(prepared);
    bmo_cancel_free(token);
    search_free(search);
}

/* Rows that the running call has reported, and had when it was asked to stop. */
static int64_t reported, reported_at_request;

static int32_t count_rows(void *ctx, const bmo_progress *progress) {
    (void)ctx;
    __atomic_store_n(&reported, progress->done, __ATOMIC_SEQ_CST);
    return 0;
}

static void *request_soon(void *token) {
    const struct timespec pause = {0, 30000000};
    nanosleep(&pause, NULL);
    bmo_cancel_request(token);
    reported_at_request = __atomic_load_n(&reported, __ATOMIC_SEQ_CST);
    return NULL;
}

static void another_thread_cancels(void **state) {
    bmo_cancel *token = NULL;
    pthread_t thread;
    (void)state;
    assert_ok(bmo_cancel_create(&token));
    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .interval_ms = 1, .progress = count_rows, .cancel = token};
    const bmo_output out = graph_output();
    assert_int_equal(pthread_create(&thread, NULL, request_soon, token), 0);
    assert_refused(bmo_query_graph(endless.query, K, &out, &monitor, NULL), BMO_ECANCELED, "");
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_in_range(reported - reported_at_request, 0, N / 20); /* a part of the work, however fast that is done */
    check_stopped();
    bmo_cancel_free(token);
}

static bmo_cancel *signal_token;

static void cancel_on_signal(int signal) {
    (void)signal;
    bmo_cancel_request(signal_token);
}

static void a_signal_handler_cancels(void **state) {
    struct sigaction action = {.sa_handler = cancel_on_signal}, before;
    const struct itimerval soon = {.it_value = {0, 30000}};
    (void)state;
    assert_ok(bmo_cancel_create(&signal_token));
    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    const bmo_monitor monitor = {.struct_size = sizeof monitor, .cancel = signal_token};
    const bmo_output out = graph_output();
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    assert_refused(bmo_query_graph(endless.query, K, &out, &monitor, NULL), BMO_ECANCELED, "");
    assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
    check_stopped();
    bmo_cancel_free(signal_token);
}

typedef struct Reports {
    int count, stop_at;
    int32_t result;
    pthread_t thread;
    int foreign; /* not on the thread of the call */
    int backwards;
    bmo_phase last_phase;
    int64_t last_done, last_total;
    double last_time, least_gap;
} Reports;

static int32_t take_report(void *ctx, const bmo_progress *progress) {
    Reports *reports = ctx;
    const double time = now();
    if (reports->count > 0 && time - reports->last_time < reports->least_gap)
        reports->least_gap = time - reports->last_time;
    reports->foreign += !pthread_equal(pthread_self(), reports->thread);
    reports->backwards += progress->phase < reports->last_phase ||
                          (progress->phase == reports->last_phase && progress->done < reports->last_done) ||
                          progress->done > progress->total || progress->struct_size != sizeof *progress;
    reports->last_phase = progress->phase;
    reports->last_done = progress->done;
    reports->last_total = progress->total;
    reports->last_time = time;
    ++reports->count;
    return reports->stop_at > 0 && reports->count >= reports->stop_at ? reports->result : 0;
}

static Reports fresh_reports(void) {
    const Reports reports = {.thread = pthread_self(), .least_gap = 1e9};
    return reports;
}

static void the_callback_stops_with_its_result(void **state) {
    static const int32_t results[] = {1, -7, INT32_MAX, INT32_MIN};
    (void)state;
    for (size_t i = 0; i < COUNT(results); ++i) {
        Reports reports = fresh_reports();
        reports.stop_at = 3;
        reports.result = results[i];
        const bmo_monitor monitor = {
            .struct_size = sizeof monitor, .interval_ms = 10, .progress = take_report, .ctx = &reports};
        const bmo_output out = graph_output();
        bmo_stats stats = {.struct_size = sizeof stats, .queries = 77};
        assert_refused(bmo_query_graph(endless.query, K, &out, &monitor, &stats), BMO_ECANCELED, "");
        assert_int_equal(last_error().callback_result, results[i]);
        assert_int_equal(reports.count, 3);
        assert_int_equal(reports.foreign, 0);
        assert_int_equal(reports.backwards, 0);
        assert_true(reports.least_gap > 0.009);
        assert_int_equal(reports.last_phase, BMO_PHASE_SEARCH);
        assert_int_equal(reports.last_total, N);
        assert_int_equal(stats.queries, 77);
        check_stopped();
    }
}

static void every_phase_ends_with_a_report(void **state) {
    const Search search = search_create(300, 100, NULL);
    bmo_dataset *prepared = NULL;
    const bmo_dense dense = points_dense(&search.queries);
    (void)state;
    Reports reports = fresh_reports();
    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .interval_ms = INT32_MAX, .progress = take_report, .ctx = &reports};
    assert_ok(bmo_dataset_prepare(&prepared, search.candidate_set, NULL, &monitor));
    assert_int_equal(reports.last_phase, BMO_PHASE_PREPARE);
    assert_int_equal(reports.last_done, 300);
    assert_int_equal(reports.last_total, 300);
    bmo_dataset_free(prepared);
    reports = fresh_reports();
    assert_ok(bmo_query_knn_dense(search.query, &dense, 2, NULL, &monitor, NULL));
    assert_int_equal(reports.last_phase, BMO_PHASE_SEARCH);
    assert_int_equal(reports.last_done, QUERIES);
    assert_int_equal(reports.last_total, QUERIES);
    assert_int_equal(reports.backwards, 0);
    assert_int_equal(reports.foreign, 0);
    assert_in_range(reports.count, 2, 4); /* of two phases: checking and searching */
    search_free(search);
}

static int32_t search_within(void *search, const bmo_progress *progress) {
    (void)progress;
    search_check(search, KNN, 2, NULL);
    return bmo_cancel_create(NULL) == BMO_EINVAL ? 0 : 1; /* nor does a failing call disturb the running one */
}

static void the_callback_may_call_the_library(void **state) {
    Search search = search_create(60, 30, NULL);
    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .interval_ms = 1, .progress = search_within, .ctx = &search};
    (void)state;
    assert_ok(search_run(&search, GRAPH, 2, NULL, &monitor, NULL));
    search_free(search);
}

static int32_t free_token(void *token, const bmo_progress *progress) {
    bmo_cancel **held = token;
    (void)progress;
    if (*held)
        bmo_cancel_request(*held);
    bmo_cancel_free(*held);
    *held = NULL;
    return 0;
}

static void a_token_may_be_freed_while_calls_use_it(void **state) {
    bmo_cancel *token = NULL;
    (void)state;
    assert_ok(bmo_cancel_create(&token));
    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .interval_ms = 1, .progress = free_token, .ctx = &token, .cancel = token};
    const bmo_output out = graph_output();
    assert_refused(bmo_query_graph(endless.query, K, &out, &monitor, NULL), BMO_ECANCELED, "");
    assert_null(token);
    check_stopped();
}

static void a_stop_while_queries_are_checked_leaves_none_done(void **state) {
    static const Kind kinds[] = {KNN_DENSE, KNN_SPARSE};
    const Search search = search_create(20, 3, NULL);
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); ++i) {
        Reports reports = fresh_reports();
        reports.stop_at = 1;
        reports.result = 5;
        const bmo_monitor monitor = {.struct_size = sizeof monitor, .progress = take_report, .ctx = &reports};
        uint8_t done[QUERIES], none[QUERIES] = {0};
        memset(done, 9, sizeof done);
        const bmo_output out = {.struct_size = sizeof out, .done = done};
        assert_refused(search_run(&search, kinds[i], 2, &out, &monitor, NULL), BMO_ECANCELED, "");
        assert_int_equal(reports.last_phase, BMO_PHASE_CHECK);
        assert_memory_equal(done, none, sizeof done);
    }
    search_free(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_tokens_do_nothing),
        cmocka_unit_test(a_requested_token_stops_until_it_is_reset),
        cmocka_unit_test(another_thread_cancels),
        cmocka_unit_test(a_signal_handler_cancels),
        cmocka_unit_test(the_callback_stops_with_its_result),
        cmocka_unit_test(every_phase_ends_with_a_report),
        cmocka_unit_test(the_callback_may_call_the_library),
        cmocka_unit_test(a_token_may_be_freed_while_calls_use_it),
        cmocka_unit_test(a_stop_while_queries_are_checked_leaves_none_done),
    };
    return cmocka_run_group_tests_name("monitor", tests, create_endless, free_endless);
}

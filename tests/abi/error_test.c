/* Statuses, and the last error of each thread. */
#include "abi.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bmo_status fail_somehow(void) {
    return bmo_cancel_create(NULL);
}

static void every_status_has_its_name(void **state) {
    static const struct {
        bmo_status status;
        const char *name;
    } cases[] = {{BMO_OK, "BMO_OK"},
                 {BMO_EINVAL, "BMO_EINVAL"},
                 {BMO_ENOMEM, "BMO_ENOMEM"},
                 {BMO_EIO, "BMO_EIO"},
                 {BMO_EFORMAT, "BMO_EFORMAT"},
                 {BMO_EVERSION, "BMO_EVERSION"},
                 {BMO_EUNSUPPORTED, "BMO_EUNSUPPORTED"},
                 {BMO_ENONFINITE, "BMO_ENONFINITE"},
                 {BMO_EOVERFLOW, "BMO_EOVERFLOW"},
                 {BMO_ECANCELED, "BMO_ECANCELED"},
                 {BMO_ECALLBACK, "BMO_ECALLBACK"},
                 {BMO_EINTERNAL, "BMO_EINTERNAL"},
                 {1, "unknown status"},
                 {-11, "unknown status"},
                 {INT32_MIN, "unknown status"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i)
        assert_string_equal(bmo_status_name(cases[i].status), cases[i].name);
}

static void every_number_has_its_name(void **state) {
    static const char *const types[] = {"unknown type", "float32", "float64", "uint8",  "int32",   "int64",
                                        "int8",         "int16",   "uint16",  "uint32", "float16", "bfloat16"};
    static const char *const phases[] = {"unknown phase", "read", "check", "prepare", "search", "write"};
    static const char *const guarantees[] = {"none", "heuristic", "conditional", "proven", "exact"};
    (void)state;
    for (int32_t i = 0; i < (int32_t)COUNT(types); ++i)
        assert_string_equal(bmo_dtype_name(i), types[i]);
    for (int32_t i = 0; i < (int32_t)COUNT(phases); ++i)
        assert_string_equal(bmo_phase_name(i), phases[i]);
    for (int32_t i = 0; i < (int32_t)COUNT(guarantees); ++i)
        assert_string_equal(bmo_guarantee_name(i), guarantees[i]);
    assert_string_equal(bmo_dtype_name(COUNT(types)), "unknown type");
    assert_string_equal(bmo_phase_name(COUNT(phases)), "unknown phase");
    assert_string_equal(bmo_guarantee_name(COUNT(guarantees)), "unknown guarantee");
    assert_string_equal(bmo_guarantee_name(-1), "unknown guarantee");
}

static void *error_of_a_fresh_thread(void *error) {
    *(bmo_error *)error = last_error();
    return bmo_last_error()[0] == '\0' ? error : NULL;
}

static void a_thread_starts_without_error(void **state) {
    pthread_t thread;
    bmo_error error = {.struct_size = 0};
    void *no_message = NULL;
    (void)state;
    assert_int_equal(fail_somehow(), BMO_EINVAL);
    assert_int_equal(pthread_create(&thread, NULL, error_of_a_fresh_thread, &error), 0);
    assert_int_equal(pthread_join(thread, &no_message), 0);
    assert_non_null(no_message);
    assert_int_equal(error.status, BMO_OK);
    assert_int_equal(error.row, -1);
    assert_int_equal(error.col, -1);
    assert_int_equal(error.callback_result, 0);
}

static void *fail_otherwise(void *error) {
    bmo_param_info info = {.struct_size = sizeof info};
    if (bmo_param_at(-1, &info) != BMO_EINVAL)
        return NULL;
    *(bmo_error *)error = last_error();
    return strcmp(((bmo_error *)error)->argument, "position") == 0 ? error : NULL;
}

static void a_threads_error_is_its_own(void **state) {
    pthread_t thread;
    bmo_error error;
    void *failed_as_expected = NULL;
    (void)state;
    assert_refused(fail_somehow(), BMO_EINVAL, "out");
    assert_int_equal(pthread_create(&thread, NULL, fail_otherwise, &error), 0);
    assert_int_equal(pthread_join(thread, &failed_as_expected), 0);
    assert_non_null(failed_as_expected);
    assert_string_equal(last_error().argument, "out");
}

static void success_keeps_the_last_error(void **state) {
    bmo_cancel *token = NULL;
    (void)state;
    assert_int_equal(fail_somehow(), BMO_EINVAL);
    const char *message = bmo_last_error();
    assert_ok(bmo_cancel_create(&token));
    bmo_cancel_free(token);
    assert_ptr_equal(bmo_last_error(), message);
    assert_string_equal(message, "out is NULL");
    assert_int_equal(last_error().status, BMO_EINVAL);
}

static void the_next_failure_replaces_all_of_it(void **state) {
    const double points[] = {1, 2, 3, (double)INFINITY};
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = points, .n = 2, .d = 2};
    bmo_dataset *dataset = NULL;
    (void)state;
    assert_refused(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL), BMO_ENONFINITE, "data");
    assert_int_equal(last_error().row, 1);
    assert_int_equal(last_error().col, 1);
    assert_refused(fail_somehow(), BMO_EINVAL, "out");
    assert_int_equal(last_error().row, -1);
    assert_int_equal(last_error().col, -1);
}

static void detail_fills_what_the_caller_has(void **state) {
    struct {
        bmo_error error;
        int64_t later;
    } newer = {.error = {.struct_size = sizeof newer}, .later = 77};
    (void)state;
    assert_int_equal(fail_somehow(), BMO_EINVAL);
    bmo_error_detail(NULL);
    bmo_error_detail(&newer.error);
    assert_int_equal(newer.error.status, BMO_EINVAL);
    assert_int_equal(newer.error.struct_size, sizeof newer);
    assert_int_equal(newer.later, 77);
    bmo_error small = {.struct_size = 8};
    bmo_error_detail(&small);
    assert_int_equal(small.status, 0);
    assert_null(small.message);
}

static void words_of_c_and_positions_are_marked(void **state) {
    const float points[] = {1, 2, 3, NAN};
    bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F32, .data = points, .n = 2, .d = 2};
    bmo_dataset *dataset = NULL;
    (void)state;
    assert_refused(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL), BMO_ENONFINITE, "data");
    assert_string_equal(last_error().message,
                        "data: the value of point 1, coordinate 1 (counted from 0) is nan; expected finite values");
    assert_string_equal(last_error().marked, "\1data\3: the value of point \2"
                                             "1\3, coordinate \2"
                                             "1\3\4 (counted from 0)\3 is nan; expected finite values");
    dense.n = -3;
    assert_refused(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL), BMO_EINVAL, "data.n");
    assert_string_equal(last_error().message, "data.n is -3; expected 0 or more");
    assert_string_equal(last_error().marked, "\1data.n\3 is -3; expected 0 or more");
}

static void a_message_is_cut_where_it_is_too_long(void **state) {
    enum { LENGTH = 100000 };
    char *name = malloc(LENGTH + 2);
    bmo_config *config = NULL;
    (void)state;
    assert_non_null(name);
    assert_ok(bmo_config_create(&config));
    for (size_t offset = 0; offset < 2; ++offset) { /* of two bytes a character: one of the two cuts is within one */
        memset(name, 'x', offset);
        for (size_t i = offset; i < LENGTH; i += 2)
            memcpy(name + i, "\xc3\xa9", 2);
        name[LENGTH + offset] = '\0';
        assert_refused(bmo_config_set_text(config, name, "1"), BMO_EINVAL, "name");
        const size_t length = strlen(bmo_last_error());
        assert_in_range(length, 500, LENGTH - 1);
        assert_memory_equal(bmo_last_error() + length - 4, "\xa9...", 4);
    }
    bmo_config_free(config);
    free(name);
}

static void a_message_is_one_line(void **state) {
    bmo_config *config = NULL;
    (void)state;
    assert_ok(bmo_config_create(&config));
    assert_refused(bmo_config_set_text(config, "a\nb\tc\r", "1"), BMO_EINVAL, "name");
    assert_non_null(strstr(bmo_last_error(), "\"a?b?c?\""));
    bmo_config_free(config);
}

static void a_message_is_plain_text(void **state) {
    static const struct {
        const char *name, *shown;
    } cases[] = {
        {"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\x1b[31m\x7f", "?[31m?"},
        {"a\xc2\x9b"
         "31m\xc2\x80\xc2\xa0",
         "a?31m?\xc2\xa0"}, /* C1 controls; what follows them is none */
        {"\xff\xfe\x80", "???"},
        {"\xc3", "?"},
        {"\xc3x", "?x"},
        {"\xc0\xaf\xe0\x80\xaf", "?????"},                /* longer than need be */
        {"\xed\xa0\x80", "???"},                          /* half of a pair */
        {"\xf4\x90\x80\x80\xf5\x80\x80\x80", "????????"}, /* past the last character */
        {"\xf0\x9f\x98", "???"},
    };
    bmo_config *config = NULL;
    (void)state;
    assert_ok(bmo_config_create(&config));
    for (size_t i = 0; i < COUNT(cases); ++i) {
        char expected[80];
        snprintf(expected, sizeof expected, "\"%s\"", cases[i].shown);
        assert_refused(bmo_config_set_text(config, cases[i].name, "1"), BMO_EINVAL, "name");
        if (!strstr(bmo_last_error(), expected))
            fail_msg("expected %s in: %s", expected, bmo_last_error());
    }
    bmo_config_free(config);
}

static int32_t cancel_this_thread(void *ctx, const bmo_progress *progress) {
    (void)ctx;
    (void)progress;
    return pthread_cancel(pthread_self());
}

static void *save_and_be_canceled(void *status) {
    const double points[] = {1, 2, 3, 4};
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = points, .n = 2, .d = 2};
    const bmo_monitor monitor = {.struct_size = sizeof monitor, .progress = cancel_this_thread};
    bmo_dataset *dataset = NULL;
    char directory[] = "/tmp/bmo-error-XXXXXX", path[64];
    if (!mkdtemp(directory) || bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL) != BMO_OK)
        return NULL;
    snprintf(path, sizeof path, "%s/points.bmo", directory);
    *(bmo_status *)status = bmo_dataset_save(dataset, path, &monitor); /* writes, at which a thread may be canceled */
    bmo_dataset_free(dataset);
    unlink(path);
    rmdir(directory);
    pthread_testcancel();
    return status;
}

static void a_thread_is_canceled_after_the_call(void **state) {
    bmo_status status = BMO_EINTERNAL;
    pthread_t thread;
    void *result = NULL;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, save_and_be_canceled, &status), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
    assert_int_equal(status, BMO_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_name),
        cmocka_unit_test(a_thread_starts_without_error),
        cmocka_unit_test(a_threads_error_is_its_own),
        cmocka_unit_test(success_keeps_the_last_error),
        cmocka_unit_test(the_next_failure_replaces_all_of_it),
        cmocka_unit_test(detail_fills_what_the_caller_has),
        cmocka_unit_test(a_message_is_cut_where_it_is_too_long),
        cmocka_unit_test(a_message_is_one_line),
        cmocka_unit_test(a_message_is_plain_text),
        cmocka_unit_test(a_thread_is_canceled_after_the_call),
        cmocka_unit_test(every_number_has_its_name),
        cmocka_unit_test(words_of_c_and_positions_are_marked),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}

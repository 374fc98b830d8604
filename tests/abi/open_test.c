/* bmo_dataset_open: a file as a dataset. */
#include "abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double six[6] = {1, 2, 3, 4, 5, 6};

static char path[] = "/tmp/bmo-abi-XXXXXX";

/* A .npy file of version 1.0 with 2 x 3 doubles. */
static int write_file(void **state) {
    char header[119];
    const int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    snprintf(header, sizeof header, "%-117s\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }");
    assert_int_equal(write(file, "\x93NUMPY\x01\x00\x76\x00", 10), 10);
    assert_int_equal(write(file, header, 118), 118);
    assert_int_equal(write(file, six, sizeof six), sizeof six);
    return close(file);
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

static void a_file_is_read_or_mapped(void **state) {
    const int64_t row = 1;
    double out[3] = {0};
    (void)state;
    for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
        bmo_dataset *dataset = NULL;
        bmo_dataset_info info = {.struct_size = sizeof info};
        assert_ok(bmo_dataset_open(&dataset, path, flags, NULL));
        assert_ok(bmo_dataset_describe(dataset, &info));
        assert_int_equal(info.n, 2);
        assert_int_equal(info.d, 3);
        assert_int_equal(info.dtype, BMO_F64);
        assert_int_equal(info.bytes_owned, flags == BMO_COPY ? sizeof six : 0);
        assert_ok(bmo_dataset_copy_rows(dataset, &row, 1, out));
        assert_memory_equal(out, six + 3, sizeof out);
        bmo_dataset_free(dataset);
    }
}

/* The columns of the file, each with its two coordinates. */
static void a_point_in_each_column(void **state) {
    const int64_t rows[3] = {0, 1, 2};
    const double turned[6] = {six[0], six[3], six[1], six[4], six[2], six[5]};
    (void)state;
    for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
        bmo_dataset *dataset = NULL;
        bmo_dataset_info info = {.struct_size = sizeof info};
        double out[6] = {0};
        assert_ok(bmo_dataset_open(&dataset, path, flags | BMO_TRANSPOSE, NULL));
        assert_ok(bmo_dataset_describe(dataset, &info));
        assert_int_equal(info.n, 3);
        assert_int_equal(info.d, 2);
        assert_int_equal(info.bytes_owned, flags == BMO_COPY ? sizeof six : 0);
        assert_int_equal(info.bytes_borrowed, flags == BMO_COPY ? 0 : sizeof six);
        assert_ok(bmo_dataset_copy_rows(dataset, rows, 3, out));
        assert_memory_equal(out, turned, sizeof out);
        bmo_dataset_free(dataset);
    }
}

static void bad_arguments_are_refused(void **state) {
    bmo_dataset *dataset = NULL;
    bmo_monitor monitor = {.struct_size = sizeof monitor - 1};
    (void)state;
    assert_refused(bmo_dataset_open(NULL, path, BMO_COPY, NULL), BMO_EINVAL, "out");
    assert_refused(bmo_dataset_open(&dataset, NULL, BMO_COPY, NULL), BMO_EINVAL, "path");
    assert_refused(bmo_dataset_open(&dataset, path, 4, NULL), BMO_EINVAL, "flags");
    assert_refused(bmo_dataset_open(&dataset, path, BMO_COPY, &monitor), BMO_EINVAL, "monitor.struct_size");
    assert_refused(bmo_dataset_open(&dataset, "", BMO_COPY, NULL), BMO_EINVAL, "path");
    assert_refused(bmo_dataset_open(&dataset, "/nonexistent/x.npy", BMO_COPY, NULL), BMO_EIO, "path");
    assert_non_null(strstr(bmo_last_error(), "/nonexistent/x.npy"));
    assert_null(dataset);
}

static int32_t note_phase(void *phases, const bmo_progress *progress) {
    *(int *)phases |= 1 << progress->phase;
    return 0;
}

static void opening_reports_and_can_be_stopped(void **state) {
    bmo_dataset *dataset = NULL;
    bmo_cancel *token = NULL;
    int phases = 0;
    (void)state;
    assert_ok(bmo_cancel_create(&token));
    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .progress = note_phase, .ctx = &phases, .cancel = token};
    assert_ok(bmo_dataset_open(&dataset, path, BMO_COPY, &monitor));
    assert_true(phases & 1 << BMO_PHASE_READ);
    bmo_dataset_free(dataset);
    dataset = NULL;
    bmo_cancel_request(token);
    for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags)
        assert_refused(bmo_dataset_open(&dataset, path, flags, &monitor), BMO_ECANCELED, "");
    assert_null(dataset);
    bmo_cancel_free(token);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_or_mapped),
        cmocka_unit_test(a_point_in_each_column),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(opening_reports_and_can_be_stopped),
    };
    return cmocka_run_group_tests_name("open", tests, write_file, remove_file);
}

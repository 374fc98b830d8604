/* bmo_dataset_save where the file cannot be written. */
#include "saved_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int count_files(void) {
    int count = 0;
    DIR *listing = opendir(saved_directory);
    assert_non_null(listing);
    for (const struct dirent *entry = readdir(listing); entry; entry = readdir(listing))
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(listing);
    return count;
}

static void assert_not_saved(const bmo_dataset *dataset, const char *name, const bmo_monitor *monitor,
                             bmo_status status) {
    const int before = count_files();
    if (status == BMO_ECANCELED)
        assert_int_equal(bmo_dataset_save(dataset, name, monitor), status);
    else
        assert_refused(bmo_dataset_save(dataset, name, monitor), status, "path");
    assert_int_equal(count_files(), before);
}

static int32_t stop_when_half_is_written(void *ctx, const bmo_progress *progress) {
    (void)ctx;
    return progress->phase == BMO_PHASE_WRITE && progress->done > progress->total / 2;
}

static void a_failed_write_leaves_what_was_there(void **state) {
    const Points points = points_create(3000, 2000, 7);
    bmo_dataset *dataset = points_dataset(&points);
    char link[64];
    (void)state;
    save_a_small_file("dense");
    const Bytes before = read_bytes(saved_path);
    snprintf(link, sizeof link, "%s/full", saved_directory);
    assert_int_equal(symlink("/dev/full", link), 0);
    assert_not_saved(dataset, link, NULL, BMO_EIO);
    assert_not_saved(dataset, "/dev/full", NULL, BMO_EIO);
    assert_int_equal(unlink(link), 0);
    assert_not_saved(dataset, saved_directory, NULL, BMO_EIO);
    assert_not_saved(dataset, "/nonexistent/points.bmo", NULL, BMO_EIO);
    assert_not_saved(dataset, "", NULL, BMO_EINVAL);

    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .interval_ms = 1, .progress = stop_when_half_is_written};
    assert_not_saved(dataset, saved_path, &monitor, BMO_ECANCELED);

    struct rlimit usual, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    small = usual;
    small.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_not_saved(dataset, saved_path, NULL, BMO_EIO); /* and no signal, which would end the program */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);

    const Bytes after = read_bytes(saved_path);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.at, before.at, after.size);
    free(after.at);
    free(before.at);
    bmo_dataset_free(dataset);
    points_free(points);
}

static int32_t stop_at_the_end(void *ctx, const bmo_progress *progress) {
    (void)ctx;
    return progress->phase == BMO_PHASE_WRITE && progress->done == progress->total;
}

static void a_stop_at_the_last_report_leaves_what_was_there(void **state) {
    const Points points = points_create(5, 3, 8);
    bmo_dataset *dataset = points_dataset(&points);
    const bmo_monitor monitor = {.struct_size = sizeof monitor, .progress = stop_at_the_end};
    (void)state;
    save_a_small_file("dense");
    const Bytes before = read_bytes(saved_path);
    assert_not_saved(dataset, saved_path, &monitor, BMO_ECANCELED);
    const Bytes after = read_bytes(saved_path);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.at, before.at, after.size);
    free(after.at);
    free(before.at);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void assert_saved(const bmo_dataset *dataset, const char *path) {
    bmo_dataset *opened = NULL;
    assert_ok(bmo_dataset_save(dataset, path, NULL));
    assert_ok(bmo_dataset_open(&opened, path, BMO_COPY, NULL));
    bmo_dataset_free(opened);
}

static void a_link_to_no_file_is_followed(void **state) {
    const Points points = points_create(5, 3, 8);
    bmo_dataset *dataset = points_dataset(&points);
    char link[64], relative[64], target[64];
    struct stat status;
    (void)state;
    snprintf(link, sizeof link, "%s/link", saved_directory);
    snprintf(relative, sizeof relative, "%s/relative", saved_directory);
    snprintf(target, sizeof target, "%s/target", saved_directory);
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(symlink("link", relative), 0);
    assert_saved(dataset, relative);
    assert_int_equal(lstat(target, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat(relative, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(unlink(target) + unlink(link) + unlink(relative), 0);
    assert_int_equal(symlink("circle", link), 0);
    snprintf(target, sizeof target, "%s/circle", saved_directory);
    assert_int_equal(symlink("link", target), 0);
    assert_not_saved(dataset, link, NULL, BMO_EIO);
    assert_int_equal(unlink(target) + unlink(link), 0);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void a_name_of_any_length_is_written(void **state) {
    const Points points = points_create(5, 3, 8);
    bmo_dataset *dataset = points_dataset(&points);
    char path[400];
    (void)state;
    const int length = snprintf(path, sizeof path, "%s/%0255d", saved_directory, 0);
    assert_saved(dataset, path);
    assert_int_equal(unlink(path), 0);
    snprintf(path + length, sizeof path - (size_t)length, "0");
    assert_not_saved(dataset, path, NULL, BMO_EIO);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void a_replaced_file_keeps_its_mode(void **state) {
    const Points points = points_create(5, 3, 8);
    bmo_dataset *dataset = points_dataset(&points);
    const mode_t before = umask(027), modes[] = {0600, 0644, 0440, 0666};
    struct stat status;
    (void)state;
    unlink(saved_path);
    assert_saved(dataset, saved_path);
    assert_int_equal(stat(saved_path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640); /* of a new file: that of the process */
    for (size_t i = 0; i < COUNT(modes); ++i) {
        assert_int_equal(chmod(saved_path, modes[i]), 0);
        assert_saved(dataset, saved_path);
        assert_int_equal(stat(saved_path, &status), 0);
        assert_int_equal(status.st_mode & 07777, modes[i]);
    }
    umask(before);
    assert_int_equal(unlink(saved_path), 0);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void a_link_is_followed(void **state) {
    char link[64];
    Bytes first;
    (void)state;
    save_a_small_file("dense");
    first = read_bytes(saved_path);
    snprintf(link, sizeof link, "%s/link", saved_directory);
    assert_int_equal(symlink(saved_path, link), 0);
    const Points points = points_create(5, 3, 8);
    bmo_dataset *dataset = points_dataset(&points);
    assert_ok(bmo_dataset_save(dataset, link, NULL));
    const Bytes second = read_bytes(saved_path);
    assert_true(second.size < first.size);
    assert_int_equal(unlink(link), 0);
    free(first.at);
    free(second.at);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void bad_arguments_are_refused(void **state) {
    const Points points = points_create(5, 3, 9);
    bmo_dataset *dataset = points_dataset(&points);
    const bmo_monitor monitor = {.struct_size = sizeof monitor - 1};
    (void)state;
    assert_refused(bmo_dataset_save(NULL, saved_path, NULL), BMO_EINVAL, "ds");
    assert_refused(bmo_dataset_save(dataset, NULL, NULL), BMO_EINVAL, "path");
    assert_refused(bmo_dataset_save(dataset, saved_path, &monitor), BMO_EINVAL, "monitor.struct_size");
    bmo_dataset_free(dataset);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_write_leaves_what_was_there),
        cmocka_unit_test(a_stop_at_the_last_report_leaves_what_was_there),
        cmocka_unit_test(a_link_is_followed),
        cmocka_unit_test(a_link_to_no_file_is_followed),
        cmocka_unit_test(a_name_of_any_length_is_written),
        cmocka_unit_test(a_replaced_file_keeps_its_mode),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("saving", tests, make_saved_directory, remove_saved_directory);
}

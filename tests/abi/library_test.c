/* The library as a whole. */
#include "abi.h"

#include <stdio.h>
#include <unistd.h>

static void the_version_is_that_of_the_header(void **state) {
    char text[32];
    (void)state;
    assert_int_equal(bmo_version(), 1000000 * BMO_VERSION_MAJOR + 1000 * BMO_VERSION_MINOR + BMO_VERSION_PATCH);
    snprintf(text, sizeof text, "%d.%d.%d", BMO_VERSION_MAJOR, BMO_VERSION_MINOR, BMO_VERSION_PATCH);
    assert_string_equal(bmo_version_string(), text);
    assert_string_equal(text, PROJECT_VERSION);
}

static void the_instruction_set_has_a_known_name(void **state) {
    static const char *const names[] = {"avx512vnni", "avx512", "avx2", "sse4", "neon", "scalar"};
    int known = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(names); ++i)
        known += strcmp(bmo_isa(), names[i]) == 0;
    assert_int_equal(known, 1);
    assert_ptr_equal(bmo_isa(), bmo_isa());
}

static void threads_are_at_least_one_and_at_most_the_processors(void **state) {
    (void)state;
    assert_in_range(bmo_threads_available(), 1, sysconf(_SC_NPROCESSORS_CONF));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(the_instruction_set_has_a_known_name),
        cmocka_unit_test(threads_are_at_least_one_and_at_most_the_processors),
    };
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}

/* What the tests of the ABI share: cmocka, and checks of a call's status. */
#ifndef BMO_TESTS_ABI_H
#define BMO_TESTS_ABI_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include <bmo.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The call succeeds. */
#define assert_ok(call)                                                                                                \
    do {                                                                                                               \
        if ((call) != BMO_OK)                                                                                          \
            fail_msg("%s: %s", #call, bmo_last_error());                                                               \
    } while (0)

/* The call fails with this status, and names this argument. */
#define assert_refused(call, status, argument)                                                                         \
    assert_refused_at((call), (status), (argument), #call, __FILE__, __LINE__)

static inline bmo_error last_error(void) {
    bmo_error error = {.struct_size = sizeof error};
    bmo_error_detail(&error);
    return error;
}

static inline void assert_refused_at(bmo_status got, bmo_status status, const char *argument, const char *call,
                                     const char *file, int line) {
    if (got == BMO_OK)
        print_error("%s succeeds\n", call);
    _assert_int_equal((LargestIntegralType)got, (LargestIntegralType)status, file, line);
    const bmo_error error = last_error();
    _assert_int_equal((LargestIntegralType)error.status, (LargestIntegralType)status, file, line);
    _assert_string_equal(error.argument, argument, file, line);
    _assert_string_equal(error.message, bmo_last_error(), file, line);
    _assert_true(strlen(error.message) > 0, "a message", file, line);
    _assert_true(strchr(error.message, '\n') == NULL, "a message of one line", file, line);
}

#endif

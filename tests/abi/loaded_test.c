/* The library as programs load it that do not link it, and threads that have no memory. glibc only: malloc is this program's
 * own. */
#include "abi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* The name is that of glibc. NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern void *__libc_malloc(size_t size);

static int refuse = 0;

void *malloc(size_t size) {
    return __atomic_load_n(&refuse, __ATOMIC_RELAXED) ? NULL : __libc_malloc(size);
}

static void *library;
static bmo_status (*create)(bmo_cancel **);
static void (*drop)(bmo_cancel *);
static const char *(*message)(void);
static void (*detail)(bmo_error *);

static void *symbol(const char *name) {
    void *found = dlsym(library, name);
    assert_non_null(found);
    return found;
}

static int load(void **state) {
    (void)state;
    library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return -1;
    *(void **)&create = symbol("bmo_cancel_create");
    *(void **)&drop = symbol("bmo_cancel_free");
    *(void **)&message = symbol("bmo_last_error");
    *(void **)&detail = symbol("bmo_error_detail");
    return 0;
}

typedef struct {
    int warm; /* whether the thread has called the library before memory is gone */
    bmo_status status;
    bmo_error error;
    char message[64];
} Failing;

static void *fail_without_memory(void *argument) {
    Failing *failing = argument;
    bmo_cancel *token = NULL;
    if (failing->warm && create(&token) == BMO_OK)
        drop(token);
    failing->error.struct_size = sizeof failing->error;
    __atomic_store_n(&refuse, 1, __ATOMIC_RELAXED);
    failing->status = create(NULL);
    detail(&failing->error);
    __atomic_store_n(&refuse, 0, __ATOMIC_RELAXED);
    snprintf(failing->message, sizeof failing->message, "%s", message());
    return NULL;
}

static void a_threads_first_error_without_memory(void **state) {
    (void)state;
    assert_int_equal(create(NULL), BMO_EINVAL);
    for (int warm = 0; warm < 2; ++warm) {
        Failing failing = {.warm = warm};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, fail_without_memory, &failing), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(failing.status, BMO_ENOMEM);
        assert_int_equal(failing.error.status, BMO_ENOMEM);
        assert_int_equal(failing.error.row, -1);
        assert_string_equal(failing.message, "out of memory");
        assert_string_equal(message(), "out is NULL"); /* of this thread */
    }
}

static void *fail_once(void *argument) {
    *(bmo_status *)argument = create(NULL);
    return strcmp(message(), "out is NULL") == 0 ? argument : NULL;
}

static void threads_come_and_go(void **state) {
    (void)state;
    for (int i = 0; i < 200; ++i) {
        bmo_status status = BMO_OK;
        pthread_t thread;
        void *same = NULL;
        assert_int_equal(pthread_create(&thread, NULL, fail_once, &status), 0);
        assert_int_equal(pthread_join(thread, &same), 0);
        assert_ptr_equal(same, &status);
        assert_int_equal(status, BMO_EINVAL);
    }
}

static void the_library_comes_and_goes(void **state) {
    (void)state;
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(create(NULL), BMO_EINVAL);
        assert_int_equal(dlclose(library), 0);
        assert_int_equal(load(NULL), 0);
        assert_string_equal(message(), "");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_threads_first_error_without_memory),
        cmocka_unit_test(threads_come_and_go),
        cmocka_unit_test(the_library_comes_and_goes),
    };
    return cmocka_run_group_tests_name("loaded", tests, load, NULL);
}

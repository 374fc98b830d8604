/* Preloaded by tests of the command: memory that runs out, and a file system on which every file has a name. glibc only. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The names are those of glibc. NOLINTBEGIN(bugprone-reserved-identifier) */
extern void *__libc_malloc(size_t size);
/* NOLINTEND(bugprone-reserved-identifier) */

/* Allocations of the program that still succeed; all others fail. Before main, all succeed. */
static long grants = -1;

__attribute__((constructor)) static void read_grants(void) {
    const char *number = getenv("BMO_TEST_ALLOCATIONS");
    if (number)
        grants = strtol(number, NULL, 10);
}

void *malloc(size_t size) {
    if (grants == 0) {
        errno = ENOMEM;
        return NULL;
    }
    if (grants > 0)
        --grants;
    return __libc_malloc(size);
}

/* Of programs with 64-bit file offsets, which is what Meson builds. */
int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, int) : 0;
    va_end(more);
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("BMO_TEST_NAMED")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* The calls of the C library that can be disturbed. */
#include "inject.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The names are those of glibc. NOLINTBEGIN(bugprone-reserved-identifier) */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);
/* NOLINTEND(bugprone-reserved-identifier) */

static Injection current;
static int is_active;
static long long calls_seen, calls_disturbed, live_allocations, live_mapped;

void inject_begin(const Injection *injection) {
    current = *injection;
    calls_seen = 0;
    calls_disturbed = 0;
    __atomic_store_n(&is_active, 1, __ATOMIC_RELEASE);
}

InjectCounts inject_end(void) {
    __atomic_store_n(&is_active, 0, __ATOMIC_RELEASE);
    return (InjectCounts){__atomic_load_n(&calls_seen, __ATOMIC_RELAXED),
                          __atomic_load_n(&calls_disturbed, __ATOMIC_RELAXED)};
}

InjectLive inject_live(void) {
    return (InjectLive){__atomic_load_n(&live_allocations, __ATOMIC_RELAXED),
                        __atomic_load_n(&live_mapped, __ATOMIC_RELAXED)};
}

typedef enum Fate { PASSES, FAILS, IS_SHORT } Fate;

static Fate fate_of(unsigned kinds) {
    if (!__atomic_load_n(&is_active, __ATOMIC_ACQUIRE) || !(kinds & current.calls))
        return PASSES;
    const long long position = __atomic_fetch_add(&calls_seen, 1, __ATOMIC_RELAXED);
    const int is_later = current.goes_on && position > current.first;
    if (current.first < 0 || (position != current.first && !is_later))
        return PASSES;
    __atomic_fetch_add(&calls_disturbed, 1, __ATOMIC_RELAXED);
    if (current.effect == INJECT_KILL)
        syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    return current.effect == INJECT_SHORTEN ? IS_SHORT : FAILS;
}

static int fails(unsigned kinds) {
    if (fate_of(kinds) != FAILS)
        return 0;
    errno = current.error;
    return 1;
}

/* ---- Memory --------------------------------------------------------------------------------------------------------- */

/* The dynamic linker keeps blocks of thread-local data for later threads: they are no leak. */
static uintptr_t linker_begin, linker_end;

__attribute__((constructor)) static void find_linker(void) {
    const char *base = (const char *)getauxval(AT_BASE); /* NOLINT(performance-no-int-to-ptr) */
    if (!base)
        return;
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)base;
    const Elf64_Phdr *part = (const Elf64_Phdr *)(base + head->e_phoff);
    linker_begin = (uintptr_t)base;
    for (int i = 0; i < head->e_phnum; ++i)
        if (part[i].p_type == PT_LOAD && linker_begin + part[i].p_vaddr + part[i].p_memsz > linker_end)
            linker_end = linker_begin + part[i].p_vaddr + part[i].p_memsz;
}

/* Its blocks, each in one of the places that its address allows. The C library may free them. */
enum { LINKER_BLOCKS = 1 << 13, PROBES = 8 };
static const void *linker_blocks[LINKER_BLOCKS];

/* Whether a place that holds `from` could be found for the block, and holds `to` now. */
static int exchange_place(const void *block, const void *from, const void *to) {
    for (size_t probe = 0; probe < PROBES; ++probe) {
        const void *found = from;
        if (__atomic_compare_exchange_n(&linker_blocks[((uintptr_t)block / 16 + probe) % LINKER_BLOCKS], &found, to, 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return 1;
    }
    return 0;
}

static int is_linker(const void *caller) {
    return (uintptr_t)caller >= linker_begin && (uintptr_t)caller < linker_end;
}

static void *count_allocation(void *memory, const void *caller) {
    if (memory && !(is_linker(caller) && exchange_place(memory, NULL, memory)))
        __atomic_fetch_add(&live_allocations, 1, __ATOMIC_RELAXED);
    return memory;
}

/* Bytes that this thread freed just now. The linker ends the process if it gets no memory for thread-local data; a caller can
 * make sure of that memory by freeing some first, so that this is granted. */
static __thread size_t given_back __attribute__((tls_model("initial-exec")));

static void count_free(void *memory) {
    given_back = malloc_usable_size(memory);
    if (memory && !exchange_place(memory, memory, NULL))
        __atomic_fetch_sub(&live_allocations, 1, __ATOMIC_RELAXED);
}

static int is_refused(size_t bytes, const void *caller) {
    const int is_there = is_linker(caller) && bytes <= given_back;
    given_back = 0;
    return !is_there && fails(INJECT_MEMORY);
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) {
    return is_refused(size, CALLER) ? NULL : count_allocation(__libc_malloc(size), CALLER);
}

void *calloc(size_t count, size_t size) {
    return is_refused(count * size, CALLER) ? NULL : count_allocation(__libc_calloc(count, size), CALLER);
}

void *realloc(void *memory, size_t size) {
    if (size > 0 && is_refused(size, CALLER))
        return NULL;
    count_free(memory); /* before its address can be that of another block */
    given_back = 0;
    void *moved = __libc_realloc(memory, size);
    count_allocation(moved || size == 0 ? moved : memory, CALLER);
    return moved;
}

void *memalign(size_t alignment, size_t size) {
    return is_refused(size, CALLER) ? NULL : count_allocation(__libc_memalign(alignment, size), CALLER);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return is_refused(size, CALLER) ? NULL : count_allocation(__libc_memalign(alignment, size), CALLER);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    if (is_refused(size, CALLER))
        return current.error;
    void *memory = count_allocation(__libc_memalign(alignment, size), CALLER);
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}

void free(void *memory) {
    count_free(memory);
    __libc_free(memory);
}

static size_t whole_pages(size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

void *mmap64(void *address, size_t bytes, int protection, int flags, int file, off64_t offset) {
    if (fails(flags & MAP_ANONYMOUS ? INJECT_MEMORY : INJECT_MEMORY | INJECT_LOOK))
        return MAP_FAILED;
    void *mapped = (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset); /* NOLINT */
    if (mapped != MAP_FAILED)
        __atomic_fetch_add(&live_mapped, (long long)whole_pages(bytes), __ATOMIC_RELAXED);
    return mapped;
}

void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset) {
    return mmap64(address, bytes, protection, flags, file, offset);
}

int munmap(void *address, size_t bytes) {
    const int result = (int)syscall(SYS_munmap, address, bytes);
    if (result == 0)
        __atomic_fetch_sub(&live_mapped, (long long)whole_pages(bytes), __ATOMIC_RELAXED);
    return result;
}

/* ---- Threads -------------------------------------------------------------------------------------------------------- */

/* What the C library has under this name. */
static void find_next(void *function, size_t size, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, size);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (fails(INJECT_THREAD))
        return current.error;
    find_next(&next, sizeof next, "pthread_create");
    return next(thread, attributes, start, argument);
}

/* ---- Files ---------------------------------------------------------------------------------------------------------- */

static int open_at(int directory, const char *path, int flags, mode_t mode) {
    if (fails(flags & (O_CREAT | __O_TMPFILE) ? INJECT_CHANGE : INJECT_LOOK))
        return -1;
    return (int)syscall(SYS_openat, directory, path, flags, mode);
}

static mode_t mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

/* Defines `name` with these parameters before its flags; the file lies at `path` in `directory`. */
#define OPEN(name, directory, ...)                                                                                     \
    int name(__VA_ARGS__, int flags, ...) {                                                                            \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = mode_of(flags, arguments);                                                                 \
        va_end(arguments);                                                                                             \
        return open_at(directory, path, flags, mode);                                                                  \
    }
OPEN(open, AT_FDCWD, const char *path)
OPEN(open64, AT_FDCWD, const char *path)
OPEN(openat, directory, int directory, const char *path)
OPEN(openat64, directory, int directory, const char *path)

/* What libstdc++ opens streams with. */
#define FOPEN(name)                                                                                                    \
    FILE *name(const char *path, const char *mode) {                                                                   \
        static FILE *(*next)(const char *, const char *);                                                              \
        if (fails(INJECT_LOOK))                                                                                        \
            return NULL;                                                                                               \
        find_next(&next, sizeof next, #name);                                                                          \
        return next(path, mode);                                                                                       \
    }
FOPEN(fopen)
FOPEN(fopen64)

char *realpath(const char *path, char *resolved) {
    static char *(*next)(const char *, char *);
    if (fails(INJECT_LOOK))
        return NULL;
    find_next(&next, sizeof next, "realpath");
    return next(path, resolved);
}

int close(int file) {
    const int fail = fails(INJECT_CLOSE), error = errno;
    const int result = (int)syscall(SYS_close, file);
    if (!fail)
        return result;
    errno = error;
    return -1;
}

/* Whether the transfer is made, and of how many bytes. */
static int transfers(unsigned kind, size_t *bytes) {
    switch (fate_of(kind | INJECT_TRANSFER)) {
    case FAILS: errno = current.error; return 0;
    case IS_SHORT: *bytes = (*bytes + 1) / 2; return 1;
    default: return 1;
    }
}

ssize_t read(int file, void *to, size_t bytes) {
    return transfers(INJECT_LOOK, &bytes) ? syscall(SYS_read, file, to, bytes) : -1;
}

ssize_t write(int file, const void *from, size_t bytes) {
    return transfers(INJECT_CHANGE, &bytes) ? syscall(SYS_write, file, from, bytes) : -1;
}

ssize_t pread64(int file, void *to, size_t bytes, off64_t offset) {
    return transfers(INJECT_LOOK, &bytes) ? syscall(SYS_pread64, file, to, bytes, offset) : -1;
}

ssize_t pread(int file, void *to, size_t bytes, off_t offset) {
    return pread64(file, to, bytes, offset);
}

ssize_t pwrite64(int file, const void *from, size_t bytes, off64_t offset) {
    return transfers(INJECT_CHANGE, &bytes) ? syscall(SYS_pwrite64, file, from, bytes, offset) : -1;
}

ssize_t pwrite(int file, const void *from, size_t bytes, off_t offset) {
    return pwrite64(file, from, bytes, offset);
}

/* SYSTEM_CALL(name, parameters, kind, what it is to the system) */
#define SYSTEM_CALL(name, parameters, kind, ...)                                                                       \
    int name parameters {                                                                                              \
        return fails(kind) ? -1 : (int)syscall(__VA_ARGS__);                                                           \
    }
SYSTEM_CALL(ftruncate, (int file, off_t size), INJECT_CHANGE, SYS_ftruncate, file, size)
SYSTEM_CALL(ftruncate64, (int file, off64_t size), INJECT_CHANGE, SYS_ftruncate, file, size)
SYSTEM_CALL(fsync, (int file), INJECT_CHANGE, SYS_fsync, file)
SYSTEM_CALL(fdatasync, (int file), INJECT_CHANGE, SYS_fdatasync, file)
SYSTEM_CALL(access, (const char *path, int mode), INJECT_LOOK, SYS_faccessat, AT_FDCWD, path, mode)
SYSTEM_CALL(rename, (const char *from, const char *to), INJECT_CHANGE, SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0)
SYSTEM_CALL(link, (const char *from, const char *to), INJECT_CHANGE, SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0)
SYSTEM_CALL(linkat, (int of, const char *from, int in, const char *to, int flags), INJECT_CHANGE, SYS_linkat, of, from,
            in, to, flags)
SYSTEM_CALL(stat, (const char *path, struct stat *status), INJECT_LOOK, SYS_newfstatat, AT_FDCWD, path, status, 0)
SYSTEM_CALL(stat64, (const char *path, struct stat64 *status), INJECT_LOOK, SYS_newfstatat, AT_FDCWD, path, status, 0)
SYSTEM_CALL(fstat, (int file, struct stat *status), INJECT_LOOK, SYS_newfstatat, file, "", status, AT_EMPTY_PATH)
SYSTEM_CALL(fstat64, (int file, struct stat64 *status), INJECT_LOOK, SYS_newfstatat, file, "", status, AT_EMPTY_PATH)

ssize_t readlink(const char *path, char *to, size_t bytes) {
    return fails(INJECT_LOOK) ? -1 : syscall(SYS_readlinkat, AT_FDCWD, path, to, bytes);
}

ssize_t getrandom(void *to, size_t bytes, unsigned flags) {
    return fails(INJECT_LOOK) ? -1 : syscall(SYS_getrandom, to, bytes, flags);
}

/* ---- A program that knows nothing of this --------------------------------------------------------------------------- */

/* INJECT="calls effect error first goes_on" in the environment, in numbers: as inject_begin() when the program starts. */
__attribute__((constructor)) static void begin_by_environment(void) {
    const char *text = getenv("INJECT");
    unsigned effect;
    Injection asked;
    if (!text ||
        sscanf(text, "%u %u %d %lld %d", &asked.calls, &effect, &asked.error, &asked.first, &asked.goes_on) != 5)
        return;
    asked.effect = (InjectEffect)effect;
    inject_begin(&asked);
}

/* In a container the same number comes again: INJECT_PID=n. */
pid_t getpid(void) {
    const char *number = getenv("INJECT_PID");
    return number ? (pid_t)atoi(number) : (pid_t)syscall(SYS_getpid);
}

/* Makes calls of the C library fail: a shared library that stands before it, linked to a program or in LD_PRELOAD. It counts
 * the calls of the kinds that are asked for, and disturbs the one at a position, or all from there on. glibc only. */
#ifndef BMO_TESTS_INJECT_H
#define BMO_TESTS_INJECT_H

enum {
    INJECT_MEMORY = 1, /* malloc, calloc, realloc, memalign and its kin, mmap */
    INJECT_THREAD = 2, /* pthread_create */
    INJECT_LOOK = 4, /* open, fopen, stat, fstat, access, readlink, realpath, read, pread, mmap of a file, getrandom */
    INJECT_CHANGE = 8,    /* open that creates, write, pwrite, ftruncate, fsync, rename, link, linkat */
    INJECT_CLOSE = 16,    /* close: the descriptor is gone also when it fails */
    INJECT_TRANSFER = 32, /* read, pread, write, pwrite, each also one of the above */
    INJECT_FILE = INJECT_LOOK | INJECT_CHANGE | INJECT_CLOSE
};

typedef enum InjectEffect {
    INJECT_FAIL,    /* with `error` */
    INJECT_SHORTEN, /* half of the bytes are transferred */
    INJECT_KILL     /* the process is killed before the call */
} InjectEffect;

typedef struct Injection {
    unsigned calls; /* INJECT_* */
    InjectEffect effect;
    int error;       /* an errno */
    long long first; /* position of the call that is disturbed, from 0; -1: none */
    int goes_on;     /* also all calls after it */
} Injection;

void inject_begin(const Injection *injection);

/* How many calls of these kinds there were since, and how many of them were disturbed. */
typedef struct InjectCounts {
    long long calls, disturbed;
} InjectCounts;
InjectCounts inject_end(void);

/* Allocations of the process that are not freed, those of the dynamic linker apart; and bytes that are mapped. */
typedef struct InjectLive {
    long long allocations, mapped;
} InjectLive;
InjectLive inject_live(void);

#endif

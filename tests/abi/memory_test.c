/* The memory that bmo.h names: the bytes that a call allocates, what stays between calls, and what preparations hold. glibc
 * on Linux only: malloc and mmap are this program's own. */
#define _DEFAULT_SOURCE
#include "clustering.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The names are those of glibc. NOLINTBEGIN(bugprone-reserved-identifier) */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);
/* NOLINTEND(bugprone-reserved-identifier) */

static int64_t held, most_held;

/* Calls of this program have one thread. */
static void count(int64_t bytes) {
    held += bytes;
    if (held > most_held)
        most_held = held;
}

static void *hold(void *memory) {
    if (memory)
        count((int64_t)malloc_usable_size(memory));
    return memory;
}

static void let_go(void *memory) {
    if (memory)
        count(-(int64_t)malloc_usable_size(memory));
}

void *malloc(size_t size) {
    return hold(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    return hold(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size) {
    let_go(old);
    return hold(__libc_realloc(old, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
    return hold(__libc_memalign(alignment, size));
}

void *memalign(size_t alignment, size_t size) {
    return hold(__libc_memalign(alignment, size));
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = hold(__libc_memalign(alignment, size));
    return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
    let_go(memory);
    __libc_free(memory);
}

/* The library's too: all of the project is compiled for files of 64 bits. */
void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset) {
    void *mapped = (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset); /* NOLINT */
    if (mapped != MAP_FAILED)
        count((int64_t)bytes);
    return mapped;
}

int munmap(void *address, size_t bytes) {
    count(-(int64_t)bytes);
    return (int)syscall(SYS_munmap, address, bytes);
}

enum { N = 60000, DIMENSIONS = 32, NEIGHBORS = 5 };

/* What no line of the manual counts: handles, and the rounding of each block, of a large one to pages of 2 MiB. */
static const int64_t kBeside = 2 << 20;

typedef struct Use {
    int64_t call, between; /* beyond what was held before the query was made */
} Use;

static Use use_of(const bmo_dataset *dataset, int64_t queries, const char *const *settings) {
    int64_t index[NEIGHBORS * 40], rows[40];
    for (int64_t i = 0; i < queries; ++i)
        rows[i] = i * 7;
    const bmo_output out = {.struct_size = sizeof out, .index = index, .capacity = NEIGHBORS * queries};
    const int64_t before = held;
    bmo_query *query = query_of(dataset, settings);
    most_held = held;
    assert_ok(bmo_query_knn_rows(query, rows, queries, NEIGHBORS, &out, NULL, NULL));
    const Use use = {most_held - before, held - before};
    bmo_query_free(query);
    return use;
}

typedef struct Case {
    const char *bandit, *confidence, *sampling;
    int64_t queries, together, a_candidate, a_coordinate;
} Case;

static const Case cases[] = {
    {"race", "betting", "auto", 1, 1, 64, 20},        {"race", "betting", "auto", 40, 12, 64, 20},
    {"race", "betting", "importance", 1, 1, 72, 110}, {"ucb", "bernstein", "auto", 1, 1, 300, 20},
    {"lucb", "bernstein", "auto", 1, 1, 300, 20},     {"lucb++", "bernstein", "auto", 1, 1, 300, 20},
    {"ucb", "betting", "auto", 1, 1, 850, 20},        {"lucb", "betting", "auto", 1, 1, 850, 20},
    {"lucb++", "betting", "auto", 1, 1, 850, 20},
};

static Use use_in(const bmo_dataset *dataset, const Case *c) {
    const char *const settings[] = {"method",      "bandit",   "bandit",    c->bandit, "confidence",
                                    c->confidence, "sampling", c->sampling, NULL};
    return use_of(dataset, c->queries, settings);
}

static void calls_take_what_the_manual_says(void **state) {
    (void)state;
    Points points = points_create(N, DIMENSIONS, 5);
    bmo_dataset *dataset = points_dataset(&points);
    use_in(dataset, &cases[0]); /* what a process keeps of its first call is not counted */
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const Case *c = &cases[i];
        const int keeps_samples = strcmp(c->confidence, "betting") == 0 && strcmp(c->bandit, "race") != 0;
        const int64_t samples = keeps_samples ? INT64_C(4) * N * DIMENSIONS : 0; /* at most the whole population */
        const int64_t most = c->together * (c->a_candidate * N + c->a_coordinate * DIMENSIONS) + samples + kBeside;
        const int64_t before = held;
        const Use use = use_in(dataset, c);
        assert_int_equal(held, before);
        print_message(
            "%s, %s, sampling %s, %d queries: %.1f bytes a candidate and query in the call, %.1f between calls\n",
            c->bandit, c->confidence, c->sampling, (int)c->queries, (double)use.call / (double)(N * c->together),
            (double)use.between / (double)(N * c->together));
        assert_true(use.call <= most);
        assert_true(use.between <= use.call);
    }
    bmo_dataset_free(dataset);
    points_free(points);
}

typedef struct Preparation {
    const char *box;
    int64_t d, most_values, a_value, a_point, a_coordinate;
} Preparation;

/* dense: of the points' own type, here bytes. */
static const Preparation preparations[] = {
    {"dense", 300, 300, 1, 0, 32},        {"dense", 1280, 512, 1, 0, 32},         {"dense", 4096, 1024, 1, 0, 32},
    {"rotated", 300, 512, 4, 0, 32},      {"rotated", 1280, 512, 4, 0, 32},       {"rotated", 3000, 1024, 4, 0, 32},
    {"projected", 300, 300, 2, 400, 450}, {"projected", 1280, 512, 2, 400, 450},  {"projected", 4096, 832, 2, 400, 450},
    {"sketch", 300, 0, 0, 96 + 50, 700},  {"sketch", 1280, 0, 0, 368 + 50, 1520},
};

static void preparations_take_what_the_manual_says(void **state) {
    (void)state;
    enum { POINTS = 12000 };
    for (size_t i = 0; i < COUNT(preparations); ++i) {
        const Preparation *p = &preparations[i];
        Points points = points_create(POINTS, p->d, 5);
        bmo_dataset *dataset = points_dataset(&points), *prepared = NULL;
        bmo_config *config = NULL;
        assert_ok(bmo_config_create(&config));
        assert_ok(bmo_config_set_text(config, "box", p->box));
        const int64_t before = held;
        assert_ok(bmo_dataset_prepare(&prepared, dataset, config, NULL));
        const int64_t kept = held - before;
        print_message("%s, d = %d: %.1f bytes a point\n", p->box, (int)p->d, (double)kept / POINTS);
        assert_true(kept <= (p->most_values * p->a_value + p->a_point) * POINTS + p->a_coordinate * p->d + kBeside);
        bmo_dataset_free(prepared);
        bmo_config_free(config);
        bmo_dataset_free(dataset);
        points_free(points);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_take_what_the_manual_says),
        cmocka_unit_test(preparations_take_what_the_manual_says),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}

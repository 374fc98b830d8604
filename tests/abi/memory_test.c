/* The memory that bmo.h names: the bytes that a call allocates, and what stays between calls. glibc only: malloc is this
 * program's own. */
#include "clustering.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

/* The names are those of glibc. NOLINTBEGIN(bugprone-reserved-identifier) */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);
/* NOLINTEND(bugprone-reserved-identifier) */

static int64_t held, most_held;

static void *hold(void *memory) {
    if (memory) {
        const int64_t now = __atomic_add_fetch(&held, (int64_t)malloc_usable_size(memory), __ATOMIC_RELAXED);
        if (now > most_held)
            most_held = now; /* calls of this program have one thread */
    }
    return memory;
}

static void let_go(void *memory) {
    if (memory)
        __atomic_sub_fetch(&held, (int64_t)malloc_usable_size(memory), __ATOMIC_RELAXED);
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

enum { N = 60000, DIMENSIONS = 32, NEIGHBORS = 5 };

/* What no line of the manual counts: the handle, the stats, and rounding of each block. */
static const int64_t kBeside = 256 << 10;

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
    const char *name, *settings[13];
    int64_t queries, in_hand, a_candidate, a_coordinate;
} Case;

static const Case cases[] = {
    {"race, one query", {"method", "bandit", "threads", "1", NULL}, 1, 1, 64, 20},
    {"race, 40 queries", {"method", "bandit", "threads", "1", NULL}, 40, 12, 64, 20},
    {"race, importance", {"method", "bandit", "threads", "1", "sampling", "importance", NULL}, 1, 1, 72, 110},
    {"ucb, bernstein",
     {"method", "bandit", "threads", "1", "bandit", "ucb", "confidence", "bernstein", NULL},
     1,
     1,
     300,
     20},
    {"lucb, bernstein",
     {"method", "bandit", "threads", "1", "bandit", "lucb", "confidence", "bernstein", NULL},
     1,
     1,
     300,
     20},
    {"lucb++, bernstein",
     {"method", "bandit", "threads", "1", "bandit", "lucb++", "confidence", "bernstein", NULL},
     1,
     1,
     300,
     20},
    {"ucb, betting",
     {"method", "bandit", "threads", "1", "bandit", "ucb", "confidence", "betting", NULL},
     1,
     1,
     850,
     20},
    {"lucb, betting",
     {"method", "bandit", "threads", "1", "bandit", "lucb", "confidence", "betting", NULL},
     1,
     1,
     850,
     20},
    {"lucb++, betting",
     {"method", "bandit", "threads", "1", "bandit", "lucb++", "confidence", "betting", NULL},
     1,
     1,
     850,
     20},
};

static void calls_take_what_the_manual_says(void **state) {
    (void)state;
    Points points = points_create(N, DIMENSIONS, 5);
    bmo_dataset *dataset = points_dataset(&points);
    use_of(dataset, 1, cases[0].settings); /* what a process keeps of its first call is not counted */
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const Case *c = &cases[i];
        /* 4 bytes a sample count for betting alone: here at most the whole population. */
        const int64_t samples = strstr(c->name, "betting") ? INT64_C(4) * N * DIMENSIONS : 0;
        const int64_t most = c->in_hand * (c->a_candidate * N + c->a_coordinate * DIMENSIONS) + samples + kBeside;
        const int64_t before = held;
        const Use use = use_of(dataset, c->queries, c->settings);
        assert_int_equal(held, before);
        print_message("%s: %.1f bytes a candidate and query in hand in the call, %.1f between calls\n", c->name,
                      (double)use.call / (double)(N * c->in_hand), (double)use.between / (double)(N * c->in_hand));
        assert_true(use.call <= most);
        assert_true(use.between <= use.call);
    }
    bmo_dataset_free(dataset);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_take_what_the_manual_says),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}

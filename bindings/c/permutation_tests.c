/* The K smallest of many permutation p-values:
 *
 *     permutation_tests FILE K
 *
 * FILE is text: the number of tests, the sizes a and b of the two groups, and for each test a + b values, those of the
 * first group first. The p-value of a test is the share of all divisions of its values into groups of a and b for which
 * the means of the groups are at least as far apart as they are. A line is printed for each of the K tests: its index, its
 * p-value, and how far it may be off (0: every division was looked at).
 *
 * Each test is an arm of a bandit: a sample is a random division, 1 where the means are far enough apart and else 0, so
 * that the mean of the arm is the p-value. Few samples are enough for the many tests that are clearly not among the K. */
#include <bmo.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "example.h"

enum { MOST_VALUES = 24 }; /* of a test: all its divisions can then be looked at */

typedef struct Study {
    int64_t tests;
    int a, b;
    double *values;    /* tests x (a + b) */
    double *distances; /* of the groups' means in each test, times a constant */
} Study;

/* |a (sum of all) - (a + b) (sum of the first group)|: how far apart the means are, but for a factor. */
static double distance(const Study *study, const double *values, const int *first_group) {
    double all = 0, first = 0;
    for (int i = 0; i < study->a + study->b; i++)
        all += values[i];
    for (int i = 0; i < study->a; i++)
        first += values[first_group[i]];
    return fabs(study->a * all - (study->a + study->b) * first);
}

/* 1 where the division is at least as far apart as the study's; a hair less counts, since sums are rounded. */
static int is_extreme(const Study *study, int64_t test, const int *first_group) {
    const double *values = study->values + test * (study->a + study->b);
    return distance(study, values, first_group) >= study->distances[test] * (1 - 1e-12);
}

static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15); /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* The first a of a random order: one exchange each (the bias of a remainder by at most 24 is below 2^-59). */
static void divide(const Study *study, uint64_t *random, int *order) {
    const int n = study->a + study->b;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = 0; i < study->a; i++) {
        const int other = i + (int)(next_random(random) % (uint64_t)(n - i)), taken = order[other];
        order[other] = order[i];
        order[i] = taken;
    }
}

/* m divisions, the same for all tests of the call. */
static int32_t pull(void *ctx, const int64_t *tests, int64_t count, int64_t m, uint64_t stream, double *sum,
                    double *sumsq) {
    const Study *study = ctx;
    int order[MOST_VALUES];
    for (int64_t i = 0; i < count; i++)
        sum[i] = 0;
    for (int64_t s = 0; s < m; s++) {
        divide(study, &stream, order);
        for (int64_t i = 0; i < count; i++)
            sum[i] += is_extreme(study, tests[i], order);
    }
    for (int64_t i = 0; i < count; i++)
        sumsq[i] = sum[i]; /* of ones and zeros */
    return 0;
}

/* The next choice of a out of n in the order of the dictionary; 0 after the last. */
static int next_choice(int *chosen, int a, int n) {
    int i = a - 1;
    while (i >= 0 && chosen[i] == n - a + i)
        i--;
    if (i < 0)
        return 0;
    for (chosen[i]++; i + 1 < a; i++)
        chosen[i + 1] = chosen[i] + 1;
    return 1;
}

static int32_t exact(void *ctx, int64_t test, double *mean) {
    const Study *study = ctx;
    int chosen[MOST_VALUES];
    int64_t extreme = 0, divisions = 0;
    for (int i = 0; i < study->a; i++)
        chosen[i] = i;
    do {
        extreme += is_extreme(study, test, chosen);
        divisions++;
    } while (next_choice(chosen, study->a, study->a + study->b));
    *mean = (double)extreme / (double)divisions;
    return 0;
}

static uint64_t divisions_of(const Study *study) {
    uint64_t count = 1;
    for (int i = 1; i <= study->a; i++)
        count = count * (uint64_t)(study->b + i) / (uint64_t)i;
    return count;
}

static int read_study(FILE *file, Study *study) {
    if (fscanf(file, "%" SCNd64 " %d %d", &study->tests, &study->a, &study->b) != 3 || study->tests < 1 ||
        study->tests > INT32_MAX || study->a < 1 || study->b < 1 || study->a > MOST_VALUES - study->b)
        return 0;
    const int64_t n = study->a + study->b;
    study->values = malloc((size_t)(study->tests * n) * sizeof(double));
    study->distances = malloc((size_t)study->tests * sizeof(double));
    for (int64_t i = 0; study->values && i < study->tests * n; i++)
        if (fscanf(file, "%lf", &study->values[i]) != 1 || !isfinite(study->values[i]))
            return 0;
    return study->values && study->distances && is_at_end(file);
}

static void measure(Study *study) {
    int given[MOST_VALUES];
    for (int i = 0; i < study->a; i++)
        given[i] = i;
    for (int64_t test = 0; test < study->tests; test++)
        study->distances[test] = distance(study, study->values + test * (study->a + study->b), given);
}

static void print_effort(const bmo_stats *stats) {
    fprintf(stderr, "%" PRIu64 " divisions instead of %" PRIu64 "%s\n", stats->coord_ops, stats->coord_ops_brute,
            stats->coord_ops > stats->coord_ops_brute
                ? " (more: tests of so few divisions are sampled before all of them are looked at)"
                : "");
}

static int print_best(Study *study, const bmo_best *best) {
    const bmo_arms arms = {.struct_size = sizeof arms,
                           .flags = BMO_ARMS_BOUNDED, /* a sample is 0 or 1 */
                           .n = study->tests,
                           .ctx = study,
                           .exact_cost = divisions_of(study),
                           .lower = 0,
                           .upper = 1,
                           .pull = pull,
                           .exact = exact};
    bmo_stats stats = {.struct_size = sizeof stats};
    if (bmo_best_arms(&arms, NULL, best, NULL, &stats) != BMO_OK)
        return fail("permutation_tests", "%s", bmo_last_error());
    for (int64_t i = 0; i < best->k; i++)
        printf("%" PRId64 " %.17g %.3g\n", best->arm[i], best->mean[i], best->halfwidth[i]);
    print_effort(&stats);
    return 0;
}

static int print_smallest(Study *study, int64_t k) {
    const bmo_best best = {.struct_size = sizeof best,
                           .k = k,
                           .arm = malloc((size_t)k * sizeof *best.arm),
                           .mean = malloc((size_t)k * sizeof *best.mean),
                           .halfwidth = malloc((size_t)k * sizeof *best.halfwidth)};
    int failed;
    if (best.arm && best.mean && best.halfwidth) {
        measure(study);
        failed = print_best(study, &best);
    } else {
        failed = fail("permutation_tests", "out of memory");
    }
    free(best.arm);
    free(best.mean);
    free(best.halfwidth);
    return failed;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return fail("permutation_tests", "usage: permutation_tests FILE K");
    FILE *file = fopen(argv[1], "r");
    if (!file)
        return fail("permutation_tests", "%s: %s", argv[1], strerror(errno));
    Study study = {0};
    const int64_t k = count_of(argv[2]);
    int failed;
    if (!read_study(file, &study))
        failed = ferror(file)
                     ? fail("permutation_tests", "%s: %s", argv[1], strerror(errno))
                     : fail("permutation_tests", "%s is not \"tests a b\" and just so many rows of a + b <= %d numbers",
                            argv[1], MOST_VALUES);
    else if (k < 1 || k > study.tests)
        failed = fail("permutation_tests", "K is %s; expected a whole number from 1 to %" PRId64 ", the tests", argv[2],
                      study.tests);
    else
        failed = print_smallest(&study, k);
    fclose(file);
    free(study.values);
    free(study.distances);
    return failed;
}

/* bmo_best_arms: arms of the caller's own, whose means are known by counting. */
#include "abi.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* Arm i is an urn of 1000 balls, of which ones[i] are marked 1 and the others 0. */
enum { ARMS = 60, BALLS = 1000 };

typedef struct Urns {
    int ones[ARMS];
    double scale, shift; /* a sample is scale * ball + shift */
    uint64_t drawn, computed, calls, last_stream;
    int32_t stop_pull, stop_exact; /* what the callbacks return */
    double *spoil;                 /* NULL, or what pull says of the sum of arm 7 */
    bmo_cancel *cancel;            /* requested at the third call */
    pthread_t thread;
    int elsewhere;
} Urns;

static uint64_t next_random(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15U; /* splitmix64 */
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/* All arms of a call share their random numbers. */
static int32_t pull(void *ctx, const int64_t *arms, int64_t count, int64_t m, uint64_t stream, double *sum,
                    double *sumsq) {
    Urns *urns = ctx;
    urns->elsewhere |= !pthread_equal(pthread_self(), urns->thread);
    urns->drawn += (uint64_t)(count * m);
    urns->last_stream = stream;
    if (++urns->calls == 3 && urns->cancel)
        bmo_cancel_request(urns->cancel);
    for (int64_t i = 0; i < count; ++i) {
        uint64_t random = stream;
        sum[i] = sumsq[i] = 0;
        for (int64_t s = 0; s < m; ++s) {
            const int ball = (int)(next_random(&random) % BALLS) < urns->ones[arms[i]];
            const double z = urns->scale * ball + urns->shift;
            sum[i] += z;
            sumsq[i] += z * z;
        }
        if (urns->spoil && arms[i] == 7)
            sum[i] = *urns->spoil;
    }
    return urns->stop_pull;
}

static double mean_of(const Urns *urns, int64_t arm) {
    return urns->scale * urns->ones[arm] / BALLS + urns->shift;
}

static int32_t exact(void *ctx, int64_t arm, double *mean) {
    Urns *urns = ctx;
    urns->elsewhere |= !pthread_equal(pthread_self(), urns->thread);
    ++urns->computed;
    *mean = mean_of(urns, arm);
    return urns->stop_exact;
}

/* Marked balls: 5, 17, 29, ... in an order that does not tell. */
static Urns make_urns(void) {
    Urns urns = {.scale = 1, .thread = pthread_self()};
    for (int i = 0; i < ARMS; ++i)
        urns.ones[i * 17 % ARMS] = 5 + 12 * i;
    return urns;
}

static bmo_arms arms_of(Urns *urns) {
    const bmo_arms arms = {.struct_size = sizeof arms,
                           .flags = BMO_ARMS_BOUNDED,
                           .n = ARMS,
                           .ctx = urns,
                           .exact_cost = 5000,
                           .lower = 0,
                           .upper = 1,
                           .pull = pull,
                           .exact = exact};
    return arms;
}

static bmo_config *make_config(const char *const *settings) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    for (; *settings; settings += 2)
        assert_ok(bmo_config_set_text(config, settings[0], settings[1]));
    return config;
}

typedef struct Answer {
    int64_t arm[ARMS];
    double mean[ARMS], halfwidth[ARMS];
    bmo_stats stats;
} Answer;

static bmo_status ask(const bmo_arms *arms, int64_t k, const char *const *settings, Answer *answer) {
    bmo_config *config = make_config(settings);
    const bmo_best out = {
        .struct_size = sizeof out, .k = k, .arm = answer->arm, .mean = answer->mean, .halfwidth = answer->halfwidth};
    answer->stats.struct_size = sizeof answer->stats;
    const bmo_status status = bmo_best_arms(arms, config, &out, NULL, &answer->stats);
    bmo_config_free(config);
    return status;
}

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

/* The k urns with the fewest, or the most, marked balls. */
static void assert_best(const Urns *urns, const Answer *answer, int64_t k, int most) {
    int sorted[ARMS];
    memcpy(sorted, urns->ones, sizeof sorted);
    qsort(sorted, ARMS, sizeof *sorted, by_value);
    int found[ARMS];
    for (int64_t r = 0; r < k; ++r) {
        found[r] = urns->ones[answer->arm[r]];
        const double off = fabs(answer->mean[r] - mean_of(urns, answer->arm[r]));
        if (answer->stats.guarantee >= BMO_GUARANTEE_CONDITIONAL)
            assert_true(off <= answer->halfwidth[r] * (1 + 1e-12) + 1e-12);
        if (r > 0)
            assert_true(most ? answer->mean[r] <= answer->mean[r - 1] : answer->mean[r] >= answer->mean[r - 1]);
    }
    qsort(found, (size_t)k, sizeof *found, by_value);
    for (int64_t r = 0; r < k; ++r)
        assert_int_equal(found[r], most ? sorted[ARMS - k + r] : sorted[r]);
}

static void every_bandit_and_rule_finds_the_best(void **state) {
    static const char *const bandits[] = {"auto", "ucb", "lucb", "lucb++"};
    static const struct {
        const char *confidence;
        bmo_guarantee guarantee;
        const char *assumption;
    } rules[] = {{"auto", BMO_GUARANTEE_PROVEN, ""},         {"betting", BMO_GUARANTEE_PROVEN, ""},
                 {"bernstein", BMO_GUARANTEE_PROVEN, ""},    {"subgaussian", BMO_GUARANTEE_CONDITIONAL, "sigma"},
                 {"empirical", BMO_GUARANTEE_HEURISTIC, ""}, {"pooled", BMO_GUARANTEE_HEURISTIC, ""}};
    (void)state;
    for (size_t b = 0; b < COUNT(bandits); ++b)
        for (size_t r = 0; r < COUNT(rules); ++r) {
            Urns urns = make_urns();
            const bmo_arms arms = arms_of(&urns);
            Answer answer = {0};
            assert_ok(ask(&arms, 4,
                          SETTINGS("bandit", bandits[b], "confidence", rules[r].confidence, "sigma", "0.5", "delta",
                                   "1e-6", "init_pulls", "200"),
                          &answer));
            assert_best(&urns, &answer, 4, 0);
            assert_int_equal(answer.stats.guarantee, rules[r].guarantee);
            assert_string_equal(answer.stats.assumption, rules[r].assumption);
            assert_int_equal(answer.stats.coord_ops_sampled, urns.drawn);
            assert_int_equal(answer.stats.exact_evals, urns.computed);
            assert_int_equal(answer.stats.coord_ops, urns.drawn + 5000 * urns.computed);
            assert_int_equal(answer.stats.coord_ops_brute, 5000 * ARMS);
            assert_int_equal(answer.stats.arms, ARMS);
            assert_false(urns.elsewhere);
        }
}

static void samples_are_saved(void **state) {
    Urns urns = make_urns();
    bmo_arms arms = arms_of(&urns);
    Answer answer = {0};
    (void)state;
    arms.exact_cost = 1000000;
    assert_ok(ask(&arms, 3, SETTINGS("delta", "0.01"), &answer));
    assert_best(&urns, &answer, 3, 0);
    assert_true(answer.stats.coord_ops * 10 < answer.stats.coord_ops_brute);
}

static void without_exact_the_means_are_bounded(void **state) {
    Urns urns = make_urns();
    bmo_arms arms = arms_of(&urns);
    Answer answer = {0};
    (void)state;
    arms.exact = NULL;
    assert_ok(ask(&arms, 5, SETTINGS("delta", "1e-6"), &answer));
    assert_best(&urns, &answer, 5, 0);
    assert_int_equal(answer.stats.guarantee, BMO_GUARANTEE_PROVEN);
    assert_int_equal(answer.stats.exact_evals, 0);
    assert_int_equal(answer.stats.coord_ops_brute, 0);
    for (int r = 0; r < 5; ++r)
        assert_true(answer.halfwidth[r] > 0 && answer.halfwidth[r] < 0.1);
}

static void the_largest_means_may_be_wanted(void **state) {
    Urns urns = make_urns();
    bmo_arms arms = arms_of(&urns);
    Answer answer = {0};
    (void)state;
    arms.flags |= BMO_ARMS_MAXIMIZE;
    assert_ok(ask(&arms, 4, SETTINGS("delta", "1e-6"), &answer));
    assert_best(&urns, &answer, 4, 1);

    urns.scale = -250; /* samples of -251 and -1: the least are the urns with most ones */
    urns.shift = -1;
    arms.flags = BMO_ARMS_BOUNDED;
    arms.lower = -251;
    arms.upper = 0;
    assert_ok(ask(&arms, 4, SETTINGS("delta", "1e-6"), &answer));
    for (int r = 0; r < 4; ++r)
        answer.mean[r] = -answer.mean[r], urns.scale = 250, urns.shift = 1;
    assert_best(&urns, &answer, 4, 1);
}

/* Sums are told in double: that means are large against what is between them does not hide it. */
static void large_means_are_told_apart(void **state) {
    static const char *const rules[] = {"empirical", "pooled", "subgaussian", "bernstein"};
    (void)state;
    for (size_t r = 0; r < COUNT(rules); ++r) {
        Urns urns = make_urns();
        Answer answer;
        bmo_arms arms = arms_of(&urns);
        urns.scale = 1000;
        urns.shift = arms.lower = 1e6;
        arms.upper = arms.lower + urns.scale;
        arms.exact = NULL;
        assert_ok(ask(&arms, 3, SETTINGS("confidence", rules[r], "sigma", "500", "max_pulls", "2000000"), &answer));
        assert_best(&urns, &answer, 3, 0);
        assert_true(answer.stats.guarantee != BMO_GUARANTEE_NONE);
    }
}

static void one_bound_is_enough_where_exact_is_there(void **state) {
    Urns urns = make_urns();
    bmo_arms arms = arms_of(&urns);
    Answer answer = {0};
    (void)state;
    arms.upper = HUGE_VAL;
    assert_ok(ask(&arms, 4, SETTINGS("delta", "1e-6"), &answer));
    assert_best(&urns, &answer, 4, 0);
    assert_int_equal(answer.stats.guarantee, BMO_GUARANTEE_PROVEN);
    assert_int_equal(answer.stats.confidence, BMO_CONFIDENCE_BETTING);

    /* The bound is on the wrong side for the largest means. */
    arms.flags |= BMO_ARMS_MAXIMIZE;
    assert_refused(ask(&arms, 4, SETTINGS("confidence", "betting"), &answer), BMO_EINVAL, "confidence");
    assert_ok(ask(&arms, 4, SETTINGS("init_pulls", "300"), &answer));
    assert_int_equal(answer.stats.guarantee, BMO_GUARANTEE_HEURISTIC);
    assert_int_equal(answer.stats.confidence, BMO_CONFIDENCE_EMPIRICAL);
}

static void what_does_not_combine_is_refused(void **state) {
    Urns urns = make_urns();
    bmo_arms arms = arms_of(&urns);
    Answer answer = {0};
    (void)state;
    assert_refused(ask(&arms, 4, SETTINGS("bandit", "race"), &answer), BMO_EINVAL, "bandit");
    assert_refused(ask(&arms, 4, SETTINGS("sampling", "without_replacement"), &answer), BMO_EINVAL, "sampling");
    assert_refused(ask(&arms, 4, SETTINGS("confidence", "subgaussian"), &answer), BMO_EINVAL, "sigma");
    assert_refused(ask(&arms, 4, SETTINGS("confidence", "pooled", "init_pulls", "1"), &answer), BMO_EINVAL,
                   "init_pulls");
    assert_refused(ask(&arms, 0, SETTINGS("delta", "0.1"), &answer), BMO_EINVAL, "out.k");
    assert_refused(ask(&arms, ARMS + 1, SETTINGS("delta", "0.1"), &answer), BMO_EINVAL, "out.k");
    arms.upper = HUGE_VAL;
    assert_refused(ask(&arms, 4, SETTINGS("confidence", "bernstein"), &answer), BMO_EINVAL, "confidence");
    arms.exact = NULL;
    assert_refused(ask(&arms, 4, SETTINGS("confidence", "betting"), &answer), BMO_EINVAL, "confidence");
    assert_refused(ask(&arms, 4, SETTINGS("method", "exact"), &answer), BMO_EINVAL, "method");
    assert_int_equal(urns.calls, 0);
}

static void bad_structs_are_refused(void **state) {
    Urns urns = make_urns();
    Answer answer = {0};
    (void)state;
    bmo_arms arms = arms_of(&urns);
    arms.flags = 1;
    assert_refused(ask(&arms, 1, SETTINGS("delta", "0.1"), &answer), BMO_EINVAL, "arms.flags");
    arms = arms_of(&urns);
    arms.n = 0;
    assert_refused(ask(&arms, 1, SETTINGS("delta", "0.1"), &answer), BMO_EINVAL, "arms.n");
    arms.n = INT64_MAX;
    assert_refused(ask(&arms, 1, SETTINGS("delta", "0.1"), &answer), BMO_EINVAL, "arms.n");
    arms = arms_of(&urns);
    arms.pull = NULL;
    assert_refused(ask(&arms, 1, SETTINGS("delta", "0.1"), &answer), BMO_EINVAL, "arms.pull");
    arms = arms_of(&urns);
    arms.exact_cost = 0;
    assert_refused(ask(&arms, 1, SETTINGS("delta", "0.1"), &answer), BMO_EINVAL, "arms.exact_cost");
    arms.exact_cost = UINT64_MAX / ARMS + 1;
    assert_refused(ask(&arms, 1, SETTINGS("delta", "0.1"), &answer), BMO_EOVERFLOW, "arms.exact_cost");
    arms = arms_of(&urns);
    arms.lower = 1;
    assert_refused(ask(&arms, 1, SETTINGS("delta", "0.1"), &answer), BMO_EINVAL, "arms.lower");
    arms.lower = NAN;
    assert_refused(ask(&arms, 1, SETTINGS("delta", "0.1"), &answer), BMO_EINVAL, "arms.lower");
    arms.lower = -HUGE_VAL;
    arms.upper = HUGE_VAL;
    assert_refused(ask(&arms, 1, SETTINGS("delta", "0.1"), &answer), BMO_EINVAL, "arms.lower");

    arms = arms_of(&urns);
    const bmo_best best = {.struct_size = sizeof best, .k = 1};
    bmo_best small = best;
    small.struct_size -= 1;
    assert_refused(bmo_best_arms(NULL, NULL, &best, NULL, NULL), BMO_EINVAL, "arms");
    assert_refused(bmo_best_arms(&arms, NULL, NULL, NULL, NULL), BMO_EINVAL, "out");
    assert_refused(bmo_best_arms(&arms, NULL, &small, NULL, NULL), BMO_EINVAL, "out.struct_size");
    assert_ok(bmo_best_arms(&arms, NULL, &best, NULL, NULL)); /* nothing is asked for, and nothing is written */
}

static void errors_of_callbacks_come_back(void **state) {
    Answer answer = {.arm = {-5}};
    (void)state;
    Urns urns = make_urns();
    bmo_arms arms = arms_of(&urns);
    urns.stop_pull = 42;
    assert_refused(ask(&arms, 3, SETTINGS("delta", "0.1"), &answer), BMO_ECALLBACK, "arms.pull");
    assert_int_equal(last_error().callback_result, 42);
    urns.stop_pull = 0;
    urns.stop_exact = -3;
    assert_refused(ask(&arms, 3, SETTINGS("method", "exact"), &answer), BMO_ECALLBACK, "arms.exact");
    assert_int_equal(last_error().callback_result, -3);
    assert_int_equal(last_error().row, 0);
    urns.stop_exact = 0;

    double spoils[] = {NAN, HUGE_VAL, -1, 1e6};
    for (size_t i = 0; i < COUNT(spoils); ++i) {
        urns.spoil = &spoils[i];
        assert_refused(ask(&arms, 3, SETTINGS("delta", "0.1"), &answer), BMO_ECALLBACK, "arms.pull");
        assert_int_equal(last_error().row, 7);
        assert_int_equal(last_error().callback_result, 0);
    }
    urns.spoil = NULL;
    urns.shift = 0.5; /* exact values of up to 1.2 */
    assert_refused(ask(&arms, 3, SETTINGS("method", "exact"), &answer), BMO_ECALLBACK, "arms.exact");
    assert_int_equal(answer.arm[0], -5);
}

static void a_call_can_be_stopped(void **state) {
    Urns urns = make_urns();
    bmo_arms arms = arms_of(&urns);
    int64_t arm = -5;
    const bmo_best best = {.struct_size = sizeof best, .k = 1, .arm = &arm};
    bmo_monitor monitor = {.struct_size = sizeof monitor};
    (void)state;
    assert_ok(bmo_cancel_create(&urns.cancel));
    monitor.cancel = urns.cancel;
    arms.exact = NULL; /* and all urns alike: it would never end */
    for (int i = 0; i < ARMS; ++i)
        urns.ones[i] = 500;
    assert_refused(bmo_best_arms(&arms, NULL, &best, &monitor, NULL), BMO_ECANCELED, "");
    assert_int_equal(urns.calls, 3);
    assert_int_equal(arm, -5);
    bmo_cancel_free(urns.cancel);
}

static void equal_arms_end_by_epsilon_or_max_pulls(void **state) {
    Urns urns = make_urns();
    bmo_arms arms = arms_of(&urns);
    Answer answer = {0};
    (void)state;
    arms.exact = NULL;
    for (int i = 0; i < ARMS; ++i)
        urns.ones[i] = 500;
    assert_ok(ask(&arms, 2, SETTINGS("max_pulls", "2000"), &answer));
    assert_int_equal(answer.stats.guarantee, BMO_GUARANTEE_NONE);
    assert_true(strlen(answer.stats.reason) > 0);
    assert_ok(ask(&arms, 2, SETTINGS("epsilon", "0.2"), &answer));
    assert_int_equal(answer.stats.guarantee, BMO_GUARANTEE_PROVEN);

    arms.exact = exact; /* ties by index */
    assert_ok(ask(&arms, 2, SETTINGS("delta", "0.01"), &answer));
    assert_int_equal(answer.arm[0], 0);
    assert_int_equal(answer.arm[1], 1);
    assert_int_equal(answer.stats.guarantee, BMO_GUARANTEE_EXACT);
}

static void all_can_be_computed_or_sampled_alike(void **state) {
    Urns urns = make_urns();
    const bmo_arms arms = arms_of(&urns);
    Answer answer = {0};
    (void)state;
    assert_ok(ask(&arms, ARMS, SETTINGS("method", "exact"), &answer));
    assert_best(&urns, &answer, ARMS, 0);
    assert_int_equal(answer.stats.guarantee, BMO_GUARANTEE_EXACT);
    assert_int_equal(urns.drawn, 0);
    assert_int_equal(urns.computed, ARMS);

    assert_ok(ask(&arms, 3, SETTINGS("method", "uniform", "uniform_pulls", "4000"), &answer));
    assert_int_equal(answer.stats.guarantee, BMO_GUARANTEE_NONE);
    assert_int_equal(urns.drawn, 4000 * ARMS);
    assert_best(&urns, &answer, 3, 0);
}

static void the_seed_decides_the_streams(void **state) {
    Answer answer[3] = {{{0}, {0}, {0}, {0}}};
    uint64_t last[3];
    static const char *const seeds[] = {"1", "1", "2"};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        Urns urns = make_urns();
        bmo_arms arms = arms_of(&urns);
        arms.exact = NULL;
        assert_ok(ask(&arms, 3, SETTINGS("seed", seeds[i]), &answer[i]));
        last[i] = urns.last_stream;
    }
    assert_memory_equal(answer[0].mean, answer[1].mean, 3 * sizeof(double));
    assert_true(last[0] == last[1] && last[0] != last[2]);
    assert_int_equal(answer[0].stats.coord_ops_sampled, answer[1].stats.coord_ops_sampled);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bandit_and_rule_finds_the_best),
        cmocka_unit_test(samples_are_saved),
        cmocka_unit_test(without_exact_the_means_are_bounded),
        cmocka_unit_test(the_largest_means_may_be_wanted),
        cmocka_unit_test(large_means_are_told_apart),
        cmocka_unit_test(one_bound_is_enough_where_exact_is_there),
        cmocka_unit_test(what_does_not_combine_is_refused),
        cmocka_unit_test(bad_structs_are_refused),
        cmocka_unit_test(errors_of_callbacks_come_back),
        cmocka_unit_test(a_call_can_be_stopped),
        cmocka_unit_test(equal_arms_end_by_epsilon_or_max_pulls),
        cmocka_unit_test(all_can_be_computed_or_sampled_alike),
        cmocka_unit_test(the_seed_decides_the_streams),
    };
    return cmocka_run_group_tests_name("arms", tests, NULL, NULL);
}

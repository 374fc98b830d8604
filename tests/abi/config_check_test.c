/* bmo_config_check: whether what was set counts. */
#include "abi.h"

/* settings: names and values by turns, then NULL. */
static void assert_counts(uint32_t calls, const char *const *settings, const char *at_fault) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    for (; settings[0]; settings += 2)
        assert_ok(bmo_config_set_text(config, settings[0], settings[1]));
    if (at_fault)
        assert_refused(bmo_config_check(config, calls), BMO_EINVAL, at_fault);
    else
        assert_ok(bmo_config_check(config, calls));
    bmo_config_free(config);
}

static void what_does_not_count_is_named(void **state) {
    static const struct {
        uint32_t calls;
        const char *at_fault, *settings[7];
    } cases[] = {
        {BMO_CALL_KNN, NULL, {NULL}},
        {BMO_CALL_KNN, "p", {"p", "2", NULL}}, /* also if it is the default */
        {BMO_CALL_KNN, NULL, {"p", "3", "metric", "lp", NULL}},
        {BMO_CALL_KMEANS, "delta", {"delta", "0.1", NULL}},
        {BMO_CALL_KMEANS | BMO_CALL_MEDOID, NULL, {"delta", "0.1", NULL}},
        {BMO_CALL_RADIUS, "epsilon", {"epsilon", "0.1", NULL}},
        {BMO_CALL_KNN, "sigma", {"sigma", "1", NULL}},
        {BMO_CALL_KNN, NULL, {"sigma", "1", "confidence", "subgaussian", NULL}},
        {BMO_CALL_KNN, "uniform_pulls", {"uniform_pulls", "9", NULL}},
        {BMO_CALL_KNN, NULL, {"uniform_pulls", "9", "method", "uniform", NULL}},
        {BMO_CALL_KNN, "init_pulls", {"init_pulls", "9", NULL}},
        {BMO_CALL_KNN, "max_pulls", {"bandit", "race", "max_pulls", "9", NULL}},
        {BMO_CALL_KNN, NULL, {"bandit", "lucb", "init_pulls", "9", "max_pulls", "9", NULL}},
        {BMO_CALL_KNN, NULL, {"sampling", "with_replacement", "pulls_per_round", "9", NULL}},
        {BMO_CALL_KNN, "arms_per_round", {"bandit", "lucb", "arms_per_round", "9", NULL}},
        {BMO_CALL_KNN, NULL, {"box", "sparse_union", "arms_per_round", "9", NULL}},
        {BMO_CALL_ARMS, NULL, {"init_pulls", "9", "pulls_per_round", "9", NULL}},
        {BMO_CALL_ARMS, "threads", {"threads", "2", NULL}},
        {BMO_CALL_KNN, "expected_queries", {"expected_queries", "9", NULL}},
        {BMO_CALL_KNN | BMO_CALL_PREPARE, NULL, {"expected_queries", "9", NULL}},
        {BMO_CALL_PREPARE, "expected_queries", {"expected_queries", "9", "box", "rotated", NULL}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i)
        assert_counts(cases[i].calls, cases[i].settings, cases[i].at_fault);
    assert_counts(0, cases[0].settings, "calls");
    assert_counts(64, cases[0].settings, "calls");
}

static void what_was_set_is_copied(void **state) {
    bmo_config *config = NULL, *copy = NULL;
    (void)state;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_i64(config, BMO_PARAM_MAX_PULLS, 5));
    assert_refused(bmo_config_set_f64(config, BMO_PARAM_SIGMA, -1), BMO_EINVAL, "sigma"); /* sets nothing */
    assert_ok(bmo_config_copy(&copy, config));
    assert_refused(bmo_config_check(copy, BMO_CALL_KNN), BMO_EINVAL, "max_pulls");
    assert_string_equal(bmo_last_error(),
                        "max_pulls is 5, which does not count here; expected none, or bandit ucb, lucb or lucb++");
    assert_refused(bmo_config_check(copy, BMO_CALL_KMEANS), BMO_EINVAL, "max_pulls");
    assert_string_equal(bmo_last_error(), "max_pulls is 5, which does not count in this call; expected none");
    assert_refused(bmo_config_check(NULL, BMO_CALL_KNN), BMO_EINVAL, "config");
    bmo_config_free(config);
    bmo_config_free(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_count_is_named),
        cmocka_unit_test(what_was_set_is_copied),
    };
    return cmocka_run_group_tests_name("config_check", tests, NULL, NULL);
}

/* bmo_config: setting and reading parameters. */
#include "abi.h"

#include <float.h>
#include <locale.h>
#include <math.h>

static bmo_config *config;

static int create_config(void **state) {
    (void)state;
    return bmo_config_create(&config);
}

static int free_config(void **state) {
    (void)state;
    bmo_config_free(config);
    return 0;
}

static void assert_text(const char *name, const char *expected) {
    char text[64] = "";
    size_t needed = 0;
    assert_ok(bmo_config_get_text(config, name, text, sizeof text, &needed));
    assert_string_equal(text, expected);
    assert_int_equal(needed, strlen(expected) + 1);
}

static void null_arguments_are_refused(void **state) {
    bmo_config *copy = NULL;
    int64_t integer = 0;
    double real = 0;
    char text[8];
    (void)state;
    assert_refused(bmo_config_create(NULL), BMO_EINVAL, "out");
    assert_refused(bmo_config_copy(NULL, config), BMO_EINVAL, "out");
    assert_refused(bmo_config_copy(&copy, NULL), BMO_EINVAL, "config");
    assert_null(copy);
    assert_refused(bmo_config_set_i64(NULL, BMO_PARAM_SEED, 1), BMO_EINVAL, "config");
    assert_refused(bmo_config_set_f64(NULL, BMO_PARAM_DELTA, 0.1), BMO_EINVAL, "config");
    assert_refused(bmo_config_set_text(NULL, "seed", "1"), BMO_EINVAL, "config");
    assert_refused(bmo_config_set_text(config, NULL, "1"), BMO_EINVAL, "name");
    assert_refused(bmo_config_set_text(config, "seed", NULL), BMO_EINVAL, "value");
    assert_refused(bmo_config_get_i64(NULL, BMO_PARAM_SEED, &integer), BMO_EINVAL, "config");
    assert_refused(bmo_config_get_i64(config, BMO_PARAM_SEED, NULL), BMO_EINVAL, "value");
    assert_refused(bmo_config_get_f64(NULL, BMO_PARAM_DELTA, &real), BMO_EINVAL, "config");
    assert_refused(bmo_config_get_f64(config, BMO_PARAM_DELTA, NULL), BMO_EINVAL, "value");
    assert_refused(bmo_config_get_text(NULL, "seed", text, sizeof text, NULL), BMO_EINVAL, "config");
    assert_refused(bmo_config_get_text(config, NULL, text, sizeof text, NULL), BMO_EINVAL, "name");
    assert_refused(bmo_config_get_text(config, "seed", NULL, 8, NULL), BMO_EINVAL, "buffer");
    bmo_config_free(NULL);
}

static void unknown_parameters_are_refused(void **state) {
    static const bmo_param unknown[] = {0, -1, 8, 19, 24, 35, 43, INT32_MAX, INT32_MIN};
    static const char *const names[] = {"", "Delta", "delta ", "deltas", "delt", "l2"};
    int64_t integer = 0;
    double real = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(unknown); ++i) {
        assert_refused(bmo_config_set_i64(config, unknown[i], 1), BMO_EINVAL, "param");
        assert_refused(bmo_config_set_f64(config, unknown[i], 0.1), BMO_EINVAL, "param");
        assert_refused(bmo_config_get_i64(config, unknown[i], &integer), BMO_EINVAL, "param");
        assert_refused(bmo_config_get_f64(config, unknown[i], &real), BMO_EINVAL, "param");
    }
    for (size_t i = 0; i < COUNT(names); ++i) {
        assert_refused(bmo_config_set_text(config, names[i], "1"), BMO_EINVAL, "name");
        assert_refused(bmo_config_get_text(config, names[i], NULL, 0, NULL), BMO_EINVAL, "name");
    }
}

static void defaults_are_the_initial_texts(void **state) {
    (void)state;
    for (int32_t i = 0; i < bmo_param_count(); ++i) {
        bmo_param_info info = {.struct_size = sizeof info};
        assert_ok(bmo_param_at(i, &info));
        assert_text(info.name, info.initial);
    }
}

static void the_wrong_type_is_refused(void **state) {
    static const bmo_param reals[] = {BMO_PARAM_P, BMO_PARAM_DELTA, BMO_PARAM_EPSILON};
    static const char *const real_names[] = {"p", "delta", "epsilon"};
    static const bmo_param choices[] = {BMO_PARAM_METRIC,     BMO_PARAM_METHOD,     BMO_PARAM_BOX,
                                        BMO_PARAM_BANDIT,     BMO_PARAM_CONFIDENCE, BMO_PARAM_SAMPLING,
                                        BMO_PARAM_DELTA_SCOPE};
    static const char *const choice_names[] = {"metric",     "method",   "box",        "bandit",
                                               "confidence", "sampling", "delta_scope"};
    int64_t integer = 77;
    double real = 77;
    (void)state;
    for (size_t i = 0; i < COUNT(reals); ++i) {
        assert_refused(bmo_config_set_i64(config, reals[i], 1), BMO_EINVAL, real_names[i]);
        assert_refused(bmo_config_get_i64(config, reals[i], &integer), BMO_EINVAL, real_names[i]);
    }
    for (size_t i = 0; i < COUNT(choices); ++i) {
        assert_refused(bmo_config_set_f64(config, choices[i], 1), BMO_EINVAL, choice_names[i]);
        assert_refused(bmo_config_get_f64(config, choices[i], &real), BMO_EINVAL, choice_names[i]);
    }
    assert_int_equal(integer, 77);
    assert_true(real == 77);
}

static void choices_take_their_values_only(void **state) {
    static const struct {
        bmo_param param;
        const char *name;
        int64_t good[4];
        int64_t bad[4];
    } cases[] = {
        {BMO_PARAM_METRIC, "metric", {1, 2, 3, 4}, {77, 0, -1, INT64_MAX}},
        {BMO_PARAM_METHOD, "method", {1, 2, 0, 3}, {77, -1, 78, INT64_MIN}},
        {BMO_PARAM_BOX, "box", {1, 0, 1, 0}, {77, -1, 78, 4294967296}},
        {BMO_PARAM_BANDIT, "bandit", {3, 0, 1, 4}, {77, -2, 78, -1}},
        {BMO_PARAM_CONFIDENCE, "confidence", {5, 0, 2, 3}, {77, 78, -1, 100}},
        {BMO_PARAM_SAMPLING, "sampling", {2, 0, 1, 0}, {77, 78, -1, 100}},
        {BMO_PARAM_DELTA_SCOPE, "delta_scope", {2, 1, 2, 1}, {0, 3, -1, 4294967297}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i)
        for (size_t j = 0; j < 4; ++j) {
            int64_t value = -77;
            assert_ok(bmo_config_set_i64(config, cases[i].param, cases[i].good[j]));
            assert_refused(bmo_config_set_i64(config, cases[i].param, cases[i].bad[j]), BMO_EINVAL, cases[i].name);
            assert_ok(bmo_config_get_i64(config, cases[i].param, &value));
            assert_int_equal(value, cases[i].good[j]);
        }
}

static void integers_take_their_range_only(void **state) {
    static const struct {
        bmo_param param;
        int fits;
        const char *name;
        int64_t value;
    } cases[] = {
        {BMO_PARAM_SEED, 1, "seed", INT64_MIN},  {BMO_PARAM_SEED, 1, "seed", INT64_MAX},
        {BMO_PARAM_SEED, 1, "seed", -1},         {BMO_PARAM_THREADS, 1, "threads", 0},
        {BMO_PARAM_THREADS, 1, "threads", 1024}, {BMO_PARAM_THREADS, 0, "threads", -1},
        {BMO_PARAM_THREADS, 0, "threads", 1025}, {BMO_PARAM_THREADS, 0, "threads", INT64_MIN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        int64_t before = 0, after = 0;
        assert_ok(bmo_config_get_i64(config, cases[i].param, &before));
        if (cases[i].fits)
            assert_ok(bmo_config_set_i64(config, cases[i].param, cases[i].value));
        else
            assert_refused(bmo_config_set_i64(config, cases[i].param, cases[i].value), BMO_EINVAL, cases[i].name);
        assert_ok(bmo_config_get_i64(config, cases[i].param, &after));
        assert_true(after == (cases[i].fits ? cases[i].value : before));
    }
}

static void reals_take_their_range_only(void **state) {
    const struct {
        bmo_param param;
        int fits;
        const char *name;
        double value;
    } cases[] = {
        {BMO_PARAM_P, 1, "p", 0.01},
        {BMO_PARAM_P, 1, "p", 32},
        {BMO_PARAM_P, 1, "p", 1},
        {BMO_PARAM_P, 0, "p", 0.00999},
        {BMO_PARAM_P, 0, "p", 32.000001},
        {BMO_PARAM_P, 0, "p", 0},
        {BMO_PARAM_P, 0, "p", -1},
        {BMO_PARAM_DELTA, 1, "delta", 1e-300},
        {BMO_PARAM_DELTA, 1, "delta", 0.5},
        {BMO_PARAM_DELTA, 0, "delta", 0.9e-300},
        {BMO_PARAM_DELTA, 0, "delta", 0.5000001},
        {BMO_PARAM_DELTA, 0, "delta", 0},
        {BMO_PARAM_DELTA, 0, "delta", -0.1},
        {BMO_PARAM_EPSILON, 1, "epsilon", 0},
        {BMO_PARAM_EPSILON, 1, "epsilon", 4.9e-324},
        {BMO_PARAM_EPSILON, 1, "epsilon", DBL_MAX},
        {BMO_PARAM_EPSILON, 0, "epsilon", -4.9e-324},
        {BMO_PARAM_P, 0, "p", (double)NAN},
        {BMO_PARAM_DELTA, 0, "delta", (double)NAN},
        {BMO_PARAM_EPSILON, 0, "epsilon", (double)NAN},
        {BMO_PARAM_P, 0, "p", (double)INFINITY},
        {BMO_PARAM_DELTA, 0, "delta", (double)INFINITY},
        {BMO_PARAM_EPSILON, 0, "epsilon", (double)INFINITY},
        {BMO_PARAM_EPSILON, 0, "epsilon", -(double)INFINITY},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        double before = 0, after = 0;
        assert_ok(bmo_config_get_f64(config, cases[i].param, &before));
        if (cases[i].fits)
            assert_ok(bmo_config_set_f64(config, cases[i].param, cases[i].value));
        else
            assert_refused(bmo_config_set_f64(config, cases[i].param, cases[i].value), BMO_EINVAL, cases[i].name);
        assert_ok(bmo_config_get_f64(config, cases[i].param, &after));
        assert_true(after == (cases[i].fits ? cases[i].value : before));
    }
}

static void integers_take_whole_reals_only(void **state) {
    const double bad[] = {0.5,
                          -0.5,
                          9223372036854775808.0,
                          1e300,
                          -9223372036854777856.0,
                          (double)NAN,
                          (double)INFINITY,
                          -(double)INFINITY};
    int64_t seed = 0;
    double value = 0;
    (void)state;
    assert_ok(bmo_config_set_f64(config, BMO_PARAM_SEED, -9223372036854775808.0));
    assert_ok(bmo_config_get_i64(config, BMO_PARAM_SEED, &seed));
    assert_true(seed == INT64_MIN);
    assert_ok(bmo_config_set_f64(config, BMO_PARAM_SEED, 9223372036854774784.0));
    assert_ok(bmo_config_get_i64(config, BMO_PARAM_SEED, &seed));
    assert_true(seed == 9223372036854774784);
    for (size_t i = 0; i < COUNT(bad); ++i)
        assert_refused(bmo_config_set_f64(config, BMO_PARAM_SEED, bad[i]), BMO_EINVAL, "seed");
    assert_ok(bmo_config_get_f64(config, BMO_PARAM_SEED, &value));
    assert_true(value == 9223372036854774784.0);
    assert_refused(bmo_config_set_f64(config, BMO_PARAM_THREADS, 1025), BMO_EINVAL, "threads");
    assert_ok(bmo_config_set_f64(config, BMO_PARAM_THREADS, 4));
    assert_text("threads", "4");
}

static void an_integer_that_no_double_is_does_not_read_as_one(void **state) {
    static const int64_t seeds[] = {9007199254740993, -9007199254740993, INT64_MAX};
    double value = 77;
    (void)state;
    for (size_t i = 0; i < COUNT(seeds); ++i) {
        assert_ok(bmo_config_set_i64(config, BMO_PARAM_SEED, seeds[i]));
        assert_refused(bmo_config_get_f64(config, BMO_PARAM_SEED, &value), BMO_EOVERFLOW, "seed");
        assert_true(value == 77);
    }
    assert_ok(bmo_config_set_i64(config, BMO_PARAM_SEED, INT64_MIN));
    assert_ok(bmo_config_get_f64(config, BMO_PARAM_SEED, &value));
    assert_true(value == -9223372036854775808.0);
}

static void good_texts_are_taken(void **state) {
    static const struct {
        const char *name, *text, *again;
    } cases[] = {
        {"metric", "sqeuclidean", "sqeuclidean"},
        {"metric", "lp", "lp"},
        {"method", "exact", "exact"},
        {"box", "dense", "dense"},
        {"bandit", "race", "race"},
        {"confidence", "betting", "betting"},
        {"sampling", "without_replacement", "without_replacement"},
        {"delta_scope", "call", "call"},
        {"p", "1.5", "1.5"},
        {"p", "32", "32"},
        {"delta", "1e-3", "0.001"},
        {"delta", "1e-300", "1e-300"},
        {"delta", "0.1000000000000000055511151231257827", "0.1"},
        {"epsilon", "0.30000000000000004", "0.30000000000000004"},
        {"epsilon", "1.7976931348623157e308", "1.7976931348623157e+308"},
        {"seed", "-9223372036854775808", "-9223372036854775808"},
        {"seed", "9223372036854775807", "9223372036854775807"},
        {"threads", "0", "0"},
        {"threads", "1024", "1024"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_ok(bmo_config_set_text(config, cases[i].name, cases[i].text));
        assert_text(cases[i].name, cases[i].again);
        assert_ok(bmo_config_set_text(config, cases[i].name, cases[i].again));
        assert_text(cases[i].name, cases[i].again);
    }
}

static void bad_texts_are_refused_and_change_nothing(void **state) {
    static const char *const integers[] = {
        "", " 1", "1 ", "1.0", "1e3", "0x10", "+1", "one", "9223372036854775808", "1,000", "nan", "--1", "1\n"};
    static const char *const reals[] = {"",       " 0.1", "0.1 ", "0,1", "nan", "inf",   "-inf",
                                        "1e-400", "0x1",  "e",    "1e",  "-",   "0.1.1", "1e400"};
    static const char *const choices[] = {"", "L1", "l", "l22", "l1 ", "l1|lp", "|", "1", "sql"};
    (void)state;
    assert_ok(bmo_config_set_text(config, "seed", "5"));
    for (size_t i = 0; i < COUNT(integers); ++i)
        assert_refused(bmo_config_set_text(config, "seed", integers[i]), BMO_EINVAL, "seed");
    assert_text("seed", "5");
    assert_refused(bmo_config_set_text(config, "threads", "-1"), BMO_EINVAL, "threads");
    assert_ok(bmo_config_set_text(config, "epsilon", "0.25"));
    for (size_t i = 0; i < COUNT(reals); ++i)
        assert_refused(bmo_config_set_text(config, "epsilon", reals[i]), BMO_EINVAL, "epsilon");
    assert_text("epsilon", "0.25");
    assert_ok(bmo_config_set_text(config, "metric", "sqeuclidean"));
    for (size_t i = 0; i < COUNT(choices); ++i)
        assert_refused(bmo_config_set_text(config, "metric", choices[i]), BMO_EINVAL, "metric");
    assert_text("metric", "sqeuclidean");
}

static void a_message_quotes_what_is_no_number(void **state) {
    static const struct {
        const char *name, *value, *shown;
    } cases[] = {{"delta", "0.6", "delta is 0.6; "},         {"delta", "-1e-3", "delta is -1e-3; "},
                 {"threads", "-1", "threads is -1; "},       {"threads", "1.5", "threads is 1.5; "},
                 {"delta", "0.6x", "delta is \"0.6x\"; "},   {"delta", "", "delta is \"\"; "},
                 {"threads", " -1", "threads is \" -1\"; "}, {"metric", "l3", "metric is \"l3\"; "}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_refused(bmo_config_set_text(config, cases[i].name, cases[i].value), BMO_EINVAL, cases[i].name);
        if (strncmp(bmo_last_error(), cases[i].shown, strlen(cases[i].shown)) != 0)
            fail_msg("expected %s at the start of: %s", cases[i].shown, bmo_last_error());
    }
}

static void set_as_text_of(bmo_config *other, const char *name) {
    char text[64], again[64];
    assert_ok(bmo_config_get_text(config, name, text, sizeof text, NULL));
    assert_ok(bmo_config_set_text(other, name, text));
    assert_ok(bmo_config_get_text(other, name, again, sizeof again, NULL));
    assert_string_equal(again, text);
}

static void every_parameter_goes_to_text_and_back(void **state) {
    static const char *const others[][2] = {{"metric", "lp"},
                                            {"p", "0.3333333333333333"},
                                            {"delta", "1e-300"},
                                            {"epsilon", "1.7976931348623157e308"},
                                            {"seed", "-9223372036854775808"}};
    bmo_config *other = NULL;
    double p = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(others); ++i)
        assert_ok(bmo_config_set_text(config, others[i][0], others[i][1]));
    assert_ok(bmo_config_create(&other));
    for (int32_t i = 0; i < bmo_param_count(); ++i) {
        bmo_param_info info = {.struct_size = sizeof info};
        assert_ok(bmo_param_at(i, &info));
        set_as_text_of(other, info.name);
    }
    assert_ok(bmo_config_get_f64(other, BMO_PARAM_P, &p));
    assert_true(p == 1.0 / 3);
    bmo_config_free(other);
}

static void a_text_needs_its_room(void **state) {
    char text[8] = "?";
    size_t needed = 0;
    (void)state;
    assert_ok(bmo_config_get_text(config, "delta", NULL, 0, &needed));
    assert_int_equal(needed, sizeof "0.01");
    assert_ok(bmo_config_get_text(config, "delta", NULL, 0, NULL));
    for (size_t size = 0; size < sizeof "0.01"; ++size) {
        needed = 0;
        assert_refused(bmo_config_get_text(config, "delta", text, size, &needed), BMO_EINVAL, "size");
        assert_int_equal(needed, sizeof "0.01");
        assert_string_equal(text, "?");
    }
    assert_ok(bmo_config_get_text(config, "delta", text, sizeof "0.01", NULL));
    assert_string_equal(text, "0.01");
}

static void a_copy_is_independent(void **state) {
    bmo_config *copy = NULL;
    int64_t seed = 0;
    (void)state;
    assert_ok(bmo_config_set_i64(config, BMO_PARAM_SEED, 5));
    assert_ok(bmo_config_copy(&copy, config));
    assert_ok(bmo_config_set_i64(config, BMO_PARAM_SEED, 6));
    assert_ok(bmo_config_get_i64(copy, BMO_PARAM_SEED, &seed));
    assert_int_equal(seed, 5);
    assert_ok(bmo_config_set_i64(copy, BMO_PARAM_SEED, 7));
    assert_text("seed", "6");
    bmo_config_free(copy);
}

static void the_decimal_separator_is_a_point_in_every_locale(void **state) {
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "de_DE.utf8") && !setlocale(LC_ALL, "de_DE")) {
        print_message("# no locale de_DE on this system\n");
        return;
    }
    assert_string_equal(localeconv()->decimal_point, ",");
    assert_ok(bmo_config_set_text(config, "delta", "0.25"));
    assert_text("delta", "0.25");
    assert_refused(bmo_config_set_text(config, "delta", "0,125"), BMO_EINVAL, "delta");
    assert_non_null(strstr(bmo_last_error(), "0.5"));
    setlocale(LC_ALL, "C");
}

#define CONFIG_TEST(name) cmocka_unit_test_setup_teardown(name, create_config, free_config)

int main(void) {
    const struct CMUnitTest tests[] = {
        CONFIG_TEST(null_arguments_are_refused),
        CONFIG_TEST(unknown_parameters_are_refused),
        CONFIG_TEST(defaults_are_the_initial_texts),
        CONFIG_TEST(the_wrong_type_is_refused),
        CONFIG_TEST(choices_take_their_values_only),
        CONFIG_TEST(integers_take_their_range_only),
        CONFIG_TEST(reals_take_their_range_only),
        CONFIG_TEST(integers_take_whole_reals_only),
        CONFIG_TEST(an_integer_that_no_double_is_does_not_read_as_one),
        CONFIG_TEST(good_texts_are_taken),
        CONFIG_TEST(bad_texts_are_refused_and_change_nothing),
        CONFIG_TEST(a_message_quotes_what_is_no_number),
        CONFIG_TEST(every_parameter_goes_to_text_and_back),
        CONFIG_TEST(a_text_needs_its_room),
        CONFIG_TEST(a_copy_is_independent),
        CONFIG_TEST(the_decimal_separator_is_a_point_in_every_locale),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}

/* The table of parameters. */
#include "abi.h"

#include <stdlib.h>

static bmo_param_info info_at(int32_t position) {
    bmo_param_info info = {.struct_size = sizeof info};
    assert_ok(bmo_param_at(position, &info));
    return info;
}

enum {
    SEARCHES = BMO_CALL_KNN | BMO_CALL_RADIUS,
    EVERY_CALL = SEARCHES | BMO_CALL_KMEANS | BMO_CALL_MEDOID | BMO_CALL_ARMS | BMO_CALL_PREPARE
};

static void the_order_is_that_of_the_header(void **state) {
    static const struct {
        bmo_param param;
        int32_t type;
        const char *name, *choices, *initial;
        uint32_t calls;
    } expected[] = {
        {BMO_PARAM_METRIC, BMO_PARAM_TYPE_CHOICE, "metric", "l2|sqeuclidean|l1|lp|cosine|inner_product|custom", "l2",
         SEARCHES | BMO_CALL_KMEANS | BMO_CALL_MEDOID | BMO_CALL_PREPARE},
        {BMO_PARAM_METHOD, BMO_PARAM_TYPE_CHOICE, "method", "auto|bandit|exact|uniform", "auto", EVERY_CALL},
        {BMO_PARAM_BOX, BMO_PARAM_TYPE_CHOICE, "box", "auto|dense|sparse|sparse_union|rotated|projected|sketch", "auto",
         SEARCHES | BMO_CALL_MEDOID | BMO_CALL_PREPARE},
        {BMO_PARAM_BANDIT, BMO_PARAM_TYPE_CHOICE, "bandit", "auto|ucb|lucb|race|lucb++", "auto",
         SEARCHES | BMO_CALL_ARMS},
        {BMO_PARAM_CONFIDENCE, BMO_PARAM_TYPE_CHOICE, "confidence",
         "auto|betting|empirical|pooled|subgaussian|bernstein|beta", "auto", SEARCHES | BMO_CALL_ARMS},
        {BMO_PARAM_SAMPLING, BMO_PARAM_TYPE_CHOICE, "sampling", "auto|with_replacement|without_replacement|importance",
         "auto", SEARCHES},
        {BMO_PARAM_P, BMO_PARAM_TYPE_F64, "p", "", "2", SEARCHES | BMO_CALL_MEDOID | BMO_CALL_PREPARE},
        {BMO_PARAM_DELTA, BMO_PARAM_TYPE_F64, "delta", "", "0.01", EVERY_CALL & ~(uint32_t)BMO_CALL_KMEANS},
        {BMO_PARAM_DELTA_SCOPE, BMO_PARAM_TYPE_CHOICE, "delta_scope", "query|call", "query", SEARCHES},
        {BMO_PARAM_EPSILON, BMO_PARAM_TYPE_F64, "epsilon", "", "0", BMO_CALL_KNN | BMO_CALL_ARMS},
        {BMO_PARAM_SIGMA, BMO_PARAM_TYPE_F64, "sigma", "", "0", BMO_CALL_KNN | BMO_CALL_ARMS},
        {BMO_PARAM_INIT_PULLS, BMO_PARAM_TYPE_I64, "init_pulls", "", "32", BMO_CALL_KNN | BMO_CALL_ARMS},
        {BMO_PARAM_ARMS_PER_ROUND, BMO_PARAM_TYPE_I64, "arms_per_round", "", "32", BMO_CALL_KNN | BMO_CALL_ARMS},
        {BMO_PARAM_PULLS_PER_ROUND, BMO_PARAM_TYPE_I64, "pulls_per_round", "", "256", BMO_CALL_KNN | BMO_CALL_ARMS},
        {BMO_PARAM_MAX_PULLS, BMO_PARAM_TYPE_I64, "max_pulls", "", "0", BMO_CALL_KNN | BMO_CALL_ARMS},
        {BMO_PARAM_UNIFORM_PULLS, BMO_PARAM_TYPE_I64, "uniform_pulls", "", "256", BMO_CALL_KNN | BMO_CALL_ARMS},
        {BMO_PARAM_SEED, BMO_PARAM_TYPE_I64, "seed", "", "0", EVERY_CALL},
        {BMO_PARAM_THREADS, BMO_PARAM_TYPE_I64, "threads", "", "1", EVERY_CALL & ~(uint32_t)BMO_CALL_ARMS},
        {BMO_PARAM_EXPECTED_QUERIES, BMO_PARAM_TYPE_I64, "expected_queries", "", "0", BMO_CALL_PREPARE},
    };
    (void)state;
    assert_int_equal(bmo_param_count(), COUNT(expected));
    for (int32_t i = 0; i < bmo_param_count(); ++i) {
        const bmo_param_info info = info_at(i);
        assert_int_equal(info.param, expected[i].param);
        assert_string_equal(info.name, expected[i].name);
        assert_int_equal(info.type, expected[i].type);
        assert_string_equal(info.choices, expected[i].choices);
        assert_string_equal(info.initial, expected[i].initial);
        assert_in_range(strlen(info.summary), 10, 100);
        assert_int_equal(info.calls, expected[i].calls);
    }
}

static void ranges_are_those_of_the_header(void **state) {
    static const struct {
        const char *name;
        double lower, upper;
    } reals[] = {{"p", 0.01, 32},
                 {"delta", 1e-300, 0.5},
                 {"epsilon", 0, 1.7976931348623157e308},
                 {"sigma", 0, 1.7976931348623157e308}};
    static const struct {
        const char *name;
        int64_t lower, upper;
    } integers[] = {{"seed", INT64_MIN, INT64_MAX},           {"threads", 0, 1024},
                    {"init_pulls", 1, INT64_C(1) << 31},      {"arms_per_round", 1, INT64_C(1) << 31},
                    {"pulls_per_round", 1, INT64_C(1) << 31}, {"max_pulls", 0, INT64_C(1) << 31},
                    {"uniform_pulls", 1, INT64_C(1) << 31},   {"expected_queries", 0, INT64_MAX}};
    size_t seen = 0;
    (void)state;
    for (int32_t i = 0; i < bmo_param_count(); ++i) {
        const bmo_param_info info = info_at(i);
        for (size_t j = 0; j < COUNT(reals); ++j)
            if (strcmp(info.name, reals[j].name) == 0) {
                assert_true(info.lower_f64 == reals[j].lower && info.upper_f64 == reals[j].upper);
                ++seen;
            }
        for (size_t j = 0; j < COUNT(integers); ++j)
            if (strcmp(info.name, integers[j].name) == 0) {
                assert_true(info.lower_i64 == integers[j].lower && info.upper_i64 == integers[j].upper);
                ++seen;
            }
    }
    assert_int_equal(seen, COUNT(reals) + COUNT(integers));
}

static void bad_arguments_are_refused(void **state) {
    bmo_param_info info = {.struct_size = sizeof info, .name = "untouched"};
    (void)state;
    assert_refused(bmo_param_at(0, NULL), BMO_EINVAL, "info");
    assert_refused(bmo_param_at(-1, &info), BMO_EINVAL, "position");
    assert_refused(bmo_param_at(bmo_param_count(), &info), BMO_EINVAL, "position");
    assert_refused(bmo_param_at(INT32_MIN, &info), BMO_EINVAL, "position");
    info.struct_size = sizeof info - 1;
    assert_refused(bmo_param_at(0, &info), BMO_EINVAL, "info.struct_size");
    info.struct_size = 0;
    assert_refused(bmo_param_at(0, &info), BMO_EINVAL, "info.struct_size");
    assert_string_equal(info.name, "untouched");
}

static void a_larger_info_keeps_its_tail(void **state) {
    struct {
        bmo_param_info info;
        int64_t later;
    } newer = {.info = {.struct_size = sizeof newer}, .later = 77};
    (void)state;
    assert_ok(bmo_param_at(0, &newer.info));
    assert_int_equal(newer.info.struct_size, sizeof newer);
    assert_string_equal(newer.info.name, "metric");
    assert_int_equal(newer.later, 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_that_of_the_header),
        cmocka_unit_test(ranges_are_those_of_the_header),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(a_larger_info_keeps_its_tail),
    };
    return cmocka_run_group_tests_name("params", tests, NULL, NULL);
}

#include "cmocka.hpp"

#include <cmath>
#include <set>

#include "data/params.hpp"

namespace params_test {

using bmo::Settings;

void names_and_ids_are_unique(void **) {
    std::set<std::string> names;
    std::set<bmo_param> ids;
    for (const bmo::Parameter &parameter : bmo::parameters()) {
        assert_true(names.insert(parameter.name).second);
        assert_true(ids.insert(parameter.id).second);
        assert_ptr_equal(&bmo::find_parameter(parameter.id), &parameter);
        assert_ptr_equal(&bmo::find_parameter(std::string_view(parameter.name)), &parameter);
    }
}

void defaults_are_those_of_settings(void **) {
    const Settings settings;
    for (const bmo::Parameter &parameter : bmo::parameters())
        assert_string_equal(bmo::get_text(settings, parameter).c_str(), parameter.initial);
}

void every_parameter_has_a_field_of_its_own(void **) {
    // Written here a second time, so that an entry of the table with its neighbor's field is found.
    Settings settings;
    const std::pair<const char *, std::int64_t *> integers[] = {{"metric", &settings.metric},
                                                                {"method", &settings.method},
                                                                {"box", &settings.box},
                                                                {"bandit", &settings.bandit},
                                                                {"confidence", &settings.confidence},
                                                                {"sampling", &settings.sampling},
                                                                {"delta_scope", &settings.delta_scope},
                                                                {"init_pulls", &settings.init_pulls},
                                                                {"arms_per_round", &settings.arms_per_round},
                                                                {"pulls_per_round", &settings.pulls_per_round},
                                                                {"max_pulls", &settings.max_pulls},
                                                                {"uniform_pulls", &settings.uniform_pulls},
                                                                {"seed", &settings.seed},
                                                                {"threads", &settings.threads},
                                                                {"expected_queries", &settings.expected_queries}};
    const std::pair<const char *, double *> reals[] = {
        {"p", &settings.p}, {"delta", &settings.delta}, {"epsilon", &settings.epsilon}, {"sigma", &settings.sigma}};
    assert_int_equal(std::size(integers) + std::size(reals), bmo::parameters().size());
    for (const auto &[name, field] : integers) {
        *field = 1; // a value that every one of them has
        assert_int_equal(bmo::get_integer(settings, bmo::find_parameter(name)), 1);
        *field = 12345;
        assert_int_equal(bmo::get_integer(settings, bmo::find_parameter(name)), 12345);
    }
    for (const auto &[name, field] : reals) {
        *field = 0.375;
        assert_true(bmo::get_real(settings, bmo::find_parameter(name)) == 0.375);
    }
}

void every_choice_has_its_value(void **) {
    const struct {
        const char *name, *choice;
        std::int64_t value;
    } cases[] = {{"metric", "l2", BMO_METRIC_L2},
                 {"metric", "sqeuclidean", BMO_METRIC_SQEUCLIDEAN},
                 {"metric", "l1", BMO_METRIC_L1},
                 {"metric", "lp", BMO_METRIC_LP},
                 {"metric", "cosine", BMO_METRIC_COSINE},
                 {"metric", "inner_product", BMO_METRIC_INNER_PRODUCT},
                 {"metric", "custom", BMO_METRIC_CUSTOM},
                 {"method", "auto", BMO_METHOD_AUTO},
                 {"method", "bandit", BMO_METHOD_BANDIT},
                 {"method", "exact", BMO_METHOD_EXACT},
                 {"method", "uniform", BMO_METHOD_UNIFORM},
                 {"box", "auto", BMO_BOX_AUTO},
                 {"box", "dense", BMO_BOX_DENSE},
                 {"box", "sparse", BMO_BOX_SPARSE},
                 {"box", "sparse_union", BMO_BOX_SPARSE_UNION},
                 {"box", "rotated", BMO_BOX_ROTATED},
                 {"box", "projected", BMO_BOX_PROJECTED},
                 {"box", "sketch", BMO_BOX_SKETCH},
                 {"bandit", "auto", BMO_BANDIT_AUTO},
                 {"bandit", "ucb", BMO_BANDIT_UCB},
                 {"bandit", "lucb", BMO_BANDIT_LUCB},
                 {"bandit", "race", BMO_BANDIT_RACE},
                 {"bandit", "lucb++", BMO_BANDIT_LUCBPP},
                 {"confidence", "auto", BMO_CONFIDENCE_AUTO},
                 {"confidence", "betting", BMO_CONFIDENCE_BETTING},
                 {"confidence", "empirical", BMO_CONFIDENCE_EMPIRICAL},
                 {"confidence", "pooled", BMO_CONFIDENCE_POOLED},
                 {"confidence", "subgaussian", BMO_CONFIDENCE_SUBGAUSSIAN},
                 {"confidence", "bernstein", BMO_CONFIDENCE_BERNSTEIN},
                 {"confidence", "beta", BMO_CONFIDENCE_BETA},
                 {"sampling", "auto", BMO_SAMPLING_AUTO},
                 {"sampling", "with_replacement", BMO_SAMPLING_WITH_REPLACEMENT},
                 {"sampling", "without_replacement", BMO_SAMPLING_WITHOUT_REPLACEMENT},
                 {"sampling", "importance", BMO_SAMPLING_IMPORTANCE},
                 {"delta_scope", "query", BMO_SCOPE_QUERY},
                 {"delta_scope", "call", BMO_SCOPE_CALL}};
    std::size_t choices = 0;
    for (const bmo::Parameter &parameter : bmo::parameters())
        if (const auto *type = std::get_if<bmo::Choice>(&parameter.type))
            choices += type->values.size();
    assert_int_equal(choices, std::size(cases));
    for (const auto &[name, choice, value] : cases) {
        Settings settings;
        const bmo::Parameter &parameter = bmo::find_parameter(name);
        bmo::set_text(settings, parameter, choice);
        assert_int_equal(bmo::get_integer(settings, parameter), value);
        bmo::set_integer(settings, parameter, value);
        assert_string_equal(bmo::get_text(settings, parameter).c_str(), choice);
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(names_and_ids_are_unique),
        cmocka_unit_test(defaults_are_those_of_settings),
        cmocka_unit_test(every_parameter_has_a_field_of_its_own),
        cmocka_unit_test(every_choice_has_its_value),
    };
    return cmocka_run_group_tests_name("params", tests, nullptr, nullptr);
}

} // namespace params_test

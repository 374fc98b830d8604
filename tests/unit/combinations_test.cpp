// The table of combinations: that the documentation shows it, what AUTO makes of it, and what is refused.
#include "cmocka.hpp"

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "data/params.hpp"
#include "search/choice/combinations.hpp"

namespace combinations_test {

using bmo::Settings;

std::string names(bmo_param param, bmo::ChoiceSet values) {
    std::string joined;
    for (std::int64_t value = 0; value < 32; ++value)
        if (values >> value & 1)
            joined += (joined.empty() ? "" : ", ") + bmo::choice_text(param, value);
    return joined;
}

std::string row_of(const bmo::Combination &line) {
    const char *const guarantees[] = {"none", "heuristic", "conditional", "proven", "exact"};
    const std::string cells[] = {names(BMO_PARAM_METRIC, line.metrics),
                                 names(BMO_PARAM_BOX, line.boxes),
                                 names(BMO_PARAM_BANDIT, line.bandits),
                                 names(BMO_PARAM_SAMPLING, line.samplings),
                                 names(BMO_PARAM_CONFIDENCE, line.confidences),
                                 guarantees[line.guarantee],
                                 line.assumption};
    std::string row = "|";
    for (const std::string &cell : cells)
        row += cell.empty() ? " |" : " " + cell + " |";
    return row;
}

void the_documentation_shows_the_table(void **) {
    std::ifstream document(DOCS "/combinations.md");
    std::vector<std::string> shown;
    std::string line;
    while (std::getline(document, line) && !line.starts_with("| metric | box |"))
        continue;
    std::getline(document, line); // the rule below the heading
    while (std::getline(document, line) && line.starts_with("| "))
        shown.push_back(line);
    assert_int_equal(shown.size(), bmo::combinations().size());
    for (std::size_t i = 0; i < shown.size(); ++i)
        assert_string_equal(shown[i].c_str(), row_of(bmo::combinations()[i]).c_str());
}

Settings dense() {
    Settings settings;
    settings.box = BMO_BOX_DENSE;
    return settings;
}

void auto_takes_the_first_line_that_fits(void **) {
    const struct {
        std::int64_t bandit, sampling, confidence; // asked for
        std::int64_t got_bandit, got_sampling, got_confidence;
        bmo_guarantee guarantee;
    } cases[] = {
        {0, 0, 0, BMO_BANDIT_RACE, BMO_SAMPLING_WITHOUT_REPLACEMENT, BMO_CONFIDENCE_BETTING, BMO_GUARANTEE_PROVEN},
        {BMO_BANDIT_UCB, 0, 0, BMO_BANDIT_UCB, BMO_SAMPLING_WITH_REPLACEMENT, BMO_CONFIDENCE_EMPIRICAL,
         BMO_GUARANTEE_HEURISTIC},
        {BMO_BANDIT_LUCB, 0, 0, BMO_BANDIT_LUCB, BMO_SAMPLING_WITH_REPLACEMENT, BMO_CONFIDENCE_BETTING,
         BMO_GUARANTEE_PROVEN},
        {0, BMO_SAMPLING_WITH_REPLACEMENT, 0, BMO_BANDIT_LUCBPP, BMO_SAMPLING_WITH_REPLACEMENT, BMO_CONFIDENCE_BETTING,
         BMO_GUARANTEE_PROVEN},
        {0, 0, BMO_CONFIDENCE_SUBGAUSSIAN, BMO_BANDIT_UCB, BMO_SAMPLING_WITH_REPLACEMENT, BMO_CONFIDENCE_SUBGAUSSIAN,
         BMO_GUARANTEE_CONDITIONAL},
        {BMO_BANDIT_UCB, BMO_SAMPLING_WITHOUT_REPLACEMENT, BMO_CONFIDENCE_POOLED, BMO_BANDIT_UCB,
         BMO_SAMPLING_WITHOUT_REPLACEMENT, BMO_CONFIDENCE_POOLED, BMO_GUARANTEE_HEURISTIC},
    };
    for (const auto &test : cases) {
        Settings settings = dense();
        settings.bandit = test.bandit;
        settings.sampling = test.sampling;
        settings.confidence = test.confidence;
        const bmo::Combination &line = bmo::find_combination(settings);
        const Settings got = bmo::resolved(line, settings);
        assert_int_equal(got.bandit, test.got_bandit);
        assert_int_equal(got.sampling, test.got_sampling);
        assert_int_equal(got.confidence, test.got_confidence);
        assert_int_equal(line.guarantee, test.guarantee);
    }
}

void a_refusal_says_what_to_change(void **) {
    Settings settings = dense();
    settings.bandit = BMO_BANDIT_RACE;
    settings.confidence = BMO_CONFIDENCE_EMPIRICAL;
    const bmo::Failure race = failure_of([&] { bmo::find_combination(settings); });
    assert_int_equal(race.status, BMO_EINVAL);
    assert_string_equal(race.message.c_str(),
                        "metric l2, box dense, bandit race, sampling auto, confidence empirical do not combine: "
                        "set bandit to ucb or lucb or lucb++; or confidence to betting");

    settings = dense();
    settings.box = BMO_BOX_ROTATED;
    settings.metric = BMO_METRIC_L1;
    const bmo::Failure rotated = failure_of([&] { bmo::find_combination(settings); });
    assert_int_equal(rotated.status, BMO_EINVAL);
    assert_non_null(
        strstr(rotated.message.c_str(), "set metric to l2 or sqeuclidean or cosine or inner_product; or box to dense"));
}

// What is not in a line of the documentation is refused: counted over all values of all five parameters.
void everything_else_is_refused(void **) {
    std::size_t accepted = 0;
    const std::int64_t metrics[] = {1, 2, 3, 4};
    for (const std::int64_t metric : metrics)
        for (std::int64_t bandit = 1; bandit <= 4; ++bandit)
            for (std::int64_t sampling = 1; sampling <= 3; ++sampling)
                for (std::int64_t confidence = 1; confidence <= 5; ++confidence) {
                    Settings settings = dense();
                    settings.metric = metric;
                    settings.bandit = bandit;
                    settings.sampling = sampling;
                    settings.confidence = confidence;
                    const bool fits = failure_of([&] { bmo::find_combination(settings); }).status == BMO_OK;
                    const bool race = bandit == BMO_BANDIT_RACE;
                    const bool importance = sampling == BMO_SAMPLING_IMPORTANCE;
                    assert_int_equal(fits, race ? sampling != BMO_SAMPLING_WITH_REPLACEMENT &&
                                                      confidence == BMO_CONFIDENCE_BETTING
                                                : !(importance && confidence == BMO_CONFIDENCE_SUBGAUSSIAN));
                    accepted += fits;
                }
    assert_int_equal(accepted, 4 * (2 + 3 * (2 * 5 + 4)));
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_documentation_shows_the_table),
        cmocka_unit_test(auto_takes_the_first_line_that_fits),
        cmocka_unit_test(a_refusal_says_what_to_change),
        cmocka_unit_test(everything_else_is_refused),
    };
    return cmocka_run_group_tests_name("combinations", tests, nullptr, nullptr);
}

} // namespace combinations_test

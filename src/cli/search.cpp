#include "search.hpp"

#include <algorithm>
#include <utility>

#include "failure.hpp"
#include "stopwatch.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

constexpr std::int64_t queries_that_pay = 48; // for the pass over the data that preparing for a box of one's choice is

// Unless the user has said how many to expect.
void expect_queries(const Config &config, std::int64_t queries) {
    std::int64_t expected = 0;
    check(bmo_config_get_i64(config.get(), BMO_PARAM_EXPECTED_QUERIES, &expected));
    if (expected == 0)
        check(bmo_config_set_i64(config.get(), BMO_PARAM_EXPECTED_QUERIES, std::max<std::int64_t>(1, queries)));
}

Answers make_answers(std::int64_t points, std::int64_t queries, std::int64_t k) {
    std::int64_t neighbors;
    if (__builtin_mul_overflow(queries, k, &neighbors))
        fail_usage(text("-k is ", k, ": too many answers for ", queries, " queries"));
    Answers answers;
    answers.points = points;
    answers.queries = queries;
    answers.k = k;
    answers.index.resize(static_cast<std::size_t>(neighbors));
    answers.distance.resize(static_cast<std::size_t>(neighbors));
    return answers;
}

Query make_query(const Dataset &dataset, const Config &config, const ChosenCandidates &chosen,
                 const bmo_monitor &monitor) {
    bmo_query *handle = nullptr;
    if (!chosen.any()) {
        check(bmo_query_create(&handle, dataset.get(), config.get(), nullptr), exit_usage);
        return Query(handle);
    }
    auto candidates = sized<bmo_candidates>();
    candidates.rows = chosen.rows.empty() ? nullptr : chosen.rows.data();
    candidates.nrows = static_cast<std::int64_t>(chosen.rows.size());
    candidates.label_rule = chosen.rule;
    candidates.labels = chosen.rule == 0 ? nullptr : chosen.labels.data();
    check(bmo_query_create_among(&handle, dataset.get(), config.get(), &candidates, &monitor), exit_usage);
    return Query(handle);
}

// call(query, output, stats) is one of the library's searches.
template <class Call>
Search run(const Dataset &dataset, const Config &config, std::int64_t queries, const Wanted &wanted,
           const bmo_monitor &monitor, Call call) {
    const Query query = make_query(dataset, config, wanted.candidates, monitor);
    Search search;
    search.answers = make_answers(describe(dataset.get()).n, queries, wanted.k);
    auto output = sized<bmo_output>();
    output.index = search.answers.index.data();
    output.distance = search.answers.distance.data();
    output.capacity = static_cast<std::int64_t>(search.answers.index.size());
    auto limits = sized<bmo_limits>();
    if (wanted.max_distance) {
        limits.max_distance = &*wanted.max_distance;
        limits.max_distance_count = 1;
    }
    if (!wanted.candidates.query_labels.empty()) {
        limits.query_labels = wanted.candidates.query_labels.data();
        limits.query_label_count = queries;
    }
    output.limits = &limits;
    const Stopwatch watch;
    check(call(query.get(), &output, &search.stats));
    search.query_ms = watch.ms();
    return search;
}

} // namespace

Prepare parse_prepare(const std::string &value) {
    for (const auto &[name, choice] :
         {std::pair{"yes", Prepare::yes}, std::pair{"no", Prepare::no}, std::pair{"auto", Prepare::automatic}})
        if (value == name)
            return choice;
    fail_usage(text("--prepare is '", value, "'; expected yes, no or auto"));
}

double prepare(Dataset &dataset, const Config &config, Prepare choice, std::int64_t queries,
               const bmo_monitor &monitor) {
    std::int64_t method = 0, box = 0;
    check(bmo_config_get_i64(config.get(), BMO_PARAM_METHOD, &method));
    check(bmo_config_get_i64(config.get(), BMO_PARAM_BOX, &box));
    const bool is_prepared = describe(dataset.get()).box != BMO_BOX_AUTO;
    const bool automatic_box = choice == Prepare::automatic && box == BMO_BOX_AUTO && method != BMO_METHOD_EXACT;
    const bool pays = automatic_box || (queries >= queries_that_pay && method != BMO_METHOD_EXACT);
    const bool needed = box == BMO_BOX_ROTATED || box == BMO_BOX_PROJECTED;
    if (choice == Prepare::no && needed && !is_prepared)
        fail_usage(text("--prepare is no, but the ", choice_text(BMO_PARAM_BOX, box),
                        " box needs prepared points; expected yes or auto"));
    if (choice == Prepare::no || (choice == Prepare::automatic && (is_prepared || !(pays || needed))))
        return 0;
    if (automatic_box)
        expect_queries(config, queries);
    const Stopwatch watch;
    bmo_dataset *prepared = nullptr;
    const bmo_status status = bmo_dataset_prepare(&prepared, dataset.get(), config.get(), &monitor);
    check(status, status == BMO_EINVAL ? exit_usage : exit_failed); // parameters that do not combine
    dataset.reset(prepared);
    return watch.ms();
}

Search search_all(const Dataset &dataset, const Config &config, const bmo_dataset *queries, const Wanted &wanted,
                  const bmo_monitor &monitor) {
    const std::int64_t count = describe(queries ? queries : dataset.get()).n;
    return run(dataset, config, count, wanted, monitor,
               [&](const bmo_query *query, const bmo_output *output, bmo_stats *stats) {
                   return queries ? bmo_query_knn(query, queries, wanted.k, output, &monitor, stats)
                                  : bmo_query_graph(query, wanted.k, output, &monitor, stats);
               });
}

Search search_rows(const Dataset &dataset, const Config &config, const std::vector<std::int64_t> &rows, std::int64_t k,
                   const bmo_monitor &monitor) {
    const auto count = static_cast<std::int64_t>(rows.size());
    return run(dataset, config, count, {.k = k}, monitor,
               [&](const bmo_query *query, const bmo_output *output, bmo_stats *stats) {
                   return bmo_query_knn_rows(query, rows.data(), count, k, output, &monitor, stats);
               });
}

} // namespace bmo_command

#include "data/params.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "data/boxes.hpp"
#include "data/metrics.hpp"
#include "util/failure.hpp"
#include "util/plain_text.hpp"

namespace bmo {

namespace {

// The ids of a table of traits, and their names: "l2|sqeuclidean|...", with a 0 behind.
template <const auto &table>
constexpr auto ids_of = [] {
    std::array<std::int64_t, std::size(table)> ids{};
    std::ranges::transform(table, ids.begin(), [](const auto &traits) { return traits.id; });
    return ids;
}();
template <const auto &table>
constexpr auto names_of = [] {
    constexpr std::size_t room =
        std::accumulate(std::begin(table), std::end(table), std::size_t{0},
                        [](std::size_t before, const auto &traits) { return before + traits.name.size() + 1; });
    std::array<char, room> names{};
    auto *to = names.data();
    for (const auto &traits : table) {
        to = std::ranges::copy(traits.name, to).out;
        *to++ = '|';
    }
    names.back() = 0;
    return names;
}();

constexpr std::int64_t methods[] = {BMO_METHOD_AUTO, BMO_METHOD_BANDIT, BMO_METHOD_EXACT, BMO_METHOD_UNIFORM};
constexpr std::int64_t bandits[] = {BMO_BANDIT_AUTO, BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_RACE,
                                    BMO_BANDIT_LUCBPP};
constexpr std::int64_t confidences[] = {BMO_CONFIDENCE_AUTO,   BMO_CONFIDENCE_BETTING,     BMO_CONFIDENCE_EMPIRICAL,
                                        BMO_CONFIDENCE_POOLED, BMO_CONFIDENCE_SUBGAUSSIAN, BMO_CONFIDENCE_BERNSTEIN,
                                        BMO_CONFIDENCE_BETA};
constexpr std::int64_t samplings[] = {BMO_SAMPLING_AUTO, BMO_SAMPLING_WITH_REPLACEMENT,
                                      BMO_SAMPLING_WITHOUT_REPLACEMENT, BMO_SAMPLING_IMPORTANCE};
constexpr std::int64_t scopes[] = {BMO_SCOPE_QUERY, BMO_SCOPE_CALL};

constexpr double largest = std::numeric_limits<double>::max();
constexpr std::int64_t most_pulls = std::int64_t{1} << 31;
constexpr std::int64_t least_i64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest_i64 = std::numeric_limits<std::int64_t>::max();

constexpr std::uint32_t kSearches = BMO_CALL_KNN | BMO_CALL_RADIUS;
constexpr std::uint32_t kPoints = kSearches | BMO_CALL_KMEANS | BMO_CALL_MEDOID;

bool has_exponent(const Settings &settings, std::uint32_t) {
    return settings.metric == BMO_METRIC_LP;
}
bool is_subgaussian(const Settings &settings, std::uint32_t) {
    return settings.confidence == BMO_CONFIDENCE_SUBGAUSSIAN;
}
bool is_uniform(const Settings &settings, std::uint32_t) {
    return settings.method == BMO_METHOD_UNIFORM;
}
bool chooses_box(const Settings &settings, std::uint32_t) {
    return settings.box == BMO_BOX_AUTO;
}
// What auto stands for: section 11 of bmo.h.
bool may_be_ucb(const Settings &settings, std::uint32_t) {
    return settings.bandit == BMO_BANDIT_UCB ||
           (settings.bandit == BMO_BANDIT_AUTO && settings.box == BMO_BOX_SPARSE_UNION);
}
bool may_be_adaptive(const Settings &settings, std::uint32_t calls) {
    if (settings.bandit != BMO_BANDIT_AUTO)
        return settings.bandit != BMO_BANDIT_RACE;
    return (calls & BMO_CALL_ARMS) || settings.box == BMO_BOX_SPARSE_UNION ||
           settings.sampling == BMO_SAMPLING_WITH_REPLACEMENT;
}
constexpr Condition kWithAdaptive{may_be_adaptive, "bandit ucb, lucb or lucb++"};

constexpr Parameter table[] = {
    {BMO_PARAM_METRIC, "metric", "l2",
     "distance: l2 (or its square), l1, lp, 1 - cosine, -(inner product), or a callback",
     Choice{&Settings::metric, names_of<kMetrics>.data(), ids_of<kMetrics>, "l2sq", BMO_METRIC_SQEUCLIDEAN},
     kPoints | BMO_CALL_PREPARE},
    {BMO_PARAM_METHOD, "method", "auto",
     "sample with the bandit, scan every distance, or sample all alike; auto: the cheaper",
     Choice{&Settings::method, "auto|bandit|exact|uniform", methods}, kPoints | BMO_CALL_ARMS | BMO_CALL_PREPARE},
    {BMO_PARAM_BOX, "box", "auto",
     "how a distance is sampled; projected, sketch: leading directions first; sparse_union: the paper's",
     Choice{&Settings::box, names_of<kBoxes>.data(), ids_of<kBoxes>}, kSearches | BMO_CALL_MEDOID | BMO_CALL_PREPARE},
    {BMO_PARAM_BANDIT, "bandit", "auto", "who is sampled next; race: everyone until dropped or finished",
     Choice{&Settings::bandit, "auto|ucb|lucb|race|lucb++", bandits}, kSearches | BMO_CALL_ARMS},
    {BMO_PARAM_CONFIDENCE, "confidence", "auto",
     "when a point is dropped; betting, bernstein, beta: proven for any data",
     Choice{&Settings::confidence, "auto|betting|empirical|pooled|subgaussian|bernstein|beta", confidences},
     kSearches | BMO_CALL_ARMS},
    {BMO_PARAM_SAMPLING, "sampling", "auto",
     "how coordinates are drawn; importance: more often if distances are large there",
     Choice{&Settings::sampling, "auto|with_replacement|without_replacement|importance", samplings}, kSearches},
    {BMO_PARAM_P,
     "p",
     "2",
     "exponent of the metric lp",
     Real{&Settings::p, 0.01, 32},
     kSearches | BMO_CALL_MEDOID | BMO_CALL_PREPARE,
     {has_exponent, "metric lp"}},
    {BMO_PARAM_DELTA, "delta", "0.01", "probability that an answer is wrong", Real{&Settings::delta, 1e-300, 0.5},
     kSearches | BMO_CALL_MEDOID | BMO_CALL_ARMS | BMO_CALL_PREPARE},
    {BMO_PARAM_DELTA_SCOPE, "delta_scope", "query", "what delta bounds: the error of each query, or of a whole call",
     Choice{&Settings::delta_scope, "query|call", scopes}, kSearches},
    {BMO_PARAM_EPSILON, "epsilon", "0", "excess of a distance that is no error, per coordinate and before its root",
     Real{&Settings::epsilon, 0, largest}, BMO_CALL_KNN | BMO_CALL_ARMS},
    {BMO_PARAM_SIGMA,
     "sigma",
     "0",
     "confidence subgaussian: standard deviation of a coordinate distance",
     Real{&Settings::sigma, 0, largest},
     BMO_CALL_KNN | BMO_CALL_ARMS,
     {is_subgaussian, "confidence subgaussian"}},
    {BMO_PARAM_INIT_PULLS, "init_pulls", "32", "ucb, lucb: samples of every arm at first",
     Integer{&Settings::init_pulls, 1, most_pulls}, BMO_CALL_KNN | BMO_CALL_ARMS, kWithAdaptive},
    {BMO_PARAM_ARMS_PER_ROUND,
     "arms_per_round",
     "32",
     "ucb: arms that are sampled in a round",
     Integer{&Settings::arms_per_round, 1, most_pulls},
     BMO_CALL_KNN | BMO_CALL_ARMS,
     {may_be_ucb, "bandit ucb"}},
    {BMO_PARAM_PULLS_PER_ROUND, "pulls_per_round", "256", "ucb, lucb: samples that an arm takes in a round",
     Integer{&Settings::pulls_per_round, 1, most_pulls}, BMO_CALL_KNN | BMO_CALL_ARMS, kWithAdaptive},
    {BMO_PARAM_MAX_PULLS, "max_pulls", "0", "ucb, lucb: samples after which an arm is computed in full; 0: d",
     Integer{&Settings::max_pulls, 0, most_pulls}, BMO_CALL_KNN | BMO_CALL_ARMS, kWithAdaptive},
    {BMO_PARAM_UNIFORM_PULLS,
     "uniform_pulls",
     "256",
     "method uniform: samples of every arm",
     Integer{&Settings::uniform_pulls, 1, most_pulls},
     BMO_CALL_KNN | BMO_CALL_ARMS,
     {is_uniform, "method uniform"}},
    {BMO_PARAM_SEED, "seed", "0", "the random order: same seed, same answer",
     Integer{&Settings::seed, least_i64, largest_i64}, kPoints | BMO_CALL_ARMS | BMO_CALL_PREPARE},
    {BMO_PARAM_THREADS, "threads", "1", "threads of a call; 0: all that are available",
     Integer{&Settings::threads, 0, 1024}, kPoints | BMO_CALL_PREPARE},
    {BMO_PARAM_EXPECTED_QUERIES,
     "expected_queries",
     "0",
     "to prepare by box auto: how many queries will come; 0: many",
     Integer{&Settings::expected_queries, 0, largest_i64},
     BMO_CALL_PREPARE,
     {chooses_box, "box auto"}},
};

constexpr std::size_t count_names(std::string_view names) {
    return static_cast<std::size_t>(std::count(names.begin(), names.end(), '|')) + 1;
}

constexpr bool values_match_names(const Parameter &parameter) {
    const auto *choice = std::get_if<Choice>(&parameter.type);
    return !choice || count_names(choice->names) == choice->values.size();
}
static_assert(std::all_of(std::begin(table), std::end(table), values_match_names));
static_assert(std::size(table) <= 32); // a bmo_config has a bit for each

} // namespace

std::span<const Parameter> parameters() {
    return table;
}

const Parameter &find_parameter(bmo_param id) {
    const auto *found = std::ranges::find(table, id, &Parameter::id);
    if (found == std::end(table))
        refuse("param", id, "a BMO_PARAM_* value");
    return *found;
}

const Parameter &find_parameter(std::string_view name) {
    const auto *found =
        std::ranges::find(table, name, [](const Parameter &parameter) { return std::string_view(parameter.name); });
    if (found != std::end(table))
        return *found;
    std::string names;
    for (const Parameter &parameter : table)
        append_text(names, text(names.empty() ? "" : ", ", parameter.name));
    fail(BMO_EINVAL, "name", text(Word{"name"}, " is \"", plain(name), "\"; expected one of ", names));
}

void check_use(const Parameter &parameter, const Settings &settings, std::uint32_t calls) {
    const auto refuse_because = [&](std::string_view reason) {
        fail(BMO_EINVAL, parameter.name,
             text(parameter.name, " is ", get_text(settings, parameter), ", which does not count ", reason));
    };
    if (!(parameter.calls & calls))
        refuse_because("in this call; expected none");
    if (parameter.counts.holds && !parameter.counts.holds(settings, calls))
        refuse_because(text("here; expected none, or ", parameter.counts.expected));
}

} // namespace bmo

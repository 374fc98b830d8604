#include "search/choice/combinations.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "data/metrics.hpp"
#include "data/params.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

template <class Property>
constexpr ChoiceSet metrics_that(Property property) {
    ChoiceSet metrics = 0;
    for (const MetricTraits &metric : kMetrics)
        metrics |= property(metric) ? choices(metric.id) : 0;
    return metrics;
}

constexpr ChoiceSet kSeparable =
    metrics_that([](const MetricTraits &metric) { return metric.kind == MetricKind::separable; });
constexpr ChoiceSet kAngular =
    metrics_that([](const MetricTraits &metric) { return metric.kind == MetricKind::angular; });
constexpr ChoiceSet kRotatable = metrics_that([](const MetricTraits &metric) { return metric.rotatable; });
constexpr ChoiceSet kAny = metrics_that([](const MetricTraits &) { return true; });
constexpr ChoiceSet kDense = choices(BMO_BOX_DENSE);
constexpr ChoiceSet kUnion = choices(BMO_BOX_SPARSE_UNION);
constexpr ChoiceSet kRace = choices(BMO_BANDIT_RACE);
constexpr ChoiceSet kAdaptive = choices(BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP);
constexpr ChoiceSet kPermute = choices(BMO_SAMPLING_WITHOUT_REPLACEMENT);
constexpr ChoiceSet kReplace = choices(BMO_SAMPLING_WITH_REPLACEMENT);
constexpr ChoiceSet kEitherSampling = kReplace | kPermute;
constexpr ChoiceSet kImportance = choices(BMO_SAMPLING_IMPORTANCE);

// AUTO takes the first line that fits: the race; if samples are drawn with replacement, a proven rule; with UCB, the paper's.
constexpr Combination kTable[] = {
    {kAny, kDense, kRace, kPermute, choices(BMO_CONFIDENCE_BETTING), BMO_GUARANTEE_PROVEN, ""},
    {kRotatable, choices(BMO_BOX_ROTATED), kRace, kPermute, choices(BMO_CONFIDENCE_BETTING), BMO_GUARANTEE_PROVEN, ""},
    {kRotatable, choices(BMO_BOX_PROJECTED), kRace, kPermute, choices(BMO_CONFIDENCE_BETTING), BMO_GUARANTEE_PROVEN,
     ""},
    {kRotatable, choices(BMO_BOX_SKETCH), kRace, kPermute, choices(BMO_CONFIDENCE_BETA), BMO_GUARANTEE_PROVEN, ""},
    {kSeparable | kAngular, choices(BMO_BOX_SPARSE), kRace, kPermute, choices(BMO_CONFIDENCE_BETTING),
     BMO_GUARANTEE_PROVEN, ""},
    {kSeparable, kDense, choices(BMO_BANDIT_LUCBPP), kReplace, choices(BMO_CONFIDENCE_BETTING), BMO_GUARANTEE_PROVEN,
     ""},
    {kSeparable, kDense, choices(BMO_BANDIT_UCB), kReplace, choices(BMO_CONFIDENCE_EMPIRICAL), BMO_GUARANTEE_HEURISTIC,
     ""},
    {kSeparable, kDense, kAdaptive, kEitherSampling, choices(BMO_CONFIDENCE_BETTING, BMO_CONFIDENCE_BERNSTEIN),
     BMO_GUARANTEE_PROVEN, ""},
    {kSeparable, kDense, kAdaptive, kEitherSampling, choices(BMO_CONFIDENCE_SUBGAUSSIAN), BMO_GUARANTEE_CONDITIONAL,
     "sigma"},
    {kSeparable, kDense, kAdaptive, kEitherSampling, choices(BMO_CONFIDENCE_EMPIRICAL, BMO_CONFIDENCE_POOLED),
     BMO_GUARANTEE_HEURISTIC, ""},
    {kSeparable, kDense, kRace, kImportance, choices(BMO_CONFIDENCE_BETTING), BMO_GUARANTEE_PROVEN, ""},
    {kSeparable, kDense, kAdaptive, kImportance, choices(BMO_CONFIDENCE_BETTING, BMO_CONFIDENCE_BERNSTEIN),
     BMO_GUARANTEE_PROVEN, ""},
    {kSeparable, kDense, kAdaptive, kImportance, choices(BMO_CONFIDENCE_EMPIRICAL, BMO_CONFIDENCE_POOLED),
     BMO_GUARANTEE_HEURISTIC, ""},
    {kSeparable, kUnion, choices(BMO_BANDIT_UCB), kReplace, choices(BMO_CONFIDENCE_EMPIRICAL), BMO_GUARANTEE_HEURISTIC,
     ""},
    {kSeparable, kUnion, kAdaptive, kReplace, choices(BMO_CONFIDENCE_BETTING, BMO_CONFIDENCE_BERNSTEIN),
     BMO_GUARANTEE_PROVEN, ""},
    {kSeparable, kUnion, kAdaptive, kReplace, choices(BMO_CONFIDENCE_EMPIRICAL, BMO_CONFIDENCE_POOLED),
     BMO_GUARANTEE_HEURISTIC, ""},
};

struct Axis {
    std::int64_t Settings::*value;
    ChoiceSet Combination::*allowed;
    bmo_param param;
    bool has_auto; // its value 0 leaves the choice open
};

constexpr Axis kAxes[] = {
    {&Settings::metric, &Combination::metrics, BMO_PARAM_METRIC, false},
    {&Settings::box, &Combination::boxes, BMO_PARAM_BOX, true},
    {&Settings::bandit, &Combination::bandits, BMO_PARAM_BANDIT, true},
    {&Settings::sampling, &Combination::samplings, BMO_PARAM_SAMPLING, true},
    {&Settings::confidence, &Combination::confidences, BMO_PARAM_CONFIDENCE, true},
};

bool allows(const Combination &line, const Axis &axis, const Settings &settings) {
    const std::int64_t value = settings.*axis.value;
    return (axis.has_auto && value == 0) || (line.*axis.allowed >> value & 1) != 0;
}

// Is the line open to the settings, whatever they say on one axis?
bool allows_but_for(const Combination &line, const Axis *excepted, const Settings &settings) {
    for (const Axis &axis : kAxes)
        if (&axis != excepted && !allows(line, axis, settings))
            return false;
    return true;
}

std::string listed_names(const Axis &axis, ChoiceSet values) {
    std::string names;
    for (std::int64_t value = 0; values >> value != 0; ++value)
        if (values >> value & 1)
            append_text(names, text(names.empty() ? "" : " or ", choice_text(axis.param, value)));
    return names;
}

[[noreturn]] void refuse_combination(const Settings &settings) {
    std::string combined, changes;
    const char *argument = "";
    for (const Axis &axis : kAxes) {
        const char *parameter = find_parameter(axis.param).name;
        append_text(combined,
                    text(combined.empty() ? "" : ", ", parameter, " ", choice_text(axis.param, settings.*axis.value)));
        ChoiceSet others = 0;
        for (const Combination &line : kTable)
            if (allows_but_for(line, &axis, settings))
                others |= line.*axis.allowed;
        if (others == 0)
            continue;
        if (changes.empty())
            argument = parameter;
        append_text(changes, text(changes.empty() ? "set " : "; or ", parameter, " to ", listed_names(axis, others)));
    }
    if (changes.empty())
        changes = "docs/combinations.md has those that do";
    fail(BMO_EINVAL, argument, text(combined, " do not combine: ", changes));
}

} // namespace

std::span<const Combination> combinations() {
    return kTable;
}

bool combines(const Settings &settings) {
    return std::ranges::any_of(kTable,
                               [&](const Combination &line) { return allows_but_for(line, nullptr, settings); });
}

const Combination &find_combination(const Settings &settings) {
    for (const Combination &line : kTable)
        if (allows_but_for(line, nullptr, settings))
            return line;
    refuse_combination(settings);
}

Settings resolved(const Combination &combination, Settings settings) {
    for (const Axis &axis : kAxes)
        if (axis.has_auto && settings.*axis.value == 0)
            settings.*axis.value = std::countr_zero(combination.*axis.allowed);
    return settings;
}

void check_pulls(const Settings &settings) {
    if (settings.confidence == BMO_CONFIDENCE_SUBGAUSSIAN && settings.sigma == 0)
        fail(BMO_EINVAL, "sigma", "sigma is 0; confidence subgaussian needs it set: more than 0");
    if (settings.confidence == BMO_CONFIDENCE_POOLED && settings.init_pulls < 2)
        fail(BMO_EINVAL, "init_pulls",
             text("init_pulls is ", settings.init_pulls, "; confidence pooled needs 2 or more for a variance"));
}

} // namespace bmo

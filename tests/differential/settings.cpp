#include "settings.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using Set = unsigned;

template <class... Values>
constexpr Set set_of(Values... values) {
    return ((1U << values) | ...);
}

constexpr Set kSums = set_of(BMO_METRIC_L2, BMO_METRIC_SQEUCLIDEAN, BMO_METRIC_L1, BMO_METRIC_LP);
constexpr Set kAngles = set_of(BMO_METRIC_COSINE, BMO_METRIC_INNER_PRODUCT);
constexpr Set kTurned = kAngles | set_of(BMO_METRIC_L2, BMO_METRIC_SQEUCLIDEAN);
constexpr Set kDense = set_of(BMO_BOX_DENSE), kUnion = set_of(BMO_BOX_SPARSE_UNION);
constexpr Set kRace = set_of(BMO_BANDIT_RACE), kUcb = set_of(BMO_BANDIT_UCB),
              kAdaptive = set_of(BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP);
constexpr Set kPermute = set_of(BMO_SAMPLING_WITHOUT_REPLACEMENT), kReplace = set_of(BMO_SAMPLING_WITH_REPLACEMENT),
              kImportance = set_of(BMO_SAMPLING_IMPORTANCE);
constexpr Set kBetting = set_of(BMO_CONFIDENCE_BETTING), kEmpirical = set_of(BMO_CONFIDENCE_EMPIRICAL),
              kBounded = set_of(BMO_CONFIDENCE_BETTING, BMO_CONFIDENCE_BERNSTEIN),
              kEstimated = set_of(BMO_CONFIDENCE_EMPIRICAL, BMO_CONFIDENCE_POOLED);

struct Line {
    Set metrics, boxes, bandits, samplings, confidences;
    bmo_guarantee guarantee;
};

// The first table of docs/combinations.md, in its order.
constexpr Line kLines[] = {
    {kSums | kAngles | set_of(BMO_METRIC_CUSTOM), kDense, kRace, kPermute, kBetting, BMO_GUARANTEE_PROVEN},
    {kTurned, set_of(BMO_BOX_ROTATED), kRace, kPermute, kBetting, BMO_GUARANTEE_PROVEN},
    {kTurned, set_of(BMO_BOX_PROJECTED), kRace, kPermute, kBetting, BMO_GUARANTEE_PROVEN},
    {kTurned, set_of(BMO_BOX_SKETCH), kRace, kPermute, set_of(BMO_CONFIDENCE_BETA), BMO_GUARANTEE_PROVEN},
    {kSums | kAngles, set_of(BMO_BOX_SPARSE), kRace, kPermute, kBetting, BMO_GUARANTEE_PROVEN},
    {kSums, kDense, set_of(BMO_BANDIT_LUCBPP), kReplace, kBetting, BMO_GUARANTEE_PROVEN},
    {kSums, kDense, kUcb, kReplace, kEmpirical, BMO_GUARANTEE_HEURISTIC},
    {kSums, kDense, kAdaptive, kReplace | kPermute, kBounded, BMO_GUARANTEE_PROVEN},
    {kSums, kDense, kAdaptive, kReplace | kPermute, set_of(BMO_CONFIDENCE_SUBGAUSSIAN), BMO_GUARANTEE_CONDITIONAL},
    {kSums, kDense, kAdaptive, kReplace | kPermute, kEstimated, BMO_GUARANTEE_HEURISTIC},
    {kSums, kDense, kRace, kImportance, kBetting, BMO_GUARANTEE_PROVEN},
    {kSums, kDense, kAdaptive, kImportance, kBounded, BMO_GUARANTEE_PROVEN},
    {kSums, kDense, kAdaptive, kImportance, kEstimated, BMO_GUARANTEE_HEURISTIC},
    {kSums, kUnion, kUcb, kReplace, kEmpirical, BMO_GUARANTEE_HEURISTIC},
    {kSums, kUnion, kAdaptive, kReplace, kBounded, BMO_GUARANTEE_PROVEN},
    {kSums, kUnion, kAdaptive, kReplace, kEstimated, BMO_GUARANTEE_HEURISTIC},
};

bool has(Set set, std::int32_t value) {
    return (set >> value & 1U) != 0;
}

bool has_or_auto(Set set, std::int32_t value) {
    return value == 0 || has(set, value);
}

std::int32_t box_of(const Settings &settings, const Form &form) {
    if (settings.box != BMO_BOX_AUTO)
        return settings.box;
    return form.box != BMO_BOX_AUTO ? form.box : form.is_sparse ? BMO_BOX_SPARSE : BMO_BOX_DENSE;
}

const Line *line_of(const Settings &settings, std::int32_t box) {
    for (const Line &line : kLines)
        if (has(line.metrics, settings.metric.id) && has(line.boxes, box) &&
            has_or_auto(line.bandits, settings.bandit) && has_or_auto(line.samplings, settings.sampling) &&
            has_or_auto(line.confidences, settings.confidence))
            return &line;
    return nullptr;
}

std::int32_t first_of(Set set) {
    return __builtin_ctz(set);
}

bool fits_sparse(const Settings &settings, std::int32_t box) {
    if (box != BMO_BOX_SPARSE && box != BMO_BOX_SPARSE_UNION)
        return false;
    if (settings.metric.id == BMO_METRIC_CUSTOM || !settings.metric.weights.empty() ||
        settings.method == BMO_METHOD_UNIFORM)
        return false;
    const bool sampled = settings.metric.power() == 1 || settings.metric.power() == 2;
    return settings.method != BMO_METHOD_BANDIT || box == BMO_BOX_SPARSE_UNION ||
           (sampled && !settings.metric.is_angular());
}

bool fits_dense(const Settings &settings, std::int32_t box, const Line &line) {
    if (box == BMO_BOX_SPARSE || box == BMO_BOX_SPARSE_UNION)
        return false;
    if (!settings.metric.weights.empty() && (box != BMO_BOX_DENSE || settings.metric.is_angular()))
        return false;
    if (settings.method != BMO_METHOD_UNIFORM)
        return true;
    const std::int32_t sampling = settings.sampling != 0 ? settings.sampling : first_of(line.samplings);
    return box != BMO_BOX_PROJECTED && box != BMO_BOX_SKETCH && sampling == BMO_SAMPLING_WITHOUT_REPLACEMENT;
}

bool is_angular(std::int32_t metric) {
    return has(kAngles, metric);
}

bool fits_form(const Settings &settings, std::int32_t box, const Form &form) {
    if (form.box == BMO_BOX_AUTO)
        return box != BMO_BOX_ROTATED && box != BMO_BOX_PROJECTED && box != BMO_BOX_SKETCH;
    if (form.box != box || settings.seed != form.seed || settings.metric.weights.empty() == form.with_weights)
        return false;
    if (box == BMO_BOX_ROTATED)
        return is_angular(settings.metric.id) == is_angular(form.metric);
    if (box == BMO_BOX_PROJECTED || box == BMO_BOX_SKETCH)
        return is_angular(form.metric) ? settings.metric.id == form.metric : !is_angular(settings.metric.id);
    return true;
}

bool fits_pulls(const Settings &settings, const Line &line) {
    const std::int32_t confidence = settings.confidence != 0 ? settings.confidence : first_of(line.confidences);
    return (confidence != BMO_CONFIDENCE_SUBGAUSSIAN || settings.sigma > 0) &&
           (confidence != BMO_CONFIDENCE_POOLED || settings.init_pulls >= 2);
}

std::int32_t call_back(void *ctx, const std::int64_t *, std::int64_t count, const double *a, const double *b,
                       double *out) {
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = coordinate_distance(*static_cast<const Callback *>(ctx), a[i], b[i]);
    return 0;
}

void require(bmo_status status) {
    if (status == BMO_OK)
        return;
    std::fprintf(stderr, "a parameter cannot be set: %s\n", bmo_last_error());
    std::abort();
}

std::string number(const char *name, double value) {
    char text[64];
    std::snprintf(text, sizeof text, " %s %.9g", name, value);
    return text;
}

std::int64_t few_or_many(Random &random) {
    return random.chance(0.4) ? random.between(std::int64_t{1}, std::int64_t{4})
                              : random.between(std::int64_t{1}, std::int64_t{300});
}

void choose_line(Settings &settings, std::int32_t box, Random &random) {
    for (int attempt = 0; attempt < 40; ++attempt) {
        settings.bandit = static_cast<std::int32_t>(random.below(5));
        settings.sampling = static_cast<std::int32_t>(random.below(4));
        settings.confidence = static_cast<std::int32_t>(random.below(6));
        if (line_of(settings, box) || random.chance(0.002))
            return;
    }
    settings.bandit = settings.sampling = settings.confidence = 0;
}

} // namespace

ConfigHandle make_config(const Settings &settings) {
    bmo_config *config = nullptr;
    require(bmo_config_create(&config));
    ConfigHandle handle(config);
    const struct {
        bmo_param param;
        std::int64_t value;
    } whole[] = {{BMO_PARAM_METRIC, settings.metric.id},
                 {BMO_PARAM_METHOD, settings.method},
                 {BMO_PARAM_BOX, settings.box},
                 {BMO_PARAM_BANDIT, settings.bandit},
                 {BMO_PARAM_CONFIDENCE, settings.confidence},
                 {BMO_PARAM_SAMPLING, settings.sampling},
                 {BMO_PARAM_DELTA_SCOPE, settings.scope},
                 {BMO_PARAM_INIT_PULLS, settings.init_pulls},
                 {BMO_PARAM_ARMS_PER_ROUND, settings.arms_per_round},
                 {BMO_PARAM_PULLS_PER_ROUND, settings.pulls_per_round},
                 {BMO_PARAM_MAX_PULLS, settings.max_pulls},
                 {BMO_PARAM_UNIFORM_PULLS, settings.uniform_pulls},
                 {BMO_PARAM_SEED, settings.seed},
                 {BMO_PARAM_THREADS, settings.threads}};
    for (const auto &parameter : whole)
        require(bmo_config_set_i64(config, parameter.param, parameter.value));
    require(bmo_config_set_f64(config, BMO_PARAM_P, settings.metric.p));
    require(bmo_config_set_f64(config, BMO_PARAM_DELTA, settings.delta));
    require(bmo_config_set_f64(config, BMO_PARAM_EPSILON, settings.epsilon));
    require(bmo_config_set_f64(config, BMO_PARAM_SIGMA, settings.sigma));
    if (!settings.metric.weights.empty())
        require(bmo_config_set_weights(config, settings.metric.weights.data(),
                                       static_cast<std::int64_t>(settings.metric.weights.size())));
    if (settings.metric.id == BMO_METRIC_CUSTOM) {
        static const Callback callbacks[] = {Callback::saturating, Callback::differs, Callback::clipped};
        bmo_owner owner = sized<bmo_owner>();
        owner.ctx = const_cast<Callback *>(&callbacks[static_cast<int>(settings.metric.callback)]);
        require(bmo_config_set_rho(config, call_back, BMO_CALLBACK_ANY_THREAD, &owner));
    }
    return handle;
}

std::string text_of(const Settings &settings) {
    const ConfigHandle config = make_config(settings);
    std::string text;
    for (const char *name : {"metric", "method", "box", "bandit", "confidence", "sampling"}) {
        char value[64];
        require(bmo_config_get_text(config.get(), name, value, sizeof value, nullptr));
        text += std::string(text.empty() ? "" : " ") + value;
    }
    if (settings.metric.id == BMO_METRIC_LP)
        text += number("p", settings.metric.p);
    if (!settings.metric.weights.empty())
        text += " weights";
    text += number("delta", settings.delta);
    if (settings.epsilon > 0)
        text += number("epsilon", settings.epsilon);
    if (settings.threads != 1)
        text += number("threads", static_cast<double>(settings.threads));
    return text;
}

Metric random_metric(bool is_sparse, std::int64_t d, Random &random) {
    Metric metric;
    metric.id = static_cast<std::int32_t>(random.between(std::int64_t{1}, std::int64_t{is_sparse ? 6 : 7}));
    if (metric.id == BMO_METRIC_LP)
        metric.p = random.chance(0.5) ? random.pick({0.01, 0.5, 1.0, 2.0, 3.0, 4.0, 32.0, 32.0})
                                      : std::pow(10, random.between(-2.0, 1.5));
    metric.callback = random.pick({Callback::saturating, Callback::differs, Callback::clipped});
    if (is_sparse || metric.id > BMO_METRIC_LP || random.chance(0.75))
        return metric;
    const double range = random.pick({0.0, 1.0, 10.0, 100.0}), none = random.pick({0.0, 0.3});
    for (std::int64_t j = 0; j < d; ++j)
        metric.weights.push_back(random.chance(none) ? 0 : std::pow(10, random.between(-range, range)));
    metric.weights[static_cast<std::size_t>(random.below(d))] = 1;
    return metric;
}

Settings random_settings(const Metric &metric, const Form &form, Random &random) {
    Settings settings;
    settings.metric = metric;
    settings.method =
        random.pick<std::int32_t>({BMO_METHOD_BANDIT, BMO_METHOD_BANDIT, BMO_METHOD_BANDIT, BMO_METHOD_BANDIT,
                                   BMO_METHOD_BANDIT, BMO_METHOD_AUTO, BMO_METHOD_EXACT, BMO_METHOD_UNIFORM});
    if (settings.method == BMO_METHOD_UNIFORM && form.is_sparse && random.chance(0.9))
        settings.method = BMO_METHOD_BANDIT;
    settings.box = random.chance(0.02)                    ? static_cast<std::int32_t>(random.below(6))
                   : random.chance(0.5) && form.box != 0  ? form.box
                   : random.chance(0.4) && form.is_sparse ? (form.box == 0 ? BMO_BOX_SPARSE_UNION : form.box)
                                                          : std::int32_t{BMO_BOX_AUTO};
    choose_line(settings, box_of(settings, form), random);
    settings.scope = random.pick<std::int32_t>({BMO_SCOPE_QUERY, BMO_SCOPE_QUERY, BMO_SCOPE_CALL});
    settings.delta = random.pick({1e-6, 1e-4, 0.01, 0.05, 0.2, 0.5});
    settings.sigma = random.chance(0.1) ? 0 : std::pow(10, random.between(-6.0, 6.0));
    settings.init_pulls = few_or_many(random);
    settings.arms_per_round = few_or_many(random);
    settings.pulls_per_round = few_or_many(random);
    settings.max_pulls = random.chance(0.7) ? 0 : random.between(std::int64_t{1}, std::int64_t{200});
    settings.uniform_pulls = few_or_many(random);
    settings.seed = form.box != BMO_BOX_AUTO ? form.seed : static_cast<std::int64_t>(random.next() >> 1);
    settings.threads = random.chance(0.1) ? 3 : 1;
    return settings;
}

std::optional<bmo_guarantee> promised(const Settings &settings, const Form &form) {
    const std::int32_t box = box_of(settings, form);
    const Line *line = line_of(settings, box);
    if (!line || !(form.is_sparse ? fits_sparse(settings, box) : fits_dense(settings, box, *line)) ||
        !fits_form(settings, box, form) || !fits_pulls(settings, *line))
        return {};
    return settings.method == BMO_METHOD_UNIFORM ? bmo_guarantee{BMO_GUARANTEE_NONE} : line->guarantee;
}

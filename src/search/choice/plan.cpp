#include "search/choice/plan.hpp"

#include "data/boxes.hpp"
#include "data/params.hpp"
#include "util/counted.hpp"
#include "util/failure.hpp"
#include "util/parallel.hpp"

namespace bmo {
namespace {

void check_kind(const Dataset &data, const Settings &settings) {
    const bool sparse_box = box_traits(settings.box).of_sparse_points;
    if (data.kind == Kind::sparse && !sparse_box)
        fail(BMO_EINVAL, "box",
             text("box is ", choice_text(BMO_PARAM_BOX, settings.box),
                  ", but the points are sparse: set box to sparse or auto, or make a dense dataset of them"));
    if (data.kind == Kind::dense && sparse_box)
        fail(BMO_EINVAL, "box",
             text("box is ", choice_text(BMO_PARAM_BOX, settings.box),
                  ", but the points are dense: set box to auto, or make a sparse dataset"));
    if (data.kind == Kind::dense)
        return;
    if (settings.metric == BMO_METRIC_CUSTOM)
        fail(BMO_EINVAL, "metric",
             text(Word{"rho"}, " needs dense points: make a dense dataset, or set another metric"));
    if (settings.weights)
        fail(BMO_EINVAL, "weights",
             "sparse points take no weights: leave them out, and multiply the values by weight^(1/p) instead");
    if (settings.method == BMO_METHOD_UNIFORM)
        fail(BMO_EINVAL, "method", "method uniform needs dense points: set method to auto, bandit or exact");
    if (settings.method == BMO_METHOD_BANDIT && is_angular(settings.metric))
        fail(BMO_EINVAL, "method",
             text("method is bandit, but ", choice_text(BMO_PARAM_METRIC, settings.metric),
                  " has no samples on sparse points: set method to exact or auto, or make a dense dataset of them"));
    const Metric metric = Metric::from(settings.metric, settings.p);
    if (settings.method == BMO_METHOD_BANDIT && settings.box == BMO_BOX_SPARSE && !metric.overlaps()) {
        const bool takes_p = metric.traits().takes_p;
        fail(BMO_EINVAL, "method",
             text("method is bandit, but ", metric.traits().name, takes_p ? text(" with p = ", settings.p) : "",
                  " has no samples of overlap: set method to exact or auto, ", takes_p ? "p to 1 or 2, " : "",
                  "or box to sparse_union"));
    }
}

const Combination &line_of(const Dataset &data, const Settings &settings) {
    Settings boxed = settings;
    if (boxed.box == BMO_BOX_AUTO)
        boxed.box = data.prepared               ? data.prepared->box
                    : data.kind == Kind::sparse ? std::int64_t{BMO_BOX_SPARSE}
                                                : std::int64_t{BMO_BOX_DENSE};
    check_kind(data, boxed);
    return find_combination(boxed);
}

void check_rho(const Settings &settings) {
    if (settings.metric != BMO_METRIC_CUSTOM)
        return;
    if (!settings.rho)
        fail(BMO_EINVAL, "metric",
             text("metric is custom, but there is no ", Word{"rho"}, ": set one by ", Word{"bmo_config_set_rho()"}));
    if (settings.weights)
        fail(BMO_EINVAL, "weights", text(Word{"rho"}, " takes no weights: leave them out, and let it apply its own"));
}

void check_weights(const Dataset &data, const Settings &settings) {
    if (!settings.weights)
        return;
    const auto count = static_cast<std::int64_t>(settings.weights->size());
    if (count != data.d())
        fail(BMO_EINVAL, "weights",
             text(Word{"weights"}, " has ", counted(count, "value"), "; expected ", data.d(), ", one a coordinate"));
    if (!box_traits(settings.box).takes_weights)
        fail(BMO_EINVAL, "weights",
             text("the ", choice_text(BMO_PARAM_BOX, settings.box),
                  " box takes no weights: leave them out, or set box to dense"));
    if (is_angular(settings.metric))
        fail(BMO_EINVAL, "weights",
             text("the metric ", choice_text(BMO_PARAM_METRIC, settings.metric),
                  " takes no weights: leave them out, and multiply the values by sqrt(weight) instead"));
}

// Points that were normalized before they were rotated serve the metrics that need that, and no other. What the projected box
// has of products is not what it has of angles.
bool serves_metric(const Preparation &prepared, std::int64_t metric) {
    if (prepared.metric == 0 || prepared.metric == metric)
        return true;
    return is_angular(prepared.metric) == is_angular(metric) &&
           !(is_angular(metric) && box_traits(prepared.box).prepares_each_angular_metric);
}

std::string metrics_served(const Preparation &prepared) {
    if (!is_angular(prepared.metric))
        return "l2 and sqeuclidean";
    return box_traits(prepared.box).prepares_each_angular_metric ? choice_text(BMO_PARAM_METRIC, prepared.metric)
                                                                 : "cosine and inner_product";
}

void check_prepared_metric(const Preparation &prepared, const Settings &settings) {
    if (!serves_metric(prepared, settings.metric))
        fail(BMO_EINVAL, "metric",
             text("metric is ", choice_text(BMO_PARAM_METRIC, settings.metric), ", but the dataset was prepared for ",
                  metrics_served(prepared),
                  "; prepare it again with this metric, or set one that it was prepared for"));
}

bool same_weights(const Settings &settings, const Preparation &prepared) {
    if (!settings.weights || !prepared.weights)
        return settings.weights == prepared.weights;
    return *settings.weights == *prepared.weights;
}

void check_preparation(const Preparation *prepared, const Settings &settings) {
    if (!prepared && box_traits(settings.box).needs_preparation)
        fail(BMO_EINVAL, "box",
             text("box is ", choice_text(BMO_PARAM_BOX, settings.box), ", which needs a prepared dataset: call ",
                  Word{"bmo_dataset_prepare()"}, " with this box first"));
    if (!prepared)
        return;
    if (prepared->box != settings.box)
        fail(BMO_EINVAL, "box",
             text("box is ", choice_text(BMO_PARAM_BOX, settings.box), ", but the dataset was prepared for box ",
                  choice_text(BMO_PARAM_BOX, prepared->box),
                  "; set that box, or use the dataset that it was prepared from"));
    check_prepared_metric(*prepared, settings);
    if (prepared->seed != settings.seed)
        fail(BMO_EINVAL, "seed",
             text("seed is ", settings.seed, ", but the dataset was prepared with seed ", prepared->seed,
                  "; set that seed, or prepare the dataset again with this one"));
    if (!same_weights(settings, *prepared))
        fail(BMO_EINVAL, "weights",
             text("the dataset was prepared with ", prepared->weights ? "other" : "no",
                  " weights: set those, or prepare it again with these"));
}

// Whether a search by these settings goes without what the dataset was prepared for.
bool ignores_preparation(const Dataset &data, const Settings &settings) {
    if (!data.prepared || !data.prepared_by_auto || settings.box != BMO_BOX_AUTO)
        return false;
    Settings boxed = settings;
    boxed.box = data.prepared->box;
    return box_traits(boxed.box).needs_preparation &&
           !(box_serves(boxed) && serves_metric(*data.prepared, settings.metric));
}

} // namespace

Settings decide(const Dataset &data, const Settings &settings) {
    Settings decided = resolved(line_of(data, settings), settings);
    if (settings.method == BMO_METHOD_UNIFORM && decided.sampling != BMO_SAMPLING_WITHOUT_REPLACEMENT)
        fail(BMO_EINVAL, "sampling",
             "method uniform samples by the shared order: set sampling to auto or without_replacement");
    if (settings.method == BMO_METHOD_UNIFORM && !box_traits(decided.box).samples_coordinates)
        fail(BMO_EINVAL, "method",
             text("method uniform samples coordinates, which the ", choice_text(BMO_PARAM_BOX, decided.box),
                  " box does not have: set method to auto, bandit or exact, or prepare for another box"));
    check_weights(data, decided);
    check_rho(decided);
    check_pulls(decided);
    if (decided.metric == BMO_METRIC_CUSTOM && !decided.rho->any_thread)
        decided.threads = 1;
    return decided;
}

bool box_serves(const Settings &settings) {
    if (!box_traits(settings.box).needs_preparation)
        return combines(settings);
    return combines(settings) && settings.method != BMO_METHOD_UNIFORM && !settings.weights;
}

std::shared_ptr<const Dataset> data_for(std::shared_ptr<const Dataset> data, const Settings &settings) {
    if (!ignores_preparation(*data, settings))
        return data;
    auto source = std::make_shared<Dataset>(*data);
    source->prepared = nullptr;
    return source;
}

int threads_of(const Settings &settings) {
    return settings.threads > 0 ? static_cast<int>(settings.threads) : threads_available();
}

Plan make_plan(const Dataset &data, const Settings &settings) {
    Settings decided = decide(data, settings);
    if (data.prepared && !settings.seed_is_set)
        decided.seed = data.prepared->seed;
    check_preparation(data.prepared.get(), decided);
    const Combination &line = line_of(data, settings);
    return {decided, Metric::from(settings.metric, settings.p), line.guarantee, line.assumption};
}

} // namespace bmo

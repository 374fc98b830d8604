// Parameters of a search at random, and what docs/combinations.md says of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "handles.hpp"
#include "random.hpp"
#include "truth.hpp"

struct Settings {
    Metric metric;
    std::int32_t method = BMO_METHOD_AUTO, box = BMO_BOX_AUTO, bandit = BMO_BANDIT_AUTO,
                 confidence = BMO_CONFIDENCE_AUTO, sampling = BMO_SAMPLING_AUTO, scope = BMO_SCOPE_QUERY;
    double delta = 0.01, epsilon = 0, sigma = 0;
    std::int64_t init_pulls = 32, arms_per_round = 32, pulls_per_round = 256, max_pulls = 0, uniform_pulls = 256;
    std::int64_t seed = 0, threads = 1;
};

// How a dataset stands to the settings: as it is, or prepared for a box (and for metrics that are served together).
struct Form {
    bool is_sparse = false;
    std::int32_t box = BMO_BOX_AUTO, metric = 0;
    bool with_weights = false;
    std::int64_t seed = 0;
};

ConfigHandle make_config(const Settings &settings);

// One line of text, for findings.
std::string text_of(const Settings &settings);

// A metric that goes with points of the kind.
Metric random_metric(bool is_sparse, std::int64_t d, Random &random);

// Everything but the metric. Nine of ten combine.
Settings random_settings(const Metric &metric, const Form &form, Random &random);

// The guarantee that the table states for the settings, once what is auto is resolved; nothing where they are refused.
std::optional<bmo_guarantee> promised(const Settings &settings, const Form &form);

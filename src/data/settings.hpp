// The parameters of a search as plain values: what a bmo_config holds. params.cpp has their table.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bmo.h"

namespace bmo {

// A caller's coordinate distance.
struct CustomRho {
    bmo_rho_fn call = nullptr;
    void *ctx = nullptr;
    bool any_thread = false;
    std::shared_ptr<const void> owner; // of ctx
};

struct Settings {
    std::int64_t metric = BMO_METRIC_L2;
    std::int64_t method = BMO_METHOD_AUTO;
    std::int64_t box = BMO_BOX_AUTO;
    std::int64_t bandit = BMO_BANDIT_AUTO;
    std::int64_t confidence = BMO_CONFIDENCE_AUTO;
    std::int64_t sampling = BMO_SAMPLING_AUTO;
    double p = 2;
    double delta = 0.01;
    std::int64_t delta_scope = BMO_SCOPE_QUERY;
    double epsilon = 0;
    double sigma = 0;
    std::int64_t init_pulls = 32;
    std::int64_t arms_per_round = 32;
    std::int64_t pulls_per_round = 256;
    std::int64_t max_pulls = 0;
    std::int64_t uniform_pulls = 256;
    std::int64_t seed = 0;
    bool seed_is_set = false; // else a search of prepared data takes the seed of the preparation
    std::int64_t threads = 1;
    std::int64_t expected_queries = 0;                  // of what is prepared; 0: unknown, taken as many
    std::shared_ptr<const std::vector<double>> weights; // of the coordinates; null: all 1
    std::shared_ptr<const CustomRho> rho;               // null: none
};

} // namespace bmo

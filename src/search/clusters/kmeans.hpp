// k-means by Lloyd's algorithm: each point goes to its nearest center, each center to the mean of its points, until no point
// changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bmo.h"
#include "data/dataset.hpp"
#include "data/settings.hpp"
#include "util/watch.hpp"

namespace bmo {

struct KmeansRule {
    std::int64_t k = 1;
    std::int32_t init = BMO_INIT_PLUSPLUS;
    std::int64_t starts = 1;
    std::int64_t max_iter = 100;
    double tol = 0;
    std::int64_t seed = 0;         // draws the starts
    std::span<const double> given; // k x d centers, of BMO_INIT_GIVEN
};

struct Clusters {
    std::vector<double> centers; // k x d
    std::vector<std::int32_t> labels;
    double inertia = 0;
    std::int64_t iterations = 0;
};

// Fails with BMO_EINVAL if the settings are not for squared differences. The rule was checked.
Clusters kmeans(const Dataset &given, const Settings &settings, const KmeansRule &rule, Watch &watch, bmo_stats &stats);

} // namespace bmo

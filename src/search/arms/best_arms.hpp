// The best of a caller's own arms.
#pragma once

#include <cstdint>
#include <vector>

#include "bmo.h"
#include "data/settings.hpp"
#include "util/watch.hpp"

namespace bmo {

struct BestArm {
    std::int64_t arm;
    double mean, halfwidth;
};

// The k best, best first. `arms` is checked but for what the settings need of it: fails with BMO_EINVAL if they do not
// combine. Fills every field of *stats but struct_size.
std::vector<BestArm> best_arms(const bmo_arms &arms, std::int64_t k, const Settings &settings, Watch &watch,
                               bmo_stats &stats);

} // namespace bmo

// What a search will do: the settings with every `auto` decided, checked against each other and against the dataset.
#pragma once

#include <cstdint>
#include <memory>

#include "boxes/metric.hpp"
#include "data/dataset.hpp"
#include "data/settings.hpp"
#include "search/choice/combinations.hpp"

namespace bmo {

struct Plan {
    Settings settings; // decided, but for the method: see choose_method
    Metric metric;
    bmo_guarantee guarantee;
    const char *assumption;
};

// Decides box, bandit, confidence and sampling if they are AUTO. Fails with BMO_EINVAL if they do not combine
// (see docs/combinations.md).
Settings decide(const Dataset &data, const Settings &settings);

// Whether the settings' box, of dense points, combines with the rest of them.
bool box_serves(const Settings &settings);

// The dataset as a search by these settings uses it: without what it was prepared for, if that does not serve them.
std::shared_ptr<const Dataset> data_for(std::shared_ptr<const Dataset> data, const Settings &settings);

// Fails with BMO_EINVAL also if the settings do not fit what the dataset was prepared for.
Plan make_plan(const Dataset &data, const Settings &settings);

// The threads of a call.
int threads_of(const Settings &settings);

} // namespace bmo

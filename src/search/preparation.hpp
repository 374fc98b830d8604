// What bmo_dataset_prepare() does.
#pragma once

#include <memory>

#include "data/dataset.hpp"
#include "data/settings.hpp"
#include "util/watch.hpp"

namespace bmo {

// A new dataset that shares the source's data and holds what the settings' box needs (see bmo_dataset_prepare).
std::shared_ptr<const Dataset> prepare_dataset(const Dataset &source, const Settings &settings, Watch &watch);

} // namespace bmo

// Some points of a dataset, prepared as the dataset is.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "data/dataset.hpp"
#include "util/watch.hpp"

namespace bmo {

// The rows are in range, and may repeat.
std::shared_ptr<const Dataset> subset(const Dataset &whole, std::span<const std::int64_t> rows, Watch &watch);

} // namespace bmo

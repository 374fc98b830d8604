// Some points of a dataset as points of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "data/dataset.hpp"
#include "util/watch.hpp"

namespace bmo {

// The points rows[0], rows[1], ..., in memory of the library's own, without what was prepared. The rows are in range.
std::shared_ptr<Dataset> choose_points(const Dataset &whole, std::span<const std::int64_t> rows, Watch &watch);

} // namespace bmo

// Which values a dataset may hold: finite ones, and integers that double holds exactly.
#pragma once

#include <cstdint>

#include "data/dense.hpp"
#include "util/watch.hpp"

namespace bmo {

// The largest magnitude up to which every integer is a value of the type.
constexpr double exact_in_f32 = 16777216.0;         // 2^24
constexpr double exact_in_f64 = 9007199254740992.0; // 2^53

// Checks every value of a view (finite; integers within 2^53) and returns the largest |value|. A failure has status,
// row and col; `argument` names the view in messages. Reports phase CHECK.
double check_values(const DenseView &points, const char *argument, Watch &watch);

// The same without a watch, for a block whose first value is at (row, col) of the view that messages speak of.
double check_block(const DenseView &block, std::int64_t row, std::int64_t col, const char *argument);

} // namespace bmo

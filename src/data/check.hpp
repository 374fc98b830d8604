// Which values a dataset may hold: finite ones, and integers that double holds exactly.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "data/dense.hpp"
#include "util/watch.hpp"

namespace bmo {

// The largest magnitude up to which every integer is a value of the type.
constexpr double exact_in_f32 = 16777216.0;         // 2^24
constexpr double exact_in_f64 = 9007199254740992.0; // 2^53

// Of a finite value.
template <class T>
bool is_byte(T value) {
    const T above = value < 0 ? T{0} : value, near = above > 255 ? T{255} : above;
    return static_cast<T>(static_cast<std::int32_t>(near)) == value;
}

inline bool is_float(double value) {
    return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()) &&
           static_cast<double>(static_cast<float>(value)) == value;
}

// Checks every value of a view (finite; integers within 2^53) and returns the largest |value|. A failure has status,
// row and col; `argument` names the view in messages. Reports phase CHECK.
double check_values(const DenseView &points, const char *argument, Watch &watch);

// The same without a watch, for a block whose first value is at (row, col) of the view that messages speak of.
double check_block(const DenseView &block, std::int64_t row, std::int64_t col, const char *argument);

} // namespace bmo

// Points that a caller describes: by a bmo_dense, or by their positions in a dataset.
#pragma once

#include <cstdint>
#include <string>

#include "bmo.h"
#include "data/dense.hpp"

namespace bmo {

// Checks everything but the values. `argument` names the struct in messages.
DenseView view_of(const bmo_dense *points, const std::string &argument);

// Checks positions among n points; rows may be NULL where there are none.
void check_rows(const std::int64_t *rows, std::int64_t nrows, std::int64_t n);

} // namespace bmo

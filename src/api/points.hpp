// Points that a caller describes: by a bmo_dense, a bmo_sparse, or by their positions in a dataset.
#pragma once

#include <cstdint>
#include <string>

#include "bmo.h"
#include "data/dense.hpp"
#include "data/sparse_input.hpp"

namespace bmo {

// Checks everything but the values. `argument` names the struct in messages.
DenseView view_of(const bmo_dense *points, const std::string &argument);

// Checks the struct's fields, not what the arrays hold: see make_sparse().
SparseInput input_of(const bmo_sparse *points, const std::string &argument);

// Checks positions among n points; rows may be NULL if there are none. name: of the rows' struct and a point, or nothing.
void check_rows(const std::int64_t *rows, std::int64_t nrows, std::int64_t n, const std::string &name = "");

} // namespace bmo

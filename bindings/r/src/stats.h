#pragma once

#include "library.h"

namespace rbmo {

// A seed as R has it: a number, or the text of one beyond those that double has all of.
SEXP seed_of(int64_t seed);

// What a search did, with names for numbers.
Rcpp::List list_of(const bmo_stats &stats);

} // namespace rbmo

#pragma once

#include <string>

#include "library.h"

namespace rbmo {

// A seed as R has it: a number, or the text of one beyond those that double has all of.
SEXP seed_of(int64_t seed);

// What a call did, with names for numbers; metric: NULL if there is none.
Rcpp::List list_of(const bmo_stats &stats, const std::string *metric = nullptr);

} // namespace rbmo

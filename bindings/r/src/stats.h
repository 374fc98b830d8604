#pragma once

#include "library.h"

namespace rbmo {

// What a search did, with names for numbers.
Rcpp::List list_of(const bmo_stats &stats);

} // namespace rbmo

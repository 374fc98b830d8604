#pragma once

#include "library.h"

namespace rbmo {

// A matrix of R as the library sees it, where it lies. byrow: points are its rows, else its columns. NA in integers,
// which would be a number to the library, is refused.
bmo_dense dense_view(SEXP matrix, bool byrow);

// The slots of a compressed matrix of package Matrix: its lines are points, or else coordinates.
bmo_sparse sparse_view(const Rcpp::IntegerVector &pointers, const Rcpp::IntegerVector &indices,
                       const Rcpp::NumericVector &values, double n, double d, bool points_are_lines);

} // namespace rbmo

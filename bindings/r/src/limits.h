// The largest distance of a search: NULL, one for all queries, or one a query.
#pragma once

#include "library.h"

namespace rbmo {

class Limits {
public:
    // max_pairs: of a radius search; 0: any number.
    Limits(const Rcpp::Nullable<Rcpp::NumericVector> &max_distance, double max_pairs) {
        limits_.struct_size = sizeof limits_;
        limits_.max_pairs = static_cast<int64_t>(max_pairs);
        if (max_distance.isNull())
            return;
        distances_ = Rcpp::NumericVector(max_distance);
        limits_.max_distance = distances_.begin();
        limits_.max_distance_count = distances_.size();
    }
    Limits(const Limits &) = delete;
    Limits &operator=(const Limits &) = delete;

    // NULL: no limit.
    const bmo_limits *get() const { return limits_.max_distance ? &limits_ : nullptr; }

private:
    Rcpp::NumericVector distances_;
    bmo_limits limits_{};
};

} // namespace rbmo

// What a search has beside its queries: their largest distances (NULL, one for all, or one a query), and their labels.
#pragma once

#include "library.h"

namespace rbmo {

class Limits {
public:
    // max_pairs: of a radius search; 0: any number. labels: one a query, or NULL.
    Limits(const Rcpp::Nullable<Rcpp::NumericVector> &max_distance, double max_pairs,
           const Rcpp::Nullable<Rcpp::IntegerVector> &labels) {
        limits_.struct_size = sizeof limits_;
        limits_.max_pairs = static_cast<int64_t>(max_pairs);
        if (max_distance.isNotNull()) {
            distances_ = Rcpp::NumericVector(max_distance);
            limits_.max_distance = distances_.begin();
            limits_.max_distance_count = distances_.size();
        }
        if (labels.isNotNull())
            labels_ = Rcpp::IntegerVector(labels);
        if (labels_.size() > 0) { // a vector of none begins nowhere
            limits_.query_labels = labels_.begin();
            limits_.query_label_count = labels_.size();
        }
    }
    Limits(const Limits &) = delete;
    Limits &operator=(const Limits &) = delete;

    // NULL: there are none.
    const bmo_limits *get() const { return limits_.max_distance || limits_.query_labels ? &limits_ : nullptr; }

private:
    Rcpp::NumericVector distances_;
    Rcpp::IntegerVector labels_;
    bmo_limits limits_{};
};

} // namespace rbmo

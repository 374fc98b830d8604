// A query on a dataset of R, under a metric that may be a function of R.
#pragma once

#include "closure.h"
#include "config.h"
#include "dataset.h"

namespace rbmo {

struct Search {
    // metric: the function of the metric custom, or NULL.
    Search(SEXP data, Rcpp::CharacterVector settings, Rcpp::Nullable<Rcpp::NumericVector> weights, SEXP metric)
        : points(dataset_of(data)), config(config_of(settings, weights)), closure(metric, "metric") {
        if (!Rf_isNull(metric))
            set_metric(*config, closure);
        query = make<Query>([&](bmo_query **out) { return bmo_query_create(out, points, config.get(), nullptr); });
    }
    Search(const Search &) = delete;
    Search &operator=(const Search &) = delete;

    const bmo_dataset *points;
    Config config;
    Closure closure;
    Query query;
};

} // namespace rbmo

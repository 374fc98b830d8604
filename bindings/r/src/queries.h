// The points that a search is for: the points of a dataset, or of the data themselves those of some rows, or all.
#pragma once

#include <vector>

#include "dataset.h"

namespace rbmo {

struct Queries {
    enum Kind { Points, Rows, All };

    // query: a dataset, or NULL; own: numbers of points of the data, from 1, or NULL.
    Queries(SEXP query, const Rcpp::Nullable<Rcpp::NumericVector> &own, const bmo_dataset *data) {
        if (!Rf_isNull(query)) {
            kind = Points;
            points = dataset_of(query);
            count = size_of(points);
        } else if (own.isNotNull()) {
            kind = Rows;
            for (const double row : Rcpp::NumericVector(own))
                rows.push_back(static_cast<int64_t>(row) - 1);
            count = static_cast<int64_t>(rows.size());
        } else {
            kind = All;
            count = size_of(data);
        }
    }

    Kind kind;
    const bmo_dataset *points = nullptr;
    std::vector<int64_t> rows;
    int64_t count = 0;
};

} // namespace rbmo

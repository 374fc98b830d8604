// The points that a search is for: the points of a dataset or of a matrix, or of the data themselves those of some rows, or all.
#pragma once

#include <optional>
#include <vector>

#include "dataset.h"
#include "matrix.h"

namespace rbmo {

struct Queries {
    enum Kind { Points, Dense, Sparse, Rows, All };

    // query: a dataset, a matrix whose points are rows (byrow) or columns, or NULL; own: numbers of points of the data, from 1,
    // or NULL.
    Queries(SEXP query, bool byrow, const Rcpp::Nullable<Rcpp::NumericVector> &own, const bmo_dataset *data) {
        if (TYPEOF(query) == EXTPTRSXP) {
            kind = Points;
            points = dataset_of(query);
            count = size_of(points);
        } else if (!Rf_isNull(query)) {
            matrix.emplace(query, byrow, "query");
            kind = matrix->is_sparse() ? Sparse : Dense;
            count = matrix->count();
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

    // Throws the error of the search that gave this status, if it failed.
    void check(bmo_status status) const {
        if (matrix)
            matrix->check(status);
        else
            rbmo::check(status);
    }

    Kind kind;
    const bmo_dataset *points = nullptr;
    std::optional<Matrix> matrix;
    std::vector<int64_t> rows;
    int64_t count = 0;
};

} // namespace rbmo

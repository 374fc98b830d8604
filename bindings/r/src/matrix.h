#pragma once

#include <string>

#include "library.h"

namespace rbmo {

// Points that are a matrix of R, or a dgCMatrix or dgRMatrix of package Matrix, as the library sees them where they lie.
// NA in integers, which would be a number to the library, is refused.
class Matrix {
public:
    // byrow: points are its rows, else its columns; argument: what the user knows it as.
    Matrix(SEXP x, bool byrow, const char *argument);

    // Of dense points: see is_sparse().
    const bmo_dense &dense() const { return dense_; }
    const bmo_sparse &sparse() const { return sparse_; }

    bool is_sparse() const { return Rf_isS4(x_); }
    int64_t count() const { return is_sparse() ? sparse_.n : dense_.n; }

    // The vectors that the values are in.
    Rcpp::List vectors() const;

    // Throws the error of the call that gave this status, if it failed; one about these points in the words of the matrix.
    void check(bmo_status status) const;

private:
    void view_dense();
    void view_sparse();
    [[noreturn]] void refuse_about(bmo_status status, const bmo_error &error) const;

    SEXP x_;
    bool byrow_;
    const char *argument_;
    bmo_dense dense_{};
    bmo_sparse sparse_{};
};

} // namespace rbmo

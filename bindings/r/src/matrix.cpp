#include "matrix.h"

#include <algorithm>

namespace rbmo {
namespace {

// Of an S4 object, whose class says that it is there.
SEXP slot(SEXP x, const char *name) {
    return R_do_slot(x, Rf_install(name));
}

bool is_by_column(SEXP x) {
    return R_has_slot(x, Rf_install("i"));
}

SEXP indices_of(SEXP x) {
    return slot(x, is_by_column(x) ? "i" : "j");
}

// Where in integers NA is; -1: nowhere.
R_xlen_t find_missing(const int *values, R_xlen_t count) {
    constexpr R_xlen_t step = R_xlen_t(1) << 24;
    for (R_xlen_t first = 0; first < count; first += step) {
        const int *end = values + std::min(first + step, count);
        const int *found = std::find(values + first, end, NA_INTEGER);
        if (found != end)
            return found - values;
        Rcpp::checkUserInterrupt();
    }
    return -1;
}

} // namespace

Matrix::Matrix(SEXP x, bool byrow, const char *argument) : x_(x), byrow_(byrow), argument_(argument) {
    if (is_sparse())
        view_sparse();
    else
        view_dense();
}

void Matrix::view_dense() {
    const R_xlen_t rows = Rf_nrows(x_), cols = Rf_ncols(x_), count = Rf_xlength(x_);
    dense_.struct_size = sizeof dense_;
    dense_.n = byrow_ ? rows : cols;
    dense_.d = byrow_ ? cols : rows;
    dense_.point_stride = byrow_ ? 1 : std::max<R_xlen_t>(rows, 1);
    dense_.coord_stride = byrow_ ? std::max<R_xlen_t>(rows, 1) : 1;
    dense_.data = count ? DATAPTR(x_) : nullptr;
    switch (TYPEOF(x_)) {
    case REALSXP: dense_.dtype = BMO_F64; return;
    case RAWSXP: dense_.dtype = BMO_U8; return;
    default: dense_.dtype = BMO_I32; // integer and logical: the same memory
    }
    const R_xlen_t missing = find_missing(static_cast<const int *>(dense_.data), count);
    if (missing < 0)
        return;
    const R_xlen_t row = missing % rows, col = missing / rows;
    bmo_error error{};
    error.row = byrow_ ? row : col;
    error.col = byrow_ ? col : row;
    error.argument = error.marked = "";
    refuse_about(BMO_ENONFINITE, error);
}

void Matrix::view_sparse() {
    SEXP pointers = slot(x_, "p"), indices = indices_of(x_), values = slot(x_, "x"), size = slot(x_, "Dim");
    const bool points_are_lines = is_by_column(x_) != byrow_;
    const int lines = INTEGER(size)[is_by_column(x_)];
    const R_xlen_t count = Rf_xlength(indices);
    if (Rf_xlength(values) != count || Rf_xlength(pointers) != R_xlen_t(lines) + 1)
        refuse(BMO_EINVAL, argument_, "the slots of the sparse matrix do not fit together; see validObject()");
    sparse_.struct_size = sizeof sparse_;
    sparse_.orientation = points_are_lines ? BMO_POINTS_COMPRESSED : BMO_COORDS_COMPRESSED;
    sparse_.pointer_dtype = sparse_.index_dtype = BMO_I32;
    sparse_.value_dtype = BMO_F64;
    sparse_.n = INTEGER(size)[byrow_ ? 0 : 1];
    sparse_.d = INTEGER(size)[byrow_ ? 1 : 0];
    sparse_.nnz = count;
    sparse_.pointers = INTEGER(pointers);
    sparse_.indices = count ? INTEGER(indices) : nullptr;
    sparse_.values = count ? REAL(values) : nullptr;
}

Rcpp::List Matrix::vectors() const {
    if (is_sparse())
        return Rcpp::List::create(slot(x_, "p"), indices_of(x_), slot(x_, "x"));
    return Rcpp::List::create(x_);
}

void Matrix::check(bmo_status status) const {
    if (status == BMO_OK)
        return;
    const bmo_error error = last_error();
    const std::string at_fault(error.argument);
    if (at_fault.rfind("data", 0) != 0 && at_fault.rfind("queries", 0) != 0)
        rbmo::check(status);
    refuse_about(status, error);
}

void Matrix::refuse_about(bmo_status status, const bmo_error &error) const {
    own_function("stop_about")(bmo_status_name(status), error.argument, static_cast<double>(error.row),
                               static_cast<double>(error.col), error.marked, x_, argument_, byrow_);
    throw Rcpp::exception(error.marked);
}

} // namespace rbmo

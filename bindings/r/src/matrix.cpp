#include "matrix.h"

#include <algorithm>

namespace rbmo {
namespace {

void refuse_missing(const int *values, R_xlen_t count, R_xlen_t rows, bool byrow) {
    constexpr R_xlen_t step = R_xlen_t(1) << 24;
    for (R_xlen_t first = 0; first < count; first += step) {
        const int *end = values + std::min(first + step, count);
        const int *found = std::find(values + first, end, NA_INTEGER);
        if (found != end) {
            const auto row = static_cast<double>((found - values) % rows);
            const auto col = static_cast<double>((found - values) / rows);
            refuse(BMO_ENONFINITE, "data", byrow ? row : col, byrow ? col : row, "data has NA; expected numbers");
        }
        Rcpp::checkUserInterrupt();
    }
}

} // namespace

bmo_dense dense_view(SEXP matrix, bool byrow) {
    const R_xlen_t rows = Rf_nrows(matrix), cols = Rf_ncols(matrix), count = Rf_xlength(matrix);
    bmo_dense view{};
    view.struct_size = sizeof view;
    view.n = byrow ? rows : cols;
    view.d = byrow ? cols : rows;
    view.point_stride = byrow ? 1 : std::max<R_xlen_t>(rows, 1);
    view.coord_stride = byrow ? std::max<R_xlen_t>(rows, 1) : 1;
    switch (TYPEOF(matrix)) {
    case REALSXP:
        view.dtype = BMO_F64;
        view.data = count ? REAL(matrix) : nullptr;
        break;
    case RAWSXP:
        view.dtype = BMO_U8;
        view.data = count ? RAW(matrix) : nullptr;
        break;
    default: // integer and logical: the same memory
        view.dtype = BMO_I32;
        view.data = count ? DATAPTR(matrix) : nullptr;
        if (count)
            refuse_missing(static_cast<const int *>(view.data), count, rows, byrow);
    }
    return view;
}

bmo_sparse sparse_view(const Rcpp::IntegerVector &pointers, const Rcpp::IntegerVector &indices,
                       const Rcpp::NumericVector &values, double n, double d, bool points_are_lines) {
    const R_xlen_t count = indices.size();
    const double lines = points_are_lines ? n : d;
    if (values.size() != count || static_cast<double>(pointers.size()) != lines + 1)
        refuse(BMO_EINVAL, "data", -1, -1, "the slots of the sparse matrix do not fit together; see validObject()");
    bmo_sparse view{};
    view.struct_size = sizeof view;
    view.orientation = points_are_lines ? BMO_POINTS_COMPRESSED : BMO_COORDS_COMPRESSED;
    view.pointer_dtype = view.index_dtype = BMO_I32;
    view.value_dtype = BMO_F64;
    view.n = static_cast<int64_t>(n);
    view.d = static_cast<int64_t>(d);
    view.nnz = count;
    view.pointers = pointers.begin();
    view.indices = count ? indices.begin() : nullptr;
    view.values = count ? values.begin() : nullptr;
    return view;
}

} // namespace rbmo

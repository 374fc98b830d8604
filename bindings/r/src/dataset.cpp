#include "dataset.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "config.h"
#include "matrix.h"
#include "memory.h"
#include "monitor.h"
#include "stats.h"

namespace rbmo {
namespace {

// R's collector finalizes the pointer before it lets go of what the pointer protects. So memory that a dataset borrows is
// kept by the pointers to it and to what was prepared from it, without a callback that could run on another thread.
SEXP pointer_to(Dataset dataset, SEXP borrowed) {
    using Pointer = Rcpp::XPtr<bmo_dataset, Rcpp::PreserveStorage, bmo_dataset_free>;
    const Pointer pointer(dataset.get(), true, Rf_install("bmo_dataset"), borrowed);
    count_made(describe(dataset.release()).bytes_owned);
    return pointer;
}

// Vectors that a dataset borrows, for pointer_to: from now on R changes a copy of them.
Rcpp::List kept(std::initializer_list<SEXP> vectors) {
    Rcpp::List list;
    for (SEXP vector : vectors) {
        MARK_NOT_MUTABLE(vector);
        list.push_back(vector);
    }
    return list;
}

const char *dtype_name(bmo_dtype dtype) {
    switch (dtype) {
    case BMO_F32: return "float32";
    case BMO_F64: return "float64";
    case BMO_U8: return "uint8";
    case BMO_I8: return "int8";
    case BMO_F16: return "float16";
    case BMO_BF16: return "bfloat16";
    case BMO_I32: return "int32";
    default: return "int64";
    }
}

} // namespace

const bmo_dataset *dataset_of(SEXP pointer) {
    if (TYPEOF(pointer) != EXTPTRSXP || R_ExternalPtrTag(pointer) != Rf_install("bmo_dataset"))
        refuse(BMO_EINVAL, "data", -1, -1, "data is not a dataset of this package; make one with bmo_dataset()");
    const auto *dataset = static_cast<const bmo_dataset *>(R_ExternalPtrAddr(pointer));
    if (!dataset)
        refuse(
            BMO_EINVAL, "data", -1, -1,
            "data is a dataset of another R session, which ended with it; make it again with bmo_dataset() or, from a "
            "file, with bmo_load()");
    return dataset;
}

bmo_dataset_info describe(const bmo_dataset *dataset) {
    bmo_dataset_info info{};
    info.struct_size = sizeof info;
    check(bmo_dataset_describe(dataset, &info));
    return info;
}

int64_t size_of(const bmo_dataset *dataset) {
    return describe(dataset).n;
}

} // namespace rbmo

// [[Rcpp::export(rng = false)]]
SEXP dataset_dense(SEXP matrix, bool byrow) {
    const bmo_dense points = rbmo::dense_view(matrix, byrow);
    rbmo::Dataset dataset = rbmo::make<rbmo::Dataset>(
        [&](bmo_dataset **out) { return bmo_dataset_dense(out, &points, BMO_BORROW, nullptr, nullptr); });
    if (rbmo::describe(dataset.get()).bytes_borrowed == 0)
        return rbmo::pointer_to(std::move(dataset), R_NilValue);
    return rbmo::pointer_to(std::move(dataset), rbmo::kept({matrix}));
}

// A matrix whose lines, the points or (points_are_lines = false) the coordinates, are compressed.
// [[Rcpp::export(rng = false)]]
SEXP dataset_sparse(Rcpp::IntegerVector pointers, Rcpp::IntegerVector indices, Rcpp::NumericVector values, double n,
                    double d, bool points_are_lines) {
    const bmo_sparse points = rbmo::sparse_view(pointers, indices, values, n, d, points_are_lines);
    rbmo::Dataset dataset = rbmo::make<rbmo::Dataset>(
        [&](bmo_dataset **out) { return bmo_dataset_sparse(out, &points, BMO_BORROW, nullptr, nullptr); });
    if (rbmo::describe(dataset.get()).bytes_borrowed == 0)
        return rbmo::pointer_to(std::move(dataset), R_NilValue);
    return rbmo::pointer_to(std::move(dataset), rbmo::kept({pointers, indices, values}));
}

// Before R's collector would. What was made of the dataset stays.
// [[Rcpp::export(rng = false)]]
void dataset_free(SEXP pointer) {
    auto *dataset = static_cast<bmo_dataset *>(R_ExternalPtrAddr(pointer));
    if (!dataset)
        return;
    rbmo::count_freed(rbmo::describe(dataset).bytes_owned);
    R_ClearExternalPtr(pointer);
    R_SetExternalPtrProtected(pointer, R_NilValue);
    bmo_dataset_free(dataset);
}

// See rbmo::collect_after().
// [[Rcpp::export(rng = false)]]
double collect_after(double bytes) {
    return rbmo::collect_after(bytes);
}

// byrow: points are the rows of the file's matrix, else its columns.
// [[Rcpp::export(rng = false)]]
SEXP dataset_open(std::string path, bool map, bool byrow, bool progress) {
    const rbmo::Monitor monitor(progress);
    const uint32_t flags = (map ? BMO_BORROW : BMO_COPY) | (byrow ? 0 : BMO_TRANSPOSE);
    bmo_dataset *dataset = nullptr;
    monitor.check(bmo_dataset_open(&dataset, path.c_str(), flags, monitor.get()));
    return rbmo::pointer_to(rbmo::Dataset(dataset), R_NilValue);
}

// [[Rcpp::export(rng = false)]]
void dataset_save(SEXP dataset, std::string path, bool progress) {
    const bmo_dataset *from = rbmo::dataset_of(dataset);
    const rbmo::Monitor monitor(progress);
    monitor.check(bmo_dataset_save(from, path.c_str(), monitor.get()));
}

// [[Rcpp::export(rng = false)]]
SEXP dataset_prepare(SEXP source, Rcpp::CharacterVector settings, Rcpp::Nullable<Rcpp::NumericVector> weights,
                     bool progress) {
    const bmo_dataset *from = rbmo::dataset_of(source);
    const rbmo::Config config = rbmo::config_of(settings, weights);
    const rbmo::Monitor monitor(progress);
    bmo_dataset *dataset = nullptr;
    monitor.check(bmo_dataset_prepare(&dataset, from, config.get(), monitor.get()));
    return rbmo::pointer_to(rbmo::Dataset(dataset), R_ExternalPtrProtected(source));
}

// Points and coordinates.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector dataset_size(SEXP pointer) {
    const bmo_dataset_info info = rbmo::describe(rbmo::dataset_of(pointer));
    return {static_cast<double>(info.n), static_cast<double>(info.d)};
}

// [[Rcpp::export(rng = false)]]
bool dataset_prepared(SEXP pointer) {
    return rbmo::describe(rbmo::dataset_of(pointer)).box != BMO_BOX_AUTO;
}

// A matrix with a point a row.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix dataset_points(SEXP pointer) {
    const bmo_dataset *dataset = rbmo::dataset_of(pointer);
    const bmo_dataset_info info = rbmo::describe(dataset);
    Rcpp::NumericMatrix matrix(static_cast<int>(info.n), static_cast<int>(info.d));
    std::vector<double> point(static_cast<std::size_t>(info.d));
    for (int64_t i = 0; i < info.n; ++i) {
        rbmo::check(bmo_dataset_copy_rows(dataset, &i, 1, point.data()));
        std::copy(point.begin(), point.end(), matrix.row(static_cast<int>(i)).begin());
    }
    return matrix;
}

// [[Rcpp::export(rng = false)]]
Rcpp::List dataset_describe(SEXP pointer) {
    const bmo_dataset_info info = rbmo::describe(rbmo::dataset_of(pointer));
    const bool prepared = info.box != BMO_BOX_AUTO;
    return Rcpp::List::create(
        Rcpp::Named("n") = static_cast<double>(info.n), Rcpp::Named("d") = static_cast<double>(info.d),
        Rcpp::Named("sparse") = info.kind == BMO_KIND_SPARSE, Rcpp::Named("values") = static_cast<double>(info.nnz),
        Rcpp::Named("type") = rbmo::dtype_name(info.dtype),
        Rcpp::Named("box") = rbmo::choice_name(BMO_PARAM_BOX, info.box), Rcpp::Named("prepared") = prepared,
        Rcpp::Named("seed") = prepared ? rbmo::seed_of(info.seed) : Rcpp::wrap(NA_REAL),
        Rcpp::Named("bytes_owned") = static_cast<double>(info.bytes_owned),
        Rcpp::Named("bytes_borrowed") = static_cast<double>(info.bytes_borrowed),
        Rcpp::Named("prepare_seconds") = static_cast<double>(info.prepare_ns) * 1e-9);
}

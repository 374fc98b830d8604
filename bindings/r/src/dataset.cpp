#include "dataset.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config.h"
#include "matrix.h"
#include "memory.h"
#include "monitor.h"
#include "search.h"
#include "stats.h"

namespace rbmo {
namespace {

// R's collector finalizes the pointer before it lets go of what the pointer protects. So memory that a dataset borrows is
// kept by the pointers to it and to what was prepared from it, without a callback that could run on another thread.
SEXP pointer_to(Dataset dataset, SEXP borrowed) {
    const uint64_t bytes = describe(dataset.get()).bytes_owned;
    auto points = std::make_unique<Points>();
    points->dataset = std::move(dataset);
    const Rcpp::XPtr<Points> pointer(points.release(), true, Rf_install("bmo_dataset"), borrowed);
    count_made(bytes);
    return pointer;
}

// What a dataset of this matrix borrows, for pointer_to: from now on R changes a copy of it.
SEXP borrowed_of(const bmo_dataset *dataset, const Matrix &matrix) {
    if (describe(dataset).bytes_borrowed == 0)
        return R_NilValue;
    const Rcpp::List vectors = matrix.vectors();
    for (SEXP vector : vectors)
        MARK_NOT_MUTABLE(vector);
    return vectors;
}

} // namespace

Points &points_of(SEXP pointer) {
    if (TYPEOF(pointer) != EXTPTRSXP || R_ExternalPtrTag(pointer) != Rf_install("bmo_dataset"))
        refuse(BMO_EINVAL, "data", "data is not a dataset of this package; make one with bmo_dataset()");
    auto *points = static_cast<Points *>(R_ExternalPtrAddr(pointer));
    if (!points)
        refuse(BMO_EINVAL, "data",
               "data is a dataset of another R session, which ended with it; make it again with bmo_dataset() or, from "
               "a file, with bmo_load()");
    return *points;
}

const bmo_dataset *dataset_of(SEXP pointer) {
    return points_of(pointer).dataset.get();
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

// Of a matrix: see rbmo::Matrix.
// [[Rcpp::export(rng = false)]]
SEXP dataset_make(SEXP matrix, bool byrow, std::string argument) {
    const rbmo::Matrix points(matrix, byrow, argument.c_str());
    bmo_dataset *made = nullptr;
    points.check(points.is_sparse() ? bmo_dataset_sparse(&made, &points.sparse(), BMO_BORROW, nullptr, nullptr)
                                    : bmo_dataset_dense(&made, &points.dense(), BMO_BORROW, nullptr, nullptr));
    rbmo::Dataset dataset(made);
    const Rcpp::RObject borrowed = rbmo::borrowed_of(made, points);
    return rbmo::pointer_to(std::move(dataset), borrowed);
}

// Before R's collector would. What was made of the dataset stays.
// [[Rcpp::export(rng = false)]]
void dataset_free(SEXP pointer) {
    const std::unique_ptr<rbmo::Points> points(static_cast<rbmo::Points *>(R_ExternalPtrAddr(pointer)));
    if (!points)
        return;
    rbmo::count_freed(rbmo::describe(points->dataset.get()).bytes_owned);
    R_ClearExternalPtr(pointer);
    R_SetExternalPtrProtected(pointer, R_NilValue);
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

// rows: counted from 1.
// [[Rcpp::export(rng = false)]]
SEXP dataset_subset(SEXP dataset, Rcpp::NumericVector rows) {
    const bmo_dataset *from = rbmo::dataset_of(dataset);
    std::vector<int64_t> chosen;
    for (const double row : rows)
        chosen.push_back(static_cast<int64_t>(row) - 1);
    const rbmo::Monitor monitor(false);
    bmo_dataset *some = nullptr;
    monitor.check(bmo_dataset_subset(&some, from, chosen.data(), static_cast<int64_t>(chosen.size()), monitor.get()));
    return rbmo::pointer_to(rbmo::Dataset(some), R_NilValue);
}

// How many points and coordinates there are, and whether they are prepared (1).
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector dataset_facts(SEXP pointer) {
    const bmo_dataset_info info = rbmo::describe(rbmo::dataset_of(pointer));
    return {static_cast<double>(info.n), static_cast<double>(info.d), info.box != BMO_BOX_AUTO ? 1.0 : 0.0};
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
        Rcpp::Named("type") = bmo_dtype_name(info.dtype),
        Rcpp::Named("box") = rbmo::choice_name(BMO_PARAM_BOX, info.box), Rcpp::Named("prepared") = prepared,
        Rcpp::Named("seed") = prepared ? rbmo::seed_of(info.seed) : Rcpp::wrap(NA_REAL),
        Rcpp::Named("bytes_owned") = static_cast<double>(info.bytes_owned),
        Rcpp::Named("bytes_borrowed") = static_cast<double>(info.bytes_borrowed),
        Rcpp::Named("prepare_seconds") = static_cast<double>(info.prepare_ns) * 1e-9);
}

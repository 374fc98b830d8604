#include <algorithm>

#include "limits.h"
#include "monitor.h"
#include "queries.h"
#include "search.h"
#include "stats.h"

namespace rbmo {
namespace {

// Neighbors in the columns of two matrices of R. The library refuses a k beyond the points before it writes: no need
// for memory in that case.
struct Neighbors {
    Neighbors(R_xlen_t queries, double k, double points, bool with_distance)
        : index(Rcpp::Dimension(queries, columns(k, points))),
          distance(Rcpp::Dimension(with_distance ? queries : 0, columns(k, points))) {
        out.struct_size = sizeof out;
        out.index_base = 1;
        out.index_dtype = BMO_I32;
        out.index = index.begin();
        out.distance = with_distance ? distance.begin() : nullptr;
        out.capacity = Rf_xlength(index);
        out.query_stride = 1;
        out.rank_stride = std::max<R_xlen_t>(queries, 1);
    }

    static R_xlen_t columns(double k, double points) { return static_cast<R_xlen_t>(std::clamp(k, 0.0, points)); }

    Rcpp::IntegerVector index;
    Rcpp::NumericVector distance;
    bmo_output out{};
};

// R's own sign of what is not there.
void mark_missing(Rcpp::IntegerVector &index) {
    std::replace(index.begin(), index.end(), -1, NA_INTEGER);
}

} // namespace
} // namespace rbmo

// The k neighbors of the queries: see rbmo::Queries. metric: the function of the metric custom, or NULL. max_distance: NULL,
// one for all, or one a query. among: see rbmo::Among. query_labels: NULL, or one a query. A place without a neighbor has index NA.
// get_distance: else indices alone.
// [[Rcpp::export(rng = false)]]
Rcpp::List knn_search(SEXP data, SEXP query, bool byrow, Rcpp::Nullable<Rcpp::NumericVector> rows, double k,
                      Rcpp::Nullable<Rcpp::NumericVector> max_distance, bool get_distance,
                      Rcpp::CharacterVector settings, Rcpp::Nullable<Rcpp::NumericVector> weights, SEXP metric,
                      SEXP among, Rcpp::Nullable<Rcpp::IntegerVector> query_labels, bool progress) {
    const rbmo::Search search(data, settings, weights, metric, among);
    const rbmo::Queries queries(query, byrow, rows, search.points());
    const rbmo::Limits limits(max_distance, 0, query_labels);
    rbmo::Neighbors found(static_cast<R_xlen_t>(queries.count), k, static_cast<double>(rbmo::size_of(search.points())),
                          get_distance);
    bmo_output &out = found.out;
    out.limits = limits.get();

    const auto wanted = static_cast<int64_t>(k);
    const bmo_query *bound = search.query();
    const rbmo::Monitor bar(progress);
    const bmo_monitor *monitor = bar.get();
    bmo_stats stats{};
    stats.struct_size = sizeof stats;
    bmo_status status = BMO_OK;
    switch (queries.kind) {
    case rbmo::Queries::Points: status = bmo_query_knn(bound, queries.points, wanted, &out, monitor, &stats); break;
    case rbmo::Queries::Dense:
        status = bmo_query_knn_dense(bound, &queries.matrix->dense(), wanted, &out, monitor, &stats);
        break;
    case rbmo::Queries::Sparse:
        status = bmo_query_knn_sparse(bound, &queries.matrix->sparse(), wanted, &out, monitor, &stats);
        break;
    case rbmo::Queries::Rows:
        status = bmo_query_knn_rows(bound, queries.rows.data(), queries.count, wanted, &out, monitor, &stats);
        break;
    case rbmo::Queries::All: status = bmo_query_graph(bound, wanted, &out, monitor, &stats);
    }
    search.resume();
    bar.resume(status);
    queries.check(status);
    rbmo::mark_missing(found.index);

    if (!get_distance)
        return Rcpp::List::create(Rcpp::Named("index") = found.index, Rcpp::Named("stats") = search.list_of(stats));
    return Rcpp::List::create(Rcpp::Named("index") = found.index, Rcpp::Named("distance") = found.distance,
                              Rcpp::Named("stats") = search.list_of(stats));
}

#include <algorithm>

#include "limits.h"
#include "monitor.h"
#include "queries.h"
#include "search.h"
#include "stats.h"

namespace rbmo {
namespace {

using Found = std::unique_ptr<bmo_neighbors, Freed<bmo_neighbors_free>>;

bmo_neighbors_view read(const bmo_neighbors *found) {
    bmo_neighbors_view view{};
    view.struct_size = sizeof view;
    check(bmo_neighbors_read(found, &view));
    return view;
}

// One vector a query.
Rcpp::List indices_of(const bmo_neighbors_view &view) {
    Rcpp::List list(static_cast<R_xlen_t>(view.queries));
    for (int64_t i = 0; i < view.queries; ++i) {
        Rcpp::IntegerVector one(static_cast<R_xlen_t>(view.offset[i + 1] - view.offset[i]));
        std::transform(view.index + view.offset[i], view.index + view.offset[i + 1], one.begin(),
                       [](int64_t from_zero) { return static_cast<int>(from_zero + 1); });
        list[static_cast<R_xlen_t>(i)] = one;
    }
    return list;
}

Rcpp::List distances_of(const bmo_neighbors_view &view) {
    Rcpp::List list(static_cast<R_xlen_t>(view.queries));
    for (int64_t i = 0; i < view.queries; ++i)
        list[static_cast<R_xlen_t>(i)] =
            Rcpp::NumericVector(view.distance + view.offset[i], view.distance + view.offset[i + 1]);
    return list;
}

} // namespace
} // namespace rbmo

// All neighbors of the queries (see rbmo::Queries) within a distance, one for all or one a query; of all queries together at most
// max_pairs, or any number (0). metric: the function of the metric custom, or NULL. among: see rbmo::Among. query_labels: NULL, or
// one a query.
// [[Rcpp::export(rng = false)]]
Rcpp::List radius_search(SEXP data, SEXP query, bool byrow, Rcpp::Nullable<Rcpp::NumericVector> rows,
                         Rcpp::NumericVector max_distance, double max_pairs, Rcpp::CharacterVector settings,
                         Rcpp::Nullable<Rcpp::NumericVector> weights, SEXP metric, SEXP among,
                         Rcpp::Nullable<Rcpp::IntegerVector> query_labels, bool progress) {
    const rbmo::Search search(data, settings, weights, metric, among);
    const rbmo::Queries queries(query, byrow, rows, search.points());
    const rbmo::Limits limited(max_distance, max_pairs, query_labels);
    const bmo_limits *limits = limited.get();

    const bmo_query *bound = search.query();
    const rbmo::Monitor bar(progress);
    const bmo_monitor *monitor = bar.get();
    bmo_stats stats{};
    stats.struct_size = sizeof stats;
    bmo_neighbors *out = nullptr;
    bmo_status status = BMO_OK;
    switch (queries.kind) {
    case rbmo::Queries::Points: status = bmo_query_radius(bound, queries.points, limits, &out, monitor, &stats); break;
    case rbmo::Queries::Dense:
        status = bmo_query_radius_dense(bound, &queries.matrix->dense(), limits, &out, monitor, &stats);
        break;
    case rbmo::Queries::Sparse:
        status = bmo_query_radius_sparse(bound, &queries.matrix->sparse(), limits, &out, monitor, &stats);
        break;
    case rbmo::Queries::Rows:
        status = bmo_query_radius_rows(bound, queries.rows.data(), queries.count, limits, &out, monitor, &stats);
        break;
    case rbmo::Queries::All: status = bmo_query_radius_graph(bound, limits, &out, monitor, &stats);
    }
    const rbmo::Found found(out);
    search.resume();
    bar.resume(status);
    queries.check(status);

    const bmo_neighbors_view view = rbmo::read(found.get());
    return Rcpp::List::create(Rcpp::Named("index") = rbmo::indices_of(view),
                              Rcpp::Named("distance") = rbmo::distances_of(view),
                              Rcpp::Named("stats") = search.list_of(stats));
}

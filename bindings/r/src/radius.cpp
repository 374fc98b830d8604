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
// max_pairs, or any number (0). metric: the function of the metric custom, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List radius_search(SEXP data, SEXP query, Rcpp::Nullable<Rcpp::NumericVector> rows,
                         Rcpp::NumericVector max_distance, double max_pairs, Rcpp::CharacterVector settings,
                         Rcpp::Nullable<Rcpp::NumericVector> weights, SEXP metric, bool progress) {
    const rbmo::Search search(data, settings, weights, metric);
    const rbmo::Queries queries(query, rows, search.points);
    const rbmo::Limits limits(max_distance, max_pairs);

    const bmo_query *bound = search.query.get();
    const rbmo::Monitor monitor(progress);
    bmo_stats stats{};
    stats.struct_size = sizeof stats;
    bmo_neighbors *out = nullptr;
    bmo_status status = BMO_OK;
    switch (queries.kind) {
    case rbmo::Queries::Points:
        status = bmo_query_radius(bound, queries.points, limits.get(), &out, monitor.get(), &stats);
        break;
    case rbmo::Queries::Rows:
        status =
            bmo_query_radius_rows(bound, queries.rows.data(), queries.count, limits.get(), &out, monitor.get(), &stats);
        break;
    case rbmo::Queries::All: status = bmo_query_radius_graph(bound, limits.get(), &out, monitor.get(), &stats);
    }
    const rbmo::Found found(out);
    search.closure.resume();
    monitor.check(status);

    const bmo_neighbors_view view = rbmo::read(found.get());
    Rcpp::List result_stats = rbmo::list_of(stats);
    result_stats["metric"] = rbmo::setting_of(*search.config, "metric");
    return Rcpp::List::create(Rcpp::Named("index") = rbmo::indices_of(view),
                              Rcpp::Named("distance") = rbmo::distances_of(view), Rcpp::Named("stats") = result_stats);
}

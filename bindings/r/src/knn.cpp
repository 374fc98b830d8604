#include <algorithm>
#include <vector>

#include "monitor.h"
#include "search.h"
#include "stats.h"

namespace rbmo {
namespace {

// Neighbors in the columns of two matrices of R. The library refuses a k beyond the points before it writes: no need
// for memory in that case.
struct Neighbors {
    Neighbors(R_xlen_t queries, double k, double points)
        : index(Rcpp::Dimension(queries, columns(k, points))), distance(Rcpp::Dimension(queries, columns(k, points))) {
        out.struct_size = sizeof out;
        out.index_base = 1;
        out.index_dtype = BMO_I32;
        out.index = index.begin();
        out.distance = distance.begin();
        out.capacity = Rf_xlength(distance);
        out.query_stride = 1;
        out.rank_stride = std::max<R_xlen_t>(queries, 1);
    }

    static R_xlen_t columns(double k, double points) { return static_cast<R_xlen_t>(std::clamp(k, 0.0, points)); }

    Rcpp::IntegerVector index;
    Rcpp::NumericVector distance;
    bmo_output out{};
};

int64_t size_of(const bmo_dataset *dataset) {
    bmo_dataset_info info{};
    info.struct_size = sizeof info;
    check(bmo_dataset_describe(dataset, &info));
    return info.n;
}

} // namespace
} // namespace rbmo

// The neighbors of the points `query`, or of the points `rows` (1-based) of the data, or of all points of the data.
// metric: the function of the metric custom, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List knn_search(SEXP data, SEXP query, Rcpp::Nullable<Rcpp::NumericVector> rows, double k,
                      Rcpp::CharacterVector settings, Rcpp::Nullable<Rcpp::NumericVector> weights, SEXP metric,
                      bool progress) {
    const rbmo::Search search(data, settings, weights, metric);
    const bmo_dataset *queries = Rf_isNull(query) ? nullptr : rbmo::dataset_of(query);
    std::vector<int64_t> own;
    if (rows.isNotNull())
        for (const double row : Rcpp::NumericVector(rows))
            own.push_back(static_cast<int64_t>(row) - 1);
    const int64_t n = rbmo::size_of(search.points);
    int64_t count = n;
    if (queries)
        count = rbmo::size_of(queries);
    else if (rows.isNotNull())
        count = static_cast<int64_t>(own.size());
    rbmo::Neighbors found(static_cast<R_xlen_t>(count), k, static_cast<double>(n));

    const auto wanted = static_cast<int64_t>(k);
    const rbmo::Monitor monitor(progress);
    bmo_stats stats{};
    stats.struct_size = sizeof stats;
    bmo_status status = BMO_OK;
    if (queries)
        status = bmo_query_knn(search.query.get(), queries, wanted, &found.out, monitor.get(), &stats);
    else if (rows.isNotNull())
        status = bmo_query_knn_rows(search.query.get(), own.data(), count, wanted, &found.out, monitor.get(), &stats);
    else
        status = bmo_query_graph(search.query.get(), wanted, &found.out, monitor.get(), &stats);
    search.closure.resume();
    monitor.check(status);

    Rcpp::List result_stats = rbmo::list_of(stats);
    result_stats["metric"] = rbmo::setting_of(*search.config, "metric");
    return Rcpp::List::create(Rcpp::Named("index") = found.index, Rcpp::Named("distance") = found.distance,
                              Rcpp::Named("stats") = result_stats);
}

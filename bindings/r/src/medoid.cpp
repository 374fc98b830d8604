#include "closure.h"
#include "config.h"
#include "dataset.h"
#include "monitor.h"
#include "stats.h"

// metric: the function of the metric custom, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List medoid_search(SEXP data, Rcpp::CharacterVector settings, Rcpp::Nullable<Rcpp::NumericVector> weights,
                         SEXP metric, bool progress) {
    const bmo_dataset *points = rbmo::dataset_of(data);
    const rbmo::Config config = rbmo::config_of(settings, weights);
    rbmo::Closure closure(metric, "metric");
    if (!Rf_isNull(metric))
        rbmo::set_metric(*config, closure);
    const rbmo::Query bound =
        rbmo::make<rbmo::Query>([&](bmo_query **out) { return bmo_query_create(out, points, config.get()); });
    const rbmo::Monitor monitor(progress);
    bmo_medoid found{};
    found.struct_size = sizeof found;
    bmo_stats stats{};
    stats.struct_size = sizeof stats;
    const bmo_status status = bmo_query_medoid(bound.get(), &found, monitor.get(), &stats);
    closure.resume();
    monitor.check(status);

    Rcpp::List result_stats = rbmo::list_of(stats);
    result_stats["metric"] = rbmo::setting_of(*config, "metric");
    return Rcpp::List::create(Rcpp::Named("index") = static_cast<double>(found.index) + 1,
                              Rcpp::Named("mean_distance") = found.mean_dist, Rcpp::Named("stats") = result_stats);
}

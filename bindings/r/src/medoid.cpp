#include "monitor.h"
#include "search.h"

// metric: the function of the metric custom, or NULL; the seed draws the reference points.
// [[Rcpp::export(rng = false)]]
Rcpp::List medoid_search(SEXP data, std::string seed, Rcpp::CharacterVector settings,
                         Rcpp::Nullable<Rcpp::NumericVector> weights, SEXP metric, bool progress) {
    const int64_t drawing = rbmo::seed_from(seed);
    const rbmo::Search search(data, settings, weights, metric);
    const rbmo::Monitor monitor(progress);
    bmo_medoid found{};
    found.struct_size = sizeof found;
    found.seed = &drawing;
    bmo_stats stats{};
    stats.struct_size = sizeof stats;
    const bmo_status status = bmo_query_medoid(search.query(), &found, monitor.get(), &stats);
    search.resume();
    monitor.check(status);

    return Rcpp::List::create(Rcpp::Named("index") = static_cast<double>(found.index) + 1,
                              Rcpp::Named("mean_distance") = found.mean_distance,
                              Rcpp::Named("stats") = search.list_of(stats));
}

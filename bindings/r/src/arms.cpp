#include <algorithm>
#include <cmath>
#include <vector>

#include "closure.h"
#include "config.h"
#include "monitor.h"
#include "stats.h"

// The k of n arms of least or largest mean: see rbmo::Arms. A bound that is infinite is none.
// [[Rcpp::export(rng = false)]]
Rcpp::List best_arms(SEXP pull, SEXP exact, double n, double k, double exact_cost, bool maximize, double lower,
                     double upper, Rcpp::CharacterVector settings, bool progress) {
    rbmo::Arms functions(pull, exact);
    bmo_arms arms = functions.c_arms();
    arms.n = static_cast<int64_t>(n);
    arms.exact_cost = static_cast<uint64_t>(exact_cost);
    arms.lower = lower;
    arms.upper = upper;
    if (maximize)
        arms.flags |= BMO_ARMS_MAXIMIZE;
    if (std::isfinite(lower) || std::isfinite(upper))
        arms.flags |= BMO_ARMS_BOUNDED;

    const auto places = static_cast<R_xlen_t>(std::min(k, n)); // more are refused
    std::vector<int64_t> arm(static_cast<std::size_t>(places));
    Rcpp::NumericVector mean(places), halfwidth(places);
    bmo_best best{};
    best.struct_size = sizeof best;
    best.k = static_cast<int64_t>(k);
    best.arm = arm.data();
    best.mean = mean.begin();
    best.halfwidth = halfwidth.begin();

    const rbmo::Config config = rbmo::config_of(settings, R_NilValue);
    const rbmo::Monitor monitor(progress);
    bmo_stats stats{};
    stats.struct_size = sizeof stats;
    const bmo_status status = bmo_best_arms(&arms, config.get(), &best, monitor.get(), &stats);
    functions.resume();
    monitor.check(status);

    Rcpp::NumericVector numbers(places);
    std::transform(arm.begin(), arm.end(), numbers.begin(),
                   [](int64_t from_zero) { return static_cast<double>(from_zero) + 1; });
    return Rcpp::List::create(Rcpp::Named("arm") = numbers, Rcpp::Named("mean") = mean,
                              Rcpp::Named("halfwidth") = halfwidth, Rcpp::Named("stats") = rbmo::list_of(stats));
}

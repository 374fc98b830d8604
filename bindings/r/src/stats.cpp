#include "stats.h"

#include <string>

#include "config.h"

namespace rbmo {
namespace {

const char *guarantee_name(bmo_guarantee guarantee) {
    switch (guarantee) {
    case BMO_GUARANTEE_EXACT: return "exact";
    case BMO_GUARANTEE_PROVEN: return "proven";
    case BMO_GUARANTEE_CONDITIONAL: return "conditional";
    case BMO_GUARANTEE_HEURISTIC: return "heuristic";
    default: return "none";
    }
}

} // namespace

SEXP seed_of(int64_t seed) {
    constexpr int64_t whole = int64_t{1} << 53;
    if (seed >= -whole && seed <= whole)
        return Rcpp::wrap(static_cast<double>(seed));
    return Rcpp::wrap(std::to_string(seed));
}

Rcpp::List list_of(const bmo_stats &stats) {
    const auto number = [](auto value) { return static_cast<double>(value); };
    const Rcpp::List counts = Rcpp::List::create(
        Rcpp::Named("queries") = number(stats.queries), Rcpp::Named("arms") = number(stats.arms),
        Rcpp::Named("rounds") = number(stats.rounds), Rcpp::Named("pulls") = number(stats.pulls),
        Rcpp::Named("exact_evals") = number(stats.exact_evals), Rcpp::Named("coord_ops") = number(stats.coord_ops),
        Rcpp::Named("coord_ops_exact") = number(stats.coord_ops_exact),
        Rcpp::Named("coord_ops_brute") = number(stats.coord_ops_brute),
        Rcpp::Named("projection_ops") = number(stats.projection_ops),
        Rcpp::Named("arms_pruned") = number(stats.arms_pruned),
        Rcpp::Named("neighbors") = number(stats.neighbors));
    Rcpp::List list = Rcpp::List::create(
        Rcpp::Named("guarantee") = guarantee_name(stats.guarantee), Rcpp::Named("assumption") = stats.assumption,
        Rcpp::Named("reason") = stats.reason, Rcpp::Named("method") = choice_name(BMO_PARAM_METHOD, stats.method),
        Rcpp::Named("box") = choice_name(BMO_PARAM_BOX, stats.box),
        Rcpp::Named("bandit") = choice_name(BMO_PARAM_BANDIT, stats.bandit),
        Rcpp::Named("confidence") = choice_name(BMO_PARAM_CONFIDENCE, stats.confidence),
        Rcpp::Named("sampling") = choice_name(BMO_PARAM_SAMPLING, stats.sampling),
        Rcpp::Named("threads") = stats.threads, Rcpp::Named("seed") = seed_of(stats.seed),
        Rcpp::Named("delta") = stats.delta, Rcpp::Named("epsilon") = stats.epsilon,
        Rcpp::Named("seconds") = number(stats.wall_ns) * 1e-9,
        Rcpp::Named("gain") = number(stats.coord_ops_brute) / number(stats.coord_ops));
    const Rcpp::CharacterVector names = counts.names();
    for (R_xlen_t i = 0; i < counts.size(); ++i)
        list[std::string(names[i])] = counts[i];
    return list;
}

} // namespace rbmo

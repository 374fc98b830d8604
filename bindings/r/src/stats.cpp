#include "stats.h"

#include <iterator>
#include <string>
#include <utility>

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
    const auto number = [](auto value) { return Rcpp::wrap(static_cast<double>(value)); };
    const auto choice = [](bmo_param param, int32_t value) { return Rcpp::wrap(choice_name(param, value)); };
    const std::pair<const char *, Rcpp::RObject> fields[] = {
        {"guarantee", Rcpp::wrap(guarantee_name(stats.guarantee))},
        {"assumption", Rcpp::wrap(stats.assumption)},
        {"reason", Rcpp::wrap(stats.reason)},
        {"method", choice(BMO_PARAM_METHOD, stats.method)},
        {"box", choice(BMO_PARAM_BOX, stats.box)},
        {"bandit", choice(BMO_PARAM_BANDIT, stats.bandit)},
        {"confidence", choice(BMO_PARAM_CONFIDENCE, stats.confidence)},
        {"sampling", choice(BMO_PARAM_SAMPLING, stats.sampling)},
        {"threads", Rcpp::wrap(stats.threads)},
        {"seed", seed_of(stats.seed)},
        {"delta", number(stats.delta)},
        {"epsilon", number(stats.epsilon)},
        {"seconds", number(static_cast<double>(stats.wall_ns) * 1e-9)},
        {"gain", number(static_cast<double>(stats.coord_ops_brute) / static_cast<double>(stats.coord_ops))},
        {"queries", number(stats.queries)},
        {"arms", number(stats.arms)},
        {"rounds", number(stats.rounds)},
        {"coord_ops_sampled", number(stats.coord_ops_sampled)},
        {"exact_evals", number(stats.exact_evals)},
        {"coord_ops", number(stats.coord_ops)},
        {"coord_ops_exact", number(stats.coord_ops_exact)},
        {"coord_ops_brute", number(stats.coord_ops_brute)},
        {"projection_ops", number(stats.projection_ops)},
        {"arms_pruned", number(stats.arms_pruned)},
        {"neighbors", number(stats.neighbors)},
    };
    Rcpp::List list(std::size(fields));
    Rcpp::CharacterVector names(std::size(fields));
    for (R_xlen_t i = 0; i < list.size(); ++i) {
        names[i] = fields[i].first;
        list[i] = fields[i].second;
    }
    list.names() = names;
    return list;
}

} // namespace rbmo

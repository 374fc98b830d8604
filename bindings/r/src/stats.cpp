#include "stats.h"

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

Rcpp::List list_of(const bmo_stats &stats, const std::string *metric) {
    constexpr R_xlen_t fields = 25;
    Rcpp::List list(fields + (metric ? 1 : 0));
    Rcpp::CharacterVector names(list.size());
    R_xlen_t filled = 0;
    const auto add = [&](const char *name, SEXP value) {
        list[filled] = value;
        names[filled++] = name;
    };
    const auto number = [&](const char *name, auto value) { add(name, Rf_ScalarReal(static_cast<double>(value))); };
    const auto choice = [&](const char *name, bmo_param param, int32_t value) {
        add(name, Rf_mkString(choice_name(param, value).c_str()));
    };
    add("guarantee", Rf_mkString(guarantee_name(stats.guarantee)));
    add("assumption", Rf_mkString(stats.assumption));
    add("reason", Rf_mkString(stats.reason));
    choice("method", BMO_PARAM_METHOD, stats.method);
    choice("box", BMO_PARAM_BOX, stats.box);
    choice("bandit", BMO_PARAM_BANDIT, stats.bandit);
    choice("confidence", BMO_PARAM_CONFIDENCE, stats.confidence);
    choice("sampling", BMO_PARAM_SAMPLING, stats.sampling);
    add("threads", Rf_ScalarInteger(stats.threads));
    add("seed", seed_of(stats.seed));
    number("delta", stats.delta);
    number("epsilon", stats.epsilon);
    number("seconds", static_cast<double>(stats.wall_ns) * 1e-9);
    number("gain", static_cast<double>(stats.coord_ops_brute) / static_cast<double>(stats.coord_ops));
    number("queries", stats.queries);
    number("arms", stats.arms);
    number("rounds", stats.rounds);
    number("coord_ops_sampled", stats.coord_ops_sampled);
    number("exact_evals", stats.exact_evals);
    number("coord_ops", stats.coord_ops);
    number("coord_ops_exact", stats.coord_ops_exact);
    number("coord_ops_brute", stats.coord_ops_brute);
    number("projection_ops", stats.projection_ops);
    number("arms_pruned", stats.arms_pruned);
    number("neighbors", stats.neighbors);
    if (metric)
        add("metric", Rf_mkString(metric->c_str()));
    list.names() = names;
    return list;
}

} // namespace rbmo

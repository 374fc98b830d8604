#include "stats.h"

#include "config.h"

namespace rbmo {
namespace {

// Values of a list with their names, which R shares between all lists of one kind: a lone query would feel making them anew.
class Fields {
public:
    // names: of the kind, NULL before the first list of it.
    Fields(R_xlen_t count, SEXP &names) : values_(count), names_(names) {
        if (!names_)
            made_ = Rcpp::CharacterVector(count);
    }

    void add(const char *name, SEXP value) {
        values_[filled_] = value;
        if (!names_)
            made_[filled_] = name;
        ++filled_;
    }

    Rcpp::List list() {
        if (!names_) {
            R_PreserveObject(made_);
            MARK_NOT_MUTABLE(made_);
            names_ = made_;
        }
        Rf_setAttrib(values_, R_NamesSymbol, names_);
        return values_;
    }

private:
    Rcpp::List values_;
    Rcpp::CharacterVector made_;
    SEXP &names_;
    R_xlen_t filled_ = 0;
};

} // namespace

SEXP seed_of(int64_t seed) {
    constexpr int64_t whole = int64_t{1} << 53;
    if (seed >= -whole && seed <= whole)
        return Rcpp::wrap(static_cast<double>(seed));
    return Rcpp::wrap(std::to_string(seed));
}

Rcpp::List list_of(const bmo_stats &stats, const std::string *metric) {
    static SEXP names[2] = {};
    Fields fields(metric ? 26 : 25, names[metric ? 1 : 0]);
    const auto number = [&](const char *name, auto value) {
        fields.add(name, Rf_ScalarReal(static_cast<double>(value)));
    };
    const auto text = [&](const char *name, const char *value) { fields.add(name, Rf_mkString(value)); };
    const auto choice = [&](const char *name, bmo_param param, int32_t value) {
        text(name, choice_name(param, value).c_str());
    };
    text("guarantee", bmo_guarantee_name(stats.guarantee));
    text("assumption", stats.assumption);
    text("reason", stats.reason);
    choice("method", BMO_PARAM_METHOD, stats.method);
    choice("box", BMO_PARAM_BOX, stats.box);
    choice("bandit", BMO_PARAM_BANDIT, stats.bandit);
    choice("confidence", BMO_PARAM_CONFIDENCE, stats.confidence);
    choice("sampling", BMO_PARAM_SAMPLING, stats.sampling);
    fields.add("threads", Rf_ScalarInteger(stats.threads));
    fields.add("seed", seed_of(stats.seed));
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
        text("metric", metric->c_str());
    return fields.list();
}

} // namespace rbmo

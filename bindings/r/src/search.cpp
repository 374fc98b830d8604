#include "search.h"

#include "stats.h"

namespace rbmo {
namespace {

std::vector<std::string> texts_of(const Rcpp::CharacterVector &settings) {
    const Rcpp::CharacterVector names = settings.names();
    std::vector<std::string> texts;
    for (R_xlen_t i = 0; i < settings.size(); ++i) {
        texts.emplace_back(CHAR(names[i]));
        texts.emplace_back(CHAR(settings[i]));
    }
    return texts;
}

} // namespace

Search::Search(SEXP data, const Rcpp::CharacterVector &settings, const Weights &weights, SEXP metric, SEXP among)
    : points_(points_of(data)), closure_(metric, "metric") {
    Bound parts{texts_of(settings), {}, Among(among), "", nullptr};
    if (weights.isNotNull())
        parts.weights = Rcpp::as<std::vector<double>>(weights.get());
    const bool own_metric = !Rf_isNull(metric);
    const auto &last = points_.last;
    if (!own_metric && last && last->settings == parts.settings && last->weights == parts.weights &&
        last->among == parts.among) {
        bound_ = last;
        return;
    }
    points_.last.reset(); // before there is memory for another
    bound_ = make(std::move(parts), settings, weights);
    if (!own_metric)
        points_.last = bound_;
}

std::shared_ptr<const Bound> Search::make(Bound parts, const Rcpp::CharacterVector &settings, const Weights &weights) {
    const Config config = config_of(settings, weights);
    if (!Rf_isNull(closure_.function()))
        set_metric(*config, closure_);
    parts.metric = setting_of(*config, "metric");
    parts.query = rbmo::make<Query>(
        [&](bmo_query **out) { return parts.among.create(out, points_.dataset.get(), config.get()); });
    return std::make_shared<const Bound>(std::move(parts));
}

Rcpp::List Search::list_of(const bmo_stats &stats) const {
    return rbmo::list_of(stats, &bound_->metric);
}

} // namespace rbmo

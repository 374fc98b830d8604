// A query on a dataset of R, under a metric that may be a function of R.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "among.h"
#include "closure.h"
#include "config.h"
#include "dataset.h"

namespace rbmo {

// A query, and what it was made of.
struct Bound {
    std::vector<std::string> settings; // names and values by turns
    std::vector<double> weights;
    Among among;
    std::string metric;
    Query query;
};

class Search {
public:
    // metric: the function of the metric custom, or NULL; among: see Among. The query is that of the last search of the data, if
    // that had the same parameters and candidates.
    Search(SEXP data, const Rcpp::CharacterVector &settings, const Weights &weights, SEXP metric,
           SEXP among = R_NilValue);
    Search(const Search &) = delete;
    Search &operator=(const Search &) = delete;

    const bmo_dataset *points() const { return points_.dataset.get(); }
    const bmo_query *query() const { return bound_->query.get(); }

    // Goes on with what stopped the function of the metric.
    void resume() const { closure_.resume(); }

    // What a search did, with names for numbers, and its metric.
    Rcpp::List list_of(const bmo_stats &stats) const;

private:
    std::shared_ptr<const Bound> make(Bound parts, const Rcpp::CharacterVector &settings, const Weights &weights);

    Points &points_;
    Closure closure_;
    std::shared_ptr<const Bound> bound_; // shared, for a callback of R may search the same data anew
};

} // namespace rbmo

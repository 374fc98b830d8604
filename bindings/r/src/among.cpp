#include "among.h"

#include "monitor.h"

namespace rbmo {
namespace {

// Not NULL for a vector of none.
template <class T>
std::vector<T> vector_of(R_xlen_t size) {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(size) + 1);
    return values;
}

std::vector<int64_t> rows_of(const Rcpp::NumericVector &numbers) {
    auto rows = vector_of<int64_t>(numbers.size());
    for (const double number : numbers)
        rows.push_back(static_cast<int64_t>(number) - 1);
    return rows;
}

std::vector<int32_t> labels_of(const Rcpp::IntegerVector &codes) {
    auto labels = vector_of<int32_t>(codes.size());
    labels.assign(codes.begin(), codes.end());
    return labels;
}

} // namespace

Among::Among(SEXP given) {
    if (Rf_isNull(given))
        return;
    const Rcpp::List parts(given);
    if (SEXP rows = parts["rows"]; !Rf_isNull(rows))
        rows_ = rows_of(rows);
    if (SEXP labels = parts["labels"]; !Rf_isNull(labels))
        labels_ = labels_of(labels);
    rule_ = Rcpp::as<int>(parts["rule"]);
}

bmo_status Among::create(bmo_query **out, const bmo_dataset *dataset, const bmo_config *config) const {
    if (*this == Among(R_NilValue))
        return bmo_query_create(out, dataset, config, nullptr);
    bmo_candidates candidates{};
    candidates.struct_size = sizeof candidates;
    candidates.label_rule = rule_;
    if (rows_) {
        candidates.rows = rows_->data();
        candidates.nrows = static_cast<int64_t>(rows_->size());
    }
    if (labels_)
        candidates.labels = labels_->data();
    const Monitor monitor(false);
    const bmo_status status = bmo_query_create_among(out, dataset, config, &candidates, monitor.get());
    monitor.resume(status);
    return status;
}

} // namespace rbmo

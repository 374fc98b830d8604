#include <algorithm>
#include <vector>

#include "config.h"
#include "dataset.h"
#include "monitor.h"
#include "stats.h"

namespace rbmo {
namespace {

// R keeps a matrix by columns, the library by rows.
std::vector<double> by_rows(const Rcpp::NumericMatrix &matrix) {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(matrix.size()));
    for (int i = 0; i < matrix.nrow(); ++i)
        for (int j = 0; j < matrix.ncol(); ++j)
            values.push_back(matrix(i, j));
    return values;
}

Rcpp::NumericMatrix by_columns(const std::vector<double> &values, int rows, int columns) {
    Rcpp::NumericMatrix matrix(rows, columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            matrix(i, j) =
                values[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
    return matrix;
}

} // namespace
} // namespace rbmo

// centers: a matrix with a center a row, which the k centers start from, or NULL: then init is one of BMO_INIT_*.
// [[Rcpp::export(rng = false)]]
Rcpp::List kmeans_run(SEXP data, double k, Rcpp::Nullable<Rcpp::NumericMatrix> centers, int init, int starts,
                      double max_iter, double tol, Rcpp::CharacterVector settings, bool progress) {
    const bmo_dataset *points = rbmo::dataset_of(data);
    const bmo_dataset_info info = rbmo::describe(points);
    const int64_t rows = k <= static_cast<double>(info.n) ? static_cast<int64_t>(k) : 0; // another k is refused
    std::vector<double> values(static_cast<std::size_t>(rows * info.d));
    if (centers.isNotNull())
        values = rbmo::by_rows(Rcpp::NumericMatrix(centers));
    Rcpp::IntegerVector cluster(static_cast<R_xlen_t>(info.n));
    double inertia = 0;
    int64_t iterations = 0;
    bmo_kmeans run{};
    run.struct_size = sizeof run;
    run.init = centers.isNotNull() ? BMO_INIT_GIVEN : init;
    run.n_init = starts;
    run.k = static_cast<int64_t>(k);
    run.max_iter = static_cast<int64_t>(max_iter);
    run.tol = tol;
    run.centers = values.data();
    run.centers_capacity = static_cast<int64_t>(values.size());
    run.labels = cluster.begin();
    run.inertia = &inertia;
    run.iterations = &iterations;

    const rbmo::Config config = rbmo::config_of(settings, R_NilValue);
    const rbmo::Query bound =
        rbmo::make<rbmo::Query>([&](bmo_query **out) { return bmo_query_create(out, points, config.get(), nullptr); });
    const rbmo::Monitor monitor(progress);
    bmo_stats stats{};
    stats.struct_size = sizeof stats;
    monitor.check(bmo_query_kmeans(bound.get(), &run, monitor.get(), &stats));

    std::transform(cluster.begin(), cluster.end(), cluster.begin(), [](int label) { return label + 1; });
    Rcpp::List result_stats = rbmo::list_of(stats);
    result_stats["metric"] = rbmo::setting_of(*config, "metric");
    return Rcpp::List::create(
        Rcpp::Named("cluster") = cluster,
        Rcpp::Named("centers") = rbmo::by_columns(values, static_cast<int>(rows), static_cast<int>(info.d)),
        Rcpp::Named("tot.withinss") = inertia, Rcpp::Named("iter") = static_cast<double>(iterations),
        Rcpp::Named("stats") = result_stats);
}

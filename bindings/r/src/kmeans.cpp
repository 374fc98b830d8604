#include <algorithm>
#include <vector>

#include "monitor.h"
#include "search.h"

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

// How far points are from their centers, and from the mean of all, in squares.
struct Spread {
    Rcpp::NumericVector within, size; // of each cluster
    double total = 0;
};

// Of points: the rows x d centers that they belong to, labels from 0.
class SpreadSum {
public:
    SpreadSum(const std::vector<double> &centers, int64_t rows, int64_t d)
        : centers_(centers), d_(static_cast<std::size_t>(d)), within_(static_cast<std::size_t>(rows)),
          size_(within_.size()), beyond_(centers.size()) {}

    void add(const double *point, int label) {
        const std::size_t cluster = static_cast<std::size_t>(label), first = cluster * d_;
        double square = 0;
        for (std::size_t j = 0; j < d_; ++j) {
            const double difference = point[j] - centers_[first + j];
            square += difference * difference;
            beyond_[first + j] += difference;
        }
        within_[cluster] += square;
        ++size_[cluster];
    }

    // About any point m, the squares of a cluster of n points around c are W + 2 S(c - m) + n (c - m)^2, where W are those about
    // c, and S is the sum of the points less c: small, for c is near their mean.
    Spread sum() const {
        Spread spread{Rcpp::wrap(within_), Rcpp::wrap(size_), 0};
        for (std::size_t j = 0; j < d_; ++j)
            spread.total += between(j);
        for (const double square : within_)
            spread.total += square;
        return spread;
    }

private:
    double between(std::size_t j) const {
        double mean = 0, points = 0, sum = 0;
        for (std::size_t c = 0; c < size_.size(); ++c) {
            mean += size_[c] * centers_[c * d_ + j] + beyond_[c * d_ + j];
            points += size_[c];
        }
        mean /= points;
        for (std::size_t c = 0; c < size_.size(); ++c) {
            const double apart = centers_[c * d_ + j] - mean;
            sum += 2 * beyond_[c * d_ + j] * apart + size_[c] * apart * apart;
        }
        return sum;
    }

    const std::vector<double> &centers_;
    std::size_t d_;
    std::vector<double> within_, size_, beyond_;
};

Spread spread_of(const bmo_dataset *points, const Rcpp::IntegerVector &labels, const std::vector<double> &centers,
                 int64_t rows, int64_t d) {
    SpreadSum sum(centers, rows, d);
    std::vector<double> point(static_cast<std::size_t>(d));
    for (R_xlen_t i = 0; i < labels.size(); ++i) {
        const int64_t row = i;
        check(bmo_dataset_copy_rows(points, &row, 1, point.data()));
        sum.add(point.data(), labels[i]);
        if (i % 1024 == 0)
            Rcpp::checkUserInterrupt();
    }
    return sum.sum();
}

} // namespace
} // namespace rbmo

// centers: a matrix with a center a row, which the k centers start from, or NULL: then init is one of BMO_INIT_*, and the seed
// draws.
// [[Rcpp::export(rng = false)]]
Rcpp::List kmeans_run(SEXP data, double k, Rcpp::Nullable<Rcpp::NumericMatrix> centers, int init, int starts,
                      double max_iter, double tol, std::string seed, Rcpp::CharacterVector settings, bool progress) {
    const int64_t drawing = rbmo::seed_from(seed);
    const rbmo::Search search(data, settings, R_NilValue, R_NilValue);
    const bmo_dataset_info info = rbmo::describe(search.points());
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
    run.seed = &drawing;

    const rbmo::Monitor monitor(progress);
    bmo_stats stats{};
    stats.struct_size = sizeof stats;
    monitor.check(bmo_query_kmeans(search.query(), &run, monitor.get(), &stats));

    const rbmo::Spread spread = rbmo::spread_of(search.points(), cluster, values, rows, info.d);
    std::transform(cluster.begin(), cluster.end(), cluster.begin(), [](int label) { return label + 1; });
    return Rcpp::List::create(
        Rcpp::Named("cluster") = cluster,
        Rcpp::Named("centers") = rbmo::by_columns(values, static_cast<int>(rows), static_cast<int>(info.d)),
        Rcpp::Named("totss") = spread.total, Rcpp::Named("withinss") = spread.within,
        Rcpp::Named("tot.withinss") = inertia, Rcpp::Named("size") = Rcpp::as<Rcpp::IntegerVector>(spread.size),
        Rcpp::Named("iter") = static_cast<double>(iterations), Rcpp::Named("stats") = search.list_of(stats));
}

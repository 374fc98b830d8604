// Points as the projected box takes them: vectors whose squared distances tell the metric.
//   l2, sqeuclidean       as they are
//   cosine         u = x / |x|, and the zero vector as it is: |u - v|^2 = 2 (1 - cos), or less if one of them is zero
//   inner product  (x / M, sqrt(1 - |x|^2 / M^2)), M the largest |x|, and (q / |q|, 0) for a query: the squared distance is
//                  2 - 2 <q, x> / (|q| M)
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/norms.hpp"
#include "data/dense.hpp"

namespace bmo {

class ProjectedPoints {
public:
    // norms: of the points, for cosine and inner product; else not read. Both outlive this.
    ProjectedPoints(const DenseView &points, std::int64_t metric, const Norms *norms);

    static std::int64_t dimensions(std::int64_t d, std::int64_t metric);

    std::int64_t n() const { return points_.n; }
    std::int64_t d() const { return d_; }
    double max_abs(double of_points) const { return norms_ ? 1 : of_points; }

    struct Buffer {
        std::vector<double> values;
        ScaledVector vector;
    };
    void load(std::int64_t row, double *out, ScaledVector &vector) const;
    // `count` rows from `first` on, which are rows [0, count) of the view if the points are not as they are, else [first, ...).
    struct Rows {
        DenseView view;
        std::int64_t first;
    };
    Rows rows(std::int64_t first, std::int64_t count, Buffer &buffer) const;

    // A query, of this metric, as such a vector of `dimensions` values.
    static void load_query(const ScaledVector &query, std::vector<double> &out);

private:
    DenseView points_;
    std::int64_t metric_, d_;
    const Norms *norms_; // null: as they are
    Norm largest_;
};

} // namespace bmo

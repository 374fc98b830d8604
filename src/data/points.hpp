// Points in memory, dense or sparse.
#pragma once

#include <cstdint>

#include "data/dense.hpp"
#include "data/sparse.hpp"

namespace bmo {

enum class Kind { dense = 1, sparse = 2 };

struct PointsView {
    Kind kind = Kind::dense;
    DenseView dense;
    SparseView sparse;

    PointsView() = default;
    PointsView(const DenseView &points) : dense(points) {}
    PointsView(const SparseView &points) : kind(Kind::sparse), sparse(points) {}

    std::int64_t n() const { return kind == Kind::dense ? dense.n : sparse.n; }
    std::int64_t d() const { return kind == Kind::dense ? dense.d : sparse.d; }
    bmo_dtype dtype() const { return kind == Kind::dense ? dense.dtype : sparse.dtype; }
};

// All d coordinates of one point as double.
void load_point(const PointsView &points, std::int64_t row, double *out);

} // namespace bmo

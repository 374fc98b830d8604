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

// Calls visit(coordinate, value) for the coordinates of a point that are not 0, ascending.
template <class Visit>
void for_entries(const PointsView &points, std::int64_t row, Visit visit) {
    if (points.kind == Kind::sparse) {
        const SparseView &sparse = points.sparse;
        for (std::int64_t k = sparse.first(row); k < sparse.first(row + 1); ++k)
            visit(std::int64_t{sparse.indices[k]}, sparse.value(k));
        return;
    }
    const DenseView &dense = points.dense;
    visit_dtype(dense.dtype, [&]<class T>(const T *) {
        const T *values = dense.point<T>(row);
        for (std::int64_t j = 0; j < dense.d; ++j)
            if (values[j * dense.coord_stride] != 0)
                visit(j, static_cast<double>(values[j * dense.coord_stride]));
    });
}

} // namespace bmo

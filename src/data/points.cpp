#include "data/points.hpp"

#include <algorithm>

namespace bmo {

void load_point(const PointsView &points, std::int64_t row, double *out) {
    if (points.kind == Kind::dense)
        return load_point(points.dense, row, out);
    const SparseView &sparse = points.sparse;
    std::fill_n(out, sparse.d, 0.0);
    for (std::int64_t k = sparse.first(row); k < sparse.first(row + 1); ++k)
        out[sparse.indices[k]] = sparse.value(k);
}

} // namespace bmo

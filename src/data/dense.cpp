#include "data/dense.hpp"

namespace bmo {

void load_point(const DenseView &points, std::int64_t row, double *out) {
    visit_dtype(points.dtype, [&]<class T>(const T *) {
        const T *values = points.point<T>(row);
        const std::int64_t d = points.d, stride = points.coord_stride;
        if (stride == 1 || d == 1)
            for (std::int64_t j = 0; j < d; ++j)
                out[j] = static_cast<double>(values[j]);
        else
            for (std::int64_t j = 0; j < d; ++j)
                out[j] = static_cast<double>(values[j * stride]);
    });
}

} // namespace bmo

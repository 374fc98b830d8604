#include "data/dense.hpp"

#include <bit>

#include "simd/kernels.hpp"

namespace bmo {

void copy_block(const DenseView &points, std::int64_t first, std::int64_t count, std::int64_t from, std::int64_t width,
                void *to, std::int64_t row) {
    visit_dtype(points.dtype, [&]<class T>(const T *) {
        const T *source = points.point<T>(first) + from * points.coord_stride;
        if (points.point_stride == 1) {
            const TransposeKernel transpose = kernels().transpose[std::bit_width(sizeof(T)) - 1];
            return transpose(source, points.coord_stride, count, width, to, row);
        }
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t j = 0; j < width; ++j)
                static_cast<T *>(to)[i * row + j] = source[i * points.point_stride + j * points.coord_stride];
    });
}

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

#include "data/dense.hpp"

#include <algorithm>
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
        constexpr std::int64_t kLine = 64 / sizeof(T); // coordinates that are read of one point after another
        for (std::int64_t left = 0; left < width; left += kLine)
            for (std::int64_t i = 0; i < count; ++i)
                for (std::int64_t j = left; j < std::min(left + kLine, width); ++j)
                    static_cast<T *>(to)[i * row + j] = source[i * points.point_stride + j * points.coord_stride];
    });
}

void copy_points(const DenseView &points, std::span<const std::int64_t> rows, void *to, Watch &watch) {
    constexpr std::int64_t kValuesAPoll = 1 << 18;
    std::int64_t copied = 0;
    visit_dtype(points.dtype, [&]<class T>(const T *) {
        // So many coordinates of all rows at once: of columns, for as many streams of memory.
        const std::int64_t step = points.coord_stride == 1 ? points.d : static_cast<std::int64_t>(64 / sizeof(T));
        for (std::int64_t left = 0; left < points.d; left += step) {
            T *row = static_cast<T *>(to) + left;
            const std::int64_t width = std::min(step, points.d - left);
            for (const std::int64_t i : rows) {
                const T *from = points.point<T>(i) + left * points.coord_stride;
                for (std::int64_t j = 0; j < width; ++j)
                    row[j] = from[j * points.coord_stride];
                row += points.d;
                copied += width;
                if (copied >= kValuesAPoll)
                    watch.poll();
                copied %= kValuesAPoll;
            }
        }
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

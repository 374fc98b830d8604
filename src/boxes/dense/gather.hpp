// Copies of chosen coordinates into the rows of 16 that pulls read.
#pragma once

#include <algorithm>
#include <cstdint>

#include "data/dense.hpp"
#include "simd/kernels.hpp"

namespace bmo {

// Row i of out: the coordinates coords[0..width) of point arms[i], then zeros up to 16.
template <class T>
void gather_rows(const DenseView &points, const std::int32_t *coords, int width, const std::int32_t *arms,
                 std::int64_t count, T *out) {
    if (width < kBatch)
        std::fill_n(out, count * kBatch, T{});
    const auto one = [&](std::int64_t i, int j) {
        out[i * kBatch + j] = points.point<T>(arms[i])[std::int64_t{coords[j]} * points.coord_stride];
    };
    if (points.coord_stride > points.point_stride) { // column-major: a coordinate of all points is together
        for (int j = 0; j < width; ++j)
            for (std::int64_t i = 0; i < count; ++i)
                one(i, j);
    } else {
        for (std::int64_t i = 0; i < count; ++i)
            for (int j = 0; j < width; ++j)
                one(i, j);
    }
}

} // namespace bmo

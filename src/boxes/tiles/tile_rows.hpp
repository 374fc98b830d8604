// Rows of points as the tile kernels read them: a chunk of coordinates at a time, padded so that rows do not fall on the
// same lines of a cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "data/dense.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

inline constexpr std::int64_t kChunkBytes = 6144; // five rows stay in the nearest cache

// The division of d coordinates into chunks, for elements of a size.
class TileChunks {
public:
    TileChunks(std::int64_t d, std::size_t element)
        : d_(d), chunk_(std::min(round_up(d), kChunkBytes / static_cast<std::int64_t>(element))),
          row_(chunk_ + kTileStep / static_cast<std::int64_t>(element)) {}

    std::int64_t count() const { return (d_ + chunk_ - 1) / chunk_; }
    std::int64_t first(std::int64_t chunk) const { return chunk * chunk_; }
    std::int64_t values(std::int64_t chunk) const { return std::min(chunk_, d_ - first(chunk)); }
    std::int64_t width(std::int64_t chunk) const { return round_up(values(chunk)); } // with zeros behind the values
    std::int64_t row() const { return row_; } // elements from one row to the next

private:
    static std::int64_t round_up(std::int64_t values) { return (values + kTileStep - 1) / kTileStep * kTileStep; }

    std::int64_t d_, chunk_, row_;
};

// Visits the rows [first, first + count) as contiguous values of the coordinates [from, from + width):
// visit(i, values), i from 0. copy: memory for the values of data that are not contiguous.
template <class T, class Visit>
void visit_rows(const DenseView &points, std::int64_t first, std::int64_t count, std::int64_t from, std::int64_t width,
                AlignedVector<std::byte> &copy, Visit visit) {
    if (points.coord_stride == 1) {
        for (std::int64_t i = 0; i < count; ++i)
            visit(i, points.point<T>(first + i) + from);
        return;
    }
    const std::int64_t row = width + static_cast<std::int64_t>(64 / sizeof(T)); // rows fall on other lines of a cache
    copy.resize(std::max(copy.size(), static_cast<std::size_t>(count * row) * sizeof(T)));
    T *values = reinterpret_cast<T *>(copy.data());
    copy_block(points, first, count, from, width, values, row);
    for (std::int64_t i = 0; i < count; ++i)
        visit(i, values + i * row);
}

} // namespace bmo

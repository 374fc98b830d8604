#include "boxes/dense/point_reader.hpp"

#include <algorithm>
#include <utility>

namespace bmo {

void ReadRows::read(const DenseView &points, std::vector<std::int32_t> arms) {
    arms_ = std::move(arms);
    row_ = static_cast<std::size_t>(points.d) * dtype_size(points.dtype);
    rows_.resize(std::max(rows_.size(), arms_.size() * row_));
    visit_stored(points.dtype, [&]<class T>(const T *) {
        constexpr std::int64_t kLine = 64 / sizeof(T); // so many columns at once, for as many streams of memory
        for (std::int64_t left = 0; left < points.d; left += kLine) {
            T *to = reinterpret_cast<T *>(rows_.data()) + left;
            const std::int64_t width = std::min(kLine, points.d - left);
            for (const std::int32_t arm : arms_) {
                const T *from = points.point<T>(arm) + left * points.coord_stride;
                for (std::int64_t j = 0; j < width; ++j)
                    to[j] = from[j * points.coord_stride];
                to += points.d;
            }
        }
    });
}

const void *ReadRows::find(std::int32_t arm) const {
    const auto at = std::ranges::lower_bound(arms_, arm);
    if (at == arms_.end() || *at != arm)
        return nullptr;
    return rows_.data() + static_cast<std::size_t>(at - arms_.begin()) * row_;
}

const void *PointReader::point(std::int32_t arm) {
    return visit_stored(points_.dtype, [&]<class T>(const T *) -> const void * {
        const T *from = points_.point<T>(arm);
        if (points_.coord_stride == 1 || points_.d == 1)
            return from;
        if (const void *row = rows_ ? rows_->find(arm) : nullptr)
            return row;
        room_.resize(static_cast<std::size_t>(points_.d) * sizeof(T));
        T *to = reinterpret_cast<T *>(room_.data());
        for (std::int64_t j = 0; j < points_.d; ++j)
            to[j] = from[j * points_.coord_stride];
        return to;
    });
}

} // namespace bmo

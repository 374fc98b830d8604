#include "boxes/dense/point_reader.hpp"

#include <algorithm>
#include <utility>

namespace bmo {

void ReadRows::read(const DenseView &points, std::vector<std::int64_t> arms, Watch &watch) {
    arms_.clear(); // if the watch stops it, there are none
    row_ = static_cast<std::size_t>(points.d) * dtype_size(points.dtype);
    rows_.resize(std::max(rows_.size(), arms.size() * row_));
    copy_points(points, arms, rows_.data(), watch);
    arms_ = std::move(arms);
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

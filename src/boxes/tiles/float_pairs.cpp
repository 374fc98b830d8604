#include "boxes/tiles/float_pairs.hpp"

#include <cmath>

#include "boxes/metric.hpp"

namespace bmo {
AlignedVector<double> middle_of(const DenseView &points) {
    const auto d = static_cast<std::size_t>(points.d);
    AlignedVector<double> three[3];
    const std::int64_t rows[3] = {0, points.n / 2, points.n - 1};
    for (std::size_t i = 0; i < 3; ++i) {
        three[i].resize(d);
        load_point(points, rows[i], three[i].data());
    }
    for (std::size_t j = 0; j < d; ++j) {
        const double least = std::min(three[0][j], three[1][j]), most = std::max(three[0][j], three[1][j]);
        three[0][j] = std::clamp(three[2][j], least, most);
    }
    return std::move(three[0]);
}

FloatPairs::FloatPairs(const Dataset &data)
    : data_(data), chunks_(data.d(), sizeof(float)),
      margin_(3 * (static_cast<double>(chunks_.width(0)) / 4 + 8) * 0x1p-24 + 0x1p-19),
      lost_(static_cast<double>(data.d()) * 0x1p-110) {}

std::size_t FloatPairs::query_bytes(std::int64_t d) {
    const TileChunks chunks(d, sizeof(float));
    return static_cast<std::size_t>(chunks.count() * chunks.row()) * sizeof(float);
}

void FloatPairs::take_queries(const Queries &queries, std::int64_t first, std::int64_t count) {
    if (middle_.empty())
        middle_ = middle_of(data_.dense);
    queries_ = count;
    scale_ = normalizing_scale(std::max(queries.max_abs, data_.max_abs)) / 4;
    query_rows_.assign(static_cast<std::size_t>(count) * query_bytes(data_.d()) / sizeof(float), 0);
    query_norms_.assign(static_cast<std::size_t>(count), 0);
    const CenterKernel center = kernels().center[static_cast<std::size_t>(ValueType::f64)][1];
    std::vector<double> query(static_cast<std::size_t>(data_.d()));
    for (std::int64_t i = 0; i < count; ++i) {
        load_point(queries.points, queries.row(first + i), query.data());
        for (std::int64_t chunk = 0; chunk < chunks_.count(); ++chunk)
            query_norms_[static_cast<std::size_t>(i)] +=
                center(query.data() + chunks_.first(chunk), middle_.data() + chunks_.first(chunk), scale_,
                       chunks_.values(chunk), query_rows_.data() + (chunk * count + i) * chunks_.row());
    }
}

void FloatPairs::start(std::int64_t points) {
    point_norms_.assign(static_cast<std::size_t>(points), 0);
    point_rows_.resize(std::max(point_rows_.size(), static_cast<std::size_t>(points * chunks_.row())));
}

void FloatPairs::take_points(std::int64_t first, std::int64_t count, std::int64_t chunk) {
    const std::int64_t values = chunks_.values(chunk), width = chunks_.width(chunk);
    const double *middle = middle_.data() + chunks_.first(chunk);
    visit_stored(data_.dense.dtype, [&]<class T>(const T *) {
        const ValueType source = value_type_of(data_.dense.dtype);
        const CenterKernel center = kernels().center[static_cast<std::size_t>(source)][1];
        visit_rows<T>(data_.dense, first, count, chunks_.first(chunk), values, copy_,
                      [&](std::int64_t i, const T *from) {
                          float *to = point_rows_.data() + i * chunks_.row();
                          point_norms_[static_cast<std::size_t>(i)] += center(from, middle, scale_, values, to);
                          std::fill(to + values, to + width, 0.0F);
                      });
    });
}

void FloatPairs::add(std::int64_t points, std::int64_t chunk, Sum *sums) const {
    const Tile tile{points, queries_, chunks_.row(), chunks_.width(chunk), queries_};
    kernels().tile_differences(point_rows_.data(), query_rows_.data() + chunk * queries_ * chunks_.row(), tile, sums);
}

} // namespace bmo

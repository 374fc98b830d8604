#include "boxes/tiles/byte_pairs.hpp"

#include "data/check.hpp"

namespace bmo {

bool are_bytes(const Queries &queries, std::int64_t first, std::int64_t count) {
    const PointsView &points = queries.points;
    if (points.kind == Kind::dense && points.dense.dtype == BMO_U8)
        return true;
    std::vector<double> query(static_cast<std::size_t>(points.d()));
    for (std::int64_t i = first; i < first + count; ++i) {
        load_point(points, queries.row(i), query.data());
        if (!std::all_of(query.begin(), query.end(), is_byte<double>))
            return false;
    }
    return true;
}

BytePairs::BytePairs(const Dataset &data, bool square) : data_(data), square_(square), chunks_(data.d(), 1) {}

std::size_t BytePairs::query_bytes(std::int64_t d) {
    const TileChunks chunks(d, 1);
    return static_cast<std::size_t>(chunks.count() * chunks.row());
}

void BytePairs::take_queries(const Queries &queries, std::int64_t first, std::int64_t count) {
    constexpr std::uint8_t kSigned = 128;
    queries_ = count;
    query_rows_.assign(static_cast<std::size_t>(count) * query_bytes(data_.d()), 0);
    query_norms_.assign(static_cast<std::size_t>(count), 0);
    std::vector<double> query(static_cast<std::size_t>(data_.d()));
    for (std::int64_t i = 0; i < count; ++i) {
        load_point(queries.points, queries.row(first + i), query.data());
        for (std::int64_t chunk = 0; chunk < chunks_.count(); ++chunk) {
            std::uint8_t *to = query_rows_.data() + (chunk * count + i) * chunks_.row();
            for (std::int64_t j = 0; j < chunks_.values(chunk); ++j) {
                const auto value = static_cast<std::uint8_t>(query[static_cast<std::size_t>(chunks_.first(chunk) + j)]);
                query_norms_[static_cast<std::size_t>(i)] += std::int64_t{value} * value;
                to[j] = square_ ? value ^ kSigned : value;
            }
        }
    }
}

void BytePairs::start(std::int64_t points) {
    point_norms_.assign(static_cast<std::size_t>(points), 0);
    point_rows_.resize(std::max(point_rows_.size(), static_cast<std::size_t>(points * chunks_.row())));
}

void BytePairs::take_points(std::int64_t first, std::int64_t count, std::int64_t chunk) {
    static constexpr std::uint8_t kNothing[kChunkBytes] = {};
    const ExactBytesKernel squares = kernels().exact_bytes_for(Rho::square);
    const ExactBytesKernel values_of = kernels().exact_bytes_for(Rho::absolute);
    const std::int64_t values = chunks_.values(chunk), width = chunks_.width(chunk);
    visit_rows<std::uint8_t>(data_.dense, first, count, chunks_.first(chunk), values, copy_,
                             [&](std::int64_t i, const std::uint8_t *from) {
                                 std::uint8_t *to = point_rows_.data() + i * chunks_.row();
                                 std::copy_n(from, values, to);
                                 std::fill(to + values, to + width, std::uint8_t{0});
                                 if (square_)
                                     point_norms_[static_cast<std::size_t>(i)] +=
                                         squares(to, kNothing, width) - 256 * values_of(to, kNothing, width);
                             });
}

void BytePairs::add(std::int64_t points, std::int64_t chunk, Sum *sums) const {
    const Tile tile{points, queries_, chunks_.row(), chunks_.width(chunk), queries_};
    kernels().tile_bytes[square_ ? 0 : 1](point_rows_.data(), query_rows_.data() + chunk * queries_ * chunks_.row(),
                                          tile, sums);
}

} // namespace bmo

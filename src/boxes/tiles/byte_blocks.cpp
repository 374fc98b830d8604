#include "boxes/tiles/byte_blocks.hpp"

#include <cstring>

namespace bmo {

void ByteBlocks::take_queries(std::int64_t count, const LoadQuery &load) {
    const std::int64_t d = points_.d, chunks = (d + kBlockColumns - 1) / kBlockColumns;
    queries_ = count;
    values_.assign(static_cast<std::size_t>(chunks * count * kBlockColumns * value_), 0);
    norms_.assign(static_cast<std::size_t>(count), 0);
    std::vector<double> query(static_cast<std::size_t>(d));
    for (std::int64_t q = 0; q < count; ++q) {
        load(q, query);
        for (std::int64_t j = 0; j < d; ++j) {
            const auto value = static_cast<std::int16_t>(query[static_cast<std::size_t>(j)]);
            const std::int64_t at = (j / kBlockColumns * count + q) * kBlockColumns + j % kBlockColumns;
            std::uint8_t *to = values_.data() + at * value_;
            if (square_)
                std::memcpy(to, &value, sizeof value);
            else
                *to = static_cast<std::uint8_t>(value);
            norms_[static_cast<std::size_t>(q)] += square_ ? value * value : 0;
        }
    }
    panels_.resize(kBlockPanels);
    chunk_sums_.resize(static_cast<std::size_t>(count * kStride));
    sums_.resize(chunk_sums_.size());
}

void ByteBlocks::add_chunk(std::int64_t first, std::int64_t from, std::int64_t to, Watch &watch) {
    static_assert(kTileChunk % kBlockColumns == 0);
    const std::int64_t d = points_.d, stride = points_.coord_stride;
    std::ranges::fill(chunk_sums_, 0);
    for (std::int64_t j = from; j < to; j += kBlockColumns) {
        watch.poll();
        const std::int64_t width = std::min<std::int64_t>(kBlockColumns, d - j);
        const std::uint8_t *columns = points_.point<std::uint8_t>(first) + j * stride;
        kernels().add_byte_block[square_ ? 0 : 1](
            {columns, stride, count_, width, d - j - width, queries_, kStride, panels_.data()},
            values_.data() + j * queries_ * value_, chunk_sums_.data());
    }
}

void ByteBlocks::add_up(std::int64_t first, Watch &watch) {
    count_ = std::min(block_points(), points_.n - first);
    for (std::int64_t q = 0; q < queries_; ++q)
        std::fill_n(sums_.begin() + q * kStride, kStride, norms_[static_cast<std::size_t>(q)]);
    for (std::int64_t from = 0; from < points_.d; from += kTileChunk) {
        add_chunk(first, from, std::min(points_.d, from + kTileChunk), watch);
        std::ranges::transform(sums_, chunk_sums_, sums_.begin(), std::plus<>());
    }
}

} // namespace bmo

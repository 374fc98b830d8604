// The exact sums of all points with some queries, where both are bytes and points lie in columns: a block of points after another.
//
// Squares: |x - q|^2 = |x|^2 - 2 x q + |q|^2, of which the kernel adds up the first two.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/dense.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

// For one thread.
class ByteBlocks {
public:
    // point_stride is 1.
    ByteBlocks(const DenseView &points, bool square)
        : points_(points), square_(square), value_(square ? sizeof(std::int16_t) : sizeof(std::uint8_t)) {}

    // Writes the values of a query.
    using LoadQuery = std::function<void(std::int64_t query, std::span<double> values)>;
    void take_queries(std::int64_t count, const LoadQuery &load);

    static constexpr std::int64_t block_points() { return kBlockPoints; }
    // Of so many points, or as many as are left from `first` on.
    void add_up(std::int64_t first, Watch &watch);
    // The sums of a query and these points.
    std::span<const std::int64_t> sums(std::int64_t query) const {
        return {sums_.data() + query * kStride, static_cast<std::size_t>(count_)};
    }

private:
    static constexpr std::int64_t kStride = kBlockPoints + 16; // sums do not fall on the same lines of a cache

    void add_chunk(std::int64_t first, std::int64_t from, std::int64_t to, Watch &watch);

    const DenseView &points_;
    bool square_;
    std::int64_t value_; // bytes of a query's value
    std::int64_t queries_ = 0;
    std::int64_t count_ = 0;             // points that were added up
    AlignedVector<std::uint8_t> values_; // kBlockColumns columns after others, of each all queries
    std::vector<std::int64_t> norms_;    // of the queries, under squares
    AlignedVector<std::uint8_t> panels_;
    AlignedVector<std::int32_t> chunk_sums_;
    AlignedVector<std::int64_t> sums_;
};

} // namespace bmo

// Exact sums of many pairs of a point and a query at once, if both are bytes: in integers.
//
// Squares: |x - q|^2 = |x|^2 - 2 x q + |q|^2, and x q = x (q - 128) + 128 sum(x), which is what the kernels multiply.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/tiles/tile_rows.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "util/aligned.hpp"

namespace bmo {

// Are all coordinates of these points bytes?
bool are_bytes(const Queries &queries, std::int64_t first, std::int64_t count);

// Call take_queries(); then for some points at a time start(), take_points() and add() for each chunk, and read the sums.
class BytePairs {
public:
    using Sum = std::int64_t;

    BytePairs(const Dataset &data, bool square);

    static std::size_t query_bytes(std::int64_t d);

    void take_queries(const Queries &queries, std::int64_t first, std::int64_t count);
    std::int64_t chunks() const { return chunks_.count(); }
    void start(std::int64_t points);
    void take_points(std::int64_t first, std::int64_t count, std::int64_t chunk);
    void add(std::int64_t points, std::int64_t chunk, Sum *sums) const;

    double lower(std::int64_t point, std::int64_t query, Sum sum) const {
        const auto p = static_cast<std::size_t>(point), q = static_cast<std::size_t>(query);
        return static_cast<double>(square_ ? point_norms_[p] + query_norms_[q] - 2 * sum : sum);
    }
    double upper(std::int64_t point, std::int64_t query, Sum sum) const { return lower(point, query, sum); }

private:
    const Dataset &data_;
    bool square_;
    TileChunks chunks_;
    std::int64_t queries_ = 0;
    AlignedVector<std::uint8_t> query_rows_, point_rows_;
    std::vector<std::int64_t> query_norms_, point_norms_; // |q|^2; |x|^2 - 256 sum(x)
    AlignedVector<std::byte> copy_;
};

} // namespace bmo

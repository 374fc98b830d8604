// Bounds of the sums of absolute differences of many pairs of a point and a query at once, by float arithmetic with a margin for its errors.
//
// Coordinates are taken from a middle, divided by a power of two so that none is above 1, and rounded to float: x' and q'.
// With A and B the sums of |x'_j| and |q'_j|, as the kernels give them, u = 2^-24 and e = (chunk / 4 + 8) u, each difference is
// within u of its value, their sum within e, of at most A + B; rounding to x' and q' moves it by at most 2 u (A + B).
//
// So a sum is within (3 e + 2^-19) (A + B) of what is computed, and 2^-110 a coordinate for what is lost near zero. (The
// sums over chunks are in double, whose errors the round figures cover.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "boxes/tiles/tile_rows.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "util/aligned.hpp"

namespace bmo {

// The median of three points, coordinate by coordinate: the origin matters only for how large the margin is, and if one
// point is far off, it is not the middle.
AlignedVector<double> middle_of(const DenseView &points);

// To be used as BytePairs. The bounds are of sums in units of their own.
class FloatPairs {
public:
    using Sum = double;

    explicit FloatPairs(const Dataset &data);

    static std::size_t query_bytes(std::int64_t d);

    void take_queries(const Queries &queries, std::int64_t first, std::int64_t count);
    std::int64_t chunks() const { return chunks_.count(); }
    void start(std::int64_t points);
    void take_points(std::int64_t first, std::int64_t count, std::int64_t chunk);
    void add(std::int64_t points, std::int64_t chunk, Sum *sums) const;

    double lower(std::int64_t point, std::int64_t query, Sum sum) const { return value(point, query, sum, -margin_); }
    double upper(std::int64_t point, std::int64_t query, Sum sum) const { return value(point, query, sum, margin_); }

    // A distance as a sum, rounded up.
    double sum_of(double distance) const {
        constexpr double kTiny = 0x1p-1000; // below, distances and sums lose digits
        return std::max(kTiny, distance) * scale_ * (1 + 0x1p-20) + kTiny;
    }

    // A lower bound of a sum as a distance, and an upper one.
    double distance_below(double sum) const { return std::max(0.0, sum) / scale_ * (1 - 0x1p-20); }
    double distance_above(double sum) const {
        constexpr double kTiny = 0x1p-1000;
        return sum / scale_ * (1 + 0x1p-20) + kTiny;
    }

private:
    double value(std::int64_t point, std::int64_t query, Sum sum, double margin) const {
        const double norms =
            point_norms_[static_cast<std::size_t>(point)] + query_norms_[static_cast<std::size_t>(query)];
        return sum + norms * margin + (margin < 0 ? -lost_ : lost_);
    }

    const Dataset &data_;
    TileChunks chunks_;
    double margin_, lost_, scale_ = 1;
    std::int64_t queries_ = 0;
    AlignedVector<double> middle_;
    AlignedVector<float> query_rows_, point_rows_;
    std::vector<double> query_norms_, point_norms_;
    AlignedVector<std::byte> copy_;
};

} // namespace bmo

// The sums of all points with some queries, where points lie in columns: each column is read once, and added to the sums of its
// points.
//
// Of bytes they are exact. Others are within error() of their values, in units of the sum of their terms' absolute values (or, if
// these are not negative, of what is computed), and within lost() beside: a term goes through at most 3 roundings, 2 within its
// group of columns, and one for each group that follows. What is below the least normal number is off by that at most, in each of
// the roundings.
//
// Absolute differences in float: coordinates are taken from a middle, divided by a power of two so that none is above 1, and
// rounded to x' and q'. With A and B the sums of |x'_j| and |q'_j| that moves a sum by at most 2^-24 (A + B), and twice that covers
// the errors of A and B as the kernel gives them: blur(), if d <= kMostInFloat, for which the errors of sums are below 2^-5.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "data/dense.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

// For one thread.
class ColumnSums {
public:
    static constexpr std::int64_t kMostInFloat = 1 << 20; // coordinates

    // point_stride is 1.
    ColumnSums(const DenseView &points, ColumnTerm term) : points_(points), term_(term) {}

    double error() const {
        return (static_cast<double>(points_.d) / kColumns + 6) * (numbers_ == Numbers::floats ? 0x1.1p-24 : 0x1.1p-53);
    }
    double lost() const {
        return static_cast<double>(points_.d) * (numbers_ == Numbers::floats ? 0x1p-123 : 0x1p-1019);
    }
    // Beside both, for the sum of a query and point i of those that were added up.
    double blur(std::int64_t query, std::size_t i) const {
        return numbers_ == Numbers::floats ? 0x1p-23 * (norms_[static_cast<std::size_t>(query)] + sums(queries_ - 1)[i])
                                           : 0;
    }

    // Writes the values of a query.
    using LoadQuery = std::function<void(std::int64_t query, std::span<double> values)>;

    // So many queries. They and the points are multiplied by the scale.
    void take_doubles(std::int64_t count, const LoadQuery &load, double scale);
    // Absolute differences in float.
    void take_floats(std::int64_t count, const LoadQuery &load, double scale);
    // Bytes, of points that are bytes.
    void take_bytes(std::int64_t count, const LoadQuery &load);

    // Points that are added up at once.
    std::int64_t block_points() const {
        return queries_ <= kFewQueries ? kMostPoints : queries_ <= kSomeQueries ? kMostPoints / 4 : kMostPoints / 16;
    }
    // Of so many points, or as many as are left from `first` on.
    void add_up(std::int64_t first, Watch &watch);
    // The sums of a query and these points.
    std::span<const double> sums(std::int64_t query) const {
        return {sums_.data() + query * stride(), static_cast<std::size_t>(count_)};
    }

private:
    static constexpr std::int64_t kMostPoints = 2048; // sums stay in cache, and polls are frequent
    static constexpr std::int64_t kFewQueries = 2, kSomeQueries = 256;
    static constexpr std::int64_t kStridePadding = 16; // and do not fall on the same lines of it

    template <class Value, class Change>
    void take(std::int64_t count, const LoadQuery &load, AlignedVector<Value> &to, Change change);
    template <class Value, class Sum>
    void add_chunk(void (*kernel)(const ColumnTile &, const Value *, Sum *), const AlignedVector<Value> &values,
                   std::int64_t first, std::int64_t from, std::int64_t to, AlignedVector<Sum> &sums,
                   Watch &watch) const;
    std::array<const void *, kColumns> columns(std::int64_t first, std::int64_t from) const;
    std::int64_t stride() const { return block_points() + kStridePadding; }

    const DenseView &points_;
    ColumnTerm term_;
    std::int64_t queries_ = 0; // of floats, behind the others one that is the middle, whose sums are A
    std::int64_t count_ = 0;   // points that were added up
    double scale_ = 1;
    enum class Numbers { doubles, floats, bytes } numbers_ = Numbers::doubles;
    AlignedVector<double> values_, sums_; // values: a group of columns after another, of each all queries
    AlignedVector<double> middle_, norms_, query_;
    AlignedVector<float> float_values_, float_sums_;
    AlignedVector<std::int16_t> byte_values_;
    AlignedVector<std::int32_t> byte_sums_;
};

} // namespace bmo

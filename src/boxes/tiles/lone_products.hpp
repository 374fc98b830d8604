// Bounds of the sums of all points with one query, under cosine and inner product, by products in double: a pass over the
// points takes as long as a scan under l2, and what it leaves is computed in twice the precision of double.
//
// With |q|' = 1 the query's length in the units of its values, the kernel's product p of x and q is within
// (d / 16 + 6) 2^-53 |x| |q| of <x, q> (DotKernel, and Cauchy and Schwarz), |x| and |q| are within 2^-52 of themselves, and what is
// too small for double adds less than 2^-150 |x|, as |x| is above 2^-901: so p / (|x| |q|) is within
// (d / 16 + 6) 2^-53 + 2^-49 of the cosine. Two sums that bounds tell apart are so far from each other that their distances
// differ, too: these are rounded to 2^-48 of themselves at most (boxes/far_number.hpp).
//
// Products that are formed elsewhere have an error of their own in place of (d / 16 + 6) 2^-53.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "boxes/angles.hpp"
#include "boxes/metric.hpp"
#include "boxes/norms.hpp"
#include "boxes/tiles/tile_rows.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

// For one thread. Sums are 2 (1 - cos), or -<q, x> / |q|.
class LoneProducts {
public:
    LoneProducts(const Dataset &data, const Angles &angles) : data_(data), angles_(angles) {
        set_product_error((static_cast<double>(data.d()) / 16 + 6) * 0x1p-53);
    }

    // Of products that are formed elsewhere, within `error` of their values in units of |x| |q|.
    void set_product_error(double error) { margin_ = error + 0x1p-49; }

    static bool applies(double largest) { return largest < 1e280; } // sums stay finite

    void take_query(const Queries &queries, std::int64_t query) {
        own_.load(queries.points, queries.row(query));
        query_ = &own_;
    }
    // One that was loaded, and outlives the calls that follow.
    void take_query(const ScaledVector &query) { query_ = &query; }
    bool is_zero() const { return query_->norm.is_zero(); } // all sums are alike
    std::span<const double> query() const { return query_->values; }

    // Calls visit(point, lower, upper) for the points [first, first + count).
    template <class Visit>
    void compare(std::int64_t first, std::int64_t count, Visit visit) {
        visit_stored(data_.dense.dtype, [&]<class T>(const T *) {
            visit_rows<T>(data_.dense, first, count, 0, data_.d(), copy_,
                          [&](std::int64_t i, const T *values) { compare_one(first + i, values, visit); });
        });
    }
    // Of one point, whose values are in this row.
    template <class Visit>
    void compare_one(std::int64_t arm, const void *row, Visit visit) {
        const DotKernel dot = kernels().dot[static_cast<std::size_t>(value_type_of(data_.dense.dtype))];
        bound(arm, dot(row, query_->values.data(), data_.d()), visit);
    }
    // Of one point whose product with the values of query() is known.
    template <class Visit>
    void bound(std::int64_t arm, double product, Visit visit) const {
        angles_.metric == BMO_METRIC_COSINE ? visit_cosine(arm, static_cast<std::size_t>(arm), product, visit)
                                            : visit_product(arm, static_cast<std::size_t>(arm), product, visit);
    }

    // A distance as a sum, rounded up; infinite if that cannot be told.
    double sum_of(double distance) const {
        if (angles_.metric == BMO_METRIC_COSINE)
            return 2 * distance * (1 + 0x1p-36);
        const double sum = std::ldexp(distance / query_->norm.root(), -query_->norm.exponent);
        const bool told = std::abs(distance) >= kLeastTold && std::isfinite(sum);
        return told ? sum + std::abs(sum) * 0x1p-45 : std::numeric_limits<double>::infinity();
    }
    // The same of any distance within which points are wanted: one that is too small to be told counts as the least that can.
    double limit_of(double distance) const { return sum_of(std::abs(distance) < kLeastTold ? kLeastTold : distance); }

private:
    static constexpr double kLeastTold = 0x1p-400;

    template <class Visit>
    void visit_cosine(std::int64_t arm, std::size_t point, double product, Visit &visit) const {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const double inverse = angles_.inverse[point];
        if (inverse == 0) {
            const bool zero = (*angles_.norms)[point].is_zero();
            return visit(arm, zero ? 2 : -kInfinite, zero ? 2 : kInfinite);
        }
        const double sum = 2 - 2 * (product * inverse / query_->norm.root());
        visit(arm, sum - 2 * margin_, sum + 2 * margin_);
    }
    template <class Visit>
    void visit_product(std::int64_t arm, std::size_t point, double product, Visit &visit) const {
        const Norm &norm = (*angles_.norms)[point];
        const double sum = -product / query_->norm.root();
        const double error = margin_ * std::ldexp(norm.root(), norm.exponent) + 0x1p-1040;
        visit(arm, sum - error, sum + error);
    }

    const Dataset &data_;
    const Angles &angles_;
    double margin_ = 0;
    ScaledVector own_;
    const ScaledVector *query_ = nullptr;
    AlignedVector<std::byte> copy_;
};

} // namespace bmo

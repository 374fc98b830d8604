// Where points and queries are brought before many pairs of them are compared at once: coordinates from a middle m of the
// points, in units of a scale s, a power of two.
//
//   l2, sqeuclidean       x' = (x - m) s        q' = (q - m) s        sum |x' - q'|^2
//   cosine         x' = x / |x| - m      q' = q / |q| - m      sum |x' - q'|^2 = 2 (1 - cos)
//   inner product  x' = (x - m) s        q' = q / |q|          sum -<q', x'> = -<q, x> s / |q| + <q', m s>
//
// Sums order points as distances do. The middle matters only for how large rounding errors are beside the sums. x' and q' are
// rounded to float: each is within kRounding of its size, in norm, and within kLost beside (of cosine, if x / |x| is within
// 2^-51 of its value, and m no longer than 2).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "boxes/angles.hpp"
#include "boxes/metric.hpp"
#include "boxes/norms.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "util/aligned.hpp"

namespace bmo {

// What a query is in the frame, beside its row.
struct FramedQuery {
    double squares = 0;   // |q'|^2
    float largest = 0;    // |q'_j|
    double length = 1;    // |q| / s, if the sum is a product
    double offset = 0;    // <q', m s>, if the sum is a product
    double blur = 0;      // at least the error of `offset`
    bool is_zero = false; // of a metric of angles: all sums are alike
};

class Frame {
public:
    static constexpr double kRounding = 0x1p-23;
    static constexpr double kLost = 0x1p-48;

    // angles: of the metrics of angles. All outlive the frame.
    Frame(const Dataset &data, const Metric &metric, const Angles *angles);

    // Whether sums of these points and of queries up to `largest` can be formed.
    static bool applies(const Dataset &data, const Metric &metric, double largest);

    // Whether queries up to `largest` do not leave the range of float in the frame that is fitted to the points alone.
    static bool fits_points(const Dataset &data, double largest) { return largest <= data.max_abs * 0x1p20; }

    // Chooses the scale, which must not change between a query and the points that it is compared with.
    void fit(double largest_query);

    bool of_products() const { return metric_.id == BMO_METRIC_INNER_PRODUCT; }
    bool of_directions() const { return metric_.id == BMO_METRIC_COSINE; }
    const Dataset &data() const { return data_; }

    // The coordinates [from, from + width) of the points [first, first + count), as rows of `row` floats. Adds the squares of
    // each to squares[i], and raises largest[i] to its largest |x'_j|; both have room for them.
    void bring_points(std::int64_t first, std::int64_t count, std::int64_t from, std::int64_t width, std::int64_t row,
                      float *rows, double *squares, float *largest);
    // Whether points lie in columns, which bring_columns() brings to panels.
    bool has_columns() const { return data_.dense.in_columns(); }
    // The same as bring_points(), as panels that begin `panel` floats apart.
    void bring_columns(std::int64_t first, std::int64_t count, std::int64_t from, std::int64_t width,
                       std::int64_t panel, float *panels, double *squares, float *largest);
    // All coordinates of query i.
    FramedQuery bring_query(const Queries &queries, std::int64_t i, float *row);

    // 2, for a cosine of 0, if the point is all 0. NaN if it has a direction. Less than any sum if its values are near the limits
    // of double.
    double known_sum(std::int64_t point) const;

    // An upper bound of a sum, raised so far that a sum above it is a larger distance even when distances are rounded. Of squares
    // every bound is.
    double above_rounding(double upper, const FramedQuery &query) const {
        return of_products() ? upper + (std::abs(upper) + std::abs(query.offset) + query.blur) * 0x1p-45 : upper;
    }

    // A distance as a sum, rounded up; infinite if that cannot be told.
    double sum_of(double distance, const FramedQuery &query) const;
    // The same of any distance within which points are wanted: one that is too small to be told counts as the least that can.
    double limit_of(double distance, const FramedQuery &query) const;

    // The same of what is 2 (1 - cos), or -<q, x> / |q|.
    double sum_of_product(double sum, const FramedQuery &query) const;

    // A lower bound of a sum as a distance, and an upper one, where sums are squares: of a distance as it is computed, too.
    double distance_below(double sum) const;
    double distance_above(double sum) const;

private:
    static constexpr double kLeastTold = 0x1p-400; // of distances and sums

    double rounded_up(double distance, const FramedQuery &query) const;
    double distance_of(double square) const;
    double factor_of(std::int64_t point) const;
    void find_middle();

    const Dataset &data_;
    Metric metric_;
    const Angles *angles_;
    double scale_ = 1;
    AlignedVector<double> middle_, shifted_; // as of the points; times the scale
    AlignedVector<std::byte> copy_;
    ScaledVector query_;
    AlignedVector<double> values_, factors_;
};

} // namespace bmo

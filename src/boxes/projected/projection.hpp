// The products of points with a few leading directions, as the projected box takes them.
//
// Let x be a vector of projected_points.hpp, y = scale (x - middle), V the directions, and V' the nearest orthonormal
// ones: |V - V'| <= skew. The map y -> (V'^T y, y - V' V'^T y) keeps distances. What is stored, of a row or a query, is
// the head a ~ V^T y and the residual r ~ y - V a. Their errors:
//   head       products in float, chunk by chunk: each within (kChunk / 16 + 6) 2^-24 |y|, y rounded to float 2^-24
//              |y|, and what is stored is rounded once more. The norm of the errors of h directions is at most
//              head_error |y| = (sqrt(h) (kChunk / 16 + 6) 2^-24 + 3 2^-24 + 2 skew) |y|.
//   residual   V (a - V'^T y) + (V - V') V'^T y: (head_error + 2 skew) |y|; the products with a in float, of h terms:
//              sqrt(h) (h / 4 + 6) 2^-24 |a|; rounding 2^-24 |y|.
// error() is the sum of both.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/order.hpp"
#include "boxes/projected/directions.hpp"
#include "data/dense.hpp"
#include "data/files/sections.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

// The head is a point's coefficients of all directions, in two stages: the lead, and the rest.
inline constexpr std::int64_t kStages = 2, kLead = kBatch, kHead = 3 * kLead;

// Half a unit in the last place of a float.
inline constexpr double kUnit = 0x1p-24;

// Values are scaled by a power of two.
class Projection {
public:
    static constexpr std::int64_t kChunk = 1024; // coordinates

    explicit Projection(Directions directions, double scale);
    // From a file, of points of d coordinates.
    Projection(std::int64_t d, const Sections &sections);
    std::vector<SectionSource> sections() const;

    std::int64_t d() const { return directions_.d; }
    double scale() const { return scale_; }
    double head_error() const { return head_error_; } // of a head, in units of |y|
    double error() const { return error_; }
    std::uint64_t bytes() const;

    // Of `count` points: heads (count x kHead) and squared norms of y, whose values are scaled by scale() * shrink.
    struct Workspace {
        AlignedVector<float> rows;
        AlignedVector<std::byte> copy;
        std::vector<double> sums;
    };
    void project(const DenseView &points, std::int64_t first, std::int64_t count, double shrink, float *heads,
                 double *squares, Workspace &work) const;

    // V a, of a head, at the coordinates of so many blocks of the order.
    void set_order(const Order &order, std::int64_t blocks);
    void expand(const float *head, std::int64_t first, std::int64_t blocks, float *out) const;

    // The value that y has at a coordinate, before anything is rounded.
    double centered(double value, std::int64_t coord) const {
        return (value - directions_.middle[static_cast<std::size_t>(coord)]) * scale_;
    }
    // The middle, in the order of the coordinates.
    const double *ordered_middle() const { return ordered_middle_.data(); }

private:
    Directions directions_;
    double scale_, head_error_, error_;
    std::int64_t row_;
    AlignedVector<float> chunks_;  // the directions: chunk by chunk, rows of row_
    AlignedVector<float> ordered_; // their values in the order of the coordinates: blocks of kHead x 16
    std::vector<double> ordered_middle_;
};

} // namespace bmo

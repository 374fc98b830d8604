// Points as the projected box reads them: their shares of a few leading directions (the head), in two stages, the lead of 16 and
// the rest of 32; bounds of what is left of their norm behind each stage; and the leading part, in a random order of the
// coordinates, of what is left of them behind the head (the residual). Rest and residual are numbers of 16 bits: two batches
// of an arm are a line of memory.
//
// x is a vector of boxes/projected/projected_points.hpp. Let y = scale (x - middle), V the directions, V' the nearest orthonormal ones:
// |V - V'| <= skew. y -> (V'^T y, y - V' V'^T y) keeps distances. What is stored, of a row or a query, is the head a ~ V^T y and
// the residual r ~ y - V a:
//   head       products in float, chunk by chunk: each within (kChunk / 16 + 6) 2^-24 |y|, y rounded to float 2^-24 |y|,
//              and what is stored is rounded once more; the norm of the errors of h directions is at most
//              head_error |y| = (sqrt(h) (kChunk / 16 + 6) 2^-24 + 3 2^-24 + 2 skew) |y|.
//   residual   V (a - V'^T y) + (V - V') V'^T y: (head_error + 2 skew) |y|; the products with a in float, of h terms:
//              sqrt(h) (h / 4 + 6) 2^-24 |a|; rounding 2^-24 |y|.
// error() is the sum of both: the stored pair is within error() |y| + kTiny sqrt(d) of the image of y, before the rest and the
// residual of a row are rounded to 16 bits, which adds kHalfError of the norm of both + kHalfTiny sqrt(d + 32).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "boxes/metric.hpp"
#include "boxes/norms.hpp"
#include "boxes/order.hpp"
#include "boxes/projected/coefficient_groups.hpp"
#include "boxes/projected/directions.hpp"
#include "boxes/projected/projected_points.hpp"
#include "data/dataset.hpp"
#include "data/files/sections.hpp"
#include "data/settings.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

// The products of points with the directions. Values are scaled by a power of two.
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

// Values up to this, scaled, are compared in float: with 2^31 coordinates no squared difference leaves its range. Those of
// points are.
inline constexpr double kLargestScaled = 0x1p44;

// The scale of a projection of points with values up to max_abs.
inline double projection_scale(double max_abs) {
    return 0x1p20 * normalizing_scale(max_abs);
}

struct ProjectedPrepared : Preparation {
    explicit ProjectedPrepared(Projection of) : projection(std::move(of)) {}

    Projection projection;
    Order order;
    std::int64_t blocks = 0;
    AlignedVector<float> heads;     // n x kHead
    AlignedVector<float> low, high; // kStages x n: of the norm of what is left behind each stage
    AlignedVector<float> leads;     // the leads, and
    AlignedVector<float> base;      // the squares of its norm and of `high` together, both as a GuessKernel reads them
    AlignedVector<Half> rest;       // n x 32
    Memory residual;                // pairs of blocks x n x 32 halves
    std::int64_t residual_bytes = 0;
    CoefficientGroups groups;           // none where points are few, or alike in all directions
    std::shared_ptr<const Norms> norms; // of the points, for cosine and inner product; else null

    const float *head(std::int64_t row) const { return heads.data() + row * kHead; }
    Heads all_heads(std::int64_t n) const {
        const std::int64_t last = (kStages - 1) * n;
        return {n, heads.data(), low.data() + last, high.data() + last};
    }
    // The residual of a point in so many blocks, where its head comes to `expanded`.
    void residual_values(std::int64_t first, std::int64_t blocks_of, const double *point, const float *expanded,
                         double shrink, float *out) const;
    // The rows of a block, where that of the first arm begins.
    const Half *block(std::int64_t b, std::int64_t n) const {
        return static_cast<const Half *>(residual.get()) + place(b, 0, n);
    }
    static std::int64_t place(std::int64_t b, std::int64_t arm, std::int64_t n) {
        return (b / 2 * n + arm) * kRowOf<Half> + b % 2 * kBatch;
    }
    std::vector<SectionSource> sections() const override;
};

// low[s], high[s]: bounds of the norm behind stage s, of a point with this head and square of its norm.
void residual_norms(const float *head, double square, double head_error, float *low, float *high);

// That of a dataset for l2 and sqeuclidean, or null.
std::shared_ptr<const ProjectedPrepared> projected_for_l2(const Dataset &data);

std::shared_ptr<const Preparation> prepare_projected(const Dataset &source, const Settings &settings, int threads,
                                                     Watch &watch);

// From a file. settings: what it was prepared with.
std::shared_ptr<const Preparation> restore_projected(const Dataset &source, const Settings &settings,
                                                     const Sections &sections, Watch &watch);

} // namespace bmo

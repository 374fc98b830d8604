// Points as the projected box reads them:
//   head       their coefficients of a few leading directions, in two stages: the lead of 16, and the rest of 32
//   norms      bounds of the norm of what each stage leaves of a point
//   residual   what the head leaves of a point: the leading part of it, in a random order of the coordinates
// Rest and residual are numbers of 16 bits: two batches of an arm are a line of memory.
//
// Let x be a vector of projected_points.hpp, and y = scale (x - middle). projection.hpp shows that the stored pair of
// head and residual is within error() |y| + kTiny sqrt(d) of the image of y. Rounding the rest and the residual of a
// row to 16 bits adds kHalfError of the norm of both, and kHalfTiny sqrt(d + 32).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "boxes/metric.hpp"
#include "boxes/norms.hpp"
#include "boxes/order.hpp"
#include "boxes/projected/coefficient_groups.hpp"
#include "boxes/projected/projected_points.hpp"
#include "boxes/projected/projection.hpp"
#include "data/dataset.hpp"
#include "data/files/sections.hpp"
#include "data/settings.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

// Values up to this, scaled, are compared in float: with 2^31 coordinates no squared difference leaves its range. Those
// of points are.
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
    CoefficientGroups groups;           // none if points are few, or alike in all directions
    std::shared_ptr<const Norms> norms; // of the points, for cosine and inner product; else null

    const float *head(std::int64_t row) const { return heads.data() + row * kHead; }
    Heads all_heads(std::int64_t n) const {
        const std::int64_t last = (kStages - 1) * n;
        return {n, heads.data(), low.data() + last, high.data() + last};
    }
    // The residual of a point in so many blocks, if its head comes to `expanded`.
    void residual_values(std::int64_t first, std::int64_t blocks_of, const double *point, const float *expanded,
                         double shrink, float *out) const;
    // The rows of a block, where that of the first arm begins.
    const Half *block(std::int64_t b, std::int64_t n) const {
        return static_cast<const Half *>(residual.get()) + place(b, 0, n);
    }
    static std::int64_t place(std::int64_t b, std::int64_t arm, std::int64_t n) {
        return (b / 2 * n + arm) * kRowOf<Half> + b % 2 * kBatch;
    }
    // Pairs of blocks, the last of which may be half of nothing.
    static std::int64_t pairs_of(std::int64_t of_blocks) { return (of_blocks + 1) / 2; }
    std::vector<SectionSource> sections() const override;

    // Makes leads, base and rest from heads and norms.
    void spread_heads(std::int64_t n, Watch &watch);
    // All but the residual.
    std::uint64_t own_bytes() const;
};

// What it is prepared for: l2 stands for its square too.
inline std::int64_t projected_metric(std::int64_t metric) {
    return is_angular(metric) ? metric : std::int64_t{BMO_METRIC_L2};
}

// low[s], high[s]: bounds of the norm behind stage s, of a point with this head and square of its norm.
void residual_norms(const float *head, double square, double head_error, float *low, float *high);

// That of a dataset for l2 and sqeuclidean, or null.
std::shared_ptr<const ProjectedPrepared> projected_for_l2(const Dataset &data);

std::shared_ptr<const Preparation> prepare_projected(const Dataset &source, const Settings &settings, int threads,
                                                     Watch &watch);

// Of some of the points, along the same directions. Null under inner product: there the largest norm of all points is part of each.
std::shared_ptr<const Preparation> subset_projected(const Dataset &whole, std::span<const std::int64_t> rows,
                                                    const Dataset &chosen, Watch &watch);

// From a file. settings: what it was prepared with.
std::shared_ptr<const Preparation> restore_projected(const Dataset &source, const Settings &settings,
                                                     const Sections &sections, Watch &watch);

} // namespace bmo

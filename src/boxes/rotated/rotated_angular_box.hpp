// The rotated Monte Carlo box for cosine and inner product: the normalized points are rotated as they are prepared, and a
// sample is the weighted squared difference at the next rotated coordinate (boxes/angles.hpp, boxes/rotated/rotated_box.hpp).
#pragma once

#include <cstdint>
#include <span>

#include "boxes/box.hpp"
#include "boxes/dense/angular_box.hpp"
#include "boxes/rotated/rotated_prepared.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

// For one thread, as AngularBox, which it asks for exact sums.
class RotatedAngularBox : public ExactBy<RotatedAngularBox, AngularBox> {
public:
    // Of u - v: each of the two is stored within 1.02 * 2^-24, as boxes/rotated/rotated_box.hpp shows of vectors of length 1.
    static constexpr double kError = 1.05 * 0x1p-23;

    RotatedAngularBox(const Dataset &data, const RotatedPrepared &prepared, const Angles &angles);

    void bind(const Queries &queries, std::int64_t query);

    std::int64_t population() const { return prepared_.rotation.padded(); }
    std::int64_t readable() const { return prepared_.blocks * kBatch; }

    double start_sum(std::int32_t arm) const { return exact_.start_sum(arm); }
    std::uint64_t pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z);
    double sample_units(double exact_sum) const { return exact_.sample_units(exact_sum); }

    std::uint64_t projection_ops() const { return project_ops_; }

private:
    const Dataset &data_;
    const RotatedPrepared &prepared_;
    const Angles &angles_;
    PullKernel pull_;
    std::uint64_t project_ops_ = 0;
    AlignedVector<double> turned_;
    AlignedVector<float> query_; // in the order of the samples, as many as are readable
};
static_assert(QueryBox<RotatedAngularBox> && kStarts<RotatedAngularBox>);

} // namespace bmo

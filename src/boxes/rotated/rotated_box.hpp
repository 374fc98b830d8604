// The rotated Monte Carlo box: a sample of an arm is the squared difference at the next coordinate, in a random order,
// of the rotated points (boxes/rotated/rotation.hpp). For l2 and its square.
//
// Validity. Let b_j be the differences of the stored rotated values, j < P. Given the data and the signs, whatever they
// are, the b_j^2 of an arm are P fixed numbers, and reading them in a random order is sampling without replacement: the
// test by betting (bandit/betting.hpp) is valid for "their sum is at most target". If the points were rotated exactly,
// the sum would be D, the squared distance in units of the scale.
//
// Rounding. Let y be the centered query, x the centered point. Of each, what is stored differs from its exact rotation by
// at most kError |.| + kTiny sqrt(P) in norm:
//   - centering: 2^-53 of each value, relatively;
//   - a level of the transform: each sum has a relative error of 2^-53, so the norm of the errors is at most 2^-53 of
//     the norm, and later levels keep it (they are rotations): 2^-53 times 60 levels;
//   - storing as float: 2^-24 of each value, relatively, or 2^-150 below float's normal range.
// Together below 1.01 * 2^-24. So sqrt(sum b_j^2) <= sqrt(D) + kError (|y| + |x|) + 2 kTiny sqrt(P). Under the
// hypothesis D <= tau, |x| <= |y| + sqrt(tau): the bound needs no norm of a point, and points that lie far out take
// nothing from it. With R = sqrt(tau)
//   target = ((1 + kError) R + 2 kError |y| + 2 kTiny sqrt(P))^2.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "boxes/box.hpp"
#include "boxes/dense/dense_box.hpp"
#include "boxes/rotated/rotated_prepared.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

// For one thread, as DenseBox, which it asks for exact sums.
class RotatedBox : public ExactBy<RotatedBox, DenseBox> {
public:
    RotatedBox(const Dataset &data, const RotatedPrepared &prepared, const Metric &metric);

    void bind(const Queries &queries, std::int64_t query);

    std::int64_t population() const { return prepared_.rotation.padded(); }
    std::int64_t readable() const { return prepared_.blocks * kBatch; }

    std::uint64_t pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z);

    // The same with what becomes of the samples in one go: see bandit/race/sampler.hpp.
    std::uint64_t bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look, const ArmState &state,
                      std::uint8_t *keep);
    std::uint64_t add_sums(std::int64_t first, std::span<const std::int32_t> arms, double *sums);
    void prefetch(std::int64_t first, std::span<const std::int32_t> arms) const;

    double sample_units(double exact_sum) const;

    std::uint64_t projection_ops() const { return project_ops_; }

private:
    void rotate_query();
    ValueType source() const { return narrow_ ? ValueType::f32 : ValueType::f32_wide; }
    const float *rows(std::int64_t first) const { return prepared_.block(first / kBatch, data_.n()); }
    const void *query(std::int64_t first) const {
        return narrow_ ? static_cast<const void *>(narrow_query_.data() + first)
                       : static_cast<const void *>(wide_query_.data() + first);
    }

    const Dataset &data_;
    const RotatedPrepared &prepared_;
    const Kernels &kernels_;

    RhoScale rho_;       // what makes the stored values comparable with the query: a power of two
    bool narrow_ = true; // it is 1
    double root_ratio_ = 1, root_error_ = 0;
    std::uint64_t project_ops_ = 0;
    AlignedVector<double> turned_;
    AlignedVector<float> narrow_query_; // in the order of the samples, as many as are readable
    AlignedVector<double> wide_query_;
};
static_assert(QueryBox<RotatedBox>);

} // namespace bmo

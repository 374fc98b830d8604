// Samples of mean distances under l1: one coordinate of one reference each, drawn with replacement, the same for all points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "simd/kernels.hpp"
#include "util/xoshiro.hpp"

namespace bmo {

class CoordinatePairs {
public:
    // Dense points; weights of the coordinates, null: all 1. Both outlive it.
    CoordinatePairs(const Dataset &data, const std::vector<double> *weights, std::uint64_t seed);

    // The next 16 pairs.
    void draw();

    // z[16 i + s]: the distance of points[i] to the reference of pair s in its coordinate.
    void distances(std::span<const std::int32_t> points, std::vector<double> &z) const;
    // How much farther that is than from `leader`, and the distance to the leader there beside it. With values x of the
    // point, a of the reference and c of the leader: |x - a| - |c - a| + |x - c|, twice the distance of x from what lies
    // between a and c. Never too large by rounding.
    void excesses(std::int32_t leader, std::span<const std::int32_t> points, std::vector<double> &z) const;

private:
    template <class Sample>
    void for_samples(std::span<const std::int32_t> points, std::vector<double> &z, const Sample &sample) const;

    const Dataset &data_;
    const std::vector<double> *weights_;
    Xoshiro256pp random_;
    std::int32_t coords_[kBatch];
    double references_[kBatch], weight_[kBatch]; // by pair
};

} // namespace bmo

// How well samples of coordinates tell near points from far ones, as a few pairs of points show it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "boxes/metric.hpp"
#include "data/dataset.hpp"

namespace bmo {

struct Contrast {
    double spread;   // the standard deviation of distances between points, as a share of their mean
    double kurtosis; // the mean square of a coordinate's share, in units of the square of its mean

    // Of squared distances: the dimension of the normal distribution with as much spread.
    double dimensions() const { return 2 / (spread * spread); }
    // The nearest of many points, as a share of the mean distance.
    double nearest() const { return std::max(0.0, 1 - kDeviations * spread); }
    // Samples that a usual arm takes before it is dropped: as a Gaussian test has it, for the nearest of n points as far
    // below the mean as the least of n normal variables.
    double samples(std::int64_t n, double delta) const { return samples_of(kurtosis, n, delta); }
    // The same after a rotation.
    double rotated_samples(std::int64_t n, double delta) const { return samples_of(3, n, delta); }

private:
    static constexpr double kDeviations = 3.5; // of the nearest from the mean

    double samples_of(double share_squares, std::int64_t n, double delta) const;
};

// Of so many pairs of dense points: in the sums of a separable metric, or, of a metric of angles, in the squares that its
// distances are in proportion to (boxes/angles.hpp). Deterministic by the seed.
Contrast sample_contrast(const Dataset &data, const Metric &metric, int pairs, std::int64_t seed);
Contrast sample_angular_contrast(const Dataset &data, std::int64_t metric, int pairs, std::int64_t seed);

} // namespace bmo

// A few directions that hold most of the variance of the points: the leading right singular vectors of a sample of rows,
// by subspace iteration from a random start (Halko, Martinsson and Tropp, 2011).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

struct Directions {
    std::int64_t count = 0, d = 0; // at most d of them are other than zero
    AlignedVector<double> middle;  // the mean of the sample
    std::vector<float> values;     // count x d: unit vectors, one below the other, the leading first
    double skew = 0; // at least the norm of V'V - I: how far from orthonormal they are, once rounded to float
};

// n points of d coordinates: load(row, out).
struct PointSource {
    std::int64_t n, d;
    std::function<void(std::int64_t row, double *out)> load;
};

// From a sample that the seed draws, in values times `scale`. Polls the watch.
Directions leading_directions(const PointSource &points, std::int64_t count, double scale, std::int64_t seed,
                              Watch &watch);

} // namespace bmo

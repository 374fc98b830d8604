// An arm whose samples are its distances to n shared references: do they add up to more than a threshold?
//
// One point, c, was computed in full. What is sampled of an arm i is how much farther from a reference j it is than c:
// x_j = d(i, j) - d(c, j), which is never below -R, R its `reach`: of a metric R = d(i, c), by the triangle inequality. So
// z_j = x_j + R >= 0 is a population of n non-negative numbers in random order, and with the distances of c adding up to S_c
//     the distances of i add up to at most T   <=>   the z_j add up to at most n R - (S_c - T), the `target`.
// With the sum of t numbers read, m = (target - sum) / (n - t) is the most that the next one is on average under that
// hypothesis, for search/medoid/stakes.hpp. Every factor falls in the target: where T falls, the wealth is sound for the least T.
//
// The references that c was chosen by may be among the numbers read, not among those that are bet on: given these, the rest
// is in random order whatever c is. Differences from c vary less than the distances themselves do (Baharav and Tse, "Ultra
// fast medoid identification via correlated sequential halving", 2019).
//
// A pair is a coordinate of a reference, both drawn with replacement. Where distances are sums over the coordinates, and the
// triangle inequality holds in each, a pair is a sample of the mean over all n d of them: target / (n d) at most.
#pragma once

#include <cstdint>

#include "search/medoid/stakes.hpp"

namespace bmo {

inline constexpr Stakes kReferenceStakes = {{0.05, 0.15, 0.5, 0.99}, {0.05, 0.1, 0.2, 0.65}};
inline constexpr Stakes kPairStakes = {{0.02, 0.06, 0.2, 0.5}, {0.15, 0.25, 0.35, 0.25}};

struct ReferenceArm {
    std::int32_t point = 0;
    double reach = 0;
    double sum = 0; // of the z read, none of them too large by rounding
    std::int64_t read = 0;
    Wealth references, pairs;

    // Reads z; `unread` numbers, this one included, were left. target: rounded up.
    void bet(double z, double target, double unread) {
        const double mean = (target - least_sum()) / unread * (1 + 0x1p-50);
        if (mean > 0)
            references.bet(kReferenceStakes, z / mean);
        add(z);
    }
    void add(double z) {
        sum += z;
        ++read;
    }

    // What the sum is at least, whatever its own rounding.
    double least_sum() const { return sum * (1 - static_cast<double>(read + 2) * 0x1p-52); }

    // For certain: so much was read.
    bool is_beyond(double target) const { return least_sum() > target; }
};

} // namespace bmo

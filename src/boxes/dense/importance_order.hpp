// Importance sampling, without replacement: coordinates whose distances are large are sampled more often.
//
// The distance rho_j at coordinate j counts as m_j parts, each of rho_j / m_j. The population of an arm is all parts of all
// coordinates: their sum is the arm's sum, whatever m is, and none is negative. In a random order of the parts the next one is
// of coordinate j with probability m_j / sum m at first, and every test of samples without replacement holds for them as it
// stands, with the number of parts in the place of d. The variance is least if m_j is proportional to the root of the mean
// of rho_j^2, the coordinate's spread. It is learned from a sample of the points, and m is fixed before the order is drawn, from
// another stretch of the random stream.
//
// Coordinates that hold so much that nearly every arm would read them are the head: read in full of every arm beforehand. What
// is known of an arm by then is no sample (see start_sum() in boxes/box.hpp): the tests are of what it leaves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/dense/weights.hpp"
#include "boxes/metric.hpp"
#include "boxes/order.hpp"
#include "data/dataset.hpp"

namespace bmo {

struct ImportanceOrder {
    // Of so many coordinates with these spreads; without a head if it is not asked for.
    ImportanceOrder(std::span<const double> spread, std::span<const std::int32_t> coordinates, bool with_head,
                    std::int64_t seed);

    // The coordinates of the head, and then that of each part, in random order.
    Order order;
    // Of its coordinate's distance that each has: 1 / m, rounded down. Padded to whole batches.
    std::vector<float> share;
    std::int64_t head = 0; // a multiple of kBatch

    std::int64_t population() const { return static_cast<std::int64_t>(order.size()) - head; }
};

// The root of the mean of w_j^2 rho_j^2 over pairs of points, for every coordinate, in some unit. weights: null, or w.
std::vector<double> coordinate_spread(const Dataset &data, const Metric &metric, const Weights *weights,
                                      std::int64_t seed);

} // namespace bmo

// Sketches of many pairs of a point and a query at once, against what a pair that is wanted may show (boxes/sketch/sketch_basis.hpp).
//
// Let x', q' be as in boxes/tiles/frame.hpp, tau a sum that no wanted pair exceeds, and v the difference that is sketched:
//
//   squares    v = q' - x',    |v|^2 = sum                                       <= tau
//   products   v = l q' - x',  |v|^2 = l^2 |q'|^2 + |x'|^2 + 2 l sum             <= l^2 |q'|^2 + |x'|^2 + 2 l tau =: t
//
// with l about as long as the points, so that v is short. With b as there, the sketch of a wanted pair has |u|^2 > b |v|^2 with a
// probability of at most the level. Codes have |u| - e - f as a certain lower bound, e and f what the codes of the point and the
// query are off by. So a pair is dropped if |u| - e - f is above the root of b tau, or of b t. For products the kernels compare
// with what is no less, with G^2 >= b t of every point:
//
//     (sqrt(b t) + e + f)^2 <= b (l^2 |q'|^2 + |x'|^2 + 2 l tau) + 2 G (e + f) + (e + f)^2
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/sketch/sketch_prepared.hpp"
#include "boxes/tiles/coded_panels.hpp"
#include "data/queries.hpp"

namespace bmo {

// For one thread.
class SketchPanels {
public:
    using Sum = CodedPanels::Sum;

    SketchPanels(const Dataset &data, const Metric &metric, const SketchPrepared &prepared);

    // level: of the test of each wanted pair.
    void take_queries(const Queries &queries, std::int64_t first, std::int64_t count, double level);
    // The points [first, first + points), a whole number of panels from the first of all, with each query q: sums from
    // sums + q * stride on.
    void compare(std::int64_t first, std::int64_t points, std::int64_t stride, Sum *sums);

    // What the `shown` values of pairs are compared with, where no wanted distance is larger.
    double most_shown(std::int64_t query, double distance) const;
    // The same of a sum of boxes/tiles/lone_products.hpp, under a metric of angles.
    double most_shown_of_sum(std::int64_t query, double sum) const;
    PanelThreshold threshold(std::int64_t query, double most) const;
    // At least what a pair of the points that were compared last shows, so that it is dropped if this is above.
    double shown(std::int64_t point, std::int64_t query, Sum sum) const;

    PanelTerms terms() const { return panels_.terms().from(0); }
    bool is_zero(std::int64_t query) const { return framed_[static_cast<std::size_t>(query)].is_zero; }

private:
    double most_at(const FramedQuery &framed, double tau) const;
    double known() const { return 2 * share_; } // what is compared for a point of cosine without a direction

    Frame frame_;
    const SketchPrepared &prepared_;
    RowCoder coder_;
    SketchMap map_;
    CodedPanels panels_;
    std::vector<FramedQuery> framed_;
    double share_ = 1;
    std::int64_t first_ = 0;
};

} // namespace bmo

#include "boxes/tiles/narrow_panels.hpp"

#include <algorithm>
#include <cmath>

namespace bmo {

void NarrowPanels::take_queries(const Queries &queries, std::int64_t first, std::int64_t count) {
    framed_.clear();
    panels_.start_queries(count);
    AlignedVector<float> row(static_cast<std::size_t>(frame_.data().d()));
    for (std::int64_t i = 0; i < count; ++i) {
        framed_.push_back(frame_.bring_query(queries, first + i, row.data()));
        panels_.add_query(row.data(), framed_.back().largest);
    }
}

void NarrowPanels::take_points(std::int64_t first, std::int64_t points) {
    const auto count = static_cast<std::size_t>(points);
    if (codes_) {
        panels_.take_points(codes_->panels.data() + first / kPanel * coder_.rows().panel(),
                            {codes_->points.data() + first, count});
    } else {
        if (own_.points.size() < count)
            own_ = coder_.rows().room_for(points);
        coder_.code_points(first, points, 0, own_);
        panels_.take_points(own_.panels.data(), {own_.points.data(), count});
    }
    PointTerms &terms = panels_.terms();
    for (std::size_t i = 0; i < count; ++i) {
        if (frame_.of_products()) {
            terms.base[i] = 0;
            terms.size[i] = panels_.point(static_cast<std::int64_t>(i)).length;
        }
        const double known = frame_.known_sum(first + static_cast<std::int64_t>(i));
        if (!std::isnan(known))
            panels_.know(i, known);
    }
}

PanelThreshold NarrowPanels::threshold(std::int64_t query, double tau) const {
    const Coded &coded = panels_.query(query);
    return frame_.of_products() ? PanelThreshold{coded.step, (coded.length + coded.error), coded.error, tau}
                                : panels_.threshold(query, tau, kOfZero);
}

double NarrowPanels::value(std::int64_t point, std::int64_t query, Sum sum, double side) const {
    if (!frame_.of_products())
        return panels_.bound(point, query, sum, side, kOfZero);
    const Coded &x = panels_.point(point), &q = panels_.query(query);
    return side * (x.length * q.error + (q.length + q.error) * x.error) - panels_.product(point, query, sum);
}

} // namespace bmo

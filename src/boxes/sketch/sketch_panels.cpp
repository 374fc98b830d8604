#include "boxes/sketch/sketch_panels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bmo {
namespace {

constexpr double kUp = 1 + 0x1p-20; // squares of a frame are within 2^-21

} // namespace

SketchPanels::SketchPanels(const Dataset &data, const Metric &metric, const SketchPrepared &prepared)
    : frame_(data, metric, prepared.angles.get()), prepared_(prepared), coder_(sketch_coder(*prepared.basis, frame_)),
      map_(*prepared.basis), panels_(coder_) {
    frame_.fit(0);
}

void SketchPanels::take_queries(const Queries &queries, std::int64_t first, std::int64_t count, double level) {
    const SketchBasis &basis = *prepared_.basis;
    share_ = basis.share(level);
    framed_.clear();
    panels_.start_queries(count);
    for (std::int64_t from = 0; from < count; from += SketchMap::kRows) {
        const std::int64_t some = std::min(SketchMap::kRows, count - from);
        for (std::int64_t i = 0; i < some; ++i) {
            framed_.push_back(frame_.bring_query(queries, first + from + i, map_.row(i)));
            if (frame_.of_products())
                std::for_each(map_.row(i), map_.row(i) + basis.d(),
                              [length = static_cast<float>(prepared_.length)](float &value) { value *= length; });
        }
        map_.map(some);
        for (std::int64_t i = 0; i < some; ++i) {
            const double squares = framed_[static_cast<std::size_t>(from + i)].squares;
            const double size = frame_.of_products() ? prepared_.length * prepared_.length * squares : squares;
            panels_.add_query(map_.sketch(i), map_.largest(i), sketch_blur(basis, size));
        }
    }
}

void SketchPanels::compare(std::int64_t first, std::int64_t points, std::int64_t stride, Sum *sums) {
    first_ = first;
    panels_.take_points(prepared_.codes.panels.data() + first / kPanel * coder_.panel(),
                        {prepared_.codes.points.data() + first, static_cast<std::size_t>(points)});
    for (std::int64_t i = 0; i < points; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (frame_.of_products())
            panels_.terms().base[at] -= share_ * prepared_.squares[static_cast<std::size_t>(first + i)];
        const double known_sum = frame_.known_sum(first + i);
        if (!std::isnan(known_sum))
            panels_.know(at, known_sum);
    }
    panels_.add(stride, sums);
}

double SketchPanels::most_shown(std::int64_t query, double distance) const {
    const FramedQuery &framed = framed_[static_cast<std::size_t>(query)];
    return most_at(framed, frame_.limit_of(distance, framed));
}

double SketchPanels::most_shown_of_sum(std::int64_t query, double sum) const {
    const FramedQuery &framed = framed_[static_cast<std::size_t>(query)];
    return most_at(framed, frame_.sum_of_product(sum, framed));
}

double SketchPanels::most_at(const FramedQuery &framed, double tau) const {
    if (!frame_.of_products())
        return share_ * tau * kUp;
    const double length = prepared_.length, whole = length * length * framed.squares * kUp;
    const double most = whole + 2 * length * tau + (whole + std::abs(2 * length * tau)) * 0x1p-40;
    return share_ * most;
}

PanelThreshold SketchPanels::threshold(std::int64_t query, double most) const {
    if (!frame_.of_products())
        return panels_.threshold(query, most, known());
    const Coded &q = panels_.query(query);
    if (!(most < std::numeric_limits<double>::infinity()))
        return {2 * q.step, 0, 0, most};
    const double largest = std::sqrt(std::max(0.0, most + share_ * prepared_.largest_square));
    return {2 * q.step, 2 * (largest + q.error), 0,
            most + 2 * largest * q.error + q.error * q.error - q.length * q.length};
}

double SketchPanels::shown(std::int64_t point, std::int64_t query, Sum sum) const {
    const double bound = panels_.bound(point, query, sum, -1, known());
    return frame_.of_products() ? bound - share_ * prepared_.squares[static_cast<std::size_t>(first_ + point)] : bound;
}

} // namespace bmo

// The products <X, Q> of many pairs of a point and a query that are coded as whole numbers of 8 bits, and certain bounds of
// |x' - q'|^2 from them. boxes/tiles/narrow_panels.hpp says why they hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/tiles/narrow_codes.hpp"
#include "boxes/tiles/panel_terms.hpp"
#include "util/aligned.hpp"

namespace bmo {

// For one thread. Take queries, and some points at a time; then add, and read terms, thresholds and bounds.
class CodedPanels {
public:
    using Sum = std::int32_t;

    explicit CodedPanels(const RowCoder &coder) : coder_(coder) {}

    // Sums of 32 bits do not overflow.
    static bool applies(std::int64_t d) { return d <= std::int64_t{1} << 16; }

    void start_queries(std::int64_t count);
    // The next query; blur: what the row is off by, in norm, beside what RowCoder knows of.
    void add_query(const float *row, float largest, double blur = 0);

    // Whole panels, the last one filled in part, and what is known of the points.
    void take_points(const std::uint32_t *panels, std::span<const Coded> points);
    // Of a point whose sum is known: see set_known().
    void know(std::size_t point, double sum) { set_known(terms_, point, sum); }
    PointTerms &terms() { return terms_; }
    const PointTerms &terms() const { return terms_; }

    // The sums of query q and the points from sums + q * stride on.
    void add(std::int64_t stride, Sum *sums) const;

    const Coded &point(std::int64_t i) const { return points_[static_cast<std::size_t>(i)]; }
    const Coded &query(std::int64_t i) const { return queries_[static_cast<std::size_t>(i)]; }
    double product(std::int64_t point, std::int64_t query, Sum sum) const {
        return this->point(point).step * this->query(query).step * static_cast<double>(sum);
    }

    // Of squares. tau, or `known`, whose sums are at most tau (Frame::known_sum).
    PanelThreshold threshold(std::int64_t query, double tau, double known) const;
    // A bound of |x' - q'|^2, the lower one of side -1 and the upper one of side 1; of a point whose sum is known, that.
    double bound(std::int64_t point, std::int64_t query, Sum sum, double side, double known) const;

private:
    const RowCoder &coder_;
    std::vector<Coded> queries_;
    std::vector<std::uint8_t> bytes_;
    AlignedVector<std::uint32_t> blocks_;
    const std::uint32_t *panels_ = nullptr;
    std::span<const Coded> points_;
    PointTerms terms_; // as of squares
};

} // namespace bmo

// Certain bounds of the sums of many pairs of a point and a query at once, in a frame, by products of whole numbers of 8 bits.
//
// A point is x' = s X + r: X whole numbers of at most 127 in size, s a step of its own, and of r no more is known than its
// length; a query is q' = t Q + w. <X, Q> is exact. With x = |s X|, y = |t Q| and e and f the lengths of r and w, raised by
//
//   - 2^-14 of what they are computed to be, for the sums of squares that they come from (CodeKernel: 2^-15 of the square)
//   - 2^-20 of x or y: 2^-22 (x + e) for r as the kernel forms it, kRounding (x + e) for x' as the frame rounds it, and 2^-21 x for
//     what is computed below in double, each of whose steps is within 2^-50 of x^2 + y^2, and so of (2^-25 (x + y))^2
//   - kLost, for x / |x|, and sqrt(d) 2^-73 for squares that are too small for float,
//
//   squares   |x' - q'| is within e + f of the root of x^2 + y^2 - 2 s t <X, Q> (the triangle inequality). A point is not
//             selected if that root is above sqrt(tau) + e + f, that is, where
//             x^2 - e^2 - 2 s t <X, Q> - 2 e (sqrt(tau) + f) > (sqrt(tau) + f)^2 - y^2
//   products  <q', x'> = s t <X, Q> + <w, s X> + <q', r> is within x f + |q'| e of s t <X, Q> (Cauchy and Schwarz)
//
// No probability is involved: what is not selected is farther than tau.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/tiles/coded_panels.hpp"
#include "boxes/tiles/frame.hpp"
#include "boxes/tiles/narrow_codes.hpp"
#include "boxes/tiles/panel_terms.hpp"
#include "util/aligned.hpp"

namespace bmo {

// To be used as FloatPanels.
class NarrowPanels {
public:
    using Sum = CodedPanels::Sum;

    // codes: of all points, in the frame as it is fitted to them alone; null: the points are coded as they are compared.
    NarrowPanels(Frame &frame, const NarrowCodes *codes)
        : frame_(frame), coder_(frame), codes_(codes), panels_(coder_.rows()) {}

    void take_queries(const Queries &queries, std::int64_t first, std::int64_t count);
    template <class Poll>
    void compare(std::int64_t first, std::int64_t points, std::int64_t stride, Sum *sums, Poll poll) {
        poll();
        take_points(first, points);
        poll();
        panels_.add(stride, sums);
    }

    const PointTerms &terms() const { return panels_.terms(); }
    PanelThreshold threshold(std::int64_t query, double tau) const;
    double lower(std::int64_t point, std::int64_t query, Sum sum) const { return value(point, query, sum, -1); }
    double upper(std::int64_t point, std::int64_t query, Sum sum) const {
        return frame_.above_rounding(value(point, query, sum, 1), this->query(query));
    }
    const FramedQuery &query(std::int64_t i) const { return framed_[static_cast<std::size_t>(i)]; }

    static std::int64_t select(const Sum *sums, std::int64_t points, const PanelTerms &terms,
                               const PanelThreshold &threshold, std::int32_t *arms) {
        return kernels().select_bytes(sums, points, terms, threshold, arms);
    }

private:
    static constexpr double kOfZero = 2; // what a sum of a point without a direction is, if it is known

    void take_points(std::int64_t first, std::int64_t points);
    double value(std::int64_t point, std::int64_t query, Sum sum, double side) const;

    Frame &frame_;
    NarrowCoder coder_;
    const NarrowCodes *codes_;
    CodedPanels panels_;
    NarrowCodes own_; // of the points that are compared
    std::vector<FramedQuery> framed_;
};

} // namespace bmo

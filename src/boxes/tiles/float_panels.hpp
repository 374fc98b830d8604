// Bounds of the sums of many pairs of a point and a query at once, in a frame, by float products with a margin for their errors.
//
// With x' and q' as the frame rounds them, u = 2^-24 and e = (kPanelChunk + chunks + 4) u (1 + 2^-8), the kernels' product is
// within e sum |x'_j q'_j| <= e |x'| |q'| of <x', q'>: a term goes through at most kPanelChunk + 1 roundings in its chunk, and
// one for each chunk that follows. Terms that are too small for float add less than 2^-120 d.
//
//   squares   |x' - q'|^2 = A + B - 2 <x', q'>, with A = |x'|^2 and B = |q'|^2 within 2^-21 of themselves. The product errs by
//             e (A + B), since 2 |x'| |q'| <= A + B. Rounding to x' and q' moves |x' - q'| by at most r = kRounding (|x'| + |q'|) +
//             2 kLost, so its square by at most 2 r (|x'| + |q'|) + r^2 <= 2^-20 (A + B) + kLost^2 2^22 + ..., as
//             4 kLost (|x'| + |q'|) <= 2^-21 (A + B) + 2^24 kLost^2. In all (e + 2^-18) (A + B) + 2^26 kLost^2.
//   products  |q'| <= 1 + 2^-20, so that the product errs by e |x'| and rounding by 2 kRounding |x'|: (e + 2^-20) |x'| in all.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/tiles/frame.hpp"
#include "boxes/tiles/panel_terms.hpp"
#include "util/aligned.hpp"

namespace bmo {

inline constexpr std::int64_t kPanelChunk = 256; // coordinates that are added up in one go

// For one thread. Call take_queries(), and for some points at a time compare(); then read terms, thresholds and bounds.
class FloatPanels {
public:
    using Sum = float;

    explicit FloatPanels(Frame &frame);

    static std::int64_t query_bytes(std::int64_t d);

    void take_queries(const Queries &queries, std::int64_t first, std::int64_t count);
    // The sums of query q and the points from `first` on, of which there are `points`, from sums + q * stride on; poll() is
    // called now and then.
    template <class Poll>
    void compare(std::int64_t first, std::int64_t points, std::int64_t stride, Sum *sums, Poll poll) {
        start(points, stride, sums);
        for (std::int64_t chunk = 0; chunk < chunks_; ++chunk) {
            poll();
            add(first, points, chunk, stride, sums);
        }
        set_terms(first, points);
    }

    const PointTerms &terms() const { return terms_; }
    PanelThreshold threshold(std::int64_t query, double tau) const;
    double lower(std::int64_t point, std::int64_t query, Sum sum) const { return value(point, query, sum, -1); }
    double upper(std::int64_t point, std::int64_t query, Sum sum) const {
        return frame_.above_rounding(value(point, query, sum, 1), this->query(query));
    }
    const FramedQuery &query(std::int64_t i) const { return framed_[static_cast<std::size_t>(i)]; }

    static std::int64_t select(const Sum *sums, std::int64_t points, const PanelTerms &terms,
                               const PanelThreshold &threshold, std::int32_t *arms) {
        return kernels().select_floats(sums, points, terms, threshold, arms);
    }

private:
    void start(std::int64_t points, std::int64_t stride, Sum *sums);
    void add(std::int64_t first, std::int64_t points, std::int64_t chunk, std::int64_t stride, Sum *sums);
    void bring_rows(std::int64_t first, std::int64_t points, std::int64_t from, std::int64_t values);
    void set_terms(std::int64_t first, std::int64_t points);
    double value(std::int64_t point, std::int64_t query, Sum sum, double side) const;

    Frame &frame_;
    std::int64_t d_, chunks_, queries_ = 0;
    double margin_, lost_;
    AlignedVector<float> blocks_, rows_, panels_;
    std::vector<FramedQuery> framed_;
    std::vector<double> squares_; // of the points
    std::vector<float> largest_;
    PointTerms terms_;
};

} // namespace bmo

// What is known of the points of a few panels beside their elements, as the kernels that select pairs read it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "simd/kernels.hpp"

namespace bmo {

// What so many queries fill, the last one perhaps in part.
inline std::int64_t query_blocks(std::int64_t queries) {
    return (queries + kPanelQueries - 1) / kPanelQueries;
}

struct PointTerms {
    std::vector<double> base, scale, spread, size;

    // Room for whole panels, of which no point is selected until it has terms.
    void clear(std::int64_t points) {
        const auto room = static_cast<std::size_t>(points);
        base.assign(room, std::numeric_limits<double>::infinity());
        scale.assign(room, 0);
        spread.assign(room, 0);
        size.assign(room, 0);
    }
    PanelTerms from(std::int64_t point) const {
        return {base.data() + point, scale.data() + point, spread.data() + point, size.data() + point};
    }
};

// Of a point whose sum is known (Frame::known_sum): it is selected if that is at most tau, by its size, which other points
// of squares do not have; always, if it is less than any.
inline void set_known(PointTerms &terms, std::size_t point, double sum) {
    terms.base[point] = sum > 0 ? 0 : sum;
    terms.scale[point] = terms.spread[point] = 0;
    terms.size[point] = sum > 0 ? 1 : 0;
}
inline double size_of_known(double sum, double tau, double threshold) {
    if (!(threshold < std::numeric_limits<double>::infinity()))
        return 0;
    return sum <= tau ? -threshold : -2 * (1 + std::abs(threshold));
}

inline std::int64_t whole_panels(std::int64_t points) {
    return (points + kPanel - 1) / kPanel * kPanel;
}

} // namespace bmo

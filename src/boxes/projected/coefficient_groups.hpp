// Groups of points whose heads (boxes/projected/projected_prepared.hpp), and norms behind them, are alike, so that those that are far from
// a query fall together.
//
// Let c be the center of a group, `radius` at least the largest |a - c| of the heads a of its points, and [low, high] an interval
// that has the norms behind the heads of all of them. Let q be the head of a query whose norm behind it is in [least, most]. Then
// |a - q| >= |c - q| - radius for every point of the group, and the two norms are at least gap = max(0, low - most, least - high)
// apart: what boxes/projected/projected_arms.hpp says of an arm's H + (p - q)^2 holds for max(0, |c - q| - radius)^2 + gap^2 and all of them.
// How the groups were found has no bearing on that. (A query that is a point has the rest of its head in 16 bits; the points'
// heads are not rounded here. That is within what the target allows for.)
//
// They are found by k-means over heads and norms, about 2 sqrt(n) of them, from a sample of the points, and kept if for queries
// like these points most groups fall.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "boxes/projected/projection.hpp"
#include "data/files/sections.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

// Of n points, with bounds of the norm behind the head.
struct Heads {
    std::int64_t n;
    const float *values; // n x kHead
    const float *low, *high;
};

class CoefficientGroups {
public:
    static constexpr std::int32_t kMost = 2048;

    CoefficientGroups() = default; // none
    // of_point: the group of each, [0, kMost). They are numbered anew, without those that have no points.
    CoefficientGroups(const std::vector<std::int32_t> &of_point, const Heads &heads, Watch &watch);

    // Of some of the points, of whom these are the heads.
    CoefficientGroups subset(std::span<const std::int64_t> rows, const Heads &heads, Watch &watch) const;

    std::int64_t count() const { return std::max<std::int64_t>(1, static_cast<std::int64_t>(first_.size())) - 1; }
    // Its points, ascending.
    std::span<const std::int32_t> points(std::int64_t group) const {
        const auto at = static_cast<std::size_t>(group);
        return std::span(points_).subspan(static_cast<std::size_t>(first_[at]),
                                          static_cast<std::size_t>(first_[at + 1] - first_[at]));
    }
    // Of each group: about how far it is, squared, and how far its points are at least.
    void distances(const float *head, float least, float most, std::vector<double> &about,
                   std::vector<double> &at_least) const;

    std::uint64_t bytes() const;
    SectionSource section() const;

private:
    void list_points(const std::vector<std::int32_t> &of_point);
    std::vector<float> find_center(std::int64_t group, const Heads &heads);
    void bound_points(std::int64_t group, const std::vector<float> &center, const Heads &heads);

    std::vector<std::int32_t> points_, all_; // all_: 0, 1, ...
    std::vector<std::int64_t> first_;        // of points_; and their number
    AlignedVector<float> centers_;           // kHead / 16 x count x 16
    std::vector<double> radius_;
    std::vector<float> low_, high_;
};

// None if they do not pay.
CoefficientGroups group_heads(const Heads &heads, std::int64_t seed, int threads, Watch &watch);

// From a file; none if it has none.
CoefficientGroups restore_groups(const Sections &sections, const Heads &heads, Watch &watch);

} // namespace bmo

#include "search/among/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace bmo {

CandidateParts::CandidateParts(Candidates candidates, Watch &watch)
    : rule_(candidates.rule), labels_(std::move(candidates.labels)),
      points_(static_cast<std::int64_t>(candidates.rows.size())) {
    if (rule_ == LabelRule::none)
        parts_.push_back({std::move(candidates.rows)});
    else
        divide(candidates.rows, watch);
}

std::int64_t CandidateParts::least_searched(std::int64_t points) {
    constexpr double kLeast = 32;
    return static_cast<std::int64_t>(std::max(kLeast, std::ceil(std::sqrt(static_cast<double>(points)))));
}

// Labels of few points go together under LabelRule::other, so that there are few parts.
void CandidateParts::divide(std::span<const std::int64_t> rows, Watch &watch) {
    SmallSteps steps(watch);
    std::map<std::int32_t, std::vector<std::int64_t>> of_label;
    for (const std::int64_t row : rows) {
        steps.step();
        of_label[label_of_point(row)].push_back(row);
    }
    const auto least = static_cast<std::size_t>(least_searched(points_));
    CandidatePart mixed{{}, true};
    for (auto &[label, points] : of_label)
        if (rule_ == LabelRule::same || points.size() >= least)
            parts_.push_back({std::move(points), false, label});
        else
            mixed.rows.insert(mixed.rows.end(), points.begin(), points.end());
    if (!mixed.rows.empty()) {
        std::ranges::sort(mixed.rows);
        parts_.push_back(std::move(mixed));
    }
    std::ranges::stable_sort(parts_, std::greater<>(), [](const CandidatePart &part) { return part.rows.size(); });
    for (std::size_t i = 0; i < parts_.size(); ++i)
        for (const std::int64_t row : parts_[i].rows) {
            steps.step();
            Group &group = groups_[label_of_point(row)];
            group.part = i;
            ++group.points;
        }
}

std::size_t CandidateParts::part_of(std::int32_t label) const {
    const auto found = groups_.find(label);
    return found == groups_.end() ? kNone : found->second.part;
}

std::int64_t CandidateParts::left_out(std::size_t part, std::int32_t label) const {
    if (rule_ != LabelRule::other || !parts_[part].mixed)
        return 0;
    const auto own = groups_.find(label);
    return own != groups_.end() && own->second.part == part ? own->second.points : 0;
}

} // namespace bmo

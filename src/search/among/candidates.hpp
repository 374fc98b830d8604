// Which points of a dataset are candidates, and their division into parts that are searched one by one.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "data/queries.hpp"
#include "util/watch.hpp"

namespace bmo {

// As a caller chose them, checked.
struct Candidates {
    std::vector<std::int64_t> rows; // ascending, each once
    LabelRule rule = LabelRule::none;
    std::vector<std::int32_t> labels; // of all points of the dataset, if there is a rule
};

// Points of one label, or of several that have few points each.
struct CandidatePart {
    std::vector<std::int64_t> rows; // ascending
    bool mixed = false;
    std::int32_t label = 0; // if it is one
};

class CandidateParts {
public:
    CandidateParts(Candidates candidates, Watch &watch);

    const std::vector<CandidatePart> &parts() const { return parts_; } // the largest first
    LabelRule rule() const { return rule_; }
    std::int64_t points() const { return points_; } // candidates in all
    std::int32_t label_of_point(std::int64_t row) const { return labels_[static_cast<std::size_t>(row)]; }

    // The part that has the points of a label, as a position in parts(); kNone: there are no such points.
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t part_of(std::int32_t label) const;
    // Whether a query searches a part, if `own` is the part of its label.
    bool is_asked(std::size_t part, std::size_t own) const {
        if (rule_ == LabelRule::none)
            return true;
        return rule_ == LabelRule::same ? part == own : part != own || parts_[part].mixed;
    }
    // How many points of a mixed part have this label: none of them is a candidate.
    std::int64_t left_out(std::size_t part, std::int32_t label) const;

    // A part of fewer points is searched in full, and under LabelRule::other it is not a part of its own.
    static std::int64_t least_searched(std::int64_t points);

private:
    struct Group {
        std::size_t part = 0;
        std::int64_t points = 0;
    };

    void divide(std::span<const std::int64_t> rows, Watch &watch);

    LabelRule rule_;
    std::vector<std::int32_t> labels_;
    std::int64_t points_;
    std::vector<CandidatePart> parts_;
    std::unordered_map<std::int32_t, Group> groups_; // of each label
};

} // namespace bmo

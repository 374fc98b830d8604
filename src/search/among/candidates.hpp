// Which points of a dataset are candidates, and their division into parts that are searched one by one.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "data/queries.hpp"

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
    explicit CandidateParts(Candidates candidates);

    const std::vector<CandidatePart> &parts() const { return parts_; } // the largest first
    LabelRule rule() const { return rule_; }
    std::int64_t points() const { return points_; } // candidates in all
    std::int32_t label_of_point(std::int64_t row) const { return labels_[static_cast<std::size_t>(row)]; }

    // The parts that a query of a label is to search, as positions in parts(), ascending. The label counts under a rule alone.
    void find_parts(std::int32_t label, std::vector<std::size_t> &found) const;
    // How many points of a mixed part have this label: none of them is a candidate.
    std::int64_t left_out(std::size_t part, std::int32_t label) const;

    // A part of fewer points is searched in full, and under LabelRule::other it is not a part of its own.
    static std::int64_t least_searched(std::int64_t points);

private:
    struct Group {
        std::size_t part = 0;
        std::int64_t points = 0;
    };

    void divide(std::span<const std::int64_t> rows);

    LabelRule rule_;
    std::vector<std::int32_t> labels_;
    std::int64_t points_;
    std::vector<CandidatePart> parts_;
    std::unordered_map<std::int32_t, Group> groups_; // of each label
};

} // namespace bmo

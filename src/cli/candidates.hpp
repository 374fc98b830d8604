// Which points are candidates, as the options --candidates, --labels and --label-rule say.
#pragma once

#include <cstdint>
#include <vector>

#include "arguments.hpp"
#include "library.hpp"

namespace bmo_command {

struct ChosenCandidates {
    std::vector<std::int64_t> rows; // empty: all points
    bmo_label_rule rule = 0;        // 0: labels do not count
    std::vector<std::int32_t> labels, query_labels;

    bool any() const { return !rows.empty() || rule != 0; }
    // The most candidates that a query has, of so many points.
    std::int64_t most(std::int64_t points) const {
        return rows.empty() ? points : static_cast<std::int64_t>(rows.size());
    }
};

std::vector<Option> candidate_options();
Option query_labels_option();

// Of so many points of DATA and, if they are not these, queries.
ChosenCandidates candidates_of(const Arguments &arguments, std::int64_t points, std::int64_t queries);

} // namespace bmo_command

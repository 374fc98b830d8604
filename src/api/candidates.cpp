#include "api/candidates.hpp"

#include <algorithm>
#include <numeric>

#include "api/points.hpp"
#include "api/strides.hpp"
#include "api/structs.hpp"

namespace bmo {
namespace {

constexpr const char *kRows = "candidates.rows";

std::vector<std::int64_t> chosen_rows(const bmo_candidates &candidates, std::int64_t n) {
    std::vector<std::int64_t> rows;
    if (candidates.rows) {
        check_rows(candidates.rows, candidates.nrows, n, "candidates.");
        std::vector<bool> is_chosen(static_cast<std::size_t>(n), false);
        for (std::int64_t i = 0; i < candidates.nrows; ++i) {
            const auto row = static_cast<std::size_t>(candidates.rows[i]);
            if (is_chosen[row])
                fail(BMO_EINVAL, kRows,
                     text(Word{kRows}, " has row ", Position{candidates.rows[i]}, " twice; expected each row once"), i);
            is_chosen[row] = true;
        }
        rows.reserve(static_cast<std::size_t>(candidates.nrows));
        for (std::int64_t row = 0; row < n; ++row)
            if (is_chosen[static_cast<std::size_t>(row)])
                rows.push_back(row);
        return rows;
    }
    rows.resize(static_cast<std::size_t>(n));
    std::iota(rows.begin(), rows.end(), 0);
    if (candidates.mask)
        std::erase_if(rows, [&](std::int64_t row) { return candidates.mask[row] == 0; });
    return rows;
}

void check_label_rule(const bmo_candidates &candidates) {
    const bmo_label_rule rule = candidates.label_rule;
    if (rule != 0 && rule != BMO_LABELS_SAME && rule != BMO_LABELS_OTHER)
        refuse("candidates.label_rule", rule, "0, BMO_LABELS_SAME (1) or BMO_LABELS_OTHER (2)");
    if (rule != 0 && !candidates.labels)
        fail(BMO_EINVAL, "candidates.labels",
             text(Word{"candidates.labels"}, " is NULL, though there is a ", Word{"label_rule"},
                  "; expected a label for each point"));
    if (rule == 0 && candidates.labels)
        refuse("candidates.label_rule", rule, "BMO_LABELS_SAME (1) or BMO_LABELS_OTHER (2), for there are labels");
    if (candidates.labels)
        check_alignment(candidates.labels, alignof(std::int32_t), "candidates.labels");
}

} // namespace

Candidates read_candidates(const bmo_candidates *theirs, const Dataset &data) {
    const bmo_candidates candidates = read_struct(theirs, "candidates");
    if (candidates.rows && candidates.mask)
        fail(BMO_EINVAL, "candidates.mask",
             text(Word{"candidates"}, " has rows and a mask; expected at most one of them"));
    if (!candidates.rows && candidates.nrows != 0)
        refuse("candidates.nrows", candidates.nrows, "0, for ", Word{kRows}, " is NULL");
    check_label_rule(candidates);
    Candidates chosen{chosen_rows(candidates, data.n()), static_cast<LabelRule>(candidates.label_rule), {}};
    if (chosen.rows.empty())
        fail(BMO_EINVAL, "candidates", text("no point is a candidate; expected 1 or more of the dataset's ", data.n()));
    if (candidates.labels)
        chosen.labels.assign(candidates.labels, candidates.labels + data.n());
    return chosen;
}

} // namespace bmo

// Which points of the data may be neighbors.
#pragma once

#include <optional>
#include <vector>

#include "library.h"

namespace rbmo {

class Among {
public:
    // NULL: all points; else a list of rows (numbers of points, from 1, or NULL), labels (codes, one a point) and rule (a
    // bmo_label_rule, 0 without labels).
    explicit Among(SEXP given);

    // A query on these points of the dataset.
    bmo_status create(bmo_query **out, const bmo_dataset *dataset, const bmo_config *config) const;

    bool operator==(const Among &) const = default;

private:
    std::optional<std::vector<int64_t>> rows_;
    std::optional<std::vector<int32_t>> labels_;
    bmo_label_rule rule_ = 0;
};

} // namespace rbmo

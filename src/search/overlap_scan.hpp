// Exact scans of sparse points.
#pragma once

#include <cstdint>

#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "boxes/overlap_box.hpp"
#include "boxes/sparse_query.hpp"
#include "search/overlap_race.hpp"
#include "util/watch.hpp"

namespace bmo {

// By the columns of the query, or with the query scattered over the rows of the points, whichever is cheaper.
Cost scan_overlaps(OverlapBox &box, std::int64_t k, std::int64_t self, Nearest &nearest, Watch &watch);

// Any metric: by differences over the entries of the query and each point.
Cost scan_differences(SparseQuery &query, std::int64_t arms, std::int64_t k, std::int64_t self, Nearest &nearest,
                      Watch &watch);

} // namespace bmo

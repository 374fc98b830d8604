// The boxes of sparse points, shared by the threads and calls of a search.
#pragma once

#include <memory>

#include "search/box_table.hpp"

namespace bmo {

// The overlap box for l1 and l2; for any other metric scans alone, which plan.cpp sees to.
std::unique_ptr<BoundBox> bind_sparse(const Dataset &data, const Plan &plan, Watch &watch);

} // namespace bmo

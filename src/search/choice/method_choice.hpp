// Which method a search of `auto` takes: the one that was measured to take less time.
#pragma once

#include <cstdint>

#include "bandit/cost.hpp"
#include "search/box_table.hpp"
#include "search/choice/plan.hpp"

namespace bmo {

// Whether every search of sparse points by this plan is an exact scan, as far as it can be known before one.
bool scans_always(const Dataset &data, const Plan &plan);

struct MethodChoice {
    std::int64_t method;
    const char *reason;    // static; "" if nothing was left to choose
    bool on_trial = false; // the races of a few queries tell
};

// For this many candidates of a query, and neighbors, and for the queries of a call.
MethodChoice choose_method(const Dataset &data, const Plan &plan, const BoundBox &box, std::int64_t candidates,
                           std::int64_t k, const Queries &queries);

// What remains of a choice on trial once so many races took so many operations: of dense points, and of sparse ones.
MethodChoice choose_after_trial(const Dataset &data, const Plan &plan, const MethodChoice &before,
                                const Queries &queries, std::int64_t candidates, const Cost &raced, std::int64_t races);
MethodChoice choose_after_trial(const SparseScan &scan, std::int64_t candidates, const Cost &raced, std::int64_t races);

} // namespace bmo

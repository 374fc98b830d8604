// Exact scans of sparse points.
#pragma once

#include <cstdint>

#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "boxes/sparse/overlap_box.hpp"
#include "search/sparse/overlap_race.hpp"
#include "util/watch.hpp"

namespace bmo {

// Calls visit for every candidate, and polls.
template <class Visit>
void for_candidates(std::int64_t arms, std::int64_t self, Watch &watch, Visit visit) {
    constexpr std::int32_t kPollEvery = 64;
    for (std::int32_t arm = 0; arm < static_cast<std::int32_t>(arms); ++arm) {
        if (arm % kPollEvery == 0)
            watch.poll();
        if (arm != self)
            visit(arm);
    }
}

// By the columns of the query, or with the query scattered over the rows of the points, whichever is cheaper.
Cost scan_overlaps(OverlapBox &box, const Wanted &wanted, Nearest &nearest, Watch &watch);

// Any metric: over the entries of each point, and for differences those of the query. Query: SparseQuery, or
// SparseAngularQuery.
template <class Query>
Cost scan_sums(Query &query, std::int64_t arms, const Wanted &wanted, Nearest &nearest, Watch &watch) {
    Cost cost;
    nearest.reset(wanted.k, wanted.limit);
    for_candidates(arms, wanted.self, watch, [&](std::int32_t arm) {
        nearest.offer({query.sum(arm), arm});
        cost.exact_ops += query.sum_ops(arm);
        ++cost.exact_evals;
    });
    return cost;
}

} // namespace bmo

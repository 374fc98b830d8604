#include "search/overlap_scan.hpp"

namespace bmo {
namespace {

// Measured: an entry of a column, which goes to another arm each, takes so much longer than one of a row.
constexpr double kColumnEntry = 1.5;

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

} // namespace

Cost scan_overlaps(OverlapBox &box, std::int64_t k, std::int64_t self, Nearest &nearest, Watch &watch) {
    Cost cost;
    nearest.reset(k);
    box.restart();
    const bool by_columns =
        static_cast<double>(box.all_column_entries()) * kColumnEntry < static_cast<double>(box.all_row_entries());
    OverlapFinish finish(box, nearest, cost);
    if (by_columns)
        cost.exact_ops += box.read_all_columns();
    for_candidates(box.arms(), self, watch, [&](std::int32_t arm) {
        if (!by_columns)
            cost.exact_ops += box.read_whole_row(arm);
        finish(arm);
    });
    return cost;
}

Cost scan_differences(SparseQuery &query, std::int64_t arms, std::int64_t k, std::int64_t self, Nearest &nearest,
                      Watch &watch) {
    Cost cost;
    nearest.reset(k);
    for_candidates(arms, self, watch, [&](std::int32_t arm) {
        nearest.offer({query.sum(arm), arm});
        cost.exact_ops += query.sum_ops(arm);
        ++cost.exact_evals;
    });
    return cost;
}

} // namespace bmo

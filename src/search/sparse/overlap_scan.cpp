#include "search/sparse/overlap_scan.hpp"

namespace bmo {
namespace {

// Measured: an entry of a column, which goes to another arm each, takes so much longer than one of a row.
constexpr double kColumnEntry = 1.5;

} // namespace

Cost scan_overlaps(OverlapBox &box, const Wanted &wanted, Nearest &nearest, Watch &watch) {
    Cost cost;
    nearest.reset(wanted.k, wanted.limit);
    box.restart();
    const bool by_columns = !box.has_rows() || static_cast<double>(box.all_column_entries()) * kColumnEntry <
                                                   static_cast<double>(box.all_row_entries());
    OverlapFinish finish(box, nearest, cost);
    if (by_columns) // but for those of a point that is no candidate
        cost.exact_ops +=
            box.read_all_columns() - (wanted.self < 0 ? 0 : box.entries(static_cast<std::int32_t>(wanted.self)));
    for_candidates(box.arms(), wanted.self, watch, [&](std::int32_t arm) {
        if (!by_columns)
            cost.exact_ops += box.read_whole_row(arm);
        finish(arm, by_columns ? box.ranks() : 0);
    });
    return cost;
}

} // namespace bmo

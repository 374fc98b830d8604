#include "search/subset.hpp"

#include "data/settings.hpp"
#include "data/subset.hpp"
#include "search/box_table.hpp"

namespace bmo {
namespace {

std::shared_ptr<const Preparation> prepare_anew(const Dataset &chosen, const Preparation &whole, Watch &watch) {
    Settings settings;
    settings.box = whole.box;
    settings.metric = whole.metric;
    settings.seed = whole.seed;
    settings.weights = whole.weights;
    return box_entry(whole.box).prepare(chosen, settings, 1, watch);
}

} // namespace

std::shared_ptr<const Dataset> subset(const Dataset &whole, std::span<const std::int64_t> rows, Watch &watch) {
    auto chosen = choose_points(whole, rows, watch);
    if (!whole.prepared)
        return chosen;
    const BoxEntry &entry = box_entry(whole.prepared->box);
    if (entry.subset && !rows.empty())
        chosen->prepared = entry.subset(whole, rows, *chosen, watch);
    if (!chosen->prepared)
        chosen->prepared = prepare_anew(*chosen, *whole.prepared, watch);
    chosen->prepared_by_auto = whole.prepared_by_auto;
    return chosen;
}

} // namespace bmo

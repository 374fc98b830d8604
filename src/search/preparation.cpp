#include "search/preparation.hpp"

#include <optional>

#include "boxes/tiles/scan_prepared.hpp"
#include "search/box_table.hpp"
#include "search/choice/box_choice.hpp"
#include "search/choice/plan.hpp"

namespace bmo {

std::shared_ptr<const Dataset> prepare_dataset(const Dataset &source, const Settings &settings, Watch &watch) {
    const std::shared_ptr<const Dataset> narrow =
        narrowing_pays(source, settings) ? narrow_rows(source, watch) : nullptr;
    auto prepared = std::make_shared<Dataset>(narrow ? *narrow : source);
    prepared->prepared = nullptr; // what the source was prepared for decides nothing
    const std::optional<std::int64_t> box = box_to_prepare(*prepared, settings);
    if (!box) {
        const Settings decided = decide(*prepared, settings); // parameters that do not combine are refused all the same
        if (!scan_preparation_pays(*prepared, settings))
            return prepared;
        prepared->prepared = prepare_scan(*prepared, decided, threads_of(settings), watch);
        prepared->prepared_by_auto = true;
        return prepared;
    }
    Settings boxed = settings;
    boxed.box = *box;
    const Settings decided = decide(*prepared, boxed);
    prepared->prepared = box_entry(decided.box).prepare(*prepared, decided, threads_of(settings), watch);
    prepared->prepared_by_auto = settings.box == BMO_BOX_AUTO;
    return prepared;
}

} // namespace bmo

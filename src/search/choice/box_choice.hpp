// Which box a preparation by `auto` is for: the one with which the queries that are expected were measured to take the least
// time, the preparation included.
#pragma once

#include <cstdint>
#include <optional>

#include "data/dataset.hpp"
#include "data/settings.hpp"

namespace bmo {

// The settings' own box, or what `auto` is; none: to prepare does not pay.
std::optional<std::int64_t> box_to_prepare(const Dataset &data, const Settings &settings);

// Whether it pays to code the points for scans (boxes/tiles/scan_prepared.hpp), if no box is prepared.
bool scan_preparation_pays(const Dataset &data, const Settings &settings);

// Whether it pays to look for a narrower type that holds all values (narrow_rows()).
bool narrowing_pays(const Dataset &data, const Settings &settings);

} // namespace bmo

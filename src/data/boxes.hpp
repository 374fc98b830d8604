// The boxes: what each can do, one row each. search/box_table.cpp has how they are made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "bmo.h"

namespace bmo {

// Which metrics, samplings and bandits go with a box, search/choice/combinations.cpp has.
struct BoxTraits {
    std::int64_t id = BMO_BOX_AUTO;
    std::string_view name;
    bool of_sparse_points = false;
    bool needs_preparation = false;
    bool takes_weights = true;
    bool samples_coordinates = true;           // else what is left of them: method uniform has no use for it
    bool prepares_each_angular_metric = false; // on its own: what it keeps for cosine does not serve inner_product
};

inline constexpr BoxTraits kBoxes[] = {
    {.id = BMO_BOX_AUTO, .name = "auto"},
    {.id = BMO_BOX_DENSE, .name = "dense"},
    {.id = BMO_BOX_SPARSE, .name = "sparse", .of_sparse_points = true, .takes_weights = false},
    {.id = BMO_BOX_SPARSE_UNION, .name = "sparse_union", .of_sparse_points = true, .takes_weights = false},
    {.id = BMO_BOX_ROTATED, .name = "rotated", .needs_preparation = true, .takes_weights = false},
    {.id = BMO_BOX_PROJECTED,
     .name = "projected",
     .needs_preparation = true,
     .takes_weights = false,
     .samples_coordinates = false,
     .prepares_each_angular_metric = true},
    {.id = BMO_BOX_SKETCH,
     .name = "sketch",
     .needs_preparation = true,
     .takes_weights = false,
     .samples_coordinates = false,
     .prepares_each_angular_metric = true},
};

// kBoxes[0] of what no box is, as a damaged file may say.
constexpr const BoxTraits &box_traits(std::int64_t id) {
    const auto *found = std::ranges::find(kBoxes, id, &BoxTraits::id);
    return found == std::end(kBoxes) ? kBoxes[0] : *found;
}

} // namespace bmo

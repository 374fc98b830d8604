// Which values of metric, box, sampling, bandit and confidence go together, and what is proved of the answers: one
// table, which docs/combinations.md shows.
#pragma once

#include <cstdint>
#include <span>

#include "bmo.h"
#include "data/settings.hpp"

namespace bmo {

// A set of the small values of a choice: bit v is value v.
using ChoiceSet = std::uint32_t;

template <class... Values>
constexpr ChoiceSet choices(Values... values) {
    return ((ChoiceSet{1} << values) | ...);
}

struct Combination {
    ChoiceSet metrics, boxes, bandits, samplings, confidences;
    bmo_guarantee guarantee;
    const char *assumption; // "" if none
};

std::span<const Combination> combinations();

// Is there a line of the table that the settings are in?
bool combines(const Settings &settings);

// The first line of the table that the settings are in; AUTO is in every line. Fails with BMO_EINVAL, and says
// what to change, if there is none.
const Combination &find_combination(const Settings &settings);

// The settings with bandit, sampling and confidence decided if they are AUTO: the least value of the line.
Settings resolved(const Combination &combination, Settings settings);

// Fails with BMO_EINVAL if the confidence rule lacks a parameter that it needs.
void check_pulls(const Settings &settings);

} // namespace bmo

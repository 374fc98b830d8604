// What every search says of itself.
#pragma once

#include "bandit/cost.hpp"
#include "bmo.h"
#include "data/settings.hpp"

namespace bmo {

// What decided settings and the cost tell. The caller adds what only it knows: guarantee, assumption, reason, threads,
// queries, arms, brute-force operations and time.
bmo_stats stats_of(const Settings &decided, const Cost &cost);

// The same of a search that samples no coordinates: the settings' bandit, confidence rule and sampling had no part.
bmo_stats stats_without_samples(const Settings &decided, const Cost &cost);

} // namespace bmo

// Rules that are proven, each with its own count of errors.
#pragma once

#include "bmo.h"

inline constexpr const char *kRuleNames[] = {"dense race",
                                             "rotated race",
                                             "projected race",
                                             "sparse race",
                                             "dense betting",
                                             "dense bernstein",
                                             "race by importance",
                                             "bandits by importance",
                                             "union betting",
                                             "union bernstein",
                                             "medoid",
                                             "dense race of other metrics",
                                             "sketch race"};

inline int rule_of(const bmo_stats &stats, bool is_sum) {
    const bool race = stats.bandit == BMO_BANDIT_RACE, bernstein = stats.confidence == BMO_CONFIDENCE_BERNSTEIN;
    switch (stats.box) {
    case BMO_BOX_ROTATED: return 1;
    case BMO_BOX_PROJECTED: return 2;
    case BMO_BOX_SKETCH: return 12;
    case BMO_BOX_SPARSE: return 3;
    case BMO_BOX_SPARSE_UNION: return bernstein ? 9 : 8;
    default: break;
    }
    if (stats.sampling == BMO_SAMPLING_IMPORTANCE)
        return race ? 6 : 7;
    if (race)
        return is_sum ? 0 : 11;
    return bernstein ? 5 : 4;
}
inline constexpr int kMedoidRule = 10;

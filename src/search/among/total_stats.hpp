// The statistics of a call that is several searches.
#pragma once

#include <cstdint>

#include "bmo.h"

namespace bmo {

// The sums of both, and what is weaker of what they say. The first to be added says what was used, or the first that samples.
class TotalStats {
public:
    void add(const bmo_stats &part) {
        if (!any_) {
            total_ = part;
            any_ = true;
            return;
        }
        for (std::uint64_t bmo_stats::*field :
             {&bmo_stats::rounds, &bmo_stats::coord_ops_sampled, &bmo_stats::exact_evals, &bmo_stats::coord_ops,
              &bmo_stats::coord_ops_exact, &bmo_stats::coord_ops_brute, &bmo_stats::projection_ops,
              &bmo_stats::arms_pruned})
            total_.*field += part.*field;
        if (part.guarantee < total_.guarantee) {
            total_.guarantee = part.guarantee;
            total_.assumption = part.assumption;
        }
        if (total_.method == BMO_METHOD_EXACT && part.method != BMO_METHOD_EXACT)
            take_what_was_used(part);
    }
    bool any() const { return any_; }
    const bmo_stats &total() const { return total_; }

private:
    void take_what_was_used(const bmo_stats &part) {
        for (std::int32_t bmo_stats::*field :
             {&bmo_stats::method, &bmo_stats::box, &bmo_stats::bandit, &bmo_stats::confidence, &bmo_stats::sampling})
            total_.*field = part.*field;
        total_.reason = part.reason;
    }

    bool any_ = false;
    bmo_stats total_{};
};

} // namespace bmo

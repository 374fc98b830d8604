// The exact scan: every candidate's distance in full.
#pragma once

#include <cstdint>

#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "boxes/box.hpp"
#include "util/watch.hpp"

namespace bmo {

template <Box B>
Cost scan(B &box, const Wanted &wanted, Watch &watch, Nearest &nearest) {
    constexpr std::int64_t kPollEvery = 64;
    nearest.reset(wanted.k, wanted.limit);
    Cost cost;
    for (std::int64_t i = 0; i < box.arms(); ++i) {
        if (i % kPollEvery == 0)
            watch.poll();
        if (i == wanted.self)
            continue;
        const auto arm = static_cast<std::int32_t>(i);
        nearest.offer({box.exact(arm), arm});
        cost.exact_ops += box.exact_ops(arm);
        ++cost.exact_evals;
    }
    return cost;
}

} // namespace bmo

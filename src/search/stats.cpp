#include "search/stats.hpp"

namespace bmo {

bmo_stats stats_of(const Settings &decided, const Cost &cost) {
    bmo_stats stats{};
    stats.method = static_cast<std::int32_t>(decided.method);
    stats.box = static_cast<std::int32_t>(decided.box);
    stats.bandit = static_cast<std::int32_t>(decided.bandit);
    stats.confidence = static_cast<std::int32_t>(decided.confidence);
    stats.sampling = static_cast<std::int32_t>(decided.sampling);
    stats.assumption = stats.reason = "";
    stats.rounds = cost.rounds;
    stats.coord_ops_sampled = cost.sampling_ops;
    stats.exact_evals = cost.exact_evals;
    stats.coord_ops = cost.coord_ops();
    stats.coord_ops_exact = cost.exact_ops;
    stats.projection_ops = cost.projection_ops;
    stats.arms_pruned = cost.bounded;
    stats.seed = decided.seed;
    stats.delta = decided.delta;
    stats.epsilon = decided.epsilon;
    return stats;
}

bmo_stats stats_without_samples(const Settings &decided, const Cost &cost) {
    bmo_stats stats = stats_of(decided, cost);
    stats.bandit = BMO_BANDIT_AUTO;
    stats.confidence = BMO_CONFIDENCE_AUTO;
    stats.sampling = BMO_SAMPLING_AUTO;
    stats.epsilon = 0;
    return stats;
}

} // namespace bmo

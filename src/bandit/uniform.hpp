// Uniform sampling, the foil of every bandit: so many samples of each arm, and the exact sums of the k arms whose
// samples add up to least. Nothing is promised.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "bandit/race/sampler.hpp"
#include "boxes/box.hpp"
#include "util/watch.hpp"

namespace bmo {

struct UniformRule {
    std::int64_t k = 1;
    std::int64_t self = -1; // the arm that is no candidate; -1: all are
    std::int64_t samples = 1;
    double limit = std::numeric_limits<double>::infinity(); // of an exact sum
};

// Sums of samples first, then exact sums, compare alike: `estimates` and `nearest` are of Finished.
template <Box B>
Cost sample_uniformly(B &box, const UniformRule &rule, Watch &watch, Nearest &estimates, Nearest &nearest) {
    Cost cost;
    std::vector<std::int32_t> candidates;
    for (std::int64_t arm = 0; arm < box.arms(); ++arm)
        if (arm != rule.self)
            candidates.push_back(static_cast<std::int32_t>(arm));
    const std::int64_t samples = std::min(rule.samples, box.readable());
    std::vector<float> z(kChunk * kBatch);
    estimates.reset(rule.k);
    for (std::size_t at = 0; at < candidates.size(); at += kChunk) {
        watch.poll();
        const std::span<const std::int32_t> arms(candidates.data() + at, std::min(kChunk, candidates.size() - at));
        std::vector<double> sums(arms.size());
        for (std::int64_t first = 0; first < samples; first += kBatch) {
            const auto width = static_cast<std::size_t>(std::min<std::int64_t>(kBatch, samples - first));
            cost.sampling_ops += box.pull(first, static_cast<int>(width), arms, z.data());
            for (std::size_t i = 0; i < arms.size(); ++i)
                for (std::size_t j = 0; j < width; ++j)
                    sums[i] += static_cast<double>(z[i * kBatch + j]);
        }
        for (std::size_t i = 0; i < arms.size(); ++i)
            estimates.offer({sums[i] + sampled_start(box, arms[i], samples), arms[i]});
    }
    nearest.reset(rule.k, rule.limit);
    for (const Finished &estimate : estimates.sorted()) {
        watch.poll();
        nearest.offer({box.exact(estimate.arm), estimate.arm});
        cost.exact_ops += box.exact_ops(estimate.arm);
        ++cost.exact_evals;
    }
    cost.complete = cost.exact_evals == candidates.size();
    return cost;
}

} // namespace bmo

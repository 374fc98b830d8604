// Pulls arms of a box, in a form that a test can use, and counts what it takes.
#pragma once

#include <cstdint>
#include <span>

#include "bandit/box.hpp"
#include "bandit/cost.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

inline constexpr std::size_t kChunk = 256; // arms at a time, so that their samples stay in cache

// A box may offer these two in one go with the pull:
//   bet(first, arms, look, state, keep): a BetKernel on the samples [first, first + 16) of the arms
//   add_sums(first, arms, sums): an AddSumsKernel on them
// and prefetch(first, arms), for samples that will be read soon.
template <Box B>
class Sampler {
public:
    Sampler(B &box, Cost &cost) : box_(box), cost_(cost) {}

    // At most kChunk arms.
    void bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look, const ArmState &state,
             std::uint8_t *keep) {
        if constexpr (requires { box_.bet(first, arms, look, state, keep); }) {
            cost_.pulls += box_.bet(first, arms, look, state, keep);
        } else {
            pull(first, arms);
            kernels().bet(samples_, static_cast<std::int64_t>(arms.size()), look, state, keep);
        }
    }

    // The samples [first, first + 16) of the arms are about to be read.
    void prefetch(std::int64_t first, std::span<const std::int32_t> arms) const {
        if constexpr (requires { box_.prefetch(first, arms); })
            box_.prefetch(first, arms);
    }

    // For estimates alone: with a batch's part of what is known of each arm beforehand.
    void add_sums(std::int64_t first, std::span<const std::int32_t> arms, double *sums) {
        if constexpr (requires { box_.add_sums(first, arms, sums); }) {
            cost_.pulls += box_.add_sums(first, arms, sums);
        } else {
            pull(first, arms);
            kernels().add_sums(samples_, static_cast<std::int64_t>(arms.size()), sums);
        }
        if constexpr (requires { box_.start_sum(arms[0]); })
            for (std::size_t i = 0; i < arms.size(); ++i)
                sums[i] += sampled_start(box_, arms[i], kBatch);
    }

private:
    void pull(std::int64_t first, std::span<const std::int32_t> arms) {
        cost_.pulls += box_.pull(first, kBatch, arms, samples_);
    }

    B &box_;
    Cost &cost_;
    alignas(64) float samples_[kChunk * kBatch];
};

} // namespace bmo

// Pulls arms of a box, in a form that a test can use, and counts what it takes.
#pragma once

#include <cstdint>
#include <span>

#include "bandit/cost.hpp"
#include "boxes/box.hpp"
#include "simd/kernels.hpp"

namespace bmo {

inline constexpr std::size_t kChunk = 256; // arms at a time, so that their samples stay in cache

template <Box B>
class Sampler {
public:
    Sampler(B &box, Cost &cost) : box_(box), cost_(cost) {}

    // At most kChunk arms.
    void bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look, const ArmState &state,
             std::uint8_t *keep) {
        cost_.sampling_ops += box_.bet(first, arms, look, state, keep);
    }

    // The samples [first, first + 16) of the arms are about to be read.
    void prefetch(std::int64_t first, std::span<const std::int32_t> arms) const { box_.prefetch(first, arms); }

    // For estimates alone: with a batch's part of what is known of each arm beforehand.
    void add_sums(std::int64_t first, std::span<const std::int32_t> arms, double *sums) {
        cost_.sampling_ops += box_.add_sums(first, arms, sums);
        if constexpr (kStarts<B>)
            for (std::size_t i = 0; i < arms.size(); ++i)
                sums[i] += sampled_start(box_, arms[i], kBatch);
    }

private:
    B &box_;
    Cost &cost_;
};

} // namespace bmo

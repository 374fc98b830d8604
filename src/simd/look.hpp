// A look of the test by betting, but for the loop over samples: what comes before and after it, for every instruction
// set. Inlined into each target's code.
#pragma once

#include <algorithm>
#include <cstdint>

#include "simd/bets.hpp"
#include "simd/kernels.hpp"

namespace bmo {

inline constexpr std::int64_t kLookArms = 64; // at a time

// A bound of a few steps in float counts if it is above this: each step is within 2^-24 of its value, or within 2^-150
// if it is subnormal: 2^-20 and 2^-140 are more than all of them.
inline float bound_limit(double target) {
    return static_cast<float>(std::min(target * (1 + 0x1p-20) + 0x1p-140, 3e38));
}

// What a guess and its bound may be off by, in units of base + square = M. With u = 2^-24: two chains of 8 products and their
// sum are within 9 u |a| |q| of a.q, and twice that within 9 u M; base was rounded, by u M, and the difference is, by 3 u M.
// In the bound, high^2 and square are within u M each, and the three sums behind them, none of which is above 4 M, within 4 u M
// each: 27 u M in all, less than half of the margin. (low and high are multiplied by a power of two.)
inline constexpr float kGuessMargin = 0x1p-18F;

// The unit of stakes is this over m: less than 1 / m, whatever was rounded.
inline constexpr float kUnitOfMean = 1 - 0x1p-20F;

// What the samples of a batch gave to each arm: the products of the bets, and the sums.
struct Batch {
    alignas(64) float unit[kLookArms]; // at most 1 / m: the stake of bet g is c_g times this
    alignas(64) float growth[kBets][kLookArms];
    alignas(64) float sum[kLookArms];
};

// A lower bound of the sum that an arm has read.
inline double sum_below(double sum, const Look &look) {
    return sum * (1 - kSumRelativeError) - look.slack;
}

// Is the sum alone, of samples that are never negative, above the target? That is no test: it cannot be wrong.
inline bool sum_exceeds(double sum, const Look &look) {
    return look.target > 0 ? sum_below(sum, look) > look.target : sum > look.target;
}

// 1 / m, rounded down; 0, so that nothing is staked, if m is too small.
__attribute__((always_inline)) inline void prepare_units(const double *sum, std::int64_t count, const Look &look,
                                                         Batch &batch) {
    const double per_unread = kRoundUp / look.unread;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto mean = static_cast<float>((look.target - sum_below(sum[i], look)) * per_unread);
        batch.unit[i] = mean >= kSmallestMean ? kUnitOfMean / mean : 0;
    }
}

// Puts the batch on the arms' sums and wealths, and decides who is kept.
__attribute__((always_inline)) inline void settle(const Batch &batch, std::int64_t count, const Look &look,
                                                  const ArmState &arms, std::uint8_t *keep) {
    alignas(64) float total[kLookArms] = {};
    for (int g = 0; g < kBets; ++g) {
        float *wealth = arms.wealth + g * arms.stride;
        if (g >= look.first_bet && g < look.last_bet)
            for (std::int64_t i = 0; i < count; ++i)
                wealth[i] *= std::min(batch.growth[g][i], kLargestGrowth);
        for (std::int64_t i = 0; i < count; ++i)
            total[i] += wealth[i] * kWeight[static_cast<std::size_t>(g)];
    }
    for (std::int64_t i = 0; i < count; ++i)
        arms.sum[i] += static_cast<double>(batch.sum[i]);
    for (std::int64_t i = 0; i < count; ++i) {
        const bool exceeds = sum_exceeds(arms.sum[i], look);
        keep[i] = static_cast<std::uint8_t>(!(total[i] >= look.rejection) & !exceeds);
    }
}

} // namespace bmo

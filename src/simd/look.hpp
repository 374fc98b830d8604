// What one look of the test needs of an arm before it reads the batch: shared by every instruction set.
#pragma once

#include <array>
#include <cstdint>

#include "bandit/betting.hpp"
#include "simd/kernels.hpp"

namespace bmo {

// The stakes c_g / m, rounded down; all 0 where m is too small to stake on.
struct Stakes {
    std::array<float, kBets> per_unit{};
};

// A lower bound of the sum that the arm has read.
inline double sum_below(double sum, const Look &look) {
    return sum * (1 - kSumRelativeError) - look.slack;
}

inline Stakes stakes_for(double sum_read, const Look &look) {
    Stakes stakes;
    const double mean = (look.target - sum_below(sum_read, look)) / look.unread * kRoundUp;
    if (!(mean >= kSmallestMean))
        return stakes;
    const double unit = (1 - 0x1p-22) / mean;
    for (std::size_t g = 0; g < kBets; ++g)
        stakes.per_unit[g] = static_cast<float>((1 - static_cast<double>(kRetained[g])) * unit);
    return stakes;
}

// Is the sum alone, of samples that are never negative, above the target? That is no test: it cannot be wrong.
inline bool sum_exceeds(double sum, const Look &look) {
    return look.target > 0 ? sum_below(sum, look) > look.target : sum > look.target;
}

} // namespace bmo

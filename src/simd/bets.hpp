// The bets of the test by betting, and what rounding may do to them. bandit/betting.hpp says why.
#pragma once

#include <array>

#include "simd/kernels.hpp"

namespace bmo {

// 1 - c_g and w_g. The complements of these floats are exact, and the weights add up to 1 or less.
inline constexpr std::array<float, kBets> kRetained = {0.95F, 0.85F, 0.70F, 0.50F};
inline constexpr std::array<float, kBets> kWeight = {0.05F, 0.35F, 0.40F, 0.1999F};

inline constexpr double kSumRelativeError = 0x1p-20;
inline constexpr double kSampleAbsoluteError = 0x1p-140;
inline constexpr double kWealthErrorPerSample = 0x1p-20;
inline constexpr float kSmallestMean = 1e-30F; // below it nothing is staked: c / m would overflow
inline constexpr double kRoundUp = 1 + 0x1p-50;
// The most that one batch multiplies a wealth by: keeps 0 * infinity away. Lowering a wealth is sound.
inline constexpr float kLargestGrowth = 1e30F;

} // namespace bmo

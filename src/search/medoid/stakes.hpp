// A mixture of bets with fixed stakes: the wealth of a test by betting where samples come one at a time.
//
// Under the hypothesis a sample z >= 0 is m on average at most, so that 1 + f (z / m - 1) is at most 1 on average for a fixed
// stake f < 1: the product over samples, and any fixed mixture of such products, reaches 1 / alpha with probability at most
// alpha (Ville, 1939; Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", 2024).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace bmo {

struct Stakes {
    std::array<double, 4> stake, weight; // weights add up to 1
};

struct Wealth {
    std::array<double, 4> of = {1, 1, 1, 1};

    // ratio: z / m, or less.
    void bet(const Stakes &stakes, double ratio) {
        constexpr double kLargestFactor = 1e60; // keeps 0 * infinity away; to win less is sound
        for (std::size_t g = 0; g < of.size(); ++g)
            of[g] *= std::min(1 + stakes.stake[g] * (ratio - 1), kLargestFactor);
    }

    // The logarithm of the most that one of the stakes has won.
    double growth(const Stakes &stakes) const {
        double most = 0;
        for (std::size_t g = 0; g < of.size(); ++g)
            most = std::max(most, std::log(stakes.weight[g] * of[g]));
        return most;
    }

    // Whether the hypothesis is rejected at level alpha after so many bets.
    bool rejects(const Stakes &stakes, double alpha, std::int64_t bets) const {
        constexpr double kErrorOfBet = 0x1p-48; // of a factor, relatively
        double mixture = 0;
        for (std::size_t g = 0; g < of.size(); ++g)
            mixture += stakes.weight[g] * of[g];
        return mixture * alpha > std::exp(kErrorOfBet * static_cast<double>(bets));
    }
};

} // namespace bmo

// The test by betting: is the mean of an arm's samples above tau?
//
// Let z_1, ..., z_N >= 0 be the samples of an arm (its whole population, in random order), theta their mean, and
// H0: theta <= tau. With S the sum of the first t and m = (N tau - S) / (N - t), the mean of what is left is at most m
// under H0, so that for a fixed fraction c < 1 the stake 1 + c (z / m - 1) is non-negative with conditional expectation
// at most 1: their product is a supermartingale, and so is the mixture over fixed fractions
//     W = sum_g w_g prod_t (1 + c_g (z_t / m_t - 1)),
// and P(W ever reaches 1 / alpha) <= alpha (Ville, 1939; Waudby-Smith and Ramdas, 2024, sections 4 and 5).
//
// Batches. m is held through a batch of b samples and looked at only at its end. The expectation of
// prod (1 - c + (c / m) z_t) over b draws without replacement is a polynomial with non-negative coefficients in the
// normalized elementary symmetric means of what is left, each of which is at most the power of their mean (Maclaurin's
// inequality): at most (1 - c + (c / m) m)^b = 1.
//
// Bets that come and go. A bet that stakes nothing on the first batches, or on the last, however many were laid down
// beforehand, is a fixed strategy too. The bets of small stakes tell nothing after a few samples: they join after
// kLateBetsJoin of them. Arms that large stakes put out are gone after a few hundred: what those bets have won stays.
//
// A falling tau. Each factor falls in tau. A threshold that is never below tau*, chosen in any way, and changed at any
// look, gives a wealth that is never above that of tau*: it is sound for H0: theta <= tau*.
//
// The fractions are fixed here. To learn them from samples that other arms read further ahead in the shared order is
// unsound: those samples tell of the coordinates this arm is about to read.
//
// Foretold samples. Let h_j >= 0 be known of every sample before one is read, and H the mean of those that are left.
// With c h_j <= H the stake 1 + c (z_j / m - h_j / H) is non-negative, and its mean over what is left is at most 1: the
// argument for batches holds for it as it stands, with the means of the stakes themselves. What h foretells of z takes
// no part in the risk.
//
// Rounding. The samples and factors of float arithmetic are each within 9 * 2^-24 of their value, relatively, and so
// are sums of a batch: t samples raise the wealth by at most exp(t 2^-20), which rejection_level() puts on the
// threshold, and the sum by at most 2^-20 and t 2^-140 (subnormal samples), which the look takes off the sum before it
// forms m. m is rounded up, c / m down.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "simd/bets.hpp"
#include "simd/kernels.hpp"

namespace bmo {

// Wealth at which an arm that read `samples` is dropped: 1 / alpha, with the margin for rounding. Not a number, which no
// wealth reaches, if float cannot tell such a wealth.
inline float rejection_level(double alpha, std::int64_t samples) {
    const double level = std::exp(kWealthErrorPerSample * static_cast<double>(samples)) / alpha;
    return level < 3e38 ? static_cast<float>(level * (1 + 0x1p-22)) : std::numeric_limits<float>::quiet_NaN();
}

// Bets on a batch that h foretells, h_0 to h_(width - 1): `mean` is H, and no h of what is left is above `largest`.
inline ForetoldBets foretold_bets(std::span<const float> h, double mean, double largest) {
    constexpr double kRoundDown = 1 - 0x1p-22;
    ForetoldBets bets;
    for (std::size_t g = 0; g < kBets; ++g) {
        const double most = largest > 0 ? mean / largest * kRoundDown : 0;
        bets.stake[g] = std::min(1 - kRetained[g], static_cast<float>(most) * (1 - 0x1p-20F));
        for (std::size_t j = 0; j < h.size(); ++j) {
            const double staked = static_cast<double>(bets.stake[g]) * static_cast<double>(h[j]) / mean;
            bets.retained[g][j] = mean > 0 ? static_cast<float>((1 - staked) * kRoundDown) : 1;
        }
    }
    return bets;
}

} // namespace bmo

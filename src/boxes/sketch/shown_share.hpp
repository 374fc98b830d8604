// What random directions show of a vector.
//
// Let r be a vector of D dimensions, |r|^2 = R, and S the squared norm of its projection on the span of T directions that
// were drawn without knowing r, uniformly (Haar). Then S / R has the law Beta(T / 2, (D - T) / 2), exactly and for every r:
// the projection of a fixed unit vector on a random subspace is as that of a random unit vector on a fixed one, and T of the
// D squares of a Gaussian vector are to all of them as Gamma(T / 2) to Gamma(T / 2) + Gamma((D - T) / 2).
#pragma once

#include <cstdint>

namespace bmo {

// A share b with P(S > b R) <= level, which is that quantile but for 2^-40: 1 if there is none below.
double shown_share(std::int64_t directions, std::int64_t dimensions, double level);

} // namespace bmo

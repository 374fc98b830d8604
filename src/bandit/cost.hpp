// What finding the k nearest arms took.
#pragma once

#include <cstdint>

namespace bmo {

struct Cost {
    std::uint64_t sampling_ops = 0; // coordinate operations of what is not exact: samples, guesses, bounds
    std::uint64_t exact_ops = 0;    // of exact sums
    std::uint64_t exact_evals = 0;  // exact sums
    std::uint64_t rounds = 0;
    std::uint64_t projection_ops = 0; // on the query itself
    std::uint64_t bounded = 0;        // arms that fell by bounds that cannot fail, before any sample
    bool complete = true;             // no test was relied on: every sum is exact, or above a bound that cannot fail

    std::uint64_t coord_ops() const { return sampling_ops + exact_ops; }

    Cost &operator+=(const Cost &part) {
        sampling_ops += part.sampling_ops;
        exact_ops += part.exact_ops;
        exact_evals += part.exact_evals;
        rounds += part.rounds;
        projection_ops += part.projection_ops;
        bounded += part.bounded;
        complete = complete && part.complete;
        return *this;
    }
};

} // namespace bmo

// What a race is to find, and how surely.
#pragma once

#include <cstdint>
#include <limits>

namespace bmo {

struct RaceRule {
    std::int64_t k = 1;
    double alpha = 0.01;                                    // of each arm's test: delta / k; delta in a radius search
    double epsilon_sum = 0;                                 // epsilon, in units of an exact sum
    std::int64_t self = -1;                                 // the arm that is no candidate; -1: all are
    double limit = std::numeric_limits<double>::infinity(); // no arm whose exact sum is above it is wanted
    bool all = false; // every arm within the limit is wanted; k is no less than the arms

    // tau is near its end if the nearest of so many are known. The limit alone needs none.
    std::int64_t scouted() const { return all ? 0 : k; }
};

} // namespace bmo

// How the probability of error is shared between the bounds of the arms.
//
// Let N be the k best arms. A set that UCB or LUCB returns is wrong only if it has an arm i outside N, and lacks an arm
// j of N, that were told apart by upper(i) < lower(j): only if a lower bound of one of the k arms of N failed, or an
// upper bound of one of the n - k others. The paper bounds all n arms, on both sides, at every number of pulls: delta'
// = delta / (n MAX_PULLS). The split is as in LUCB++ (Simchowitz, Jamieson, Recht, "The simulator", 2017), here with a
// union over looks alone, since every arm is looked at after numbers of samples that are fixed, and with the upper bounds
// of all n arms: if nothing failed the set is N, and both bounds of each arm in it hold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bmo {

// The bounds of an arm are looked at after `first` samples, then after every `step` more, and `most` samples at most.
struct Looks {
    std::int64_t first = 32, step = 256;
    std::int64_t most = 0; // 0: without end

    std::int64_t number(std::int64_t samples) const { return 1 + (std::max(samples, first) - first + step - 1) / step; }
};

// The probability that a bound of an arm ever fails is exp(-lower) or exp(-upper).
struct Levels {
    double lower = 0, upper = 0;
    Looks looks;
    bool each_look = false; // `lower` and `upper` are of one look already

    // What `level` leaves to the look after so many samples. Looks without end: 1 / (l (l + 1)) to the l-th.
    double at_look(double level, std::int64_t samples) const {
        if (each_look)
            return level;
        if (looks.most > 0)
            return level + std::log(static_cast<double>(looks.number(looks.most)));
        const auto look = static_cast<double>(looks.number(samples));
        return level + std::log(look * (look + 1));
    }
};

struct ErrorBudget {
    double delta = 0.01;
    std::int64_t arms = 1, k = 1;
};

inline Levels split_levels(const ErrorBudget &budget, const Looks &looks) {
    const auto best = static_cast<double>(budget.k), all = static_cast<double>(budget.arms);
    return {std::log(2 * best / budget.delta), std::log(2 * all / budget.delta), looks};
}

// Arms that are accepted by their exact values alone need no upper bound: all of delta is for the k lower ones.
inline Levels lower_levels(const ErrorBudget &budget, const Looks &looks) {
    return {std::log(static_cast<double>(budget.k) / budget.delta), HUGE_VAL, looks};
}

// The paper's log(2 / delta') on either side.
inline Levels paper_levels(const ErrorBudget &budget, const Looks &looks) {
    Levels levels;
    levels.lower = std::log(2 * static_cast<double>(budget.arms) / budget.delta);
    levels.looks = looks;
    levels.each_look = looks.most > 0;
    if (levels.each_look)
        levels.lower += std::log(static_cast<double>(looks.most));
    levels.upper = levels.lower;
    return levels;
}

} // namespace bmo

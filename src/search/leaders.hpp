// What a scan by bounds knows of the nearest points of one query.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bandit/nearest.hpp"

namespace bmo {

// For every point that may be near it has a lower and an upper bound of the sum. tau, the k-th smallest upper bound so far or a
// limit, is never below the k-th smallest sum that is wanted, so that a point whose lower bound is above it is not among the k
// nearest.
class Leaders {
public:
    struct Candidate {
        double lower;
        std::int32_t arm;
    };

    // most: candidates that are kept; more cannot be told apart.
    void reset(const Wanted &wanted, std::size_t most) {
        uppers.reset(wanted.k, wanted.limit);
        candidates.clear();
        crowded = false;
        wanted_ = wanted;
        most_ = most;
    }

    double tau() const { return uppers.threshold(); }

    void consider(double lower, double upper, std::int32_t arm) {
        if (arm == wanted_.self)
            return;
        uppers.offer({upper, arm});
        if (crowded)
            return;
        candidates.push_back({lower, arm});
        if (candidates.size() <= most_)
            return;
        drop_fallen();
        crowded = candidates.size() > most_ / 2;
    }

    // Of a sum that is known: it is no candidate beside the k of least upper bound.
    void consider(double sum, std::int32_t arm) {
        if (arm != wanted_.self)
            uppers.offer({sum, arm});
    }

    void drop_fallen() {
        std::erase_if(candidates, [tau = tau()](const Candidate &candidate) { return candidate.lower > tau; });
    }

    // Those that are left ascend by their lower bounds.
    void sort() {
        drop_fallen();
        std::ranges::sort(candidates, {}, &Candidate::lower);
    }

    // Of a query whose bounds are tight: beyond, those that have fallen behind are dropped.
    static std::size_t most_candidates(std::int64_t k) {
        return static_cast<std::size_t>(std::max<std::int64_t>(4096, 4 * k));
    }

    const Wanted &wanted() const { return wanted_; } // the limit as a sum of the bounds

    Nearest uppers;
    std::vector<Candidate> candidates;
    bool crowded = false; // too many cannot be told apart by bounds: all are summed in the end

private:
    Wanted wanted_;
    std::size_t most_ = 0;
};

} // namespace bmo

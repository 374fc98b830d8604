// What a scan by bounds knows of the nearest points of one query.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bandit/nearest.hpp"

namespace bmo {

// For every point that may be near it has a lower and an upper bound of the sum. tau, the k-th smallest upper bound so far, is
// never below the k-th smallest sum, so that a point whose lower bound is above it is not among the k nearest.
class Leaders {
public:
    struct Candidate {
        double lower;
        std::int32_t arm;
    };

    // self: the arm that is no candidate; -1: all are. most: candidates that are kept; more cannot be told apart.
    void reset(std::int64_t k, std::int64_t self, std::size_t most) {
        uppers.reset(k);
        candidates.clear();
        crowded = false;
        self_ = self;
        most_ = most;
    }

    double tau() const { return uppers.threshold(); }

    void consider(double lower, double upper, std::int32_t arm) {
        if (arm == self_)
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
        if (arm != self_)
            uppers.offer({sum, arm});
    }

    void drop_fallen() {
        std::erase_if(candidates, [tau = tau()](const Candidate &candidate) { return candidate.lower > tau; });
    }

    std::int64_t self() const { return self_; }

    Nearest uppers;
    std::vector<Candidate> candidates;
    bool crowded = false; // too many cannot be told apart by bounds: all are summed in the end

private:
    std::int64_t self_ = -1;
    std::size_t most_ = 0;
};

} // namespace bmo

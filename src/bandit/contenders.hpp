// The arms that are still in a race, and what each has read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

struct Contenders {
    std::vector<std::int32_t> arms;
    AlignedVector<double> sums;   // of the samples
    AlignedVector<float> wealths; // kBets each

    std::size_t size() const { return arms.size(); }

    // All arms of [0, count) but self.
    void enlist(std::int64_t count, std::int64_t self) {
        arms.clear();
        arms.reserve(static_cast<std::size_t>(count));
        for (std::int64_t arm = 0; arm < count; ++arm)
            if (arm != self)
                arms.push_back(static_cast<std::int32_t>(arm));
        sums.assign(arms.size(), 0);
        wealths.assign(arms.size() * kBets, 1);
    }

    void move(std::size_t from, std::size_t to) {
        arms[to] = arms[from];
        sums[to] = sums[from];
        for (std::size_t g = 0; g < kBets; ++g)
            wealths[to * kBets + g] = wealths[from * kBets + g];
    }

    void shrink(std::size_t count) {
        arms.resize(count);
        sums.resize(count);
        wealths.resize(count * kBets);
    }

    // An arm that was finished: its sum is beyond every target, so that the next look drops it.
    void retire(std::size_t position) { sums[position] = std::numeric_limits<double>::infinity(); }
};

} // namespace bmo

// Finds arms that are likely to be among the k nearest, so that a race starts with a tau close to the true one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bandit/schedule.hpp"

namespace bmo {

struct Scout {
    double sum;           // of the samples so far: the less, the more promising
    std::size_t position; // among the contenders
};

// Leaves the `count` most promising in front, and drops the others. Ties by position: the same on every machine.
inline void narrow(std::vector<Scout> &scouts, std::int64_t count) {
    if (count >= static_cast<std::int64_t>(scouts.size()))
        return;
    std::nth_element(scouts.begin(), scouts.begin() + count, scouts.end(), [](const Scout &a, const Scout &b) {
        return a.sum < b.sum || (a.sum == b.sum && a.position < b.position);
    });
    scouts.resize(static_cast<std::size_t>(count));
}

// Successive halving of sorts: narrows `scouts` to k + min(k, kScoutSpare). sample(scouts, from) adds a batch at
// position `from` of the population to the scouts' sums.
template <class Sample>
void scout(std::vector<Scout> &scouts, std::int64_t k, std::int64_t read, std::int64_t population, Sample sample) {
    const auto arms = static_cast<std::int64_t>(scouts.size());
    const std::int64_t finished = std::min(arms, k + std::min(k, kScoutSpare));
    std::int64_t going_on = std::min(arms / kScoutShare, kScoutPerNeighbour * k);
    const std::int64_t furthest = population / kOpeningShare;
    for (const std::int64_t batches : kScoutBatches) {
        narrow(scouts, std::max(finished, going_on));
        const std::int64_t last = std::min(furthest, read + batches * kBatch);
        for (; read + kBatch <= last; read += kBatch)
            sample(scouts, read);
        going_on /= kScoutNarrowing;
    }
    narrow(scouts, finished);
}

} // namespace bmo

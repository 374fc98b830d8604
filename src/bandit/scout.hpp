// Finds arms that are likely to be among the k nearest, so that a race starts with a tau close to the true one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bandit/sampler.hpp"
#include "bandit/schedule.hpp"

namespace bmo {

struct Scout {
    double sum;        // of the samples so far: the less, the more promising
    std::size_t place; // in the caller's list of arms

    friend bool operator<(const Scout &a, const Scout &b) {
        return a.sum < b.sum || (a.sum == b.sum && a.place < b.place);
    }
};

// How many arms scouting is to leave.
inline std::int64_t scouts_finished(std::int64_t k) {
    return k + std::min(k, kScoutSpare);
}

// Leaves the `count` most promising, in any order.
inline void narrow(std::vector<Scout> &scouts, std::int64_t count) {
    if (count >= static_cast<std::int64_t>(scouts.size()))
        return;
    std::nth_element(scouts.begin(), scouts.begin() + count, scouts.end());
    scouts.resize(static_cast<std::size_t>(count));
}

// Those up to a bound. Most blocks have none: a comparison of whole blocks, which compilers turn into vectors, passes them.
template <class Real>
void collect_scouts(std::span<const Real> sums, Real bound, std::vector<Scout> &scouts) {
    constexpr std::size_t kBlock = 32;
    scouts.clear();
    for (std::size_t first = 0; first < sums.size(); first += kBlock) {
        const std::span<const Real> block = sums.subspan(first, std::min(kBlock, sums.size() - first));
        Real least = block[0];
        for (const Real sum : block)
            least = sum < least ? sum : least;
        if (!(least <= bound))
            continue;
        for (std::size_t i = 0; i < block.size(); ++i)
            if (block[i] <= bound)
                scouts.push_back({static_cast<double>(block[i]), first + i});
    }
}

// About `wanted` of the least sums, at least `least`: those up to a quantile of every few sums.
template <class Real>
void choose_scouts(std::span<const Real> sums, std::int64_t wanted, std::int64_t least, std::vector<Scout> &scouts) {
    constexpr std::size_t kExamined = 2048;
    const std::size_t step = std::max<std::size_t>(1, sums.size() / kExamined);
    std::vector<Real> examined;
    examined.reserve(2 * kExamined);
    for (std::size_t i = 0; i < sums.size(); i += step)
        examined.push_back(sums[i]);
    const std::size_t rank = std::min(examined.size() - 1, static_cast<std::size_t>(wanted) / step);
    std::nth_element(examined.begin(), examined.begin() + static_cast<std::ptrdiff_t>(rank), examined.end());
    collect_scouts(sums, examined[rank], scouts);
    if (static_cast<std::int64_t>(scouts.size()) < least)
        collect_scouts(sums, std::numeric_limits<Real>::infinity(), scouts);
}

// Adds a batch at position `first` to the scouts' sums.
template <Box B>
void sample_scouts(Sampler<B> &sampler, std::span<const std::int32_t> arms, std::int64_t first,
                   std::vector<Scout> &scouts) {
    std::int32_t named[kChunk];
    double sums[kChunk];
    for (std::size_t at = 0; at < scouts.size(); at += kChunk) {
        const std::size_t count = std::min(kChunk, scouts.size() - at);
        for (std::size_t i = 0; i < count; ++i) {
            named[i] = arms[scouts[at + i].place];
            sums[i] = scouts[at + i].sum;
        }
        sampler.add_sums(first, {named, count}, sums);
        for (std::size_t i = 0; i < count; ++i)
            scouts[at + i].sum = sums[i];
    }
}

// Successive halving of sorts, over arms that have read `read` samples with these sums: leaves scouts_finished(k) of
// them, or all if there are fewer, having sampled no further than `furthest`.
template <Box B>
void scout(Sampler<B> &sampler, std::span<const std::int32_t> arms, std::span<const double> sums, std::int64_t k,
           std::int64_t read, std::int64_t furthest, std::vector<Scout> &scouts) {
    scouts.clear();
    if (arms.empty())
        return;
    const std::int64_t finished = scouts_finished(k);
    const auto share = static_cast<std::int64_t>(arms.size()) / kScoutShare;
    std::int64_t going_on = std::max(finished, std::min(share, kScoutPerNeighbour * k));
    choose_scouts<double>(sums, going_on, finished, scouts);
    for (const std::int64_t batches : kScoutBatches) {
        narrow(scouts, going_on);
        const std::int64_t last = std::min(furthest, read + batches * kBatch);
        for (; read + kBatch <= last; read += kBatch)
            sample_scouts(sampler, arms, read, scouts);
        going_on = std::max(finished, going_on / kScoutNarrowing);
    }
    narrow(scouts, finished);
}

} // namespace bmo

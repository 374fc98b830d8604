// Finds arms that are likely to be among the k nearest, so that a race starts with a tau close to the true one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bandit/race/sampler.hpp"
#include "bandit/race/schedule.hpp"
#include "util/watch.hpp"

namespace bmo {

struct Scored {
    double sum;        // of the samples so far: the less, the more promising
    std::size_t place; // in the caller's list of arms

    friend bool operator<(const Scored &a, const Scored &b) {
        return a.sum < b.sum || (a.sum == b.sum && a.place < b.place);
    }
};

// Compares for a standard algorithm, and polls: a list may have millions.
inline auto polled_less(SmallSteps &steps) {
    return [&steps](const Scored &a, const Scored &b) {
        steps.step();
        return a < b;
    };
}

// The most promising first.
inline void order(std::vector<Scored> &scouts, Watch &watch) {
    SmallSteps steps(watch);
    if (!std::is_sorted(scouts.begin(), scouts.end(), polled_less(steps)))
        std::sort(scouts.begin(), scouts.end(), polled_less(steps));
}

// How many arms scouting is to leave.
inline std::int64_t scouts_finished(std::int64_t k) {
    return k + std::min(k, kScoutSpare);
}

// Leaves the `count` most promising, in any order.
inline void narrow(std::vector<Scored> &scouts, std::int64_t count, Watch &watch) {
    if (count >= static_cast<std::int64_t>(scouts.size()))
        return;
    SmallSteps steps(watch);
    std::nth_element(scouts.begin(), scouts.begin() + count, scouts.end(), polled_less(steps));
    scouts.resize(static_cast<std::size_t>(count));
}

// Those up to a bound. Most blocks have none: a comparison of whole blocks, which compilers turn into vectors, passes them.
inline void collect_scouts(std::span<const double> sums, double bound, std::vector<Scored> &scouts) {
    constexpr std::size_t kBlock = 32;
    scouts.clear();
    for (std::size_t first = 0; first < sums.size(); first += kBlock) {
        const std::span<const double> block = sums.subspan(first, std::min(kBlock, sums.size() - first));
        double least = block[0];
        for (const double sum : block)
            least = sum < least ? sum : least;
        if (!(least <= bound))
            continue;
        for (std::size_t i = 0; i < block.size(); ++i)
            if (block[i] <= bound)
                scouts.push_back({block[i], first + i});
    }
}

// About `wanted` of the least sums, at least `least`: those up to a quantile of every few sums.
inline void choose_scouts(std::span<const double> sums, std::int64_t wanted, std::int64_t least,
                          std::vector<Scored> &scouts) {
    constexpr std::size_t kExamined = 2048;
    const std::size_t step = std::max<std::size_t>(1, sums.size() / kExamined);
    std::vector<double> examined;
    examined.reserve(2 * kExamined);
    for (std::size_t i = 0; i < sums.size(); i += step)
        examined.push_back(sums[i]);
    const std::size_t rank = std::min(examined.size() - 1, static_cast<std::size_t>(wanted) / step);
    std::nth_element(examined.begin(), examined.begin() + static_cast<std::ptrdiff_t>(rank), examined.end());
    collect_scouts(sums, examined[rank], scouts);
    if (static_cast<std::int64_t>(scouts.size()) < least)
        collect_scouts(sums, std::numeric_limits<double>::infinity(), scouts);
}

// `few` of the least sums or somewhat more: those up to the few-th least of the minima of sets of 32. The sets of a part lie
// side by side, so that compilers find vectors in them.
inline void choose_few(std::span<const float> sums, std::size_t few, std::vector<Scored> &scouts) {
    constexpr std::size_t kSide = 16, kPart = 32 * kSide;
    constexpr float kNone = std::numeric_limits<float>::infinity();
    std::vector<float> minima;
    for (std::size_t part = 0; part < sums.size(); part += kPart) {
        std::array<float, kSide> least;
        least.fill(kNone);
        const std::size_t end = std::min(sums.size(), part + kPart), whole = end - (end - part) % kSide;
        for (std::size_t first = part; first < whole; first += kSide)
            for (std::size_t l = 0; l < kSide; ++l)
                least[l] = sums[first + l] < least[l] ? sums[first + l] : least[l];
        for (std::size_t i = whole; i < end; ++i)
            least[i - whole] = std::min(least[i - whole], sums[i]);
        minima.insert(minima.end(), least.begin(), least.end());
    }
    float bound = kNone;
    if (few <= minima.size()) {
        std::vector<float> sorted = minima;
        const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(few) - 1;
        std::nth_element(sorted.begin(), last, sorted.end());
        bound = *last;
    }
    scouts.clear();
    for (std::size_t set = 0; set < minima.size(); ++set) {
        const std::size_t part = set / kSide * kPart;
        for (std::size_t i = part + set % kSide; minima[set] <= bound && i < std::min(sums.size(), part + kPart);
             i += kSide)
            if (sums[i] <= bound)
                scouts.push_back({static_cast<double>(sums[i]), i});
    }
}

// Calls visit(some, sums) for every kChunk of the scouts, with their sums, which it may change.
template <class Visit>
void visit_scouts(std::span<Scored> scouts, Visit visit) {
    double sums[kChunk];
    for (std::size_t at = 0; at < scouts.size(); at += kChunk) {
        const std::span<Scored> some = scouts.subspan(at, std::min(kChunk, scouts.size() - at));
        std::transform(some.begin(), some.end(), sums, [](const Scored &of) { return of.sum; });
        visit(some, sums);
        for (std::size_t i = 0; i < some.size(); ++i)
            some[i].sum = sums[i];
    }
}

// Adds a batch at position `first` to the scouts' sums.
template <Box B>
void sample_scouts(Sampler<B> &sampler, std::span<const std::int32_t> arms, std::int64_t first,
                   std::vector<Scored> &scouts) {
    visit_scouts(scouts, [&](std::span<Scored> some, double *sums) {
        std::int32_t named[kChunk];
        std::transform(some.begin(), some.end(), named, [&](const Scored &of) { return arms[of.place]; });
        sampler.add_sums(first, {named, some.size()}, sums);
    });
}

// Successive halving of sorts, over arms that have read `read` samples with these sums: leaves scouts_finished(k) of
// them, or all if there are fewer. No arm is sampled further than `sample_cap`, and no more operations are spent than `spare`.
template <Box B>
void scout(Sampler<B> &sampler, std::span<const std::int32_t> arms, std::span<const double> sums, std::int64_t k,
           std::int64_t read, std::int64_t sample_cap, double spare, std::vector<Scored> &scouts, Watch &watch) {
    scouts.clear();
    if (arms.empty())
        return;
    const std::int64_t finished = scouts_finished(k);
    const auto share = static_cast<std::int64_t>(arms.size()) / kScoutShare;
    std::int64_t going_on = std::max(finished, std::min(share, kScoutPerNeighbor * k));
    choose_scouts(sums, going_on, finished, scouts);
    for (const std::int64_t batches : kScoutBatches) {
        narrow(scouts, going_on, watch);
        const std::int64_t last = std::min(sample_cap, read + batches * kBatch);
        const double of_batch = static_cast<double>(scouts.size()) * static_cast<double>(kBatch);
        while (read + kBatch <= last && of_batch <= spare) {
            watch.poll();
            sample_scouts(sampler, arms, read, scouts);
            read += kBatch;
            spare -= of_batch;
        }
        going_on = std::max(finished, going_on / kScoutNarrowing);
    }
    narrow(scouts, finished, watch);
}

} // namespace bmo

// The arms that are still in a race, and what each has read and won.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "simd/kernels.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

class Contenders {
public:
    std::size_t size() const { return size_; }
    std::int32_t arm(std::size_t i) const { return arms_[i]; }
    double sum(std::size_t i) const { return sums_[i]; } // of the samples
    std::span<const double> sums() const { return {sums_.data(), size_}; }

    // Room for as many; none is in yet. Polls, since memory of millions of arms takes long to be had.
    void reset(std::size_t room, Watch &watch) {
        size_ = 0;
        if (room <= arms_.size())
            return;
        grow(arms_, room, watch);
        grow(sums_, room, watch);
        grow(wealths_, room * kBets, watch);
    }

    // A part of the arms, for a kernel.
    std::span<const std::int32_t> arms(std::size_t at, std::size_t count) const { return {arms_.data() + at, count}; }
    ArmState state(std::size_t at) {
        return {sums_.data() + at, wealths_.data() + at, static_cast<std::int64_t>(arms_.size())};
    }

    // Adds an arm whose sum is known without sampling.
    void add(std::int32_t arm, double sum) {
        arms_[size_] = arm;
        sums_[size_] = sum;
        for (std::size_t g = 0; g < kBets; ++g)
            wealths_[g * arms_.size() + size_] = 1;
        ++size_;
    }

    void append_unsampled(std::int32_t arm, double sum) {
        arms_[size_] = arm;
        sums_[size_] = sum;
        ++size_;
    }

    // Adds the arms [first, last), which have read nothing.
    void add_range(std::int32_t first, std::int32_t last) {
        const std::size_t from = size_;
        const auto count = static_cast<std::size_t>(last - first);
        std::iota(arms_.begin() + static_cast<std::ptrdiff_t>(size_),
                  arms_.begin() + static_cast<std::ptrdiff_t>(size_ + count), first);
        std::fill_n(sums_.data() + size_, count, 0.0);
        size_ += count;
        init_wealth(from);
    }

    // Adds arms that choose(arms, sums) writes, and whose number it returns; they do not bet until init_wealth().
    template <class Choose>
    void append_unsampled(Choose choose) {
        size_ += static_cast<std::size_t>(choose(arms_.data() + size_, sums_.data() + size_));
    }

    // Puts those in order that do not bet yet.
    void sort_unsampled(Watch &watch) {
        std::vector<std::pair<std::int32_t, double>> all;
        for (std::size_t i = 0; i < size_; ++i)
            all.emplace_back(arms_[i], sums_[i]);
        SmallSteps steps(watch);
        std::sort(all.begin(), all.end(), [&](const auto &a, const auto &b) {
            steps.step();
            return a < b;
        });
        for (std::size_t i = 0; i < size_; ++i)
            std::tie(arms_[i], sums_[i]) = all[i];
    }

    // A wealth of 1 for the arms from place `from` on.
    void init_wealth(std::size_t from) {
        for (std::size_t g = 0; g < kBets; ++g)
            std::fill_n(wealths_.data() + g * arms_.size() + from, size_ - from, 1.0F);
    }

    // Moves those of [at, at + count) that are kept behind the first `kept`; returns the new number.
    std::size_t compact(const std::uint8_t *keep, std::size_t at, std::size_t count, std::size_t kept) {
        if (kept == at && std::memchr(keep, 0, count) == nullptr)
            return at + count;
        return compact(keep, at, count, kept, state(0));
    }
    std::size_t compact_unsampled(const std::uint8_t *keep, std::size_t at, std::size_t count, std::size_t kept) {
        return compact(keep, at, count, kept, {sums_.data(), nullptr, 0});
    }

    void shrink(std::size_t count) { size_ = count; }

    // An arm that was finished: its sum is beyond every target, so that the next look drops it.
    void retire(std::size_t i) { sums_[i] = std::numeric_limits<double>::infinity(); }

private:
    template <class Values>
    static void grow(Values &values, std::size_t room, Watch &watch) {
        constexpr std::size_t kStep = std::size_t{1} << 20;
        values.clear();
        values.reserve(room);
        while (values.size() < room) {
            watch.poll();
            values.resize(std::min(room, values.size() + kStep));
        }
    }

    std::size_t compact(const std::uint8_t *keep, std::size_t at, std::size_t count, std::size_t kept,
                        const ArmState &state) {
        return static_cast<std::size_t>(kernels().compact(keep, static_cast<std::int64_t>(at),
                                                          static_cast<std::int64_t>(count),
                                                          static_cast<std::int64_t>(kept), arms_.data(), state));
    }

    std::size_t size_ = 0;
    AlignedVector<std::int32_t> arms_;
    AlignedVector<double> sums_;
    AlignedVector<float> wealths_; // bet g of arm i at g * room + i
};

} // namespace bmo

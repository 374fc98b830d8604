// The arms that are still in a race, and what each has read and won.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

class Contenders {
public:
    std::size_t size() const { return size_; }
    std::int32_t arm(std::size_t i) const { return arms_[i]; }
    double sum(std::size_t i) const { return sums_[i]; } // of the samples
    std::span<const double> sums() const { return {sums_.data(), size_}; }

    // Room for as many; none is in yet.
    void reset(std::size_t room) {
        size_ = 0;
        if (room <= arms_.size())
            return;
        arms_.resize(room);
        sums_.resize(room);
        wealths_.resize(room * kBets);
    }

    // A part of the arms, for a kernel.
    std::span<const std::int32_t> arms(std::size_t at, std::size_t count) const { return {arms_.data() + at, count}; }
    ArmState state(std::size_t at) {
        return {sums_.data() + at, wealths_.data() + at, static_cast<std::int64_t>(arms_.size())};
    }

    // Adds an arm that has read nothing, or a sum that is known without sampling.
    void add(std::int32_t arm, double sum = 0) {
        arms_[size_] = arm;
        sums_[size_] = sum;
        for (std::size_t g = 0; g < kBets; ++g)
            wealths_[g * arms_.size() + size_] = 1;
        ++size_;
    }

    // Moves those of [at, at + count) that are kept behind the first `kept`; returns the new number.
    std::size_t compact(const std::uint8_t *keep, std::size_t at, std::size_t count, std::size_t kept) {
        const std::size_t room = arms_.size();
        std::int32_t *arms = arms_.data();
        double *sums = sums_.data();
        float *wealths = wealths_.data();
        for (std::size_t i = 0; i < count; ++i) { // no branch: who is kept is hard to foretell
            arms[kept] = arms[at + i];
            sums[kept] = sums[at + i];
            for (std::size_t g = 0; g < kBets; ++g)
                wealths[g * room + kept] = wealths[g * room + at + i];
            kept += keep[i];
        }
        return kept;
    }

    void shrink(std::size_t count) { size_ = count; }

    // An arm that was finished: its sum is beyond every target, so that the next look drops it.
    void retire(std::size_t i) { sums_[i] = std::numeric_limits<double>::infinity(); }

private:
    std::size_t size_ = 0;
    AlignedVector<std::int32_t> arms_;
    AlignedVector<double> sums_;
    AlignedVector<float> wealths_; // bet g of arm i at g * room + i
};

} // namespace bmo

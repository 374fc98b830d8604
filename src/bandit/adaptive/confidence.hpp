// What the samples of an arm tell of its mean: the interface of all rules, and the tally that most of them need.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "bandit/adaptive/levels.hpp"
#include "simd/bets.hpp"

namespace bmo {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Bounds {
    double lower = -kInfinity, upper = kInfinity;
};

// Values that no sample is outside of.
struct Range {
    double lower = -kInfinity, upper = kInfinity;

    double width() const { return upper - lower; }
    bool bounded() const { return width() < kInfinity; }
};

// Samples of one arm: how many, their mean and the sum of their squared distances to it (merged as by Chan, Golub and
// LeVeque, 1983, without cancellation).
struct Tally {
    std::int64_t count = 0, merges = 0;
    double mean = 0, squared_deviations = 0;

    void merge(std::int64_t more, double their_mean, double their_scatter) {
        const auto old = static_cast<double>(count), extra = static_cast<double>(more);
        const double apart = their_mean - mean, all = old + extra;
        mean += apart * (extra / all);
        squared_deviations += their_scatter + apart * apart * (old * extra / all);
        count += more;
        ++merges;
    }

    double variance() const { return count < 2 ? kInfinity : squared_deviations / static_cast<double>(count - 1); }
};

// The means of float samples, none of them negative and each within 2^-22 of its value, or kSampleAbsoluteError if it is too
// small for that: what a bound gives way by, relatively.
inline constexpr double kMeanRelativeError = 0x1p-20;

// So much may a sum and a sum of squares be off that are told without the samples, as a share of the sums of |z| and z^2.
inline constexpr double kTotalsRelativeError = 1e-12;
// And so much may each square be off that underflows.
inline constexpr double kSquareAbsoluteError = 0x1p-1060;

class Confidence {
public:
    Confidence() = default;
    Confidence(const Confidence &) = delete;
    Confidence &operator=(const Confidence &) = delete;
    virtual ~Confidence() = default;

    virtual void begin(std::int64_t arms, const Levels &levels) {
        tallies_.assign(static_cast<std::size_t>(arms), {});
        levels_ = levels;
    }

    virtual void add(std::int32_t arm, std::span<const float> samples) {
        const double mean = add_up(samples, [](double z) { return z; }) / static_cast<double>(samples.size());
        const double squared_deviations = add_up(samples, [mean](double z) { return (z - mean) * (z - mean); });
        tally_of(arm).merge(static_cast<std::int64_t>(samples.size()), mean, squared_deviations);
    }

    // Samples of which only the sum and the sum of squares are known. squared_deviations is not too small.
    virtual void add(std::int32_t arm, std::int64_t count, double sum, double squares) {
        totals_ = true;
        const double mean = sum / static_cast<double>(count);
        tally_of(arm).merge(count, mean, std::max(0.0, squares * (1 + 4 * kTotalsRelativeError) - sum * mean));
    }

    // Once, when every arm has had its first samples.
    virtual void settle() {}

    virtual Bounds bounds(std::int32_t arm) = 0;

    const Tally &tally(std::int32_t arm) const { return tallies_[static_cast<std::size_t>(arm)]; }
    std::span<const Tally> tallies() const { return tallies_; }

protected:
    Tally &tally_of(std::int32_t arm) { return tallies_[static_cast<std::size_t>(arm)]; }
    const Levels &levels() const { return levels_; }

    // mean - lower and mean + upper, with room for rounding, within the range.
    Bounds around(const Tally &of, double lower, double upper, const Range &range) const {
        const double rounding = rounding_of(of);
        return {std::max(range.lower, of.mean - lower - rounding), std::min(range.upper, of.mean + upper + rounding)};
    }

private:
    // The mean of |z| is at most the root of that of z^2. A merge rounds a few times in 2^-53.
    double rounding_of(const Tally &of) const {
        if (!totals_)
            return std::abs(of.mean) * kMeanRelativeError + kSampleAbsoluteError;
        const double root = std::sqrt(of.mean * of.mean + of.squared_deviations / static_cast<double>(of.count));
        return root * (2 * kTotalsRelativeError + static_cast<double>(of.merges) * 0x1p-50);
    }

    // Over lanes, which do not wait for each other.
    template <class Of>
    static double add_up(std::span<const float> samples, Of of) {
        constexpr std::size_t kLanes = 8;
        std::array<double, kLanes> lane{};
        std::size_t at = 0;
        for (; at + kLanes <= samples.size(); at += kLanes)
            for (std::size_t l = 0; l < kLanes; ++l)
                lane[l] += of(static_cast<double>(samples[at + l]));
        for (std::size_t l = 0; at < samples.size(); ++at, ++l)
            lane[l] += of(static_cast<double>(samples[at]));
        return std::accumulate(lane.begin(), lane.end(), 0.0);
    }

    std::vector<Tally> tallies_;
    Levels levels_;
    bool totals_ = false; // samples came as totals
};

} // namespace bmo

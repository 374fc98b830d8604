// Arms that are sampled one by one, as UCB and LUCB do: a Monte Carlo box with a way to draw from it, or a caller's
// own.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "bandit/adaptive/confidence.hpp"
#include "bandit/nearest.hpp"

namespace bmo {

class Arms {
public:
    Arms() = default;
    Arms(const Arms &) = delete;
    Arms &operator=(const Arms &) = delete;
    virtual ~Arms() = default;

    virtual std::int64_t count() const = 0;

    // Tells `confidence` the next `samples` samples of each of these arms.
    virtual void pull(std::span<const std::int32_t> arms, std::int64_t samples, Confidence &confidence) = 0;

    // The exact value of an arm (ties among exact arms are decided by it), asked for once, and as a mean of samples. Where
    // there is none, has_exact() is false and these are not called.
    virtual bool has_exact() const = 0;
    virtual double exact(std::int32_t arm) = 0;
    virtual double mean_of_exact(double value) const = 0;
};

// The mean of such a value, raised by more than samples in float can err.
inline double raised_mean(const Arms &arms, double value) {
    constexpr double kMargin = 1e-6;
    const double mean = arms.mean_of_exact(value);
    return mean + std::abs(mean) * kMargin;
}

} // namespace bmo

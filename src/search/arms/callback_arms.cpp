#include "search/arms/callback_arms.hpp"

#include <algorithm>
#include <cmath>

#include "util/failure.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

// arm: the one that was asked for; -1: several were.
void check_result(std::int32_t result, const char *callback, std::int64_t arm = -1) {
    if (result != 0)
        throw Failure(BMO_ECALLBACK, text("arms.", callback),
                      text("stopped by ", Word{text("arms.", callback)}, ", which returned ", result), arm, -1, result);
}

} // namespace

CallbackArms::CallbackArms(const bmo_arms &arms, std::int64_t seed, Cost &cost)
    : arms_(arms), sign_(arms.flags & BMO_ARMS_MAXIMIZE ? -1 : 1), seed_(static_cast<std::uint64_t>(seed)),
      cost_(cost) {}

Range CallbackArms::range() const {
    if (!(arms_.flags & BMO_ARMS_BOUNDED))
        return {};
    return sign_ > 0 ? Range{arms_.lower, arms_.upper} : Range{-arms_.upper, -arms_.lower};
}

// A caller's sums are rounded: so much may they be beyond what their samples allow.
bool CallbackArms::within(double mean) const {
    constexpr double kRounding = 1e-9;
    if (!std::isfinite(mean))
        return false;
    if (!(arms_.flags & BMO_ARMS_BOUNDED))
        return true;
    const double slack = kRounding * std::abs(mean);
    return mean >= arms_.lower - slack && mean <= arms_.upper + slack;
}

void CallbackArms::check(std::int64_t arm, bool acceptable, const char *what, double value) const {
    if (acceptable)
        return;
    const bool bounded = arms_.flags & BMO_ARMS_BOUNDED;
    fail(BMO_ECALLBACK, text("arms.", what),
         text(Word{text("arms.", what)}, " says ", value, " of arm ", Position{arm}, kCountedFrom0,
              "; expected a finite number", bounded ? text(" from ", arms_.lower, " to ", arms_.upper) : ""),
         arm);
}

void CallbackArms::check_sums(std::int64_t samples) const {
    const auto m = static_cast<double>(samples);
    for (std::size_t i = 0; i < asked_.size(); ++i) {
        const double mean = sums_[i] / m;
        check(asked_[i], within(mean), "pull", mean);
        const bool squares = std::isfinite(squares_[i]) && squares_[i] >= sums_[i] * mean * (1 - 1e-6);
        if (!squares)
            fail(BMO_ECALLBACK, "arms.pull",
                 text(Word{"arms.pull"}, " says ", squares_[i], " for the sum of squares of arm ", Position{asked_[i]},
                      kCountedFrom0, ", less than that of ", samples, " samples with the sum ", sums_[i]),
                 asked_[i]);
    }
}

void CallbackArms::pull(std::span<const std::int32_t> arms, std::int64_t samples, Confidence &confidence) {
    asked_.assign(arms.begin(), arms.end());
    sums_.assign(arms.size(), 0);
    squares_.assign(arms.size(), 0);
    const std::uint64_t stream = mix_seed({seed_, calls_++});
    check_result(arms_.pull(arms_.ctx, asked_.data(), static_cast<std::int64_t>(asked_.size()), samples, stream,
                            sums_.data(), squares_.data()),
                 "pull");
    check_sums(samples);
    for (std::size_t i = 0; i < arms.size(); ++i)
        confidence.add(arms[i], samples, sign_ * sums_[i], squares_[i]);
    cost_.sampling_ops += arms.size() * static_cast<std::uint64_t>(samples);
}

double CallbackArms::exact(std::int32_t arm) {
    double mean = 0;
    check_result(arms_.exact(arms_.ctx, arm, &mean), "exact", arm);
    check(arm, within(mean), "exact", mean);
    cost_.exact_ops += arms_.exact_cost;
    ++cost_.exact_evals;
    return sign_ * mean;
}

} // namespace bmo

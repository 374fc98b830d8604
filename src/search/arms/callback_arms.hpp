// A caller's arms as the bandits see them: of least mean (maximizing, samples and bounds are negated), with callbacks
// whose answers are checked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bandit/adaptive/arms.hpp"
#include "bandit/cost.hpp"
#include "bmo.h"

namespace bmo {

class CallbackArms final : public Arms {
public:
    CallbackArms(const bmo_arms &arms, std::int64_t seed, Cost &cost);

    std::int64_t count() const override { return arms_.n; }
    void pull(std::span<const std::int32_t> arms, std::int64_t samples, Confidence &confidence) override;
    bool has_exact() const override { return arms_.exact != nullptr; }
    double exact(std::int32_t arm) override;
    double mean_of_exact(double value) const override { return value; }

    // Of the samples as the bandits see them.
    Range range() const;
    double sign() const { return sign_; } // of a caller's value

private:
    void check_sums(std::int64_t samples) const;
    void check(std::int64_t arm, bool acceptable, const char *what, double value) const;
    bool within(double mean) const;

    const bmo_arms &arms_;
    double sign_;
    std::uint64_t seed_, calls_ = 0;
    Cost &cost_;
    std::vector<std::int64_t> asked_;
    std::vector<double> sums_, squares_;
};

} // namespace bmo

// Arms with normal samples and means that are known, what BMO UCB takes for them, and what it may take: docs/bandits.md has
// the theorem and its proof.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "bandit/adaptive/adaptive.hpp"
#include "bmo.h"
#include "util/xoshiro.hpp"

namespace made {

class Normal {
public:
    explicit Normal(std::uint64_t seed) : random_(seed) {}

    // Box and Muller, 1958.
    double next() {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    double uniform() { return (static_cast<double>(random_.next() >> 11) + 0.5) * 0x1p-53; }

    bmo::Xoshiro256pp random_;
};

// The theta are means, of samples of variance sigma^2. Sums of samples are drawn as a whole.
class Arms final : public bmo::Arms {
public:
    Arms(std::vector<double> means, double standard_deviation, std::uint64_t seed)
        : theta(std::move(means)), pulls(theta.size()), computed(theta.size()), sigma_(standard_deviation),
          normal_(seed) {}

    std::int64_t count() const override { return static_cast<std::int64_t>(theta.size()); }
    void pull(std::span<const std::int32_t> arms, std::int64_t samples, bmo::Confidence &confidence) override {
        const auto m = static_cast<double>(samples);
        for (const std::int32_t arm : arms) {
            const auto i = static_cast<std::size_t>(arm);
            const double sum = m * theta[i] + std::sqrt(m) * sigma_ * normal_.next();
            confidence.add(arm, samples, sum, sum * sum / m); // the rule does not look at the squares
            pulls[i] += samples;
        }
    }
    bool has_exact() const override { return true; }
    double exact(std::int32_t arm) override {
        ++computed[static_cast<std::size_t>(arm)];
        return theta[static_cast<std::size_t>(arm)];
    }
    double mean_of_exact(double value) const override { return value; }

    const std::vector<double> theta;
    std::vector<std::int64_t> pulls, computed;

private:
    double sigma_;
    Normal normal_;
};

struct Problem {
    std::vector<double> theta; // any order
    std::int64_t k = 1, d = 1; // an exact value takes d operations, and so many samples are the most
    double sigma = 1, delta = 0.01, epsilon = 0;
    std::int64_t first = 1, step = 1;

    bmo::AdaptiveRule rule() const {
        bmo::AdaptiveRule rule;
        rule.bandit = BMO_BANDIT_UCB;
        rule.confidence = BMO_CONFIDENCE_SUBGAUSSIAN;
        rule.delta = delta;
        rule.sigma = sigma;
        rule.trial.k = k;
        rule.trial.epsilon = epsilon;
        rule.trial.looks = {first, step, d};
        rule.trial.arms_per_round = 1;
        return rule;
    }

    double log_term() const { return std::log(2 * static_cast<double>(theta.size()) * static_cast<double>(d) / delta); }

    double kth_mean() const {
        std::vector<double> sorted = theta;
        std::nth_element(sorted.begin(), sorted.begin() + (k - 1), sorted.end());
        return sorted[static_cast<std::size_t>(k - 1)];
    }

    // The most operations of the theorem for an arm of this mean. Bounds give way by 2^-20 of a mean: with means and
    // widths below 16 in all, gaps lose less than 1e-4.
    double most(double mean, double kth, double constant = 8) const {
        const double gap = std::max(mean > kth ? mean - kth - 1e-4 : 0, epsilon - 1e-4);
        const auto all = static_cast<double>(d);
        const double needed = gap > 0 ? constant * sigma * sigma * log_term() / (gap * gap) : all;
        if (needed >= all)
            return 2 * all;
        return std::min(all, std::max(static_cast<double>(first), needed + static_cast<double>(step)));
    }

    double most_of_all(double constant = 8) const {
        const double kth = kth_mean();
        double sum = 0;
        for (const double mean : theta)
            sum += most(mean, kth, constant);
        return sum;
    }
};

struct Outcome {
    double operations = 0;
    bool right = true;  // the r-th mean is at most epsilon above the r-th least
    bool within = true; // no arm took more than the theorem allows it
};

inline Outcome play(const Problem &problem, std::uint64_t seed) {
    Arms arms(problem.theta, problem.sigma, seed);
    bmo::Watch watch;
    std::uint64_t rounds = 0;
    const bmo::Selection found = bmo::find_arms(arms, {}, problem.rule(), watch, rounds);

    Outcome outcome;
    const double kth = problem.kth_mean();
    for (std::size_t i = 0; i < arms.theta.size(); ++i) {
        const auto taken = static_cast<double>(arms.pulls[i] + problem.d * arms.computed[i]);
        outcome.operations += taken;
        outcome.within = outcome.within && taken <= problem.most(arms.theta[i], kth);
    }
    std::vector<double> least = problem.theta, got;
    std::sort(least.begin(), least.end());
    for (const std::int32_t arm : found.arms)
        got.push_back(arms.theta[static_cast<std::size_t>(arm)]);
    std::sort(got.begin(), got.end());
    for (std::size_t r = 0; r < got.size(); ++r)
        outcome.right = outcome.right && got[r] <= least[r] + problem.epsilon;
    return outcome;
}

// Means that are independent and normal with standard deviation 1, in as many dimensions as arms: the instance of the
// paper's proposition, which says O((n + d) log^2(n d / delta)).
inline Problem normal_means(std::int64_t n, std::uint64_t seed) {
    Problem problem;
    Normal normal(bmo::mix_seed({seed, static_cast<std::uint64_t>(n)}));
    for (std::int64_t i = 0; i < n; ++i)
        problem.theta.push_back(normal.next());
    problem.d = n;
    return problem;
}

inline double n_plus_d_log_squared(const Problem &problem) {
    const auto n = static_cast<double>(problem.theta.size()), d = static_cast<double>(problem.d);
    const double log = std::log(n * d / problem.delta);
    return (n + d) * log * log;
}

} // namespace made

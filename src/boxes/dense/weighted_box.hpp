// The dense Monte Carlo box with weights: a sample of an arm is w_j rho(q_j, x_j). Coordinates of weight 0 are no part
// of the population.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/dense/dense_box.hpp"
#include "boxes/dense/weights.hpp"

namespace bmo {

// For one thread. Sums are as in DenseBox, times the scaled weights.
class WeightedBox : public BoxDefaults<WeightedBox> {
public:
    // order: a weighted_order(), of the preparation if there is one (else null). All outlive the box.
    WeightedBox(const Dataset &data, const Order &order, const DensePrepared *prepared, const Metric &metric,
                const Weights &weights);

    void bind(const Queries &queries, std::int64_t query);

    std::int64_t arms() const { return dense_.arms(); }
    std::int64_t population() const { return weights_.counted(); }

    // Rounding of the weights to float and of the products adds 2^-23 to the relative error of a sample: within what
    // bandit/betting.hpp allows.
    std::uint64_t pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z);

    // coords count the coordinates whose weight is not 0: see bandit/adaptive/box_arms.hpp.
    void sample(std::int32_t arm, const std::int32_t *coords, int width, float *z);
    double largest_sample() const { return dense_.largest_sample(); }

    void prefetch(std::int64_t first, std::span<const std::int32_t> arms) const { dense_.prefetch(first, arms); }
    void prefetch_next(std::int32_t arm, std::int64_t first, std::int64_t count) const {
        dense_.prefetch_next(arm, first, count);
    }
    void prefetch_exact(std::int32_t arm) const { dense_.prefetch_exact(arm); }

    // In double, over 16 lanes in order: the same bits everywhere.
    double exact(std::int32_t arm);
    double sample_units(double exact_sum) const { return dense_.sample_units(exact_sum); }

    std::uint64_t exact_ops(std::int32_t) const { return static_cast<std::uint64_t>(weights_.counted()); }
    std::uint64_t brute_ops(std::int64_t self) const {
        return static_cast<std::uint64_t>(dense_.arms() - (self < 0 ? 0 : 1)) * exact_ops(0);
    }

    double distance(double exact_sum) const { return metric_.distance(exact_sum, dense_.exact_scale(), weights_.root); }
    double sum_of_epsilon(double epsilon) const { return dense_.sum_of_epsilon(epsilon, weights_.root); }
    double sample_of(double distance) const { return dense_.sample_of(distance, weights_.root); }

private:
    template <class Value>
    double sum(const Value *point, std::int64_t stride) const;
    template <class Value>
    double pair_sum(const Value *point, std::int64_t stride) const;

    const Dataset &data_;
    Metric metric_;
    const Weights &weights_;
    DenseBox dense_;
    std::vector<float> ordered_;       // the weights in the order of the samples, and
    std::vector<double> wide_ordered_; // in its place if one of them is below what float holds: else empty
    std::vector<double> query_;        // times the scale of exact sums
    double least_plain_ = 0;           // below it sums are computed again, at a scale of the pair's own
};
static_assert(QueryBox<WeightedBox> && DrawableBox<WeightedBox>);

} // namespace bmo

// The separable metrics: a distance is a function of the sum over coordinates of rho(a, b) = |a - b|^p.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "bmo.h"
#include "boxes/far_number.hpp"
#include "simd/fold.hpp"
#include "simd/kernels.hpp"

namespace bmo {

// The power of two that brings `largest` into [1, 2), within what a double holds.
inline double normalizing_scale(double largest) {
    if (largest == 0)
        return 1;
    return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
}

// The scale at which values up to `largest` are brought to the power p and summed, d of them: 1 while no sum can leave the
// range in which double is fully precise. A pair whose differences are lost at that scale is summed at its own: see
// Metric::pair_sum().
inline double summing_scale(double largest, double p, std::int64_t d) {
    const bool large_enough = largest == 0 || std::pow(largest, p) > 1e-140;
    if (p <= 1 && large_enough) // no power of a difference leaves the range, and there is room for 2^31 of them
        return largest > 0x1p960 ? 0x1p-40 : 1;
    const double most = std::pow(2 * largest, p) * static_cast<double>(d);
    return large_enough && most < 1e280 ? 1 : normalizing_scale(largest);
}

// The largest |value(j)| of j < count.
template <class Value>
double largest_size(std::int64_t count, Value value) {
    std::array<double, kBatch> lane{};
    std::int64_t j = 0;
    for (; j + kBatch <= count; j += kBatch)
        for (std::int64_t l = 0; l < kBatch; ++l)
            lane[static_cast<std::size_t>(l)] = std::max(lane[static_cast<std::size_t>(l)], std::abs(value(j + l)));
    for (; j < count; ++j)
        lane[0] = std::max(lane[0], std::abs(value(j)));
    return *std::max_element(lane.begin(), lane.end());
}

// What a kernel reads values of a dataset's type as, in double.
inline ValueType value_type_of(bmo_dtype dtype) {
    return dtype == BMO_F64 ? ValueType::f64 : dtype == BMO_U8 ? ValueType::u8 : ValueType::f32;
}

// Metrics of angles and products, which are no sums over coordinate distances: see boxes/angles.hpp.
inline bool is_angular(std::int64_t metric) {
    return metric == BMO_METRIC_COSINE || metric == BMO_METRIC_INNER_PRODUCT;
}

struct Metric {
    std::int64_t id = BMO_METRIC_L2;
    double p = 2;

    static Metric from(std::int64_t id, double lp_exponent) {
        if (id == BMO_METRIC_L1)
            return {id, 1};
        return {id, id == BMO_METRIC_LP ? lp_exponent : 2};
    }

    Rho rho() const { return p == 2 ? Rho::square : p == 1 ? Rho::absolute : Rho::power; }

    // Sums below this are for pair_sum(). apart: coordinates may differ by less than root(2^-600), or weigh as little.
    double least_plain(double scale, bool apart) const {
        if (p < 1 && scale < 1) // what a small difference loses to the scale its power does not show
            return std::numeric_limits<double>::infinity();
        return apart ? SumCode::kLeastPlain : 0;
    }

    // The code of the sum over j < count of weight(j) |difference(j)|^p, in units of scale^-p, at a scale of its own: that of
    // the largest difference. No weight that is not 0 is below 2^-1000. Below kSmallPower there is no scale: a difference that
    // vanishes at it would count, and powers are within 2^-135 and 2^128 without.
    template <class Difference, class Weight>
    double pair_sum(std::int64_t count, double scale, Difference difference, Weight weight) const {
        const double largest = largest_size(count, difference);
        if (largest == 0 || std::isinf(largest))
            return largest;
        constexpr double kSmallPower = 0.125;
        constexpr int kRoom = 200; // above 2^-1022, for small powers that have small weights
        const int room = p < kSmallPower ? kRoom : 0;
        const int exponent = p < kSmallPower ? 0 : std::ilogb(largest), half = exponent / 2;
        const double first = std::ldexp(1.0, -half), second = std::ldexp(1.0, half - exponent);
        const auto add_up = [&](auto power) {
            std::array<double, kBatch> lane{};
            for (std::int64_t j = 0; j < count; ++j)
                lane[static_cast<std::size_t>(j % kBatch)] +=
                    weight(j) * power(std::abs(difference(j)) * first * second);
            return fold_lanes(lane.data(), std::plus<>());
        };
        const double sum = rho() == Rho::square ? add_up([](double size) { return size * size; })
                           : rho() == Rho::absolute
                               ? add_up([](double size) { return size; })
                               : add_up([&](double size) { return std::ldexp(std::pow(size, p), room); });
        return code().encode(FarNumber{sum, -room}.times_power(p, exponent + std::ilogb(scale)));
    }

    // The distance whose coordinates, scaled by `scale`, have this sum, with weights divided by root^2. Infinite where
    // it is beyond double.
    double distance(double sum, double scale, double root = 1) const {
        if (sum == 0) // also where a power of the root is infinite
            return 0;
        if (sum < SumCode::kLeastPlain || (scale != 1 && root != 1) || has_far_root(sum, root))
            return far_distance(sum, scale, root);
        switch (id) {
        case BMO_METRIC_L2: return std::sqrt(sum) / scale * root;
        case BMO_METRIC_SQEUCLIDEAN: return sum / scale * root / scale * root;
        case BMO_METRIC_L1: return sum / scale * root * root;
        default:
            return p == 1   ? sum / scale * root * root
                   : p == 2 ? std::sqrt(sum) / scale * root
                            : std::pow(sum, 1 / p) / scale * std::pow(root, 2 / p);
        }
    }

    // An epsilon of coordinate distances as one of sums, for values times `scale` and weights divided by root^2, both powers of
    // two. Infinite if it is above every sum.
    double sum_of_epsilon(double epsilon, std::int64_t d, double scale, double root = 1) const {
        FarNumber sum = FarNumber{epsilon}.normalized().times_power(p, std::ilogb(scale));
        sum.value *= static_cast<double>(d);
        sum.exponent -= 2 * static_cast<std::int64_t>(std::ilogb(root));
        return sum.rounded();
    }

    // What a code stands for.
    FarNumber sum_of(double coded) const { return code().decode(coded); }

private:
    // Differences of doubles are at least 2^-1074, and scales and weights at least 2^-1000.
    SumCode code() const { return SumCode(-2080 * p - 1100); }

    // Is the p-th root's error more than that of 1 / p times 32 octaves, or may it leave the range of double on the way?
    // An octave of the root is ln 2 / 2^53 of it, if 1 / p is rounded; or of a sum, where p < 1.
    bool has_far_root(double sum, double root) const {
        if (rho() != Rho::power)
            return false;
        const double octaves = std::abs(std::ilogb(sum)) + 2.0 * std::abs(std::ilogb(root));
        return octaves > (p > 1 ? 32 * p : std::min(32.0, 900 * p));
    }

    double far_distance(double sum, double scale, double root) const {
        if (std::isinf(sum))
            return sum;
        FarNumber whole = sum_of(sum).times_power(p, -std::ilogb(scale));
        whole.exponent += 2 * static_cast<std::int64_t>(std::ilogb(root));
        return id == BMO_METRIC_SQEUCLIDEAN || p == 1 ? whole.rounded() : whole.root(p).rounded();
    }
};

} // namespace bmo

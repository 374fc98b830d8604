// The separable metrics (data/metrics.hpp): a distance is a function of the sum over coordinates of rho(a, b).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "bmo.h"
#include "boxes/far_number.hpp"
#include "data/metrics.hpp"
#include "simd/fold.hpp"
#include "simd/kernels.hpp"

namespace bmo {

// The power of two that brings `largest` into [1, 2), within what a double holds.
inline double normalizing_scale(double largest) {
    if (largest == 0)
        return 1;
    return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
}

// The scale at which d coordinate distances of degree p, of values up to `largest`, are summed. It is 1 while no sum
// can leave the range in which double is fully precise. A pair whose differences are lost at that scale is summed at
// its own: see Metric::pair_sum().
inline double summing_scale(double largest, double p, std::int64_t d) {
    if (p == 0) // which a scale does not change
        return 1;
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
    switch (dtype) {
    case BMO_F64: return ValueType::f64;
    case BMO_U8: return ValueType::u8;
    case BMO_I8: return ValueType::i8;
    case BMO_F16: return ValueType::f16;
    case BMO_BF16: return ValueType::bf16;
    default: return ValueType::f32;
    }
}

// The same values, read by a pull that compares in double.
inline ValueType wide_type_of(bmo_dtype dtype) {
    switch (dtype) {
    case BMO_F64: return ValueType::f64;
    case BMO_U8: return ValueType::u8_wide;
    case BMO_I8: return ValueType::i8_wide;
    case BMO_F16: return ValueType::f16_wide;
    case BMO_BF16: return ValueType::bf16_wide;
    default: return ValueType::f32_wide;
    }
}

// A separable metric with its exponent. Of other metrics, whose tiles are of products too, rho is the square.
class Metric {
public:
    std::int64_t id = BMO_METRIC_L2;
    double p = 2; // the degree of rho: rho(s x, s y) = s^p rho(x, y)

    Metric() = default; // l2
    static Metric from(std::int64_t id, double lp_exponent) {
        const MetricTraits &traits = metric_traits(id);
        const Rho rho = !traits.takes_p    ? traits.rho
                        : lp_exponent == 2 ? Rho::square
                        : lp_exponent == 1 ? Rho::absolute
                                           : Rho::power;
        const double degree = visit_rho(rho, lp_exponent, [](auto function) { return function.degree(); });
        return {traits, degree, rho};
    }

    const MetricTraits &traits() const { return metric_traits(id); }
    Rho rho() const { return rho_; }
    Tiles tiles() const { return traits_of(rho_).tiles; }
    bool overlaps() const { return traits_of(rho_).overlaps; }
    double scan_time() const { return traits_of(rho_).scan_time; }
    // Whether a scan waits for the processor, not for memory.
    bool is_costly() const { return traits().kind == MetricKind::callback || scan_time() > 0; }

    // What `visit` returns of the coordinate distance: see simd/rho.hpp.
    template <class Visit>
    auto visit(Visit visit) const {
        return visit_rho(rho_, p, visit);
    }

    // No sum grows by more than this when all values are multiplied by the factor: factor^p.
    double growth(double factor) const { return std::pow(factor, p) * (rho_ == Rho::power ? 1 + 1e-12 : 1); }
    // No coordinate distance of values that are no further apart is above it.
    double most(double apart) const {
        return visit([=](auto rho) { return rho.most(apart); });
    }
    // Whether samples of floats up to `largest` may be computed in float.
    bool in_float(double largest) const {
        return visit([=](auto rho) { return rho.in_float(largest); });
    }

    // Sums below this are for pair_sum(). apart: coordinates may differ by less than root(2^-600), or weigh as little.
    double least_plain(double scale, bool apart) const {
        if (p < 1 && scale < 1) // what a small difference loses to the scale its power does not show
            return std::numeric_limits<double>::infinity();
        return apart ? SumCode::kLeastPlain : 0;
    }

    // The code of the sum over j < count of weight(j) rho(x, y), with {x, y} = pair(j), in units of scale^-p. It is
    // summed at a scale of its own, which the largest difference sets. Weights are 0 or at least 2^-1000. Below
    // kSmallPower there is no scale: a difference that vanishes at it would count, and powers are within 2^-135 and
    // 2^128 without one.
    template <class Pair, class Weight>
    double pair_sum(std::int64_t count, double scale, Pair pair, Weight weight) const {
        return visit([&](auto rho) {
            const double largest = largest_size(count, [&](std::int64_t j) {
                const auto [x, y] = pair(j);
                return rho.span(x, y);
            });
            if (largest == 0 || std::isinf(largest))
                return largest;
            constexpr double kSmallPower = 0.125;
            constexpr int kRoom = 200; // above 2^-1022, for small powers that have small weights
            const int room = p < kSmallPower ? kRoom : 0;
            const int exponent = p < kSmallPower ? 0 : std::ilogb(largest), half = exponent / 2;
            const double first = std::ldexp(1.0, -half), second = std::ldexp(1.0, half - exponent);
            const double raised = std::ldexp(1.0, room);
            std::array<double, kBatch> lane{};
            for (std::int64_t j = 0; j < count; ++j) {
                const auto [x, y] = pair(j);
                lane[static_cast<std::size_t>(j % kBatch)] += weight(j) * (rho.scaled(x, y, first, second) * raised);
            }
            const double sum = fold_lanes(lane.data(), std::plus<>());
            return code().encode(FarNumber{sum, -room}.times_power(p, exponent + std::ilogb(scale)));
        });
    }

    // The distance whose coordinates, scaled by `scale`, have this sum, with weights divided by root^2. Infinite if
    // it is beyond double.
    double distance(double sum, double scale, double root = 1) const {
        if (sum == 0) // also if a power of the root is infinite
            return 0;
        if (sum < SumCode::kLeastPlain || (scale != 1 && root != 1) || has_far_root(sum, root))
            return far_distance(sum, scale, root);
        if (p == 1)
            return sum / scale * root * root;
        if (!rooted_)
            return p == 2 ? sum / scale * root / scale * root : sum / std::pow(scale, p) * root * root;
        return p == 2 ? std::sqrt(sum) / scale * root : std::pow(sum, 1 / p) / scale * std::pow(root, 2 / p);
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
    Metric(const MetricTraits &traits, double degree, Rho rho)
        : id(traits.id), p(degree), rho_(rho), rooted_(traits.root) {}

    // Differences of doubles are at least 2^-1074, and scales and weights at least 2^-1000.
    SumCode code() const { return SumCode(-2080 * p - 1100); }

    // Is the p-th root's error more than 32 octaves times the error of 1 / p, or may it leave the range of double on
    // the way? An octave of the root is ln 2 / 2^53 of it, if 1 / p is rounded; or of a sum, if p < 1.
    bool has_far_root(double sum, double root) const {
        if (!rooted_ || p == 1 || p == 2)
            return false;
        const double octaves = std::abs(std::ilogb(sum)) + 2.0 * std::abs(std::ilogb(root));
        return octaves > (p > 1 ? 32 * p : std::min(32.0, 900 * p));
    }

    double far_distance(double sum, double scale, double root) const {
        if (std::isinf(sum))
            return sum;
        FarNumber whole = sum_of(sum).times_power(p, -std::ilogb(scale));
        whole.exponent += 2 * static_cast<std::int64_t>(std::ilogb(root));
        return !rooted_ || p == 1 ? whole.rounded() : whole.root(p).rounded();
    }

    Rho rho_ = Rho::square;
    bool rooted_ = true;
};

} // namespace bmo

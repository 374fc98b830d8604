// The separable metrics: a distance is a function of the sum over coordinates of rho(a, b) = |a - b|^p.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bmo.h"
#include "simd/kernels.hpp"

namespace bmo {

// The power of two that brings `largest` into [1, 2), within what a double holds.
inline double normalizing_scale(double largest) {
    if (largest == 0)
        return 1;
    return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
}

// The scale at which values up to `largest` are brought to the power p and summed, d of them: 1 while no sum can leave the
// range in which double is fully precise.
inline double summing_scale(double largest, double p, std::int64_t d) {
    const double most = std::pow(2 * largest, p) * static_cast<double>(d);
    const bool comfortable = largest == 0 || (most < 1e280 && std::pow(largest, p) > 1e-200);
    return comfortable ? 1 : normalizing_scale(largest);
}

// What a kernel reads values of a dataset's type as, in double.
inline Source source_of(bmo_dtype dtype) {
    return dtype == BMO_F64 ? Source::f64 : dtype == BMO_U8 ? Source::u8 : Source::f32;
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

    // The distance whose coordinates, scaled by `scale`, have this sum, with weights divided by root^2. Infinite where
    // it is beyond double.
    double distance(double sum, double scale, double root = 1) const {
        switch (id) {
        case BMO_METRIC_L2: return std::sqrt(sum) / scale * root;
        case BMO_METRIC_SQL2: return sum / scale * root / scale * root;
        case BMO_METRIC_L1: return sum / scale * root * root;
        default:
            return p == 1   ? sum / scale * root * root
                   : p == 2 ? std::sqrt(sum) / scale * root
                            : std::pow(sum, 1 / p) / scale * std::pow(root, 2 / p);
        }
    }
};

} // namespace bmo

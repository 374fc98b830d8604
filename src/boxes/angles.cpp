#include "boxes/angles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "bmo.h"
#include "boxes/far_number.hpp"
#include "boxes/near_angles.hpp"

namespace bmo {
namespace {

constexpr double kDivisionError = 0x1p-48;
constexpr int kLargestExponent = 900;      // of norms whose inverse is formed
constexpr double kLeastProduct = 0x1p-500; // of scaled vectors, above which nothing was lost below the range of double

// Of products: each 2^-2148 or more, divided by two norms of at most 2^1024.
constexpr SumCode kProductCode(-4400);

bool is_less(const Norm &a, const Norm &b) {
    if (a.is_zero() || b.is_zero())
        return a.is_zero() && !b.is_zero();
    return std::ldexp(a.root(), a.exponent - b.exponent) < b.root();
}

// (sqrt(AB) - P) / sqrt(AB) without its cancellation.
double one_minus_cosine(DoubleDouble squares_a, DoubleDouble squares_b, DoubleDouble product) {
    const DoubleDouble squares = squares_a * squares_b, root = square_root(squares);
    const DoubleDouble above = product.high > 0 ? squares - product * product : root - product;
    const DoubleDouble below = product.high > 0 ? root * (root + product) : root;
    return std::clamp((above / below).high, 0.0, 2.0);
}

// -<q, x>, divided by 2^exponent.
double product_sum(FarNumber product, int exponent) {
    return 0 - kProductCode.encode({product.value, product.exponent - exponent});
}

} // namespace

double norm_ratio(const Norm &a, const Norm &b) {
    return a.is_zero() ? 0 : std::min(1.0, std::ldexp(a.root() / b.root(), a.exponent - b.exponent));
}

double angular_sum(std::int64_t metric, const Norm &query, const Norm &point, DoubleDouble product,
                   const Norm &largest) {
    const bool zero = query.is_zero() || point.is_zero();
    if (metric == BMO_METRIC_COSINE)
        return zero ? 1 : one_minus_cosine(query.squares, point.squares, product);
    return zero ? 0 : product_sum({product.high, 0}, largest.exponent - point.exponent);
}

bool is_delicate(std::int64_t metric, double sum, DoubleDouble product, bool vanishes) {
    return metric == BMO_METRIC_COSINE ? sum < kNearlyParallel : vanishes && std::abs(product.high) < kLeastProduct;
}

// Products come from the values as they are: a value that is small beside its vector's largest would vanish if both were scaled.
double careful_angular_sum(std::int64_t metric, std::vector<double> query, const Norm &of_query,
                           std::vector<double> point, const Norm &of_point, const Norm &largest) {
    if (metric == BMO_METRIC_INNER_PRODUCT)
        return product_sum(far_product(query, point), of_query.exponent + largest.exponent);
    divide_by_power(query, of_query.exponent);
    divide_by_power(point, of_point.exponent);
    return one_minus_cosine_by_differences(query, point);
}

double angular_distance(std::int64_t metric, double sum, const Norm &query, const Norm &largest) {
    if (metric == BMO_METRIC_COSINE)
        return sum;
    const FarNumber product = kProductCode.decode(sum);
    return FarNumber{product.value, product.exponent + query.exponent + largest.exponent}.rounded();
}

double sum_of_angular_epsilon(std::int64_t metric, double epsilon, const Norm &query, const Norm &largest) {
    return metric == BMO_METRIC_COSINE ? epsilon : std::ldexp(epsilon, -query.exponent - largest.exponent);
}

const Norm &largest_of(const Norms &norms) {
    static const Norm none;
    return norms.empty() ? none : *std::max_element(norms.begin(), norms.end(), is_less);
}

Angles::Angles(std::shared_ptr<const Norms> of_points, std::int64_t of_metric, double of_error)
    : norms(std::move(of_points)), metric(of_metric), error(of_error), largest(largest_of(*norms)) {
    for (const Norm &norm : *norms) {
        zeros += norm.is_zero();
        const bool sampled = !norm.is_zero() && std::abs(norm.exponent) <= kLargestExponent;
        const double share = metric == BMO_METRIC_COSINE ? 1 : norm_ratio(norm, largest);
        inverse.push_back(sampled ? std::ldexp(1 / norm.root(), -norm.exponent) : 0);
        weight.push_back(sampled ? share / 2 : 0);
        start.push_back(metric == BMO_METRIC_COSINE && norm.is_zero() ? 1 : 1 - share);
    }
}

double Angles::sample_units(double sum, const Norm &query) const {
    if (metric == BMO_METRIC_COSINE) {
        const double root = std::sqrt(std::max(0.0, sum)) + error;
        return sum < 0 ? sum : root * root;
    }
    const double allowed = 2 * error + error * error + kDivisionError;
    if (query.is_zero() || largest.is_zero()) // every product is 0
        return sum < 0 ? -1 : 1 + allowed;
    return 1 + allowed + sum / (query.root() * largest.root());
}

} // namespace bmo

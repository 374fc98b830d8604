// Cosine (1 - cos) and inner product (-<q, x>) as sums of squared differences of normalized vectors. With u = q / |q|,
// v = x / |x| and M the largest |x|,
//
//     1 - cos               = sum_j (u_j - v_j)^2 / 2
//     1 - <q, x> / (|q| M)  = (1 - |x| / M) + |x| / M * sum_j (u_j - v_j)^2 / 2
//
// which is what is known of the point before a sample is read, and a sum of numbers that are not negative. Norms are known
// of all points. A zero vector is at cosine distance 1 from everything.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "boxes/norms.hpp"

namespace bmo {

// The exact sum of a distance: 1 - cos, or -<q, x> where both are divided by 2 to the exponents of q and of `largest`.
// product: of the vectors divided by 2 to their exponents. A sum of products that is too small beside the norms is a code
// (boxes/far_number.hpp).
double angular_sum(std::int64_t metric, const Norm &query, const Norm &point, DoubleDouble product,
                   const Norm &largest);

// Whether this sum, of that product, is for careful_angular_sum(), which takes the vectors themselves. vanishes: products of
// their values may be below what a double holds.
bool is_delicate(std::int64_t metric, double sum, DoubleDouble product, bool vanishes);
double careful_angular_sum(std::int64_t metric, std::vector<double> query, const Norm &of_query,
                           std::vector<double> point, const Norm &of_point, const Norm &largest);

// Such a sum, or such an epsilon, as a distance and back. Infinite where it is beyond double.
double angular_distance(std::int64_t metric, double sum, const Norm &query, const Norm &largest);
double sum_of_angular_epsilon(std::int64_t metric, double epsilon, const Norm &query, const Norm &largest);

const Norm &largest_of(const Norms &norms);

// |a| / |b|, at most 1.
double norm_ratio(const Norm &a, const Norm &b);

// What the workers of one search share.
struct Angles {
    // metric: BMO_METRIC_COSINE or BMO_METRIC_INNER_PRODUCT. error: a bound of the norm of the error of u - v, as the box
    // forms it.
    Angles(std::shared_ptr<const Norms> of_points, std::int64_t of_metric, double of_error);

    // What the samples and start of a point may add up to, where its exact sum for the query is at most `sum`.
    //   cosine         (|u - v| + error)^2 / 2, where |u - v|^2 = 2 (1 - cos)
    //   inner product  |x| <= M and |u - v| <= 2 bound what the error of |u - v| adds by 2 error + error^2 / 2; the start,
    //                  the weight and the division by |q| M add a few times 2^-53
    double sample_units(double sum, const Norm &query) const;

    std::shared_ptr<const Norms> norms;
    std::int64_t metric;
    double error;
    Norm largest;                // of all
    std::vector<double> inverse; // 1 / |x|; 0: no sample of the point is formed, and its weight is 0
    std::vector<double> weight;  // of the squared differences
    std::vector<double> start;   // what is known of the sum
    std::int64_t zeros = 0;      // points without a direction, of whose products no coordinate is read
};

} // namespace bmo

// Angles and products that double-double products do not tell: 1 - cos of vectors that differ in their last bits, from
// differences, and products that are far below both norms.
#pragma once

#include <span>

#include "boxes/far_number.hpp"

namespace bmo {

// 1 - cos is accurate to about 2^-100 where it comes from products: below this it comes from differences.
inline constexpr double kNearlyParallel = 0x1p-44;

// 1 - cos of two vectors at an angle of less than 90 degrees, the largest |value| of each in [1, 2).
//
// With a_p the largest |a_j|, c = a_p b - b_p a is b without its part along a, but for what c itself has along a:
//     sin^2 = (|c|^2 |a|^2 - <c, a>^2) / (a_p^2 |a|^2 |b|^2).
// c_j is the difference of two exact products, in double-double, so that it has a relative error of 2^-104. As c_p = 0,
// <c, a>^2 is at most (1 - 1 / d) |c|^2 |a|^2: what is left of the difference has lost a factor of d at most.
double one_minus_cosine_by_differences(std::span<const double> a, std::span<const double> b);

// The sum of a_j b_j, where the products themselves may be below what a double holds.
FarNumber far_product(std::span<const double> a, std::span<const double> b);

} // namespace bmo

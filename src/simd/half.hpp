// To numbers of 16 bits and back.
#pragma once

#include "simd/kernels.hpp"

namespace bmo {

// Of |value| <= kLargestHalf: within 2^-11 of it, relatively, or within 2^-25. Ties go to even.
inline constexpr double kHalfError = 0x1p-11, kHalfTiny = 0x1p-25;
inline constexpr double kLargestHalf = 0x1p15;

Half to_half(float value);
float to_float(Half value);

} // namespace bmo

#include "simd/half.hpp"

#include <Eigen/Core>

namespace bmo {

Half to_half(float value) {
    return {Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(value))};
}

float to_float(Half value) {
    return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(value.bits));
}

} // namespace bmo

#include "simd/half.hpp"

#include <cstring>

#include <Eigen/Core>

namespace bmo {

// Eigen's type has no conversion to and from bits that all its versions share.
static_assert(sizeof(Eigen::half) == sizeof(std::uint16_t));

Half to_half(float value) {
    const Eigen::half narrow(value);
    std::uint16_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    return {bits};
}

float to_float(Half value) {
    Eigen::half narrow;
    std::memcpy(static_cast<void *>(&narrow), &value.bits, sizeof narrow);
    return static_cast<float>(narrow);
}

} // namespace bmo

// Numbers of 16 bits, as they lie in memory. Each is a float exactly.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace bmo {

// binary16 of IEEE 754: 5 bits of exponent, 10 of fraction.
struct Float16 {
    std::uint16_t bits;

    // Without branches, so that loops become loops of vectors, and without subnormal floats, which a program may have
    // flushed to zero.
    operator float() const {
        constexpr std::uint32_t kFraction = 0x3ff, kExponent = 31U << 23, kBias = (127 - 15) << 23;
        const std::uint32_t sign = (bits & 0x8000U) << 16, shifted = (bits & 0x7fffU) << 13;
        const std::uint32_t exponent = shifted & kExponent;
        const float subnormal = static_cast<float>(static_cast<std::int32_t>(bits & kFraction)) * 0x1p-24F;
        const auto small =
            static_cast<std::uint32_t>(static_cast<std::int32_t>(exponent - 1) >> 31); // all bits, or none
        const std::uint32_t finite = (std::bit_cast<std::uint32_t>(subnormal) & small) | ((shifted + kBias) & ~small);
        const std::uint32_t beyond = ((exponent + (1U << 23)) >> 28) * kBias; // infinity, or NaN: the exponent is 255
        return std::bit_cast<float>(sign | (finite + beyond));
    }
};

// The upper half of a float.
struct BFloat16 {
    std::uint16_t bits;

    operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};

template <class T>
inline constexpr bool kIsFloat16 = std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

// The value in a type of at least the width that arithmetic has.
template <class T>
auto arithmetic(T value) {
    if constexpr (kIsFloat16<T>)
        return static_cast<float>(value);
    else if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(int))
        return static_cast<int>(value);
    else
        return value;
}

} // namespace bmo

// Numbers of 16 bits, as they lie in memory. Each is a float exactly.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace bmo {

// binary16 of IEEE 754: 5 bits of exponent, 10 of fraction.
struct Float16 {
    std::uint16_t bits;

    // In normal floats alone, so that a program that has subnormal ones flushed to zero sees the same value.
    operator float() const {
        constexpr std::uint32_t kOneMoreExponent = 1U << 23, kBias = 127 - 15, kLargestExponent = 31U << 23;
        const std::uint32_t sign = (bits & 0x8000U) << 16, shifted = (bits & 0x7fffU) << 13;
        const std::uint32_t exponent = shifted & kLargestExponent;
        std::uint32_t size = shifted + (kBias << 23);
        if (exponent == kLargestExponent) // infinity, or NaN
            size += kBias << 23;
        else if (exponent == 0) // 0, or a subnormal: 2^-14 (1 + fraction) less 2^-14
            size = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size + kOneMoreExponent) - 0x1p-14F);
        return std::bit_cast<float>(sign | size);
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

// Numbers beyond the range of double, and sums that a search keeps of pairs whose differences are far below its largest value.
//
// The values of a search share a scale, so that no sum overflows. Beside a value of 1e200, the squares of ordinary differences
// vanish at that scale. The sum of such a pair is computed again at a scale of its own, and is kept as a double all the same:
// its code.
//
// Code. Sums of 2^-600 and more are their own codes. Below, an octave takes 2^-lost of the octave of a double. So codes are in
// the order of the sums, no code is below its sum, and a code has 52 - lost bits: lost is 4 for p = 2, and 8 for p = 32.
// A code that is compared with a sum counts as a larger sum. That is sound for the threshold of a test.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace bmo {

// value * 2^exponent.
struct FarNumber {
    double value = 0;
    std::int64_t exponent = 0;

    // |value| in [1, 2), or 0.
    FarNumber normalized() const {
        if (value == 0)
            return {};
        const int shift = std::ilogb(value);
        return {std::ldexp(value, -shift), exponent + shift};
    }
    // times 2^(p power). The product's rounding would be that of a logarithm: its last bit is many of the value's.
    FarNumber times_power(double p, int power) const {
        const double whole = std::floor(p * power);
        return {value * std::exp2(std::fma(p, power, -whole)), exponent + static_cast<std::int64_t>(whole)};
    }
    // The p-th root, of a value that is not negative.
    FarNumber root(double p) const {
        const FarNumber of = normalized();
        const double whole = std::floor(static_cast<double>(of.exponent) / p);
        const double base = of.value * std::exp2(std::fma(-whole, p, static_cast<double>(of.exponent)));
        return {p == 2 ? std::sqrt(base) : std::pow(base, 1 / p), static_cast<std::int64_t>(whole)};
    }
    // Infinite or 0 if it is beyond double.
    double rounded() const {
        constexpr std::int64_t kBeyond = 1 << 20;
        return std::ldexp(value, static_cast<int>(std::clamp(exponent, -kBeyond, kBeyond)));
    }
};

class SumCode {
public:
    static constexpr double kLeastPlain = 0x1p-600;

    // For sums of 2^least or more, and 0.
    constexpr explicit SumCode(double least) {
        double octaves = (kPlainExponent - least) / 2;
        while (octaves > kOctaves) {
            octaves /= 2;
            ++lost_;
        }
    }

    double encode(const FarNumber &sum) const {
        const FarNumber of = sum.normalized();
        if (of.value == 0 || of.exponent >= kPlainExponent)
            return of.rounded();
        const auto below = static_cast<std::uint64_t>(kPlainExponent - of.exponent);
        const std::uint64_t fraction =
            std::bit_cast<std::uint64_t>(std::abs(of.value)) & ((std::uint64_t{1} << 52) - 1);
        const std::uint64_t kept = (fraction + (std::uint64_t{1} << (lost_ - 1))) >> lost_;
        return std::copysign(std::bit_cast<double>(kTop - (below << bits()) + kept), of.value);
    }

    FarNumber decode(double code) const {
        if (code == 0 || std::abs(code) >= kLeastPlain)
            return {code, 0};
        const std::uint64_t left = kTop - std::bit_cast<std::uint64_t>(std::abs(code));
        const std::uint64_t below = (left + (std::uint64_t{1} << bits()) - 1) >> bits();
        const auto kept = static_cast<double>((below << bits()) - left);
        const double value = 1 + std::ldexp(kept, -bits());
        return {std::copysign(value, code), kPlainExponent - static_cast<std::int64_t>(below)};
    }

private:
    static constexpr std::int64_t kPlainExponent = -600;
    static constexpr std::uint64_t kTop = std::bit_cast<std::uint64_t>(kLeastPlain);
    static constexpr double kOctaves = 420; // of doubles below kLeastPlain, and a few to spare

    int bits() const { return 52 - lost_; }

    int lost_ = 1;
};

} // namespace bmo

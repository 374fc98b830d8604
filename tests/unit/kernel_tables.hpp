// What the tests of kernels share: the tables of this processor, and numbers as a kernel reads them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include "simd/half.hpp"
#include "simd/kernels.hpp"
#include "util/xoshiro.hpp"

using bmo::kBatch;
using bmo::Kernels;
using bmo::Rho;
using bmo::RhoScale;
using bmo::ValueType;

inline constexpr ValueType kValueTypes[] = {
    ValueType::f32,      ValueType::u8,      ValueType::i8,       ValueType::f16,      ValueType::bf16,
    ValueType::f32_wide, ValueType::u8_wide, ValueType::i8_wide,  ValueType::f16_wide, ValueType::bf16_wide,
    ValueType::f64,      ValueType::half,    ValueType::half_wide};
static_assert(std::size(kValueTypes) == bmo::kValueTypes);
inline constexpr Rho kRhos[] = {Rho::square, Rho::absolute, Rho::power};

inline std::vector<const Kernels *> tables() {
    std::vector<const Kernels *> found;
    for (const char *name : {"scalar", "sse4", "avx2", "avx512", "avx512vnni", "neon"})
        if (const Kernels *table = bmo::kernels_named(name))
            found.push_back(table);
    return found;
}

inline bool same_bits(double a, double b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

inline bool is_bytes(ValueType source) {
    return source == ValueType::u8 || source == ValueType::u8_wide;
}
inline bool is_signed_bytes(ValueType source) {
    return source == ValueType::i8 || source == ValueType::i8_wide;
}
inline bool is_float16(ValueType source) {
    return source == ValueType::f16 || source == ValueType::f16_wide;
}
inline bool is_bfloat16(ValueType source) {
    return source == ValueType::bf16 || source == ValueType::bf16_wide;
}
inline bool is_halves(ValueType source) {
    return source == ValueType::half || source == ValueType::half_wide;
}
inline bool is_narrow(ValueType source) {
    return source <= ValueType::bf16 || source == ValueType::half;
}

inline std::uint16_t upper_half(float value) {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

// Values of every size that a source has, zeros among them.
inline std::vector<double> values(std::size_t count, std::uint64_t seed, ValueType source) {
    bmo::Xoshiro256pp random(seed);
    std::vector<double> made(count);
    for (double &value : made) {
        const auto draw = random.next();
        if (is_bytes(source))
            value = static_cast<double>(draw % 256);
        else if (is_signed_bytes(source))
            value = static_cast<double>(draw % 256) - 128;
        else if (draw % 8 > 0)
            value = static_cast<double>(static_cast<float>(static_cast<double>(draw >> 40) / 1e6 - 5));
        if (is_bfloat16(source))
            value = static_cast<double>(bmo::BFloat16{upper_half(static_cast<float>(value))});
        if (is_halves(source) || is_float16(source))
            value = static_cast<double>(bmo::to_float(bmo::to_half(static_cast<float>(value))));
    }
    return made;
}

// The same numbers as the kernel's source type.
struct Stored {
    std::vector<float> f32;
    std::vector<std::uint8_t> u8;
    std::vector<std::int8_t> i8;
    std::vector<std::uint16_t> words; // of 16 bits
    std::vector<double> f64;
    std::vector<bmo::Half> halves; // rows of two batches, the first of which is read
    ValueType source;

    Stored(const std::vector<double> &from, ValueType as) : source(as) {
        for (const double value : from) {
            f32.push_back(static_cast<float>(value));
            u8.push_back(is_bytes(as) ? static_cast<std::uint8_t>(value) : std::uint8_t{0});
            i8.push_back(is_signed_bytes(as) ? static_cast<std::int8_t>(value) : std::int8_t{0});
            f64.push_back(value);
            if (is_float16(as) || is_bfloat16(as))
                words.push_back(is_float16(as) ? bmo::to_half(static_cast<float>(value)).bits
                                               : upper_half(static_cast<float>(value)));
            if (is_halves(as)) {
                if (halves.size() % bmo::kRowOf<bmo::Half> == kBatch)
                    halves.insert(halves.end(), kBatch, bmo::Half{0x7e00}); // no number
                halves.push_back(bmo::to_half(static_cast<float>(value)));
            }
        }
    }
    const void *data() const {
        if (source == ValueType::f64)
            return f64.data();
        if (is_halves(source))
            return halves.data();
        if (is_signed_bytes(source))
            return i8.data();
        if (is_float16(source) || is_bfloat16(source))
            return words.data();
        return is_bytes(source) ? static_cast<const void *>(u8.data()) : static_cast<const void *>(f32.data());
    }
};

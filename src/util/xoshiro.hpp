// xoshiro256++ 1.0 (Blackman and Vigna, 2019), seeded by SplitMix64 as its authors recommend.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

namespace bmo {

class SplitMix64 {
public:
    explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

    constexpr std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

private:
    std::uint64_t state_;
};

// One seed for a stream that several numbers name.
constexpr std::uint64_t mix_seed(std::initializer_list<std::uint64_t> parts) {
    std::uint64_t mixed = 0;
    for (const std::uint64_t part : parts)
        mixed = SplitMix64(mixed ^ part).next();
    return mixed;
}

class Xoshiro256pp {
public:
    using State = std::array<std::uint64_t, 4>;

    explicit constexpr Xoshiro256pp(const State &state) : state_(state) {}
    explicit constexpr Xoshiro256pp(std::uint64_t seed) {
        SplitMix64 mix(seed);
        for (std::uint64_t &word : state_)
            word = mix.next();
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = rotate(state_[3], 45);
        return result;
    }

    // As 2^128 calls of next(): the start of a stream that does not overlap.
    constexpr void jump() {
        constexpr State polynomial = {0x180ec6d33cfd0aba, 0xd5a61266f0c9392c, 0xa9582618e03fc9aa, 0x39abdc4529b1661c};
        State sum{};
        for (const std::uint64_t word : polynomial)
            for (int bit = 0; bit < 64; ++bit) {
                if (word >> bit & 1)
                    for (std::size_t i = 0; i < 4; ++i)
                        sum[i] ^= state_[i];
                next();
            }
        state_ = sum;
    }

    // Uniform on [0, bound), bound > 0: Lemire's multiplication, with rejection so that it is exact.
    constexpr std::uint64_t below(std::uint64_t bound) {
        for (;;) {
            const auto product = static_cast<Wide>(next()) * bound;
            const auto low = static_cast<std::uint64_t>(product);
            if (low >= bound || low >= (0 - bound) % bound) // the remainder is less than bound, and slow
                return static_cast<std::uint64_t>(product >> 64);
        }
    }

private:
    __extension__ using Wide = unsigned __int128;

    static constexpr std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

    State state_{};
};

} // namespace bmo

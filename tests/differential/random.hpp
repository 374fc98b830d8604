// Random numbers that are the same on every machine: SplitMix64.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }

    // Of [0, bound). The bias is below 2^-30 for the bounds here.
    std::int64_t below(std::int64_t bound) {
        return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
    }
    std::int64_t between(std::int64_t least, std::int64_t most) { return least + below(most - least + 1); }
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    double between(double least, double most) { return least + (most - least) * uniform(); }
    bool chance(double probability) { return uniform() < probability; }

    double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform()); }

    template <class T>
    T pick(std::initializer_list<T> values) {
        return values.begin()[below(static_cast<std::int64_t>(values.size()))];
    }

private:
    std::uint64_t state_;
};

// The seed of one part of what another seed stands for.
inline std::uint64_t part_of(std::uint64_t seed, std::uint64_t part) {
    return Random(seed ^ Random(part).next()).next();
}

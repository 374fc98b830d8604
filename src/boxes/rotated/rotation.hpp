// A random rotation x -> H S2 H S1 (x - r): S1, S2 random signs, H the orthonormal Walsh-Hadamard transform of the
// next power of two. A difference that sits in few coordinates comes out spread over all of them, and no distance
// changes. The reference r, near the middle of the data, keeps the rotated values as small as the differences are.
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.hpp"
#include "data/files/sections.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

class Rotation {
public:
    // For the points of a dataset; the signs are those of a seed.
    Rotation(const Dataset &data, std::int64_t seed);
    // For vectors of d values, none of which is above 1, about the origin.
    Rotation(std::int64_t d, std::int64_t seed);
    // From a file, of vectors of d values whose largest |value| this is; sections() is what to keep there. Refers to the
    // rotation.
    Rotation(std::int64_t d, double max_abs, const Sections &sections);
    std::vector<SectionSource> sections() const;

    std::int64_t padded() const { return padded_; } // coordinates of a rotated point: a power of two, at least 16
    double scale() const { return scale_; }         // of the rotated values: a power of two

    // point (d values) becomes out (padded() values), centered and scaled by scale() * shrink, not turned yet. Returns
    // the norm that it has once it is turned. shrink: a power of two, at most 1.
    double center(const double *point, double shrink, double *out) const;
    void turn(double *centered, Watch &watch) const; // polls it if that takes long
    void turn(double *centered) const {
        Watch none;
        turn(centered, none);
    }

    // Multiply-adds of a turn.
    std::uint64_t turn_ops() const;
    std::uint64_t bytes() const { return reference_.size() * sizeof(double) + signs_.size(); }

private:
    static constexpr std::int64_t kRounds = 2; // even: the factor of the transforms is a power of two

    std::int64_t d_, padded_, levels_;
    double scale_;
    std::vector<double> reference_;  // times scale() / padded(): the transforms multiply by padded()
    std::vector<std::int8_t> signs_; // kRounds times padded()
};

} // namespace bmo

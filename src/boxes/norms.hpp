// Dot products and norms to twice the precision of double, so that what is left after cancellation is still accurate,
// and vectors of equal angle have equal distances. Exact for integers.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "data/files/sections.hpp"
#include "util/double_double.hpp"

namespace bmo {

// Of a vector divided by 2^exponent, which brings its largest |value| into [1, 2). The zero vector has squares 0.
struct Norm {
    DoubleDouble squares;
    int exponent = 0;

    bool is_zero() const { return squares.high == 0; }
    double root() const { return std::sqrt(squares.high); } // within 2^-52, relatively
};

// Divides by 2^exponent, the inverse of which may be beyond double.
void divide_by_power(std::vector<double> &values, int exponent);

// A vector divided by 2^norm.exponent.
struct ScaledVector {
    std::vector<double> values;
    Norm norm;
    // All values are float numbers, and none vanished when it was scaled: a product of two such is exact in double.
    bool is_short = false;

    void load(const PointsView &points, std::int64_t row);
    // The values that are not 0 alone, and which coordinates they are of.
    void load_entries(const PointsView &points, std::int64_t row, std::vector<std::int32_t> &coordinates);

private:
    void scale();
};

// The powers of two 2^-exponent that a double holds: of exponents above it.
inline constexpr int kLeastFactorExponent = -900;

// The sum of values[j] * factor * other[j]: of values of this type, as many. factor: a power of two. is_short: all of
// the others are float numbers.
DoubleDouble dot_product(const void *values, bmo_dtype dtype, double factor, std::span<const double> other,
                         bool is_short);

using Norms = std::vector<Norm>;

std::shared_ptr<const Norms> norms_of(const PointsView &points, int threads, Watch &watch);

// As a section of a file: three doubles each.
SectionSource norms_section(const Norms &norms);
std::shared_ptr<const Norms> restore_norms(const Sections &sections, std::int64_t n);

} // namespace bmo

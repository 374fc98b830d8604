// Numbers of twice the precision of double: the unevaluated sum of two (Dekker, 1971; Ogita, Rump and Oishi, 2005).
// Relative errors of operations are a few times 2^-104. For values that are far from the limits of double.
#pragma once

#include <cmath>

namespace bmo {

struct DoubleDouble {
    double high = 0, low = 0; // |low| is at most half a unit in the last place of high
};

// The exact sum if |a| >= |b|.
inline DoubleDouble quick_two_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}

// The exact sum.
inline DoubleDouble two_sum(double a, double b) {
    const double sum = a + b, of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// The exact product.
inline DoubleDouble two_product(double a, double b) {
    constexpr double splitter = 134217729; // 2^27 + 1
    const double product = a * b;
    const double shifted_a = splitter * a, shifted_b = splitter * b;
    const double a_high = shifted_a - (shifted_a - a), b_high = shifted_b - (shifted_b - b);
    const double a_low = a - a_high, b_low = b - b_high;
    return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
    const DoubleDouble sum = quick_two_sum(high.high, high.low + low.high);
    return quick_two_sum(sum.high, sum.low + low.low);
}

inline DoubleDouble operator-(DoubleDouble a) {
    return {-a.high, -a.low};
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
    return a + -b;
}

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble product = two_product(a.high, b.high);
    return quick_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    const double first = a.high / b.high;
    DoubleDouble rest = a - b * DoubleDouble{first, 0};
    const double second = rest.high / b.high;
    rest = rest - b * DoubleDouble{second, 0};
    return quick_two_sum(first, second) + DoubleDouble{rest.high / b.high, 0};
}

inline DoubleDouble square_root(DoubleDouble a) {
    if (!(a.high > 0))
        return {};
    const double root = std::sqrt(a.high);
    const DoubleDouble rest = a - two_product(root, root);
    return quick_two_sum(root, rest.high / (2 * root));
}

} // namespace bmo

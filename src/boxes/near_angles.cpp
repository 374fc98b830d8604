#include "boxes/near_angles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "util/double_double.hpp"

namespace bmo {
namespace {

DoubleDouble times_power(DoubleDouble of, int power) {
    return {std::ldexp(of.high, power), std::ldexp(of.low, power)};
}

DoubleDouble squares_of(std::span<const double> values) {
    DoubleDouble sum;
    for (const double value : values)
        sum = sum + two_product(value, value);
    return sum;
}

} // namespace

double one_minus_cosine_by_differences(std::span<const double> a, std::span<const double> b) {
    const auto pivot = static_cast<std::size_t>(
        std::max_element(a.begin(), a.end(), [](double x, double y) { return std::abs(x) < std::abs(y); }) - a.begin());
    std::vector<DoubleDouble> across(a.size());
    double largest = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        across[j] = two_product(a[pivot], b[j]) - two_product(b[pivot], a[j]);
        largest = std::max(largest, std::abs(across[j].high));
    }
    if (largest == 0)
        return 0;
    const int exponent = std::ilogb(largest);
    DoubleDouble squares, along;
    for (std::size_t j = 0; j < a.size(); ++j) {
        const DoubleDouble scaled = times_power(across[j], -exponent);
        squares = squares + scaled * scaled;
        along = along + scaled * DoubleDouble{a[j], 0};
    }
    const DoubleDouble squares_a = squares_of(a), squares_b = squares_of(b);
    const DoubleDouble sine = (squares * squares_a - along * along) /
                              (squares_a * squares_b * two_product(a[pivot], a[pivot])); // squared and scaled
    const DoubleDouble one{1, 0};
    const DoubleDouble cosine = square_root(one - times_power(sine, 2 * exponent));
    return std::ldexp((sine / (one + cosine)).high, 2 * exponent);
}

FarNumber far_product(std::span<const double> a, std::span<const double> b) {
    const auto is_term = [&](std::size_t j) { return a[j] != 0 && b[j] != 0; };
    int most = std::numeric_limits<int>::min();
    for (std::size_t j = 0; j < a.size(); ++j)
        if (is_term(j))
            most = std::max(most, std::ilogb(a[j]) + std::ilogb(b[j]));
    DoubleDouble sum;
    for (std::size_t j = 0; j < a.size(); ++j)
        if (is_term(j)) {
            const int of_a = std::ilogb(a[j]), of_b = std::ilogb(b[j]);
            sum = sum + times_power(two_product(std::ldexp(a[j], -of_a), std::ldexp(b[j], -of_b)), of_a + of_b - most);
        }
    return sum.high == 0 ? FarNumber{} : FarNumber{sum.high, most};
}

} // namespace bmo

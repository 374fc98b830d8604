// The coordinate distances rho(x, y) that metrics are sums of: one struct each, which kernels and loops in double
// apply.
//
// To add one: a value of Rho, a struct, and its place in Rhos. The struct has
//   kRho, kTraits;
//   with(p): the struct; only a power uses p;
//   kInDouble: samples of floats are computed in double;
//   operator()(x, y) = operator()(y, x): in float within 2^-22 of its value, relatively, or below it; rho(x, x) = 0;
//   degree(): rho(s x, s y) = s^degree rho(x, y);
//   scaled(x, y, s...): rho(x, y) of values that are multiplied by the factors s, one after another;
//   span(x, y): what such factors bring near 1, so that scaled() has no overflow and loses nothing that counts;
//   in_float(largest): whether samples of floats up to `largest` may be computed in float;
//   most(apart): no rho of values that are no further apart is above it, but for rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bmo {

enum class Rho { square, absolute, power };

// How many sums of pairs are computed at once (boxes/tiles): from products, from absolute differences, or not at all.
enum class Tiles { none, products, differences };

struct RhoTraits {
    Tiles tiles = Tiles::none; // others than none have kernels for bytes too
    bool overlaps = false;     // the sum of two sparse points is that of their norms less their overlap
    double scan_time = 0; // nanoseconds that a coordinate takes beyond reading it: see search/choice/cost_model.hpp
};

// Those of |x - y|. `Self` has of(difference).
template <class Self>
struct OfDifference {
    static constexpr bool kInDouble = false;

    template <class T>
    T operator()(T x, T y) const {
        return self().of(x - y);
    }
    template <class... Scales>
    double scaled(double x, double y, Scales... scales) const {
        return self().of(((x - y) * ... * scales));
    }
    static double span(double x, double y) { return std::abs(x - y); }
    double most(double apart) const { return self().of(apart); }
    // No sample overflows, and the large ones are far from subnormal.
    bool in_float(double largest) const {
        const double sample = std::pow(2 * largest, self().degree());
        return largest == 0 || (sample < 1e35 && sample > 1e-20);
    }

private:
    const Self &self() const { return static_cast<const Self &>(*this); }
};

struct Square : OfDifference<Square> {
    static constexpr Rho kRho = Rho::square;
    static constexpr RhoTraits kTraits = {.tiles = Tiles::products, .overlaps = true};

    static Square with(double) { return {}; }
    static double degree() { return 2; }
    template <class T>
    static T of(T difference) {
        return difference * difference;
    }
};

struct Absolute : OfDifference<Absolute> {
    static constexpr Rho kRho = Rho::absolute;
    static constexpr RhoTraits kTraits = {.tiles = Tiles::differences, .overlaps = true};

    static Absolute with(double) { return {}; }
    static double degree() { return 1; }
    template <class T>
    static T of(T difference) {
        return std::abs(difference);
    }
};

// |x - y|^p. In double: the power p of a rounded difference is off by p times as much.
struct Power : OfDifference<Power> {
    static constexpr Rho kRho = Rho::power;
    static constexpr RhoTraits kTraits = {.scan_time = 12};
    static constexpr bool kInDouble = true;

    double p;

    explicit Power(double exponent) : p(exponent) {}
    static Power with(double exponent) { return Power(exponent); }
    double degree() const { return p; }
    double of(double difference) const { return std::pow(std::abs(difference), p); }
};

template <class... All>
struct RhoList {
    static constexpr int kCount = sizeof...(All);
};
using Rhos = RhoList<Square, Absolute, Power>; // in the order of Rho
inline constexpr int kRhos = Rhos::kCount;

template <class Visit, class First, class... Rest>
auto visit_rho_in(RhoList<First, Rest...>, Rho rho, double p, Visit &visit) {
    if constexpr (sizeof...(Rest) > 0)
        if (rho != First::kRho)
            return visit_rho_in(RhoList<Rest...>{}, rho, p, visit);
    return visit(First::with(p));
}

// What `visit` returns of the struct of a coordinate distance.
template <class Visit>
auto visit_rho(Rho rho, double p, Visit visit) {
    return visit_rho_in(Rhos{}, rho, p, visit);
}

inline RhoTraits traits_of(Rho rho) {
    return visit_rho(rho, 1, [](auto function) { return function.kTraits; });
}

} // namespace bmo

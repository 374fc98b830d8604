#include "search/choice/contrast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "util/xoshiro.hpp"

namespace bmo {

double Contrast::samples_of(double share_squares, std::int64_t n, double delta) const {
    constexpr double kDeviations = 3.5, kMost = 0.9;
    const double gap = std::min(kDeviations * spread, kMost);
    return 2 * share_squares * std::log(static_cast<double>(n) / delta) / (gap * gap);
}

Contrast sample_contrast(const Dataset &data, Rho rho, int pairs, std::int64_t seed) {
    const auto d = static_cast<std::size_t>(data.d());
    const double scale = data.max_abs > 0 ? 1 / data.max_abs : 1;
    Xoshiro256pp random(mix_seed({static_cast<std::uint64_t>(seed), 0x636f6e7472617374}));
    std::vector<double> one(d), other(d);
    double sum = 0, squares = 0, share_squares = 0;
    for (int pair = 0; pair < pairs; ++pair) {
        for (std::vector<double> *point : {&one, &other})
            load_point(data.dense, static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(data.n()))),
                       point->data());
        double distance = 0;
        for (std::size_t j = 0; j < d; ++j) {
            const double apart = std::abs(one[j] - other[j]) * scale;
            const double share = rho == Rho::square ? apart * apart : apart;
            distance += share;
            share_squares += share * share;
        }
        sum += distance;
        squares += distance * distance;
    }
    const double mean = sum / pairs;
    if (!(mean > 0))
        return {0, std::numeric_limits<double>::infinity()}; // all alike: nothing is told apart
    const double variance = std::max(0.0, (squares - sum * mean) / (pairs - 1));
    return {std::sqrt(variance) / mean,
            share_squares / (pairs * static_cast<double>(d)) / std::pow(mean / static_cast<double>(d), 2)};
}

} // namespace bmo

#include "search/choice/contrast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "util/xoshiro.hpp"

namespace bmo {

double Contrast::samples_of(double share_squares, std::int64_t n, double delta) const {
    constexpr double kMost = 0.9;
    const double gap = std::min(kDeviations * spread, kMost);
    return 2 * share_squares * std::log(static_cast<double>(n) / delta) / (gap * gap);
}

namespace {

// Pairs of points at random, whose distances and squares of shares are added up.
struct Pairs {
    double sum = 0, squares = 0, share_squares = 0;

    void add(double distance) {
        sum += distance;
        squares += distance * distance;
    }

    Contrast contrast(int pairs, double d) const {
        const double mean = sum / pairs;
        if (!(mean > 0))
            return {0, std::numeric_limits<double>::infinity()}; // all alike: nothing is told apart
        const double variance = std::max(0.0, (squares - sum * mean) / (pairs - 1));
        return {std::sqrt(variance) / mean, share_squares / (pairs * d) / std::pow(mean / d, 2)};
    }
};

class RandomPoints {
public:
    RandomPoints(const Dataset &data, std::int64_t seed)
        : data_(data), random_(mix_seed({static_cast<std::uint64_t>(seed), 0x636f6e7472617374})) {}

    void load(std::vector<double> &point) {
        load_point(data_.dense, static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(data_.n()))),
                   point.data());
    }

private:
    const Dataset &data_;
    Xoshiro256pp random_;
};

double length_of(const std::vector<double> &point) {
    return std::sqrt(std::inner_product(point.begin(), point.end(), point.begin(), 0.0));
}

} // namespace

Contrast sample_contrast(const Dataset &data, const Metric &metric, int pairs, std::int64_t seed) {
    const auto d = static_cast<std::size_t>(data.d());
    const double scale = data.max_abs > 0 ? 1 / data.max_abs : 1;
    RandomPoints random(data, seed);
    std::vector<double> one(d), other(d);
    Pairs all;
    for (int pair = 0; pair < pairs; ++pair) {
        random.load(one);
        random.load(other);
        metric.visit([&](auto rho) {
            double distance = 0;
            for (std::size_t j = 0; j < d; ++j) {
                const double share = rho.scaled(one[j], other[j], scale);
                distance += share;
                all.share_squares += share * share;
            }
            all.add(distance);
        });
    }
    return all.contrast(pairs, static_cast<double>(d));
}

Contrast sample_angular_contrast(const Dataset &data, std::int64_t metric, int pairs, std::int64_t seed) {
    const auto d = static_cast<std::size_t>(data.d());
    const double scale = data.max_abs > 0 ? 1 / data.max_abs : 1;
    RandomPoints random(data, seed);
    std::vector<double> one(d), other(d), lengths, squares;
    Pairs all;
    for (int pair = 0; pair < pairs; ++pair) {
        random.load(one);
        random.load(other);
        for (std::vector<double> *point : {&one, &other}) {
            for (double &value : *point)
                value *= scale;
            lengths.push_back(length_of(*point));
            for (double &value : *point)
                value = lengths.back() > 0 ? value / lengths.back() : 0;
        }
        double distance = 0;
        for (std::size_t j = 0; j < d; ++j) {
            const double share = (one[j] - other[j]) * (one[j] - other[j]);
            distance += share;
            all.share_squares += share * share;
        }
        squares.push_back(distance);
    }
    const double largest = *std::ranges::max_element(lengths);
    for (std::size_t pair = 0; pair < squares.size(); ++pair) {
        const double share = metric == BMO_METRIC_COSINE || largest == 0 ? 1 : lengths[2 * pair] / largest;
        all.add(2 * (1 - share) + share * squares[pair]);
    }
    return all.contrast(pairs, static_cast<double>(d));
}

} // namespace bmo

#include "boxes/dense/importance_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "boxes/spread_rows.hpp"

namespace bmo {
namespace {

constexpr std::int64_t kSampledPoints = 257;
constexpr double kHeadShare = 1.0 / 256;     // of what is left that a coordinate of the head has at least
constexpr std::int64_t kMostOfHead = 256;    // coordinates,
constexpr std::int64_t kHeadPopulation = 32; // and at most 1 of so many
constexpr double kMostParts = 1 << 20;
constexpr std::size_t kMostCoordinates = std::size_t{1} << 29; // beyond, all have one part: a place is an int32

// How many of the leading coordinates are the head; they are sorted by descending spread.
std::int64_t head_of(std::span<const double> spread, std::span<const std::int32_t> sorted) {
    const auto of = [&](std::int32_t j) { return spread[static_cast<std::size_t>(j)]; };
    double left = std::transform_reduce(sorted.begin(), sorted.end(), 0.0, std::plus<>(), of);
    const std::int64_t most = std::min(kMostOfHead, static_cast<std::int64_t>(sorted.size()) / kHeadPopulation);
    std::int64_t head = 0;
    while (head < most && of(sorted[static_cast<std::size_t>(head)]) > kHeadShare * left)
        left -= of(sorted[static_cast<std::size_t>(head++)]);
    const std::int64_t whole = (head + kBatch - 1) / kBatch * kBatch;
    return whole <= most ? whole : whole - kBatch;
}

// The squares of the distances at each coordinate, scaled.
void add_squares(const Metric &metric, std::span<const double> a, std::span<const double> b, double scale,
                 std::span<double> squares) {
    metric.visit([&](auto rho) {
        for (std::size_t j = 0; j < squares.size(); ++j) {
            const double distance = rho.scaled(a[j], b[j], scale);
            squares[j] += distance * distance;
        }
    });
}

float share_of(int parts) {
    const float share = 1.0F / static_cast<float>(parts);
    return static_cast<double>(share) * parts > 1 ? std::nextafter(share, 0.0F) : share;
}

} // namespace

ImportanceOrder::ImportanceOrder(std::span<const double> spread, std::span<const std::int32_t> coordinates,
                                 bool with_head, std::int64_t seed) {
    const auto of = [&](std::int32_t j) { return spread[static_cast<std::size_t>(j)]; };
    Order sorted(coordinates.begin(), coordinates.end());
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::int32_t a, std::int32_t b) { return of(a) > of(b); });
    head = with_head ? head_of(spread, sorted) : 0;
    const std::span<const std::int32_t> rest = std::span(sorted).subspan(static_cast<std::size_t>(head));
    const double mean =
        std::transform_reduce(rest.begin(), rest.end(), 0.0, std::plus<>(), of) / static_cast<double>(rest.size());
    const bool uneven = mean > 0 && std::isfinite(mean) && rest.size() <= kMostCoordinates;
    Order parts;
    std::vector<float> shares;
    for (const std::int32_t j : rest) {
        const int count = uneven ? static_cast<int>(std::clamp(std::round(of(j) / mean), 1.0, kMostParts)) : 1;
        parts.insert(parts.end(), static_cast<std::size_t>(count), j);
        shares.insert(shares.end(), static_cast<std::size_t>(count), share_of(count));
    }
    order.assign(sorted.begin(), sorted.begin() + head);
    share.assign(static_cast<std::size_t>(head), 1.0F);
    for (const std::int32_t at : random_order(static_cast<std::int64_t>(parts.size()), seed)) {
        order.push_back(parts[static_cast<std::size_t>(at)]);
        share.push_back(shares[static_cast<std::size_t>(at)]);
    }
    share.resize((share.size() + kBatch - 1) / kBatch * kBatch);
}

std::vector<double> coordinate_spread(const Dataset &data, const Metric &metric, const Weights *weights,
                                      std::int64_t seed) {
    const auto d = static_cast<std::size_t>(data.d());
    std::vector<double> squares(d, 0), point(d), before(d);
    const double scale = normalizing_scale(data.max_abs); // no difference is above 4
    Xoshiro256pp random(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 4; ++i) // what is before belongs to the order, the directions and the groups
        random.jump();
    const std::vector<std::int64_t> rows = spread_rows(data.n(), std::min(data.n(), kSampledPoints), random);
    for (std::size_t i = 0; i < rows.size(); ++i, point.swap(before)) {
        load_point(data.dense, rows[i], point.data());
        if (i > 0)
            add_squares(metric, point, before, scale, squares);
    }
    for (std::size_t j = 0; j < d; ++j)
        squares[j] = std::sqrt(squares[j]) * (weights ? weights->scaled[j] : 1);
    return squares;
}

} // namespace bmo

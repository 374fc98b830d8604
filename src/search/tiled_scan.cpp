#include "search/tiled_scan.hpp"

#include <algorithm>

namespace bmo {
namespace {

constexpr std::int64_t kPoints = 64; // of a tile

// Candidates of a query: beyond, those that have fallen behind are dropped.
std::size_t most_candidates(std::int64_t k) {
    return static_cast<std::size_t>(std::max<std::int64_t>(4096, 4 * k));
}

std::int64_t clamp_to(std::int64_t value, std::int64_t most) {
    return std::clamp<std::int64_t>(value, 1, most);
}

} // namespace

TiledScan::TiledScan(const Dataset &data, const Metric &metric) : data_(data), square_(metric.rho() == Rho::square) {}

bool TiledScan::applies(const Dataset &data, const Metric &metric, const Queries &queries) {
    constexpr double kLargest = 1e300; // differences stay finite
    return metric.rho() != Rho::power && data.n() > 0 && queries.count > 1 && queries.max_abs < kLargest &&
           data.max_abs < kLargest;
}

std::int64_t TiledScan::group(const Dataset &data, std::int64_t count, int threads) {
    constexpr std::int64_t kMost = 1024, kBytes = std::int64_t{1} << 24;
    const std::size_t bytes =
        data.dense.dtype == BMO_U8 ? BytePairs::query_bytes(data.d()) : FloatPairs::query_bytes(data.d());
    const std::int64_t of_a_thread = (count + threads - 1) / threads;
    const std::int64_t room = clamp_to(kBytes / static_cast<std::int64_t>(bytes), kMost);
    const std::int64_t groups = (of_a_thread + room - 1) / room;
    return clamp_to((of_a_thread + groups - 1) / std::max<std::int64_t>(1, groups), room);
}

void TiledScan::run(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t k, Watch &watch) {
    k_ = k;
    leaders_.resize(static_cast<std::size_t>(count));
    taus_.resize(leaders_.size());
    for (std::int64_t i = 0; i < count; ++i) {
        Leaders &leaders = leaders_[static_cast<std::size_t>(i)];
        leaders.uppers.reset(k);
        leaders.candidates.clear();
        leaders.crowded = false;
        leaders.self = queries.self(first + i);
        taus_[static_cast<std::size_t>(i)] = leaders.uppers.threshold();
    }
    exact_ = data_.dense.dtype == BMO_U8 && are_bytes(queries, first, count);
    if (exact_)
        compare(bytes_ ? *bytes_ : bytes_.emplace(data_, square_), queries, first, count, watch);
    else
        compare(floats_ ? *floats_ : floats_.emplace(data_, square_), queries, first, count, watch);
}

template <class Pairs>
void TiledScan::compare(Pairs &pairs, const Queries &queries, std::int64_t first, std::int64_t count, Watch &watch) {
    pairs.take_queries(queries, first, count);
    std::vector<typename Pairs::Sum> sums;
    std::int64_t done = 0;
    for (std::int64_t point = 0; point < data_.n(); point += kPoints) {
        const std::int64_t points = std::min(kPoints, data_.n() - point);
        sums.assign(static_cast<std::size_t>(points * count), 0);
        pairs.start(points);
        for (std::int64_t chunk = 0; chunk < pairs.chunks(); ++chunk) {
            watch.poll();
            pairs.take_points(point, points, chunk);
            pairs.add(points, chunk, sums.data());
        }
        collect(pairs, sums, point, points);
        const std::int64_t compared = count * (point + points) / data_.n(); // as if queries ended one after another
        watch.advance(compared - done);
        done = compared;
    }
}

template <class Pairs>
void TiledScan::collect(const Pairs &pairs, const std::vector<typename Pairs::Sum> &sums, std::int64_t first_point,
                        std::int64_t points) {
    const auto count = static_cast<std::int64_t>(leaders_.size());
    for (std::int64_t p = 0; p < points; ++p)
        for (std::int64_t q = 0; q < count; ++q) {
            const auto sum = sums[static_cast<std::size_t>(p * count + q)];
            const double lower = pairs.lower(p, q, sum);
            if (lower > taus_[static_cast<std::size_t>(q)])
                continue;
            Leaders &leaders = leaders_[static_cast<std::size_t>(q)];
            consider(leaders, lower, pairs.upper(p, q, sum), static_cast<std::int32_t>(first_point + p));
            taus_[static_cast<std::size_t>(q)] = leaders.uppers.threshold();
        }
}

void TiledScan::consider(Leaders &leaders, double lower, double upper, std::int32_t arm) const {
    if (arm == leaders.self)
        return;
    leaders.uppers.offer({upper, arm});
    if (exact_ || leaders.crowded)
        return;
    leaders.candidates.push_back({lower, arm});
    if (leaders.candidates.size() <= most_candidates(k_))
        return;
    const double tau = leaders.uppers.threshold();
    std::erase_if(leaders.candidates, [&](const Candidate &candidate) { return candidate.lower > tau; });
    leaders.crowded = leaders.candidates.size() > most_candidates(k_) / 2;
}

} // namespace bmo

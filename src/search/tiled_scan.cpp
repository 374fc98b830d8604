#include "search/tiled_scan.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace bmo {
namespace {

constexpr std::int64_t kTilePoints = 64;

// Points of a tile whose coordinates are all read at once.
std::int64_t whole_points(const Dataset &data) {
    constexpr std::int64_t kBytes = std::int64_t{1} << 22;
    const std::int64_t point = data.d() * static_cast<std::int64_t>(dtype_size(data.dense.dtype));
    return data.dense.coord_stride == 1 ? kTilePoints : std::clamp<std::int64_t>(kBytes / point, 1, kTilePoints);
}

std::int64_t clamp_to(std::int64_t value, std::int64_t most) {
    return std::clamp<std::int64_t>(value, 1, most);
}

} // namespace

TiledScan::TiledScan(const Dataset &data, const Metric &metric, const Angles *angles, const NarrowCodes *codes)
    : data_(data), metric_(metric), angles_(angles), codes_(codes), reader_(data.dense) {
    reader_.read_from(&rows_);
}

bool TiledScan::applies(const Dataset &data, const Metric &metric, const Queries &queries) {
    constexpr double kLargest = 1e300;                               // differences stay finite
    const std::int64_t least = data.dense.coord_stride == 1 ? 2 : 1; // columns are read together for one query, too
    return metric.tiles() != Tiles::none && data.n() > 0 && queries.count >= least && queries.max_abs < kLargest &&
           data.max_abs < kLargest;
}

bool TiledScan::applies_to_one(const Queries &queries) const {
    if (data_.dense.coord_stride != 1 && applies(data_, metric_, queries))
        return true;
    return products_apply(queries) && (!codes_ || Frame::fits_points(data_, queries.max_abs));
}

bool TiledScan::products_apply(const Queries &queries) const {
    return (angles_ || codes_) && data_.n() > 0 && LoneProducts::applies(queries.max_abs) &&
           LoneProducts::applies(data_.max_abs);
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
    const bool square = metric_.tiles() == Tiles::products;
    k_ = k;
    bounds_ = Bounds::none;
    queries_ = &queries;
    first_ = first;
    read_until_ = 0;
    exact_ = !angles_ && data_.dense.dtype == BMO_U8 && are_bytes(queries, first, count);
    if (!codes_ && (!angles_ || products_apply(queries)) && ColumnScan::applies(data_, metric_, count, exact_)) {
        ColumnScan &columns = columns_ ? *columns_ : columns_.emplace(data_, metric_, angles_);
        return columns.run(queries, first, count, k, exact_, leaders_, watch);
    }
    if (count == 1 && angles_ && !codes_ && products_apply(queries))
        return run_lone(queries, first, watch);
    if (square && !exact_) {
        bounds_ = Bounds::panels;
        if (!panels_)
            panels_.emplace(data_, metric_, angles_, codes_);
        return panels_->run(queries, first, count, k, leaders_, watch);
    }
    if (exact_)
        compare(bytes_ ? *bytes_ : bytes_.emplace(data_, square), queries, first, count, watch);
    else
        compare(floats_ ? *floats_ : floats_.emplace(data_), queries, first, count, watch);
}

void TiledScan::run_lone(const Queries &queries, std::int64_t query, Watch &watch) {
    bounds_ = Bounds::lone;
    exact_ = false;
    if (!lone_)
        lone_.emplace(data_, *angles_);
    lone_->take_query(queries, query);
    leaders_.resize(1);
    Leaders &leaders = leaders_[0];
    leaders.reset({k_, queries.self(query), lone_->limit_of(queries.within(query))}, Leaders::most_candidates(k_));
    leaders.crowded = lone_->is_zero();
    const std::int64_t points = whole_points(data_);
    for (std::int64_t point = 0; point < data_.n() && !leaders.crowded; point += points) {
        watch.poll();
        lone_->compare(point, std::min(points, data_.n() - point), [&](std::int64_t arm, double lower, double upper) {
            if (lower <= leaders.tau())
                leaders.consider(lower, upper, static_cast<std::int32_t>(arm));
        });
    }
    watch.advance(1);
}

// Bounds of the candidates, which ascend by their lower ones, by products in double: a distance in twice that precision takes ten
// times as long. False: there are none, and candidates stay as they are.
bool TiledScan::bound_by_products(std::int64_t i, Leaders &leaders, Watch &watch) {
    if (!angles_ || bounds_ != Bounds::panels || !LoneProducts::applies(queries_->max_abs) ||
        !LoneProducts::applies(data_.max_abs))
        return false;
    if (!lone_)
        lone_.emplace(data_, *angles_);
    lone_->take_query(*queries_, first_ + i);
    const std::vector<Leaders::Candidate> candidates = std::exchange(leaders.candidates, {});
    double tau = leaders.tau();
    leaders.reset({k_, leaders.wanted().self, lone_->limit_of(queries_->within(first_ + i))}, candidates.size());
    for (const Leaders::Candidate &candidate : candidates) {
        if (candidate.lower > tau)
            break;
        watch.poll();
        const void *row = reader_.point(candidate.arm);
        lone_->compare_one(candidate.arm, row, [&](std::int64_t arm, double lower, double upper) {
            leaders.consider(lower, upper, static_cast<std::int32_t>(arm));
        });
        tau = std::min(tau, panels_->sum_of_product(i, leaders.tau()));
    }
    leaders.sort();
    return true;
}

// Of columns: reads points that finish() may compute for query i, and for as many behind it as there is room.
void TiledScan::read_candidates(std::int64_t i, Watch &watch) {
    constexpr std::int64_t kBytes = std::int64_t{1} << 24;
    constexpr std::size_t kLeast = 32, kShare = 4; // of a query: few are computed
    read_until_ = static_cast<std::int64_t>(leaders_.size());
    if (data_.dense.coord_stride == 1)
        return;
    const auto room =
        static_cast<std::size_t>(kBytes / (data_.d() * static_cast<std::int64_t>(dtype_size(data_.dense.dtype))));
    std::vector<std::int64_t> arms;
    for (std::int64_t query = i; query < read_until_; ++query) {
        Leaders &leaders = leaders_[static_cast<std::size_t>(query)];
        leaders.sort();
        const std::size_t count =
            std::min(leaders.crowded ? 0 : leaders.candidates.size(), kLeast + kShare * static_cast<std::size_t>(k_));
        if (query > i && arms.size() + count > room)
            read_until_ = query;
        else
            for (std::size_t c = 0; c < std::min(count, room - arms.size()); ++c)
                arms.push_back(leaders.candidates[c].arm);
    }
    std::ranges::sort(arms);
    arms.erase(std::unique(arms.begin(), arms.end()), arms.end());
    rows_.read(data_.dense, std::move(arms), watch);
}

// Infinite if that cannot be told.
double TiledScan::sum_of(Bounds bounds, std::int64_t i, double distance) const {
    return bounds == Bounds::panels ? panels_->sum_of(i, distance)
           : bounds == Bounds::lone ? lone_->sum_of(distance)
                                    : std::numeric_limits<double>::infinity();
}

template <class Pairs>
void TiledScan::compare(Pairs &pairs, const Queries &queries, std::int64_t first, std::int64_t count, Watch &watch) {
    pairs.take_queries(queries, first, count);
    leaders_.resize(static_cast<std::size_t>(count));
    taus_.resize(leaders_.size());
    for (std::int64_t i = 0; i < count; ++i) {
        Leaders &leaders = leaders_[static_cast<std::size_t>(i)];
        leaders.reset({k_, queries.self(first + i), limit_of(pairs, queries.within(first + i))},
                      Leaders::most_candidates(k_));
        taus_[static_cast<std::size_t>(i)] = leaders.tau();
    }
    std::int64_t done = 0;
    for_tiles(pairs, count, 0, watch, [&](const auto &sums, std::int64_t point, std::int64_t points) {
        collect(pairs, sums, point, points);
        const std::int64_t compared = count * (point + points) / data_.n(); // as if queries ended one after another
        watch.advance(compared - done);
        done = compared;
    });
}

// take(sums, first point, points) of one tile of points after another, from `from` on, for the `count` queries that were taken.
template <class Pairs, class Take>
void TiledScan::for_tiles(Pairs &pairs, std::int64_t count, std::int64_t from, Watch &watch, const Take &take) {
    std::vector<typename Pairs::Sum> sums;
    for (std::int64_t point = from; point < data_.n(); point += kTilePoints) {
        const std::int64_t points = std::min(kTilePoints, data_.n() - point);
        sums.assign(static_cast<std::size_t>(points * count), 0);
        pairs.start(points);
        for (std::int64_t chunk = 0; chunk < pairs.chunks(); ++chunk) {
            watch.poll();
            pairs.take_points(point, points, chunk);
            pairs.add(points, chunk, sums.data());
        }
        take(sums, point, points);
    }
}

void TiledScan::bound(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t from, Watch &watch,
                      const TakeBounds &take) {
    const bool square = metric_.tiles() == Tiles::products;
    const bool bytes = !angles_ && data_.dense.dtype == BMO_U8 && are_bytes(queries, first, count);
    if (square && !bytes) {
        if (!panels_)
            panels_.emplace(data_, metric_, angles_, codes_);
        return panels_->bound(queries, first, count, from, watch, take);
    }
    const auto take_all = [&](auto &pairs, const auto &distances) {
        pairs.take_queries(queries, first, count);
        double lower[kTilePoints], upper[kTilePoints];
        for_tiles(pairs, count, from, watch, [&](const auto &sums, std::int64_t point, std::int64_t points) {
            for (std::int64_t q = 0; q < count; ++q) {
                for (std::int64_t p = 0; p < points; ++p) {
                    const auto sum = sums[static_cast<std::size_t>(p * count + q)];
                    std::tie(lower[p], upper[p]) = distances(pairs.lower(p, q, sum), pairs.upper(p, q, sum));
                }
                take(first + q, point, {lower, static_cast<std::size_t>(points)},
                     {upper, static_cast<std::size_t>(points)});
            }
        });
    };
    if (bytes) {
        BytePairs &pairs = bytes_ ? *bytes_ : bytes_.emplace(data_, square);
        take_all(pairs, [&](double sum, double) {
            const double distance = metric_.distance(sum, 1);
            return std::pair(distance, distance);
        });
    } else {
        FloatPairs &pairs = floats_ ? *floats_ : floats_.emplace(data_);
        take_all(pairs, [&](double lower, double upper) {
            return std::pair(pairs.distance_below(lower), pairs.distance_above(upper));
        });
    }
}

// Sums of bytes are exact sums, which are not scaled.
double TiledScan::limit_of(const BytePairs &, double distance) const {
    return largest_sum(distance, [this](double sum) { return metric_.distance(sum, 1); });
}

double TiledScan::limit_of(const FloatPairs &pairs, double distance) const {
    return pairs.sum_of(distance);
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
            const auto arm = static_cast<std::int32_t>(first_point + p);
            if (exact_)
                leaders.consider(lower, arm);
            else
                leaders.consider(lower, pairs.upper(p, q, sum), arm);
            taus_[static_cast<std::size_t>(q)] = leaders.tau();
        }
}

} // namespace bmo

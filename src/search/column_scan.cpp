#include "search/column_scan.hpp"

#include <algorithm>

#include "search/largest_sum.hpp"

namespace bmo {
namespace {

ColumnTerm term_of(const Metric &metric, const Angles *angles) {
    if (angles)
        return ColumnTerm::product;
    return metric.tiles() == Tiles::products ? ColumnTerm::square : ColumnTerm::absolute;
}

// Measured: of more queries, floats take less time, and of bytes blocks.
constexpr std::int64_t kMostInDouble = 4, kMostSquaresByColumn = 4, kMostByColumn = 2;

} // namespace

ColumnScan::ColumnScan(const Dataset &data, const Metric &metric, const Angles *angles)
    : data_(data), metric_(metric), angles_(angles), sums_(data.dense, term_of(metric, angles)),
      byte_blocks_(data.dense, metric.tiles() == Tiles::products) {}

// Measured: how many queries take less time than by tiles.
bool ColumnScan::applies(const Dataset &data, const Metric &metric, std::int64_t count, bool bytes) {
    if (!data.dense.in_columns())
        return false;
    const bool floats = metric.tiles() == Tiles::differences && data.d() <= ColumnSums::kMostInFloat;
    return bytes || count <= kMostInDouble || floats;
}

void ColumnScan::run(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t k, bool bytes,
                     std::vector<Leaders> &leaders, Watch &watch) {
    exact_ = bytes;
    by_blocks_ = bytes && count > (metric_.tiles() == Tiles::products ? kMostSquaresByColumn : kMostByColumn);
    if (angles_)
        take_angles(queries, first, count);
    else
        take_differences(queries, first, count);
    leaders.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        Leaders &of_query = leaders[static_cast<std::size_t>(i)];
        of_query.reset({k, queries.self(first + i), limit_of(i, queries.within(first + i))},
                       Leaders::most_candidates(k));
        of_query.crowded = angles_ && products_[static_cast<std::size_t>(i)].is_zero();
    }
    if (std::ranges::all_of(leaders, &Leaders::crowded)) // all points are alike
        return watch.advance(count);
    std::int64_t done = 0;
    const std::int64_t block = by_blocks_ ? ByteBlocks::block_points() : sums_.block_points();
    for (std::int64_t point = 0; point < data_.n(); point += block) {
        if (by_blocks_)
            byte_blocks_.add_up(point, watch);
        else
            sums_.add_up(point, watch);
        for (std::int64_t i = 0; i < count; ++i)
            consider(i, point, leaders[static_cast<std::size_t>(i)]);
        const std::int64_t compared = // as if queries ended one after another
            count * std::min(point + block, data_.n()) / data_.n();
        watch.advance(compared - done);
        done = compared;
    }
}

void ColumnScan::take_differences(const Queries &queries, std::int64_t first, std::int64_t count) {
    const auto load = [&](std::int64_t i, std::span<double> values) {
        load_point(queries.points, queries.row(first + i), values.data());
    };
    if (by_blocks_)
        return byte_blocks_.take_queries(count, load);
    if (exact_)
        return sums_.take_bytes(count, load);
    scale_ = normalizing_scale(std::max(queries.max_abs, data_.max_abs)) / 4;
    if (count > kMostInDouble)
        sums_.take_floats(count, load, scale_);
    else
        sums_.take_doubles(count, load, scale_);
}

void ColumnScan::take_angles(const Queries &queries, std::int64_t first, std::int64_t count) {
    products_.clear();
    products_.reserve(static_cast<std::size_t>(count)); // each points into itself: none may move
    const auto load = [&](std::int64_t i, std::span<double> values) {
        LoneProducts &products = products_.emplace_back(data_, *angles_);
        products.take_query(queries, first + i);
        products.set_product_error(sums_.error());
        std::ranges::copy(products.query(), values.begin());
    };
    sums_.take_doubles(count, load, 1);
}

// The sums of one query and the points from `first` on. Distances that are no angles are bounded as a box computes them: it adds up 16
// lanes, and keeps 48 bits of what is small (SumCode).
void ColumnScan::consider(std::int64_t query, std::int64_t first, Leaders &leaders) const {
    if (leaders.crowded)
        return;
    if (by_blocks_) {
        std::int64_t arm = first;
        for (const std::int64_t sum : byte_blocks_.sums(query))
            leaders.consider(static_cast<double>(sum), static_cast<std::int32_t>(arm++));
        return;
    }
    const auto offer = [&](std::int64_t arm, double lower, double upper) {
        if (lower <= leaders.tau())
            leaders.consider(lower, upper, static_cast<std::int32_t>(arm));
    };
    const std::span<const double> sums = sums_.sums(query);
    const auto d = static_cast<double>(data_.d());
    const double relative = sums_.error() + (d / 16 + 6) * 0x1.1p-53 + 0x1p-48, lost = sums_.lost();
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::int64_t arm = first + static_cast<std::int64_t>(i);
        if (angles_) {
            products_[static_cast<std::size_t>(query)].bound(arm, sums[i], offer);
        } else if (exact_) {
            leaders.consider(sums[i], static_cast<std::int32_t>(arm));
        } else {
            const double margin = relative * sums[i] + lost + sums_.blur(query, i);
            offer(arm, sums[i] - margin, sums[i] + margin);
        }
    }
}

// A distance as a sum, rounded up; one that is too small to be told counts as the least that can.
double ColumnScan::limit_of(std::int64_t query, double distance) const {
    constexpr double kLeastTold = 0x1p-400, kUp = 1 + 0x1p-36;
    if (angles_)
        return products_[static_cast<std::size_t>(query)].limit_of(distance);
    if (exact_)
        return largest_sum(distance, [this](double sum) { return metric_.distance(sum, 1); });
    const double scaled = std::max(kLeastTold, distance) * scale_;
    const double sum = metric_.p == 1 ? scaled : metric_.traits().root ? scaled * scaled : scaled * scale_;
    return std::max(kLeastTold, sum * kUp);
}

} // namespace bmo

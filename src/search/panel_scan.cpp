#include "search/panel_scan.hpp"

#include <algorithm>

#include "boxes/tiles/scan_prepared.hpp"
#include "data/queries.hpp"

namespace bmo {
namespace {

constexpr std::int64_t kMostPoints = 256; // of a tile
constexpr std::int64_t kFloatShare = 16;  // one tile of so many is compared by floats at first
// By so many queries: for fewer, to bring the points to the frame takes longer.
constexpr std::int64_t kLeastForFloats = 8;

// Candidates of a query that are kept: what is computed in full takes less time than the scan.
std::size_t most_candidates(std::int64_t n, std::int64_t k, bool narrow) {
    constexpr std::int64_t kMost = 4096, kLeast = 256, kShare = 16;
    return narrow ? static_cast<std::size_t>(std::max(std::clamp(n / kShare, kLeast, kMost), 4 * k))
                  : Leaders::most_candidates(k);
}

} // namespace

PanelScan::PanelScan(const Dataset &data, const Metric &metric, const Angles *angles, const NarrowCodes *codes)
    : data_(data), frame_(data, metric, angles), codes_(codes), floats_(frame_), narrow_(frame_, codes) {}

// Of columns, more, if queries are not so many that polls are rare: as few as 64 are a few cache lines of each column, and the columns
// lie pages apart.
void PanelScan::choose_tile(std::int64_t queries) {
    constexpr std::int64_t kPoints = 64, kQueries = 256;
    tile_points_ = frame_.has_columns() && !codes_ && queries <= kQueries ? kMostPoints : kPoints;
}

// Measured: of fewer queries it does not. Of points that are coded already memory is what takes time. Of columns, more points are
// left by it than by floats, and each is read from pages that lie apart.
bool PanelScan::narrow_pays(const Queries &queries, std::int64_t count) const {
    constexpr std::int64_t kLeastQueries = 8;
    if (codes_)
        return Frame::fits_points(data_, queries.max_abs) && !narrow_fails_;
    return !frame_.has_columns() && codes_pay(data_) && !narrow_fails_ && CodedPanels::applies(data_.d()) &&
           count >= kLeastQueries;
}

void PanelScan::run(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t k,
                    std::vector<Leaders> &leaders, Watch &watch) {
    choose_tile(count);
    const bool narrow = narrow_pays(queries, count), floats_first = !narrow || count >= kLeastForFloats;
    frame_.fit(codes_ && narrow ? 0 : queries.max_abs);
    floats_.take_queries(queries, first, count);
    leaders.resize(static_cast<std::size_t>(count));
    leaders_.clear();
    framed_.clear();
    for (std::int64_t i = 0; i < count; ++i) {
        Leaders &of_query = leaders[static_cast<std::size_t>(i)];
        framed_.push_back(floats_.query(i));
        const double limit = frame_.limit_of(queries.within(first + i), framed_.back());
        of_query.reset({k, queries.self(first + i), limit}, most_candidates(data_.n(), k, narrow));
        of_query.crowded = framed_.back().is_zero; // all points are alike
        leaders_.push_back(&of_query);
    }
    std::int64_t tiles = 0, done = 0;
    const auto advance = [&](std::int64_t compared) { // as if queries ended one after another
        compared = count * std::min(compared * tile_points_, data_.n()) / data_.n();
        watch.advance(compared - done);
        done = compared;
    };
    for (std::int64_t point = 0; floats_first && point < data_.n();
         point += narrow ? tile_points_ * kFloatShare : tile_points_) {
        compare(floats_, float_sums_, point, watch);
        advance(++tiles);
    }
    if (!narrow)
        return;
    const std::int64_t alike = crowded();
    narrow_.take_queries(queries, first, count);
    bool fails = false;
    for (std::int64_t point = 0; point < data_.n() && !fails; point += tile_points_) {
        if (floats_first && point / tile_points_ % kFloatShare == 0)
            continue;
        compare(narrow_, narrow_sums_, point, watch);
        advance(++tiles);
        fails = crowded() - alike > count / 2;
    }
    narrow_fails_ = fails && floats_first; // a query alone tells nothing of others
    repeat_crowded(queries, first, k, fails, leaders, watch);
    advance(data_.n());
}

void PanelScan::bound(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t from, Watch &watch,
                      const TakeBounds &take) {
    choose_tile(count);
    frame_.fit(queries.max_abs);
    floats_.take_queries(queries, first, count);
    float_sums_.resize(static_cast<std::size_t>(count * tile_points_));
    double lower[kMostPoints], upper[kMostPoints];
    for (std::int64_t point = from; point < data_.n(); point += tile_points_) {
        const std::int64_t points = std::min(tile_points_, data_.n() - point);
        floats_.compare(point, points, tile_points_, float_sums_.data(), [&] { watch.poll(); });
        for (std::int64_t q = 0; q < count; ++q) {
            for (std::int64_t p = 0; p < points; ++p) {
                const float sum = float_sums_[static_cast<std::size_t>(q * tile_points_ + p)];
                lower[p] = frame_.distance_below(floats_.lower(p, q, sum));
                upper[p] = frame_.distance_above(floats_.upper(p, q, sum));
            }
            if (floats_.query(q).is_zero) { // by cosine it is at distance 1 of all
                std::fill_n(lower, points, 1.0);
                std::fill_n(upper, points, 1.0);
            }
            take(first + q, point, {lower, static_cast<std::size_t>(points)},
                 {upper, static_cast<std::size_t>(points)});
        }
    }
}

// By floats alone. all: not only those that are crowded.
void PanelScan::repeat_crowded(const Queries &queries, std::int64_t first, std::int64_t k, bool all,
                               std::vector<Leaders> &leaders, Watch &watch) {
    std::vector<std::int64_t> rows;
    leaders_.clear();
    for (std::size_t i = 0; i < leaders.size(); ++i) {
        if (!(all || leaders[i].crowded) || framed_[i].is_zero)
            continue;
        rows.push_back(queries.row(first + static_cast<std::int64_t>(i)));
        leaders[i].reset(Wanted(leaders[i].wanted()), most_candidates(data_.n(), k, false));
        leaders_.push_back(&leaders[i]);
    }
    if (rows.empty())
        return;
    Queries some = queries;
    some.rows = rows.data();
    some.count = static_cast<std::int64_t>(rows.size());
    floats_.take_queries(some, 0, some.count);
    for (std::int64_t point = 0; point < data_.n(); point += tile_points_)
        compare(floats_, float_sums_, point, watch);
}

std::int64_t PanelScan::crowded() const {
    return std::ranges::count_if(leaders_, [](const Leaders *of_query) { return of_query->crowded; });
}

// The points of a tile with all queries.
template <class Pairs>
void PanelScan::compare(Pairs &pairs, std::vector<typename Pairs::Sum> &sums, std::int64_t point, Watch &watch) {
    const std::int64_t points = std::min(tile_points_, data_.n() - point);
    sums.resize(leaders_.size() * static_cast<std::size_t>(tile_points_));
    pairs.compare(point, points, tile_points_, sums.data(), [&] { watch.poll(); });
    const PanelTerms terms = pairs.terms().from(0);
    std::int32_t arms[kMostPoints];
    for (std::size_t q = 0; q < leaders_.size(); ++q) {
        Leaders &of_query = *leaders_[q];
        if (of_query.crowded)
            continue;
        const auto query = static_cast<std::int64_t>(q);
        const auto *of_points = sums.data() + query * tile_points_;
        const std::int64_t found =
            Pairs::select(of_points, whole_panels(points), terms, pairs.threshold(query, of_query.tau()), arms);
        for (std::int64_t i = 0; i < found; ++i) {
            const std::int32_t arm = arms[i];
            if (arm >= points)
                continue;
            const double lower = pairs.lower(arm, query, of_points[arm]);
            if (lower <= of_query.tau())
                of_query.consider(lower, pairs.upper(arm, query, of_points[arm]),
                                  static_cast<std::int32_t>(point) + arm);
        }
    }
}

} // namespace bmo

#include "search/clusters/assignment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "search/choice/plan.hpp"
#include "search/knn.hpp"
#include "util/failure.hpp"
#include "util/parallel.hpp"

namespace bmo {
namespace {

constexpr std::int64_t kPointsOfItem = 64;

Queries all_points(const Dataset &data) {
    return {.points = data.points(), .count = data.n(), .max_abs = data.max_abs};
}

} // namespace

Centers::Centers(std::int64_t k, std::int64_t d)
    : values_(static_cast<std::size_t>(k * d)), data_(std::make_shared<Dataset>()) {
    data_->dense = row_major(BMO_F64, values_.data(), k, d);
}

std::span<double> Centers::row(std::int64_t center) {
    return values().subspan(static_cast<std::size_t>(center * d()), static_cast<std::size_t>(d()));
}

void Centers::changed() {
    double largest = 0;
    for (const double value : values_) {
        if (!std::isfinite(value))
            fail(BMO_EOVERFLOW, "data", "a center is beyond the range of double; scale the data down");
        largest = std::max(largest, std::fabs(value));
    }
    data_->max_abs = largest;
}

PointToCenters::PointToCenters(const Dataset &points, const Centers &centers, const Order &order)
    : queries_(all_points(points)), centers_(centers),
      box_(*centers.data(), order, nullptr, Metric::from(BMO_METRIC_SQEUCLIDEAN, 2)) {}

double PointToCenters::sum(std::int64_t center) {
    if (!bound_)
        box_.bind(queries_, point_);
    bound_ = true;
    const auto arm = static_cast<std::int32_t>(center);
    cost.exact_ops += box_.exact_ops(arm);
    ++cost.exact_evals;
    return box_.exact(arm);
}

PointToCenters::Near PointToCenters::near(std::int64_t center, double square_of_center) {
    const double *c = centers_.row_values(center);
    double sum = 0, square_of_point = 0;
    std::uint64_t entries = 0;
    for_entries(queries_.points, point_, [&](std::int64_t j, double x) {
        sum += x * (x - 2 * c[j]);
        square_of_point += x * x;
        ++entries;
    });
    cost.sampling_ops += entries;
    const double lost = 0x1p-52 * 2 * (square_of_point + square_of_center) + std::numeric_limits<double>::denorm_min();
    const double error = static_cast<double>(centers_.d() + 16) * lost;
    return {std::max(0.0, square_of_center + sum), error};
}

Assignment::Assignment(const Dataset &points, Centers &centers, const Settings &settings, bool exact, Watch &watch)
    : points_(points), centers_(centers), settings_(settings), order_(random_order(points.d(), settings.seed)) {
    settings_.method = BMO_METHOD_EXACT;
    for (int thread = 0; thread < threads_of(settings); ++thread)
        slots_.push_back(std::make_unique<PointSlot>(PointSlot{{points, centers, order_}, {}, {}, {}, 0}));
    if (!exact)
        bounds_.emplace(points, centers.k(), settings, watch);
}

void Assignment::placed(bool moved) {
    centers_.changed();
    if (!bounds_)
        return;
    bounds_->place(centers_.view(), moved);
    if (points_.kind == Kind::dense)
        return;
    squares_.clear();
    for (std::int64_t c = 0; c < centers_.k(); ++c) {
        const std::span<const double> row = centers_.row(c);
        squares_.push_back(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    }
    scanned_.projection_ops += static_cast<std::uint64_t>(centers_.k() * centers_.d());
}

template <class Visit>
void Assignment::for_points(Watch &watch, const Visit &visit) {
    const std::int64_t n = points_.n();
    watch.begin(BMO_PHASE_SEARCH, n);
    const auto threads = static_cast<int>(slots_.size());
    parallel_for(threads, (n + kPointsOfItem - 1) / kPointsOfItem, watch, [&](std::int64_t item, int thread) {
        PointSlot &slot = *slots_[static_cast<std::size_t>(thread)];
        const std::int64_t first = item * kPointsOfItem, last = std::min(n, first + kPointsOfItem);
        for (std::int64_t point = first; point < last; ++point) {
            watch.poll();
            slot.distances.choose(point);
            visit(point, slot);
        }
        watch.advance(last - first);
    });
    watch.finish();
}

std::int64_t Assignment::assign(std::span<std::int32_t> labels, Watch &watch) {
    if (!bounds_)
        return scan(labels, watch);
    for (const auto &slot : slots_)
        slot->changed = 0;
    for_points(watch, [&](std::int64_t point, PointSlot &slot) {
        std::int32_t &label = labels[static_cast<std::size_t>(point)];
        const std::int32_t found = nearest(point, slot);
        slot.changed += found == label ? 0 : 1;
        label = found;
    });
    std::int64_t changed = 0;
    for (const auto &slot : slots_)
        changed += slot->changed;
    return changed;
}

std::int64_t Assignment::scan(std::span<std::int32_t> labels, Watch &watch) {
    const std::vector<std::int32_t> before(labels.begin(), labels.end());
    bmo_stats stats{};
    const auto deliver = [&](std::int64_t point, std::span<const Neighbor> nearest, const bmo_row_stats &) {
        labels[static_cast<std::size_t>(point)] = static_cast<std::int32_t>(nearest[0].index);
    };
    KnnSearch(centers_.data(), settings_, watch).run(all_points(points_), 1, deliver, watch, stats);
    scanned_.exact_ops += stats.coord_ops;
    scanned_.exact_evals += stats.exact_evals;
    std::int64_t changed = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        changed += labels[i] == before[i] ? 0 : 1;
    return changed;
}

std::int32_t Assignment::nearest(std::int64_t point, PointSlot &slot) {
    Intervals &intervals = slot.intervals;
    bounds_->bound(point, intervals);
    slot.distances.cost.sampling_ops += static_cast<std::uint64_t>(centers_.k() * CenterBounds::kOps);
    const double least = *std::min_element(intervals.upper.begin(), intervals.upper.end());
    slot.candidates.clear();
    for (std::size_t c = 0; c < intervals.lower.size(); ++c)
        if (intervals.lower[c] <= least)
            slot.candidates.push_back(static_cast<std::int32_t>(c));
    if (slot.candidates.size() == 1) // its distance is of no interest
        return slot.candidates[0];
    return first_of_computed(point, slot);
}

// Of a sparse point the interval of a candidate, from its entries. False if rounding is too much for that.
bool Assignment::narrow(std::int64_t point, std::int32_t center, PointSlot &slot) {
    if (squares_.empty())
        return false;
    const auto c = static_cast<std::size_t>(center);
    const PointToCenters::Near near = slot.distances.near(center, squares_[c]);
    const double unit = bounds_->scale() * bounds_->scale();
    if (!(near.error * unit <= bounds_->rounding(point)))
        return false;
    bounds_->learn(point, center, near.square * unit, slot.intervals);
    // That of the interval's own arithmetic, and of products below what double holds, included.
    const double error = near.error * unit + 0x1p-50 * (near.square * unit + std::fabs(slot.intervals.lower[c])) +
                         std::numeric_limits<double>::min();
    slot.intervals.lower[c] -= error;
    slot.intervals.upper[c] += error;
    return true;
}

double Assignment::compute(std::int64_t point, std::int32_t center, PointSlot &slot) {
    const double sum = slot.distances.sum(center);
    bounds_->learn(point, center, slot.distances.sum_at(sum, bounds_->scale()), slot.intervals);
    return sum;
}

// The candidates' distances, the most promising first, until none that is left can be less.
std::int32_t Assignment::first_of_computed(std::int64_t point, PointSlot &slot) {
    const Intervals &intervals = slot.intervals;
    const auto lower = [&](std::int32_t c) { return intervals.lower[static_cast<std::size_t>(c)]; };
    std::sort(slot.candidates.begin(), slot.candidates.end(),
              [&](std::int32_t a, std::int32_t b) { return lower(a) < lower(b) || (lower(a) == lower(b) && a < b); });
    slot.nearest.clear();
    double least = std::numeric_limits<double>::infinity(); // in units of the bounds
    for (const std::int32_t c : slot.candidates) {
        if (lower(c) > least)
            break;
        slot.nearest.push_back({narrow(point, c, slot) ? -1 : compute(point, c, slot), c});
        least = std::min(least, intervals.upper[static_cast<std::size_t>(c)]);
    }
    std::erase_if(slot.nearest, [&](const Finished &c) { return lower(c.arm) > least; });
    if (slot.nearest.empty())
        return first_of_all(slot);
    if (slot.nearest.size() > 1)
        for (Finished &c : slot.nearest)
            c.sum = c.sum < 0 ? compute(point, c.arm, slot) : c.sum;
    return std::min_element(slot.nearest.begin(), slot.nearest.end())->arm;
}

// Bounds that contradict each other are of other points: the caller's data changed, or those of a file are not its own.
std::int32_t Assignment::first_of_all(PointSlot &slot) {
    for (std::int32_t c = 0; c < centers_.k(); ++c)
        slot.nearest.push_back({slot.distances.sum(c), c});
    return std::min_element(slot.nearest.begin(), slot.nearest.end())->arm;
}

void Assignment::distances(std::span<const std::int32_t> labels, std::span<double> squares, Watch &watch) {
    for_points(watch, [&](std::int64_t point, PointSlot &slot) {
        const auto at = static_cast<std::size_t>(point);
        squares[at] = slot.distances.square(slot.distances.sum(labels[at]));
    });
}

void Assignment::lower_to(std::int64_t center, std::span<double> squares, Watch &watch) {
    for_points(watch, [&](std::int64_t point, PointSlot &slot) {
        double &square = squares[static_cast<std::size_t>(point)];
        square = std::min(square, slot.distances.square(slot.distances.sum(center)));
    });
}

Cost Assignment::cost() const {
    Cost total = scanned_;
    for (const auto &slot : slots_)
        total += slot->distances.cost;
    if (bounds_)
        total.projection_ops += bounds_->projection_ops();
    return total;
}

} // namespace bmo

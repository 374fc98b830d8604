#include "search/clusters/center_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/choice/plan.hpp"
#include "util/checked.hpp"
#include "util/parallel.hpp"

namespace bmo {
namespace {

constexpr double kBeyondAll = std::numeric_limits<double>::infinity();
constexpr double kErrorRatio = 0x1p-10;
constexpr double kUp = 1 + 0x1p-40;         // above the rounding of a few operations in double
constexpr float kUpFloat = 1.0F + 0x1p-21F; // and in float
constexpr std::int64_t kRows = 40;          // that are projected at a time

std::shared_ptr<const Projection> projection_for(const Dataset &data, const Settings &settings, Watch &watch) {
    if (auto prepared = projected_for_l2(data)) {
        const Projection *projection = &prepared->projection;
        return {std::move(prepared), projection};
    }
    const double scale = projection_scale(data.max_abs);
    const PointsView points = data.points();
    const PointSource sampled{points.n(), points.d(),
                              [&](std::int64_t row, double *out) { load_point(points, row, out); }};
    return std::make_shared<Projection>(leading_directions(sampled, kHead, scale, settings.seed, watch), scale);
}

// What one thread projects with; of sparse points, all coordinates of some at a time.
constexpr std::int64_t kLoadedValues = std::int64_t{1} << 20;
struct ProjectedRows {
    Projection::Workspace projecting;
    std::vector<double> values;

    DenseView load(const Dataset &data, std::int64_t first, std::int64_t count) {
        values.resize(static_cast<std::size_t>(count * data.d()));
        for (std::int64_t i = 0; i < count; ++i)
            load_point(data.points(), first + i, values.data() + i * data.d());
        return row_major(BMO_F64, values.data(), count, data.d());
    }
};

double square_norm(const float *head) {
    double sum = 0;
    for (std::int64_t h = 0; h < kHead; ++h)
        sum += static_cast<double>(head[h]) * static_cast<double>(head[h]);
    return sum;
}

double norm_above(double square) {
    return std::sqrt(square) * (1 + 0x1p-20);
}

} // namespace

CenterBounds::CenterBounds(const Dataset &data, std::int64_t k, const Settings &settings, Watch &watch)
    : projection_(projection_for(data, settings, watch)), n_(data.n()), d_(data.d()), k_(k),
      error_(projection_->head_error()), largest_(data.max_abs) {
    const auto pairs = static_cast<std::size_t>(checked_mul(n_, k_, "run.k"));
    known_.resize(pairs);
    drift_.resize(pairs);
    take_points(data, threads_of(settings), watch);
}

void CenterBounds::take_points(const Dataset &data, int threads, Watch &watch) {
    const auto n = static_cast<std::size_t>(n_);
    heads_.resize(n * kHead);
    norms_.resize(n);
    rests_.resize(n);
    factors_.resize(n);
    const std::shared_ptr<const ProjectedPrepared> prepared = projected_for_l2(data);
    std::vector<ProjectedRows> works(static_cast<std::size_t>(threads));
    const std::int64_t rows = std::clamp<std::int64_t>(kLoadedValues / d_, 1, kRows);
    parallel_for(threads, (n_ + rows - 1) / rows, watch, [&](std::int64_t item, int thread) {
        watch.poll();
        const std::int64_t first = item * rows, count = std::min(rows, n_ - first);
        double squares[kRows];
        ProjectedRows &work = works[static_cast<std::size_t>(thread)];
        float *heads = heads_.data() + first * kHead;
        if (prepared)
            read_heads(*prepared, data.dense, first, count, squares);
        else if (data.kind == Kind::dense)
            projection_->project(data.dense, first, count, 1, heads, squares, work.projecting);
        else
            projection_->project(work.load(data, first, count), 0, count, 1, heads, squares, work.projecting);
        for (std::int64_t i = 0; i < count; ++i)
            take_norms(first + i, squares[i]);
    });
    project_ops_ += static_cast<std::uint64_t>(n_) * static_cast<std::uint64_t>(d_) * (prepared ? 1 : kHead);
}

// The stored heads, and the norms anew.
void CenterBounds::read_heads(const ProjectedPrepared &prepared, const DenseView &points, std::int64_t first,
                              std::int64_t count, double *squares) {
    std::vector<double> values(static_cast<std::size_t>(d_));
    for (std::int64_t i = 0; i < count; ++i) {
        std::copy_n(prepared.head(first + i), kHead, heads_.data() + (first + i) * kHead);
        load_point(points, first + i, values.data());
        squares[i] = 0;
        for (std::int64_t j = 0; j < d_; ++j) {
            const double value = projection_->centered(values[static_cast<std::size_t>(j)], j);
            squares[i] += value * value;
        }
    }
}

void CenterBounds::take_norms(std::int64_t point, double square) {
    const auto at = static_cast<std::size_t>(point);
    const float *head = heads_.data() + point * kHead;
    float low[kStages], high[kStages];
    residual_norms(head, square, error_, low, high);
    norms_[at] = norm_above(square);
    rests_[at] = square - square_norm(head);
    factors_[at] = std::max(static_cast<double>(high[kStages - 1]), error_ / kErrorRatio * norms_[at]);
}

CenterBounds::Placed CenterBounds::project_centers(const DenseView &centers) {
    const auto *values = static_cast<const double *>(centers.data);
    const auto k = static_cast<std::size_t>(k_);
    Placed placed;
    placed.values.assign(values, values + k_ * d_);
    placed.heads.resize(k * kHead);
    placed.by_direction.resize(k * kHead);
    placed.rests.assign(k, 0);
    placed.left.assign(k, kBeyondAll);
    placed.norms.assign(k, kBeyondAll);
    Projection::Workspace work;
    for (std::int64_t c = 0; c < k_; ++c)
        if (stays(values, c))
            copy_center(centers_, c, placed);
        else
            project_center(centers, c, placed, work);
    for (std::int64_t c = 0; c < k_; ++c)
        for (std::int64_t h = 0; h < kHead; ++h)
            placed.by_direction[static_cast<std::size_t>(h * k_ + c)] =
                static_cast<double>(placed.heads[static_cast<std::size_t>(c * kHead + h)]);
    return placed;
}

bool CenterBounds::stays(const double *values, std::int64_t center) const {
    return !centers_.values.empty() &&
           std::equal(values + center * d_, values + (center + 1) * d_, centers_.values.data() + center * d_);
}

void CenterBounds::copy_center(const Placed &from, std::int64_t center, Placed &to) {
    const auto at = static_cast<std::size_t>(center);
    std::copy_n(from.heads.data() + center * kHead, kHead, to.heads.data() + center * kHead);
    to.rests[at] = from.rests[at];
    to.left[at] = from.left[at];
    to.norms[at] = from.norms[at];
}

// Of a center beyond the range that directions are scaled for nothing is known but what is computed.
void CenterBounds::project_center(const DenseView &centers, std::int64_t center, Placed &placed,
                                  Projection::Workspace &work) {
    const auto at = static_cast<std::size_t>(center);
    const double *values = placed.values.data() + center * d_;
    if (std::any_of(values, values + d_, [&](double v) { return std::fabs(v) > largest_ * kUp; }))
        return;
    float *head = placed.heads.data() + center * kHead;
    double square = 0;
    float low[kStages], high[kStages];
    projection_->project(centers, center, 1, 1, head, &square, work);
    residual_norms(head, square, error_, low, high);
    placed.rests[at] = square - square_norm(head);
    placed.left[at] = static_cast<double>(high[kStages - 1]);
    placed.norms[at] = norm_above(square);
    project_ops_ += static_cast<std::uint64_t>(d_) * kHead;
}

// At least r + theta |w|.
double CenterBounds::moved_by(const Placed &before, const Placed &after, std::int64_t center) const {
    const auto at = static_cast<std::size_t>(center);
    if (before.left[at] == kBeyondAll || after.left[at] == kBeyondAll)
        return kBeyondAll;
    if (stays(after.values.data(), center))
        return 0;
    double whole = 0, held = 0;
    for (auto j = static_cast<std::size_t>(center * d_); j < static_cast<std::size_t>((center + 1) * d_); ++j)
        whole += (after.values[j] - before.values[j]) * (after.values[j] - before.values[j]);
    whole *= scale() * scale() * (1 + 0x1p-30);
    for (auto h = static_cast<std::size_t>(center * kHead); h < static_cast<std::size_t>((center + 1) * kHead); ++h) {
        const double step = static_cast<double>(after.heads[h]) - static_cast<double>(before.heads[h]);
        held += step * step;
    }
    const double sure = std::max(0.0, std::sqrt(held) / kUp - error_ * (before.norms[at] + after.norms[at]));
    return (std::sqrt(std::max(0.0, whole - sure * sure)) + kErrorRatio * std::sqrt(whole)) * kUp;
}

void CenterBounds::place(const DenseView &centers, bool moved) {
    Placed placed = project_centers(centers);
    for (const double norm : placed.norms)
        if (norm != kBeyondAll)
            farthest_ = std::max(farthest_, norm);
    if (!moved) {
        std::fill(known_.begin(), known_.end(), 0.0F);
        std::fill(drift_.begin(), drift_.end(), std::numeric_limits<float>::infinity());
    } else {
        std::vector<float> steps;
        for (std::int64_t c = 0; c < k_; ++c)
            steps.push_back(static_cast<float>(moved_by(centers_, placed, c)) * kUpFloat);
        for (std::size_t at = 0; at < drift_.size(); at += steps.size())
            for (std::size_t c = 0; c < steps.size(); ++c)
                drift_[at + c] = (drift_[at + c] + steps[c]) * kUpFloat;
    }
    centers_ = std::move(placed);
}

// At least what does not grow with the moves, of |Z - Z'|, and of the point's own constant.
double CenterBounds::slack(std::int64_t point) const {
    const double norm = norms_[static_cast<std::size_t>(point)];
    return 6.5 * error_ * norm * farthest_ + 0x1p-20 * (norm * norm + farthest_ * farthest_);
}

void CenterBounds::bound(std::int64_t point, Intervals &intervals) {
    const auto k = static_cast<std::size_t>(k_);
    intervals.heads.assign(centers_.rests.begin(), centers_.rests.end());
    intervals.lower.resize(k);
    intervals.upper.resize(k);
    double *sums = intervals.heads.data();
    for (std::int64_t h = 0; h < kHead; ++h) {
        const auto own = static_cast<double>(heads_[static_cast<std::size_t>(point * kHead + h)]);
        const double *theirs = centers_.by_direction.data() + h * k_;
        for (std::size_t c = 0; c < k; ++c)
            sums[c] += (own - theirs[c]) * (own - theirs[c]);
    }
    const double factor = 2 * factors_[static_cast<std::size_t>(point)] * kUp, rest = slack(point);
    float *known = known_.data() + point * k_, *drift = drift_.data() + point * k_;
    for (std::size_t c = 0; c < k; ++c) {
        if (!(static_cast<double>(drift[c]) < centers_.left[c])) { // what is known without any distance is as good
            drift[c] = std::numeric_limits<float>::infinity();
            known[c] = 0;
        }
        const double reach = factor * std::min(static_cast<double>(drift[c]), centers_.left[c]) + rest;
        intervals.lower[c] = sums[c] + static_cast<double>(known[c]) - reach;
        intervals.upper[c] = sums[c] + static_cast<double>(known[c]) + reach;
    }
}

void CenterBounds::learn(std::int64_t point, std::int64_t center, double square, Intervals &intervals) {
    const auto c = static_cast<std::size_t>(center), pair = static_cast<std::size_t>(point * k_ + center);
    const double value = square - rests_[static_cast<std::size_t>(point)];
    intervals.lower[c] = intervals.upper[c] = value;
    if (centers_.left[c] == kBeyondAll)
        return;
    known_[pair] = static_cast<float>(value - intervals.heads[c]);
    drift_[pair] = 0;
}

} // namespace bmo

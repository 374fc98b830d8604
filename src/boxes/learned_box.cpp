#include "boxes/learned_box.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bmo {
namespace {

constexpr double kTiny = 0x1p-149;

// Values up to this, scaled, are compared in float: with 2^31 coordinates no squared difference leaves its range.
constexpr double kLargestNarrow = 0x1p44;

constexpr std::int64_t kBlocksAtOnce = 8; // of the query's residual

} // namespace

LearnedBox::LearnedBox(const Dataset &data, const LearnedPrepared &prepared, const Metric &metric)
    : data_(data), prepared_(prepared), exact_(data, prepared.order, nullptr, metric), kernels_(kernels()),
      head_(kHead), residual_(static_cast<std::size_t>(prepared.blocks * kBatch)), wide_head_(kHead),
      wide_residual_(residual_.size()) {}

void LearnedBox::bind_together(std::vector<LearnedBox *> boxes, const Queries &queries, std::int64_t first) {
    const auto count = static_cast<std::int64_t>(boxes.size());
    for (std::int64_t i = 0; i < count; ++i) {
        LearnedBox &box = *boxes[static_cast<std::size_t>(i)];
        box.exact_.bind(queries, first + i);
        box.choose_scale(queries.max_abs);
        if (queries.own)
            box.copy_row(queries.row(first + i));
    }
    if (queries.own)
        return;
    std::vector<double> squares(boxes.size());
    std::vector<float> heads(static_cast<std::size_t>(count * kHead));
    project(boxes, queries, first, heads.data(), squares.data());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        boxes[i]->take_head(heads.data() + static_cast<std::int64_t>(i) * kHead, squares[i]);
}

// From where the queries lie, if they are of a type that points can have.
void LearnedBox::project(const std::vector<LearnedBox *> &boxes, const Queries &queries, std::int64_t first,
                         float *heads, double *squares) {
    const LearnedBox &leader = *boxes[0];
    const auto count = static_cast<std::int64_t>(boxes.size());
    const auto run = [&](const DenseView &points, std::int64_t from) {
        leader.prepared_.projection.project(points, from, count, leader.shrink_, heads, squares, boxes[0]->work_);
    };
    const PointsView &points = queries.points;
    if (points.kind == Kind::dense && !queries.rows && points.dtype() != BMO_I32 && points.dtype() != BMO_I64)
        return run(points.dense, first);
    const std::int64_t d = leader.data_.d();
    std::vector<double> copies(static_cast<std::size_t>(count * d));
    for (std::size_t i = 0; i < boxes.size(); ++i)
        std::copy(boxes[i]->exact_.query().begin(), boxes[i]->exact_.query().end(),
                  copies.begin() + static_cast<std::ptrdiff_t>(i) * d);
    run(row_major(BMO_F64, copies.data(), count, d), 0);
}

// A query far beyond the data would leave float's range at their scale: then both are scaled down, in double.
void LearnedBox::choose_scale(double largest) {
    constexpr double kWide = 0x1p20;
    const double scale = prepared_.projection.scale();
    const bool narrow = largest * scale <= kLargestNarrow;
    shrink_ = narrow ? 1 : kWide * normalizing_scale(largest) / scale;
    source_ = narrow ? Source::f32 : Source::f32_wide;
    rho_.scale = shrink_;
    root_ratio_ = scale * shrink_ / exact_.exact_scale();
    project_ops_ = 0;
    read_blocks_ = 0;
}

// The head of a point of the dataset is stored, and its norm is bounded.
void LearnedBox::copy_row(std::int64_t row) {
    const std::int64_t n = data_.n();
    double held = 0;
    for (std::int64_t stage = 0; stage < kStages; ++stage) {
        const float *head = prepared_.head(stage, n) + row * kBatch;
        std::copy_n(head, kBatch, head_.data() + stage * kBatch);
        low_[stage] = prepared_.low[static_cast<std::size_t>(stage * n + row)];
        high_[stage] = prepared_.high[static_cast<std::size_t>(stage * n + row)];
        for (int j = 0; j < kBatch; ++j)
            held += static_cast<double>(head[j]) * static_cast<double>(head[j]);
    }
    const auto left = static_cast<double>(high_[kStages - 1]);
    set_error(std::sqrt(held + left * left) * (1 + 2 * prepared_.projection.head_error()));
    for (std::int64_t b = 0; b < prepared_.blocks; ++b)
        std::copy_n(prepared_.block(b, n) + row * kBatch, kBatch, residual_.data() + b * kBatch);
    read_blocks_ = prepared_.blocks;
}

void LearnedBox::set_error(double norm) {
    root_error_ = 2 * (prepared_.projection.error() * norm + kTiny * std::sqrt(2 * static_cast<double>(data_.d())));
}

void LearnedBox::take_head(const float *head, double square) {
    residual_norms(head, square, prepared_.projection.head_error(), low_, high_);
    std::copy_n(head, kHead, head_.begin());
    std::copy_n(head, kHead, wide_head_.begin());
    project_ops_ = static_cast<std::uint64_t>(kHead * data_.d());
    set_error(std::sqrt(square) * (1 + 0x1p-20));
}

void LearnedBox::read_blocks(std::int64_t block) {
    const std::int64_t blocks = std::min(prepared_.blocks, block + kBlocksAtOnce) - read_blocks_;
    expanded_.resize(static_cast<std::size_t>(blocks * kBatch));
    prepared_.projection.expand(head_.data(), read_blocks_, blocks, expanded_.data());
    project_ops_ += static_cast<std::uint64_t>(blocks * kBatch * kHead);
    for (std::size_t i = 0; i < expanded_.size(); ++i) {
        const std::int64_t t = read_blocks_ * kBatch + static_cast<std::int64_t>(i);
        const float left = prepared_.residual_value(t, exact_.query().data(), expanded_[i], shrink_);
        residual_[static_cast<std::size_t>(t)] = left;
        wide_residual_[static_cast<std::size_t>(t)] = static_cast<double>(left);
    }
    read_blocks_ += blocks;
}

const void *LearnedBox::residual_query(std::int64_t first) {
    if (first / kBatch >= read_blocks_)
        read_blocks(first / kBatch);
    if (source_ == Source::f32)
        return residual_.data() + first;
    return wide_residual_.data() + first;
}

double LearnedBox::sample_units(double exact_sum) const {
    if (exact_sum < 0)
        return exact_sum;
    const double root = std::sqrt(exact_sum) * root_ratio_ * (1 + prepared_.projection.error()) + root_error_;
    return root * root * (1 + 0x1p-50);
}

std::uint64_t LearnedBox::pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) {
    kernels_.pull_for(source_, Rho::square)(prepared_.block(first / kBatch, data_.n()), arms.data(),
                                            static_cast<std::int64_t>(arms.size()), residual_query(first), rho_, z);
    return arms.size() * static_cast<std::uint64_t>(width);
}

std::uint64_t LearnedBox::bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look,
                              const ArmState &state, std::uint8_t *keep) {
    kernels_.pull_bet_for(source_, Rho::square)(prepared_.block(first / kBatch, data_.n()), arms.data(),
                                                static_cast<std::int64_t>(arms.size()), residual_query(first), rho_,
                                                look, state, keep);
    return arms.size() * kBatch;
}

void LearnedBox::prefetch(std::int64_t first, std::span<const std::int32_t> arms) const {
    if (first / kBatch >= prepared_.blocks)
        return;
    const float *rows = prepared_.block(first / kBatch, data_.n());
    for (const std::int32_t arm : arms)
        __builtin_prefetch(rows + std::int64_t{arm} * kBatch, 0, 2);
}

std::uint64_t LearnedBox::add_stage(std::int64_t stage, std::span<const std::int32_t> arms, double *sums) {
    const void *query = source_ == Source::f32 ? static_cast<const void *>(head_.data() + stage * kBatch)
                                               : static_cast<const void *>(wide_head_.data() + stage * kBatch);
    kernels_.pull_sums_for(source_, Rho::square)(prepared_.head(stage, data_.n()), arms.data(),
                                                 static_cast<std::int64_t>(arms.size()), query, rho_, sums);
    return arms.size() * kBatch;
}

NormBounds LearnedBox::norms(std::int64_t stage, std::int64_t first) const {
    const std::int64_t at = stage * data_.n() + first;
    return {prepared_.low.data() + at, prepared_.high.data() + at, static_cast<float>(shrink_), low_[stage],
            high_[stage]};
}

void LearnedBox::bound(std::int64_t stage, std::span<const std::int32_t> arms, const double *sums, double target,
                       std::uint8_t *keep) const {
    kernels_.bound(arms.data(), static_cast<std::int64_t>(arms.size()), sums, norms(stage), target, keep);
}

double LearnedBox::lead_square() const {
    double square = 0;
    for (std::size_t j = 0; j < kBatch; ++j)
        square += static_cast<double>(head_[j]) * static_cast<double>(head_[j]);
    return square;
}

std::uint64_t LearnedBox::guess(std::int64_t first, std::int64_t last, float *guesses) {
    if (source_ == Source::f32)
        kernels_.guess(prepared_.leads.data() + first * kBatch, last - first, head_.data(),
                       prepared_.base.data() + first, guesses);
    else
        guess_in_double(first, last, guesses);
    return static_cast<std::uint64_t>((last - first) * kBatch);
}

void LearnedBox::guess_in_double(std::int64_t first, std::int64_t last, float *guesses) {
    std::vector<std::int32_t> arms(static_cast<std::size_t>(last - first));
    std::vector<double> sums(arms.size());
    std::iota(arms.begin(), arms.end(), static_cast<std::int32_t>(first));
    add_stage(0, arms, sums.data());
    const double square = lead_square();
    for (std::size_t i = 0; i < arms.size(); ++i) {
        const double high = static_cast<double>(prepared_.high[static_cast<std::size_t>(arms[i])]) * shrink_;
        guesses[i] = static_cast<float>(sums[i] - square + high * high);
    }
}

std::uint64_t LearnedBox::refine(std::int32_t arm, double &guess) {
    const auto high = [&](std::int64_t stage) {
        const double of =
            static_cast<double>(prepared_.high[static_cast<std::size_t>(stage * data_.n() + arm)]) * shrink_;
        return of * of;
    };
    guess += high(kStages - 1) - high(0);
    std::uint64_t operations = 0;
    for (std::int64_t stage = 1; stage < kStages; ++stage)
        operations += add_stage(stage, {&arm, 1}, &guess);
    return operations;
}

std::int64_t LearnedBox::bound_guesses(std::int64_t first, std::int64_t count, const float *guesses, double target,
                                       std::int32_t *arms, double *sums) const {
    const Guesses given{guesses, prepared_.base.data() + first, lead_square(), static_cast<std::int32_t>(first)};
    return kernels_.bound_guesses(given, count, norms(0, first), target, arms, sums);
}

} // namespace bmo

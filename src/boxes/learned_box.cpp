#include "boxes/learned_box.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "simd/half.hpp"

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
    narrow_ = narrow;
    rho_.scale = shrink_;
    root_ratio_ = scale * shrink_ / exact_.exact_scale();
    project_ops_ = 0;
    read_blocks_ = 0;
}

// The head of a point of the dataset is stored, and its norm is bounded.
void LearnedBox::copy_row(std::int64_t row) {
    const std::int64_t n = data_.n();
    const auto rest = prepared_.rest.begin() + row * kRowOf<Half>;
    std::copy_n(prepared_.head(row), kLead, head_.begin());
    std::transform(rest, rest + kRowOf<Half>, head_.begin() + kLead, to_float);
    for (std::int64_t stage = 0; stage < kStages; ++stage) {
        low_[stage] = prepared_.low[static_cast<std::size_t>(stage * n + row)];
        high_[stage] = prepared_.high[static_cast<std::size_t>(stage * n + row)];
    }
    const auto left = static_cast<double>(high_[0]);
    set_error(std::sqrt(lead_square() + left * left) * (1 + 2 * prepared_.projection.head_error()), 2);
    for (std::int64_t b = 0; b < prepared_.blocks; ++b)
        std::transform(prepared_.block(b, n) + row * kRowOf<Half>, prepared_.block(b, n) + row * kRowOf<Half> + kBatch,
                       residual_.begin() + b * kBatch, to_float);
    read_blocks_ = prepared_.blocks;
}

// rounded: how many of the two that are compared have parts of 16 bits.
void LearnedBox::set_error(double norm, int rounded) {
    const double root = std::sqrt(static_cast<double>(data_.d() + rest()));
    root_error_ = 2 * (prepared_.projection.error() * norm + kTiny * root * 2) +
                  rounded * (kHalfError * static_cast<double>(high_[0]) + kHalfTiny * root * shrink_);
}

void LearnedBox::take_head(const float *head, double square) {
    residual_norms(head, square, prepared_.projection.head_error(), low_, high_);
    std::copy_n(head, kHead, head_.begin());
    std::copy_n(head, kHead, wide_head_.begin());
    project_ops_ = static_cast<std::uint64_t>(kHead * data_.d());
    set_error(std::sqrt(square) * (1 + 0x1p-20), 1);
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
    if (narrow_)
        return residual_.data() + first;
    return wide_residual_.data() + first;
}

double LearnedBox::sample_units(double exact_sum) const {
    if (exact_sum < 0)
        return exact_sum;
    const double error = prepared_.projection.error() + 2 * kHalfError;
    const double root = std::sqrt(exact_sum) * root_ratio_ * (1 + error) + root_error_;
    return root * root * (1 + 0x1p-50);
}

std::uint64_t LearnedBox::pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) {
    kernels_.pull_for(halves(), Rho::square)(prepared_.block(first / kBatch, data_.n()), arms.data(),
                                             static_cast<std::int64_t>(arms.size()), residual_query(first), rho_, z);
    return arms.size() * static_cast<std::uint64_t>(width);
}

std::uint64_t LearnedBox::bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look,
                              const ArmState &state, std::uint8_t *keep) {
    kernels_.pull_bet_for(halves(), Rho::square)(prepared_.block(first / kBatch, data_.n()), arms.data(),
                                                 static_cast<std::int64_t>(arms.size()), residual_query(first), rho_,
                                                 look, state, keep);
    return arms.size() * kBatch;
}

void LearnedBox::prefetch(std::int64_t first, std::span<const std::int32_t> arms) const {
    const std::int64_t block = first / kBatch;
    if (block >= prepared_.blocks || block % 2 != 0) // two blocks of an arm are one line
        return;
    const Half *rows = prepared_.block(block, data_.n());
    for (const std::int32_t arm : arms)
        __builtin_prefetch(rows + std::int64_t{arm} * kRowOf<Half>);
}

std::uint64_t LearnedBox::add_rest(std::span<const std::int32_t> arms, double *sums) {
    for (std::int64_t half = 0; half < rest(); half += kBatch) {
        const void *query = narrow_ ? static_cast<const void *>(head_.data() + kLead + half)
                                    : static_cast<const void *>(wide_head_.data() + kLead + half);
        kernels_.pull_sums_for(halves(), Rho::square)(prepared_.rest.data() + half, arms.data(),
                                                      static_cast<std::int64_t>(arms.size()), query, rho_, sums);
    }
    return arms.size() * static_cast<std::uint64_t>(rest());
}

NormBounds LearnedBox::norms(std::int64_t stage, std::int64_t first) const {
    const std::int64_t at = stage * data_.n() + first;
    return {prepared_.low.data() + at, prepared_.high.data() + at, static_cast<float>(shrink_), low_[stage],
            high_[stage]};
}

void LearnedBox::bound(std::span<const std::int32_t> arms, const double *sums, double target,
                       std::uint8_t *keep) const {
    kernels_.bound(arms.data(), static_cast<std::int64_t>(arms.size()), sums, norms(kStages - 1, 0), target, keep);
}

double LearnedBox::lead_square() const {
    double square = 0;
    for (std::size_t j = 0; j < kBatch; ++j)
        square += static_cast<double>(head_[j]) * static_cast<double>(head_[j]);
    return square;
}

std::uint64_t LearnedBox::guess(std::int64_t first, std::int64_t last, float *guesses) {
    if (narrow_)
        kernels_.guess(prepared_.leads.data() + first * kBatch, last - first, head_.data(),
                       prepared_.base.data() + first, guesses);
    else
        guess_in_double(first, last, guesses);
    return static_cast<std::uint64_t>((last - first) * lead());
}

void LearnedBox::guess_in_double(std::int64_t first, std::int64_t last, float *guesses) const {
    const double square = lead_square();
    for (std::int64_t arm = first; arm < last; ++arm) {
        double sum = 0;
        for (std::int64_t j = 0; j < kLead; ++j) {
            const double apart = static_cast<double>(prepared_.head(arm)[j]) * shrink_ -
                                 static_cast<double>(head_[static_cast<std::size_t>(j)]);
            sum += apart * apart;
        }
        const double high = static_cast<double>(prepared_.high[static_cast<std::size_t>(arm)]) * shrink_;
        guesses[arm - first] = static_cast<float>(sum - square + high * high);
    }
}

std::uint64_t LearnedBox::refine(std::int32_t arm, double &guess) {
    const auto high = [&](std::int64_t stage) {
        const double of =
            static_cast<double>(prepared_.high[static_cast<std::size_t>(stage * data_.n() + arm)]) * shrink_;
        return of * of;
    };
    guess += high(kStages - 1) - high(0);
    return add_rest({&arm, 1}, &guess);
}

std::int64_t LearnedBox::bound_guesses(std::int64_t first, std::int64_t count, const float *guesses, double target,
                                       std::int32_t *arms, double *sums) const {
    const Guesses given{guesses, prepared_.base.data() + first, lead_square(), static_cast<std::int32_t>(first)};
    return kernels_.bound_guesses(given, count, norms(0, first), target, arms, sums);
}

} // namespace bmo

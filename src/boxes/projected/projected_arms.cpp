#include "boxes/projected/projected_arms.hpp"

#include <algorithm>
#include <cmath>

#include "simd/half.hpp"

namespace bmo {
namespace {

constexpr double kTiny = 0x1p-149;

constexpr std::int64_t kBlocksAtOnce = 8; // of the query's residual

} // namespace

ProjectedArms::ProjectedArms(const ProjectedPrepared &prepared, std::int64_t n)
    : prepared_(prepared), n_(n), kernels_(kernels()), head_(kHead),
      residual_(static_cast<std::size_t>(prepared.blocks * kBatch)), wide_head_(kHead),
      wide_residual_(residual_.size()) {}

// A query far beyond the data would leave float's range at their scale: then both are scaled down, in double.
void ProjectedArms::begin(const double *vector, double largest) {
    constexpr double kWide = 0x1p20;
    const double scale = prepared_.projection.scale();
    vector_ = vector;
    narrow_ = largest * scale <= kLargestScaled;
    shrink_ = narrow_ ? 1 : kWide * normalizing_scale(largest) / scale;
    rho_.scale = shrink_;
    project_ops_ = 0;
    read_blocks_ = 0;
}

// The head of a point of the dataset is stored, and its norm is bounded.
void ProjectedArms::take_row(std::int64_t row) {
    const auto rest = prepared_.rest.begin() + row * kRowOf<Half>;
    std::copy_n(prepared_.head(row), kLead, head_.begin()); // points are within kLargestScaled: nothing wide is needed
    std::transform(rest, rest + kRowOf<Half>, head_.begin() + kLead, to_float);
    for (std::int64_t stage = 0; stage < kStages; ++stage) {
        low_[stage] = prepared_.low[static_cast<std::size_t>(stage * n_ + row)];
        high_[stage] = prepared_.high[static_cast<std::size_t>(stage * n_ + row)];
    }
    const auto left = static_cast<double>(high_[0]);
    set_error(std::sqrt(lead_square() + left * left) * (1 + 2 * prepared_.projection.head_error()), 2);
    for (std::int64_t b = 0; b < prepared_.blocks; ++b)
        std::transform(prepared_.block(b, n_) + row * kRowOf<Half>,
                       prepared_.block(b, n_) + row * kRowOf<Half> + kBatch, residual_.begin() + b * kBatch, to_float);
    read_blocks_ = prepared_.blocks;
}

// rounded: how many of the two that are compared have parts of 16 bits.
void ProjectedArms::set_error(double norm, int rounded) {
    const double root = std::sqrt(static_cast<double>(population() + rest()));
    root_error_ = 2 * (prepared_.projection.error() * (1 + 0x1p-8) * norm + kTiny * root * 2) +
                  rounded * (kHalfError * static_cast<double>(high_[0]) + kHalfTiny * root * shrink_);
}

void ProjectedArms::take_head(const float *head, double square) {
    residual_norms(head, square, prepared_.projection.head_error(), low_, high_);
    std::copy_n(head, kHead, head_.begin());
    std::copy_n(head, kHead, wide_head_.begin());
    project_ops_ = static_cast<std::uint64_t>(kHead * population());
    set_error(std::sqrt(square) * (1 + 0x1p-20), 1);
}

void ProjectedArms::read_blocks(std::int64_t block) {
    const std::int64_t blocks = std::min(prepared_.blocks, block + kBlocksAtOnce) - read_blocks_;
    expanded_.resize(static_cast<std::size_t>(blocks * kBatch));
    prepared_.projection.expand(head_.data(), read_blocks_, blocks, expanded_.data());
    project_ops_ += static_cast<std::uint64_t>(blocks * kBatch * kHead);
    float *left = residual_.data() + read_blocks_ * kBatch;
    prepared_.residual_values(read_blocks_, blocks, vector_, expanded_.data(), shrink_, left);
    if (!narrow_)
        std::copy_n(left, blocks * kBatch, wide_residual_.begin() + read_blocks_ * kBatch);
    read_blocks_ += blocks;
}

const void *ProjectedArms::residual_query(std::int64_t first) {
    if (first / kBatch >= read_blocks_)
        read_blocks(first / kBatch);
    if (narrow_)
        return residual_.data() + first;
    return wide_residual_.data() + first;
}

double ProjectedArms::allowed(double root) const {
    const double most = root * (1 + prepared_.projection.error() + 2 * kHalfError) + root_error_;
    return most * most * (1 + 0x1p-50);
}

std::uint64_t ProjectedArms::pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) {
    kernels_.pull_for(halves(), Rho::square)(prepared_.block(first / kBatch, n_), arms.data(),
                                             static_cast<std::int64_t>(arms.size()), residual_query(first), rho_, z);
    return arms.size() * static_cast<std::uint64_t>(width);
}

std::uint64_t ProjectedArms::bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look,
                                 const ArmState &state, std::uint8_t *keep) {
    kernels_.pull_bet_for(halves(), Rho::square)(prepared_.block(first / kBatch, n_), arms.data(),
                                                 static_cast<std::int64_t>(arms.size()), residual_query(first), rho_,
                                                 look, state, keep);
    return arms.size() * kBatch;
}

void ProjectedArms::prefetch(std::int64_t first, std::span<const std::int32_t> arms) const {
    const std::int64_t block = first / kBatch;
    if (block >= prepared_.blocks || block % 2 != 0) // two blocks of an arm are one line
        return;
    const Half *rows = prepared_.block(block, n_);
    for (const std::int32_t arm : arms)
        __builtin_prefetch(rows + std::int64_t{arm} * kRowOf<Half>);
}

std::uint64_t ProjectedArms::add_rest(std::span<const std::int32_t> arms, double *sums) {
    for (std::int64_t half = 0; half < rest(); half += kBatch) {
        const void *query = narrow_ ? static_cast<const void *>(head_.data() + kLead + half)
                                    : static_cast<const void *>(wide_head_.data() + kLead + half);
        kernels_.pull_sums_for(halves(), Rho::square)(prepared_.rest.data() + half, arms.data(),
                                                      static_cast<std::int64_t>(arms.size()), query, rho_, sums);
    }
    return arms.size() * static_cast<std::uint64_t>(rest());
}

NormBounds ProjectedArms::norms(std::int64_t stage, std::int64_t first) const {
    const std::int64_t at = stage * n_ + first;
    return {prepared_.low.data() + at, prepared_.high.data() + at, static_cast<float>(shrink_), low_[stage],
            high_[stage]};
}

void ProjectedArms::bound(std::span<const std::int32_t> arms, const double *sums, double target,
                          std::uint8_t *keep) const {
    kernels_.bound(arms.data(), static_cast<std::int64_t>(arms.size()), sums, norms(kStages - 1, 0), target, keep);
}

double ProjectedArms::lead_square() const {
    double square = 0;
    for (std::size_t j = 0; j < kBatch; ++j)
        square += static_cast<double>(head_[j]) * static_cast<double>(head_[j]);
    return square;
}

std::uint64_t ProjectedArms::guess(std::int64_t first, std::int64_t last, float *guesses) {
    if (narrow_)
        kernels_.guess(prepared_.leads.data() + first * kBatch, last - first, head_.data(),
                       prepared_.base.data() + first, guesses);
    else
        guess_in_double(first, last, guesses);
    return static_cast<std::uint64_t>((last - first) * lead());
}

void ProjectedArms::guess_in_double(std::int64_t first, std::int64_t last, float *guesses) const {
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

double ProjectedArms::norm_square(std::int64_t stage, std::int32_t arm) const {
    const double high = static_cast<double>(prepared_.high[static_cast<std::size_t>(stage * n_ + arm)]) * shrink_;
    return high * high;
}

std::uint64_t ProjectedArms::refine(std::span<const std::int32_t> arms, double *guesses) {
    for (std::size_t i = 0; i < arms.size(); ++i)
        guesses[i] += norm_square(kStages - 1, arms[i]) - norm_square(0, arms[i]);
    return add_rest(arms, guesses);
}

std::uint64_t ProjectedArms::group_sums(std::vector<double> &about, std::vector<double> &at_least) const {
    prepared_.groups.distances(head_.data(), low_[kStages - 1], high_[kStages - 1], about, at_least);
    return static_cast<std::uint64_t>(groups() * kHead);
}

// The heads lie in rows of three batches, of which the first is the lead.
std::uint64_t ProjectedArms::add_lead(std::span<const std::int32_t> arms, double *sums) const {
    constexpr std::size_t kSome = 256;
    std::int32_t places[kSome];
    for (std::size_t at = 0; at < arms.size(); at += kSome) {
        const std::span<const std::int32_t> some = arms.subspan(at, std::min(kSome, arms.size() - at));
        std::transform(some.begin(), some.end(), places,
                       [](std::int32_t arm) { return arm * static_cast<std::int32_t>(kHead / kBatch); });
        kernels_.pull_sums_for(ValueType::f32, Rho::square)(
            prepared_.heads.data(), places, static_cast<std::int64_t>(some.size()), head_.data(), {}, sums + at);
    }
    return arms.size() * static_cast<std::uint64_t>(lead());
}

void ProjectedArms::bound_lead(std::span<const std::int32_t> arms, const double *sums, double target,
                               std::uint8_t *keep) const {
    kernels_.bound(arms.data(), static_cast<std::int64_t>(arms.size()), sums, norms(0, 0), target, keep);
}

std::uint64_t ProjectedArms::guess_some(std::span<const std::int32_t> arms, double *guesses) const {
    for (std::size_t i = 0; i < arms.size(); ++i)
        guesses[i] += norm_square(0, arms[i]);
    return add_lead(arms, guesses);
}

std::int64_t ProjectedArms::bound_guesses(std::int64_t first, std::int64_t count, const float *guesses, double target,
                                          std::int32_t *arms, double *sums) const {
    const Guesses given{guesses, prepared_.base.data() + first, lead_square(), static_cast<std::int32_t>(first)};
    return kernels_.bound_guesses(given, count, norms(0, first), target, arms, sums);
}

} // namespace bmo

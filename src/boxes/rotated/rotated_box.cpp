#include "boxes/rotated/rotated_box.hpp"

#include <algorithm>

namespace bmo {
namespace {

constexpr double kError = 1.01 * 0x1p-24;
constexpr double kTiny = 0x1p-149;

// Values up to this, scaled, are compared in float: with 2^30 coordinates no squared difference leaves its range. The
// dataset's own points are within it.
constexpr double kLargestNarrow = 0x1p44;

} // namespace

RotatedBox::RotatedBox(const Dataset &data, const RotatedPrepared &prepared, const Metric &metric)
    : ExactBy(data, prepared.order, nullptr, metric), data_(data), prepared_(prepared), kernels_(kernels()),
      turned_(static_cast<std::size_t>(population())), narrow_query_(static_cast<std::size_t>(readable())),
      wide_query_(narrow_query_.size()) {}

// A query far beyond the data would leave float's range at their scale: then both are scaled down, in double.
void RotatedBox::bind(const Queries &queries, std::int64_t query) {
    constexpr double kWide = 0x1p20;
    exact_.bind(queries, query);
    const Rotation &rotation = prepared_.rotation;
    const double scaled = exact_.largest_query() * rotation.scale();
    narrow_ = scaled <= kLargestNarrow;
    rho_.scale = narrow_ ? 1 : kWide * normalizing_scale(exact_.largest_query()) / rotation.scale();
    const double norm = rotation.center(exact_.query().data(), rho_.scale, turned_.data());
    root_ratio_ = rotation.scale() * rho_.scale / exact_.exact_scale();
    root_error_ = 2 * (kError * norm + kTiny * std::sqrt(static_cast<double>(population())));
    project_ops_ = 0;
    if (queries.own_points) // rotated as it was prepared
        prepared_.copy_row(queries.row(query), data_.n(), narrow_query_.data());
    else
        rotate_query();
}

void RotatedBox::rotate_query() {
    prepared_.rotation.turn(turned_.data());
    project_ops_ = prepared_.rotation.turn_ops();
    for (std::size_t t = 0; t < narrow_query_.size(); ++t) {
        const double value = turned_[static_cast<std::size_t>(prepared_.order[t])];
        if (narrow_)
            narrow_query_[t] = static_cast<float>(value);
        else
            wide_query_[t] = value;
    }
}

double RotatedBox::sample_units(double exact_sum) const {
    if (exact_sum < 0)
        return exact_sum;
    const double root = std::sqrt(exact_sum) * root_ratio_ * (1 + kError) + root_error_;
    return root * root * (1 + 0x1p-50);
}

std::uint64_t RotatedBox::pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) {
    const PullKernel kernel = kernels_.pull_for(source(), Rho::square);
    kernel(rows(first), arms.data(), static_cast<std::int64_t>(arms.size()), query(first), rho_, z);
    return arms.size() * static_cast<std::uint64_t>(width);
}

std::uint64_t RotatedBox::bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look,
                              const ArmState &state, std::uint8_t *keep) {
    const PullBetKernel kernel = kernels_.pull_bet_for(source(), Rho::square);
    kernel(rows(first), arms.data(), static_cast<std::int64_t>(arms.size()), query(first), rho_, look, state, keep);
    return arms.size() * kBatch;
}

std::uint64_t RotatedBox::add_sums(std::int64_t first, std::span<const std::int32_t> arms, double *sums) {
    const PullSumsKernel kernel = kernels_.pull_sums_for(source(), Rho::square);
    kernel(rows(first), arms.data(), static_cast<std::int64_t>(arms.size()), query(first), rho_, sums);
    return arms.size() * kBatch;
}

void RotatedBox::prefetch(std::int64_t first, std::span<const std::int32_t> arms) const {
    if (first >= readable())
        return;
    for (const std::int32_t arm : arms)
        __builtin_prefetch(rows(first) + std::int64_t{arm} * kBatch);
}

} // namespace bmo

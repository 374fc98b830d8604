#include "boxes/dense/dense_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "boxes/dense/dense_prepared.hpp"
#include "boxes/dense/gather.hpp"

namespace bmo {
namespace {

constexpr std::int64_t kCacheLine = 64; // bytes

// Brings values up to `largest` below 2, so that no sample is above 4^p: with p up to 32 that is within kSampleLimit, which would
// lower a sample, and with it an upper bound.
double sampling_scale(double largest, double p) {
    if (p == 0) // which a scale does not change
        return 1;
    return largest < 1 ? normalizing_scale(largest) : std::ldexp(1.0, -std::ilogb(largest));
}

// Reads a byte of each line: a processor may drop prefetches that come faster than lines do.
void touch(const std::byte *from, std::int64_t bytes) {
    for (std::int64_t at = 0; at < bytes; at += kCacheLine)
        static_cast<void>(*static_cast<const volatile std::byte *>(from + at));
}

} // namespace

DenseBox::DenseBox(const Dataset &data, const Order &order, const DensePrepared *prepared, const Metric &metric)
    : data_(data), order_(order), prepared_(prepared), metric_(metric), kernels_(kernels()),
      query_(static_cast<std::size_t>(data.d())), scaled_query_(query_.size()), reader_(data.dense) {}

void DenseBox::bind(const Queries &queries, std::int64_t query) {
    load_point(queries.points, queries.row(query), query_.data());
    // Of this query, if it matters, not of all of the call: an answer does not depend on other queries.
    largest_query_ = queries.max_abs <= data_.max_abs
                         ? queries.max_abs
                         : largest_size(data_.d(), [&](std::int64_t j) { return query_[static_cast<std::size_t>(j)]; });
    const double largest = std::max(largest_query_, data_.max_abs);
    choose_scales(largest);
    choose_source(largest, queries.points.dtype());
    least_plain_ = metric_.least_plain(exact_rho_.scale, differs_by_little());
    ordered_blocks_ = 0;

    const bool bytes = data_.dense.dtype == BMO_U8 && metric_.tiles() != Tiles::none &&
                       (queries.points.dtype() == BMO_U8 || std::all_of(query_.begin(), query_.end(), is_byte<double>));
    exact_bytes_ = bytes ? kernels_.exact_bytes_for(metric_.rho()) : nullptr;
    if (exact_bytes_) {
        byte_query_.resize(query_.size());
        std::transform(query_.begin(), query_.end(), byte_query_.begin(),
                       [](double value) { return static_cast<std::uint8_t>(value); });
    } else {
        std::transform(query_.begin(), query_.end(), scaled_query_.begin(),
                       [&](double value) { return value * exact_rho_.scale; });
    }
}

void DenseBox::choose_scales(double largest) {
    exact_rho_ = {summing_scale(largest, metric_.p, data_.d()), metric_.p};
    exact_ = kernels_.exact_for(value_type_of(data_.dense.dtype), metric_.rho());
}

// Unless the differences are of floats whose powers double holds.
bool DenseBox::differs_by_little() const {
    constexpr double kMostOfFloats = 4; // 2^-149 to this power is above SumCode::kLeastPlain
    return exact_rho_.scale != 1 || !narrow_ || metric_.p > kMostOfFloats;
}

// Narrow: in float.
void DenseBox::choose_source(double largest, bmo_dtype query_dtype) {
    narrow_ = data_.dense.dtype != BMO_F64 && metric_.in_float(largest) &&
              (query_dtype == BMO_U8 || query_dtype == BMO_F32 || std::all_of(query_.begin(), query_.end(), is_float));
    source_ = narrow_ ? value_type_of(data_.dense.dtype) : wide_type_of(data_.dense.dtype);
    pull_rho_ = {narrow_ ? 1 : sampling_scale(largest, metric_.p), metric_.p};
    pull_ = kernels_.pull_for(source_, metric_.rho());
    pull_bet_ = kernels_.pull_bet_for(source_, metric_.rho());
    pull_sums_ = kernels_.pull_sums_for(source_, metric_.rho());
    unit_ratio_ = metric_.growth(pull_rho_.scale / exact_rho_.scale);
}

void DenseBox::order_query_block(std::int64_t block) {
    const std::size_t room = (order_.size() + kBatch - 1) / kBatch * kBatch;
    if (narrow_)
        narrow_order_.resize(room);
    else
        wide_order_.resize(room);
    for (; ordered_blocks_ <= block; ++ordered_blocks_)
        for (std::int64_t t = ordered_blocks_ * kBatch; t < (ordered_blocks_ + 1) * kBatch; ++t) {
            const auto at = static_cast<std::size_t>(t);
            const double value = at < order_.size() ? query_[static_cast<std::size_t>(order_[at])] : 0;
            if (narrow_)
                narrow_order_[at] = static_cast<float>(value);
            else
                wide_order_[at] = value * pull_rho_.scale;
        }
}

DenseBox::Batch DenseBox::batch_at(std::int64_t first, int width, std::span<const std::int32_t> arms) {
    const std::int64_t block = first / kBatch;
    if (block >= ordered_blocks_)
        order_query_block(block);
    const void *query = narrow_ ? static_cast<const void *>(narrow_order_.data() + first)
                                : static_cast<const void *>(wide_order_.data() + first);
    if (prepared_ && block < prepared_->blocks)
        return {prepared_->block(block, data_.n(), data_.dense.dtype), arms.data(), query};
    gather(order_.data() + first, width, arms);
    return {gathered_.data(), gathered_arms_.data(), query};
}

// Coordinates of points, in rows of 16.
void DenseBox::gather(const std::int32_t *coords, int width, std::span<const std::int32_t> arms) {
    const auto count = static_cast<std::int64_t>(arms.size());
    for (auto next = static_cast<std::int32_t>(gathered_arms_.size()); next < count; ++next)
        gathered_arms_.push_back(next);
    gathered_.resize(std::max(gathered_.size(), arms.size() * kBatch * sizeof(double)));
    visit_stored(data_.dense.dtype, [&]<class T>(const T *) {
        gather_rows(data_.dense, coords, width, arms.data(), count, reinterpret_cast<T *>(gathered_.data()));
    });
}

std::uint64_t DenseBox::pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) {
    const Batch batch = batch_at(first, width, arms);
    pull_(batch.rows, batch.arms, static_cast<std::int64_t>(arms.size()), batch.query, pull_rho_, z);
    return arms.size() * static_cast<std::uint64_t>(width);
}

std::uint64_t DenseBox::bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look,
                            const ArmState &state, std::uint8_t *keep) {
    const Batch batch = batch_at(first, kBatch, arms);
    pull_bet_(batch.rows, batch.arms, static_cast<std::int64_t>(arms.size()), batch.query, pull_rho_, look, state,
              keep);
    return arms.size() * kBatch;
}

std::uint64_t DenseBox::add_sums(std::int64_t first, std::span<const std::int32_t> arms, double *sums) {
    const Batch batch = batch_at(first, kBatch, arms);
    pull_sums_(batch.rows, batch.arms, static_cast<std::int64_t>(arms.size()), batch.query, pull_rho_, sums);
    return arms.size() * kBatch;
}

// Of data that are not prepared each coordinate is a line of its own: asking for them ahead costs more than it saves.
void DenseBox::prefetch(std::int64_t first, std::span<const std::int32_t> arms) const {
    const std::int64_t block = first / kBatch, size = static_cast<std::int64_t>(dtype_size(data_.dense.dtype));
    if (!prepared_ || block >= prepared_->blocks)
        return;
    const auto *rows = static_cast<const std::byte *>(prepared_->block(block, data_.n(), data_.dense.dtype));
    for (const std::int32_t arm : arms)
        __builtin_prefetch(rows + std::int64_t{arm} * kBatch * size);
}

void DenseBox::prefetch_next(std::int32_t arm, std::int64_t first, std::int64_t count) const {
    const std::int64_t stored = prepared_ ? prepared_->blocks * kBatch : 0;
    const std::int64_t last = std::min(first + count, static_cast<std::int64_t>(order_.size()));
    const std::int64_t gathered = std::clamp(stored, first, last);
    for (std::int64_t at = first / kBatch * kBatch; at < gathered; at += kBatch)
        prefetch(at, {&arm, 1});
    prefetch_drawn(
        arm, std::span(order_).subspan(static_cast<std::size_t>(gathered), static_cast<std::size_t>(last - gathered)));
}

void DenseBox::prefetch_drawn(std::int32_t arm, std::span<const std::int32_t> coords) const {
    const DenseView &points = data_.dense;
    const auto size = static_cast<std::int64_t>(dtype_size(points.dtype));
    const auto *point = static_cast<const std::byte *>(points.data) + arm * points.point_stride * size;
    const std::int64_t bytes = points.d * points.coord_stride * size;
    if (points.coord_stride == 1 && bytes <= static_cast<std::int64_t>(coords.size()) * kCacheLine) {
        touch(point, bytes);
        return;
    }
    for (const std::int32_t coord : coords)
        __builtin_prefetch(point + std::int64_t{coord} * points.coord_stride * size);
}

void DenseBox::sample(std::int32_t arm, const std::int32_t *coords, int width, float *z) {
    gather(coords, width, {&arm, 1});
    float narrow[kBatch] = {};
    double wide[kBatch] = {};
    for (int j = 0; j < width; ++j) {
        const double value = query_[static_cast<std::size_t>(coords[j])];
        if (narrow_)
            narrow[j] = static_cast<float>(value);
        else
            wide[j] = value * pull_rho_.scale;
    }
    float batch[kBatch];
    pull_(gathered_.data(), gathered_arms_.data(), 1, narrow_ ? static_cast<const void *>(narrow) : wide, pull_rho_,
          batch);
    std::copy_n(batch, width, z);
}

double DenseBox::largest_sample() const {
    const auto [least, most] = std::minmax_element(query_.begin(), query_.end());
    const double lowest = data_.dense.dtype == BMO_U8 ? 0 : -data_.max_abs;
    const double apart = std::max(*most - lowest, data_.max_abs - *least);
    return metric_.most(apart * pull_rho_.scale) * (1 + 0x1p-20);
}

void DenseBox::prefetch_exact(std::int32_t arm) const {
    const DenseView &points = data_.dense;
    if (points.coord_stride != 1)
        return;
    const auto size = static_cast<std::int64_t>(dtype_size(points.dtype));
    const auto *point = static_cast<const std::byte *>(points.data) + arm * points.point_stride * size;
    for (std::int64_t at = 0; at < points.d * size; at += kCacheLine)
        __builtin_prefetch(point + at, 0, 2);
}

double DenseBox::exact(std::int32_t arm) {
    const void *point = reader_.point(arm);
    if (exact_bytes_)
        return static_cast<double>(
            exact_bytes_(static_cast<const std::uint8_t *>(point), byte_query_.data(), data_.d()));
    const double sum = exact_(point, scaled_query_.data(), data_.d(), exact_rho_);
    return sum < least_plain_ ? pair_sum(point) : sum;
}

double DenseBox::pair_sum(const void *point) const {
    return visit_stored(data_.dense.dtype, [&]<class Value>(const Value *) {
        const auto *x = static_cast<const Value *>(point);
        return metric_.pair_sum(
            data_.d(), exact_rho_.scale,
            [&](std::int64_t j) { return std::pair(static_cast<double>(x[j]), query_[static_cast<std::size_t>(j)]); },
            [](std::int64_t) { return 1.0; });
    });
}

double DenseBox::sum_at(double exact_sum, double scale) const {
    return metric_.sum_of(exact_sum).times_power(metric_.p, std::ilogb(scale) - std::ilogb(exact_rho_.scale)).rounded();
}

} // namespace bmo

#include "boxes/dense/angular_box.hpp"

#include <cmath>
#include <utility>

#include "simd/kernels.hpp"

namespace bmo {

AngularBox::AngularBox(const Dataset &data, const Order &order, const DensePrepared *prepared, const Angles &angles)
    : data_(data), order_(order), angles_(angles), rows_(data, order, prepared), reader_(data.dense) {}

void AngularBox::bind(const Queries &queries, std::int64_t query) {
    asked_ = queries.points;
    asked_row_ = queries.row(query);
    query_.load(asked_, asked_row_);
    ordered_.clear();
}

void AngularBox::order_query(std::int64_t count) {
    const double inverse = query_.norm.is_zero() ? 0 : 1 / query_.norm.root();
    for (auto t = static_cast<std::int64_t>(ordered_.size()); t < count; ++t)
        ordered_.push_back(
            t < data_.d() ? query_.values[static_cast<std::size_t>(order_[static_cast<std::size_t>(t)])] * inverse : 0);
}

std::uint64_t AngularBox::pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) {
    order_query(first + kBatch);
    const DenseRows::Batch batch = rows_.batch(first, width, arms);
    const double *query = ordered_.data() + first;
    visit_stored(data_.dense.dtype, [&]<class Value>(const Value *) {
        for (std::size_t i = 0; i < arms.size(); ++i, z += kBatch) {
            const Value *row = static_cast<const Value *>(batch.rows) + std::int64_t{batch.arms[i]} * kBatch;
            const auto arm = static_cast<std::size_t>(arms[i]);
            const double inverse = angles_.inverse[arm], weight = angles_.weight[arm];
            for (int j = 0; j < kBatch; ++j) {
                const double difference = static_cast<double>(row[j]) * inverse - query[j];
                z[j] = static_cast<float>(weight * (difference * difference));
            }
        }
    });
    return arms.size() * static_cast<std::uint64_t>(width);
}

double AngularBox::exact(std::int32_t arm) {
    const bool zero = exact_ops(arm) == 0;
    const DoubleDouble product = zero ? DoubleDouble{} : product_with(arm);
    const double sum = angular_sum(angles_.metric, query_.norm, norm_of(arm), product, angles_.largest);
    const bool vanishes = data_.dense.dtype == BMO_F64 || !query_.is_short;
    if (zero || !is_delicate(angles_.metric, sum, product, vanishes))
        return sum;
    return careful_exact(arm);
}

double AngularBox::careful_exact(std::int32_t arm) const {
    std::vector<double> query(static_cast<std::size_t>(data_.d())), point(query.size());
    load_point(asked_, asked_row_, query.data());
    load_point(data_.dense, arm, point.data());
    return careful_angular_sum(angles_.metric, std::move(query), query_.norm, std::move(point), norm_of(arm),
                               angles_.largest);
}

// Of the scaled vectors.
DoubleDouble AngularBox::product_with(std::int32_t arm) {
    const int exponent = norm_of(arm).exponent;
    if (exponent > kLeastFactorExponent)
        return dot_product(reader_.point(arm), data_.dense.dtype, std::ldexp(1.0, -exponent), query_.values,
                           query_.is_short);
    point_.load(data_.dense, arm);
    return dot_product(point_.values.data(), BMO_F64, 1, query_.values, query_.is_short);
}

std::uint64_t AngularBox::exact_ops(std::int32_t arm) const {
    return query_.norm.is_zero() || norm_of(arm).is_zero() ? 0 : static_cast<std::uint64_t>(data_.d());
}

std::uint64_t AngularBox::scan_ops(std::int64_t self) const {
    if (query_.norm.is_zero())
        return 0;
    const bool counted = self >= 0 && !norm_of(static_cast<std::int32_t>(self)).is_zero();
    return static_cast<std::uint64_t>(data_.n() - angles_.zeros - (counted ? 1 : 0)) *
           static_cast<std::uint64_t>(data_.d());
}

} // namespace bmo

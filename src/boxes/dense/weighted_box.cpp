#include "boxes/dense/weighted_box.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include "simd/fold.hpp"

namespace bmo {
namespace {

bool is_tiny(double weight) {
    return weight > 0 && weight < static_cast<double>(std::numeric_limits<float>::min());
}

// In the type of the weight: in float the product is off by 2^-23, relatively, and by 2^-150 if it is subnormal.
template <class Weight>
float weigh(float sample, Weight weight) {
    return static_cast<float>(static_cast<Weight>(sample) * weight);
}

} // namespace

WeightedBox::WeightedBox(const Dataset &data, const Order &order, const DensePrepared *prepared, const Metric &metric,
                         const Weights &weights)
    : data_(data), metric_(metric), weights_(weights), dense_(data, order, prepared, metric) {
    const std::size_t room = (order.size() + kBatch - 1) / kBatch * kBatch;
    const auto weight_of = [&](std::int32_t j) { return weights.scaled[static_cast<std::size_t>(j)]; };
    if (std::any_of(weights.scaled.begin(), weights.scaled.end(), is_tiny)) {
        wide_ordered_.resize(room);
        std::transform(order.begin(), order.end(), wide_ordered_.begin(), weight_of);
        return;
    }
    ordered_.resize(room);
    std::transform(order.begin(), order.end(), ordered_.begin(),
                   [&](std::int32_t j) { return static_cast<float>(weight_of(j)); });
}

void WeightedBox::bind(const Queries &queries, std::int64_t query) {
    dense_.bind(queries, query);
    query_ = dense_.query();
    for (double &value : query_)
        value *= dense_.exact_scale();
    least_plain_ = metric_.least_plain(dense_.exact_scale(), true);
}

std::uint64_t WeightedBox::pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) {
    const std::uint64_t operations = dense_.pull(first, width, arms, z);
    const auto weigh_all = [&](const auto *weight) {
        for (std::size_t i = 0; i < arms.size(); ++i, z += kBatch)
            for (int j = 0; j < kBatch; ++j)
                z[j] = weigh(z[j], weight[j]);
    };
    wide_ordered_.empty() ? weigh_all(ordered_.data() + first) : weigh_all(wide_ordered_.data() + first);
    return operations;
}

void WeightedBox::sample(std::int32_t arm, const std::int32_t *coords, int width, float *z) {
    std::array<std::int32_t, kBatch> chosen{};
    for (std::size_t j = 0; j < static_cast<std::size_t>(width); ++j)
        chosen[j] = weights_.positive[static_cast<std::size_t>(coords[j])];
    dense_.sample(arm, chosen.data(), width, z);
    for (std::size_t j = 0; j < static_cast<std::size_t>(width); ++j) {
        const double weight = weights_.scaled[static_cast<std::size_t>(chosen[j])];
        z[j] = wide_ordered_.empty() ? weigh(z[j], static_cast<float>(weight)) : weigh(z[j], weight);
    }
}

template <class Value>
double WeightedBox::sum(const Value *point, std::int64_t stride) const {
    const double scale = dense_.exact_scale();
    return metric_.visit([&](auto rho) {
        std::array<double, kBatch> lane{};
        const std::size_t count = weights_.positive.size();
        for (std::size_t first = 0; first < count; first += kBatch)
            for (std::size_t l = 0; l < std::min<std::size_t>(kBatch, count - first); ++l) {
                const auto j = static_cast<std::size_t>(weights_.positive[first + l]);
                const auto value = static_cast<double>(point[static_cast<std::int64_t>(j) * stride]);
                lane[l] += weights_.scaled[j] * rho(value * scale, query_[j]);
            }
        return fold_lanes(lane.data(), std::plus<>());
    });
}

template <class Value>
double WeightedBox::pair_sum(const Value *point, std::int64_t stride) const {
    const auto coordinate = [&](std::int64_t i) { return weights_.positive[static_cast<std::size_t>(i)]; };
    return metric_.pair_sum(
        weights_.counted(), dense_.exact_scale(),
        [&](std::int64_t i) {
            const std::int64_t j = coordinate(i);
            return std::pair(static_cast<double>(point[j * stride]), dense_.query()[static_cast<std::size_t>(j)]);
        },
        [&](std::int64_t i) { return weights_.scaled[static_cast<std::size_t>(coordinate(i))]; });
}

double WeightedBox::exact(std::int32_t arm) {
    const DenseView &points = data_.dense;
    return visit_stored(points.dtype, [&]<class Value>(const Value *) {
        const auto *point = points.point<Value>(arm);
        const auto plain = sum(point, points.coord_stride);
        return plain < least_plain_ ? pair_sum(point, points.coord_stride) : plain;
    });
}

} // namespace bmo

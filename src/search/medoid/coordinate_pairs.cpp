#include "search/medoid/coordinate_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "boxes/dense/gather.hpp"

namespace bmo {
namespace {

double value_at(const DenseView &points, std::int64_t row, std::int64_t coordinate) {
    return visit_stored(points.dtype, [&]<class T>(const T *) {
        return static_cast<double>(points.point<T>(row)[coordinate * points.coord_stride]);
    });
}

} // namespace

CoordinatePairs::CoordinatePairs(const Dataset &data, const std::vector<double> *weights, std::uint64_t seed)
    : data_(data), weights_(weights), random_(seed) {}

void CoordinatePairs::draw() {
    for (int s = 0; s < kBatch; ++s) {
        const auto reference = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(data_.n())));
        coords_[s] = static_cast<std::int32_t>(random_.below(static_cast<std::uint64_t>(data_.d())));
        references_[s] = value_at(data_.dense, reference, coords_[s]);
        weight_[s] = weights_ ? (*weights_)[static_cast<std::size_t>(coords_[s])] : 1;
    }
}

// sample(x, s) for each point and pair.
template <class Sample>
void CoordinatePairs::for_samples(std::span<const std::int32_t> points, std::vector<double> &z,
                                  const Sample &sample) const {
    const auto count = static_cast<std::int64_t>(points.size());
    z.resize(points.size() * kBatch);
    visit_stored(data_.dense.dtype, [&]<class T>(const T *) {
        std::vector<T> values(z.size());
        gather_rows(data_.dense, coords_, kBatch, points.data(), count, values.data());
        for (std::size_t i = 0; i < points.size(); ++i)
            for (std::size_t s = 0; s < kBatch; ++s)
                z[i * kBatch + s] = sample(static_cast<double>(values[i * kBatch + s]), s);
    });
}

void CoordinatePairs::distances(std::span<const std::int32_t> points, std::vector<double> &z) const {
    for_samples(points, z, [&](double x, std::size_t s) { return weight_[s] * std::abs(x - references_[s]); });
}

void CoordinatePairs::excesses(std::int32_t leader, std::span<const std::int32_t> points,
                               std::vector<double> &z) const {
    double low[kBatch], high[kBatch];
    for (int s = 0; s < kBatch; ++s) {
        const double c = value_at(data_.dense, leader, coords_[s]);
        low[s] = std::min(c, references_[s]);
        high[s] = std::max(c, references_[s]);
    }
    constexpr double kRoundedDown = 1 - 0x1p-50;
    for_samples(points, z, [&](double x, std::size_t s) {
        const double excess = weight_[s] * 2 * std::max({0.0, low[s] - x, x - high[s]}) * kRoundedDown;
        return std::min(excess, std::numeric_limits<double>::max());
    });
}

} // namespace bmo

#include "boxes/projected/projected_points.hpp"

#include <algorithm>
#include <cmath>

#include "boxes/angles.hpp"
#include "boxes/metric.hpp"
#include "data/points.hpp"

namespace bmo {

ProjectedPoints::ProjectedPoints(const DenseView &points, std::int64_t metric, const Norms *norms)
    : points_(points), metric_(metric), d_(dimensions(points.d, metric)), norms_(is_angular(metric) ? norms : nullptr) {
    if (norms_)
        largest_ = largest_of(*norms_);
}

std::int64_t ProjectedPoints::dimensions(std::int64_t d, std::int64_t metric) {
    return d + (metric == BMO_METRIC_INNER_PRODUCT ? 1 : 0);
}

void ProjectedPoints::load(std::int64_t row, double *out, ScaledVector &vector) const {
    if (!norms_)
        return load_point(points_, row, out);
    vector.load(points_, row);
    const Norm &norm = (*norms_)[static_cast<std::size_t>(row)];
    const bool product = metric_ == BMO_METRIC_INNER_PRODUCT;
    const double share = product ? norm_ratio(norm, largest_) : 1; // of the length that is 1
    const double factor = norm.is_zero() ? 0 : share / norm.root();
    std::transform(vector.values.begin(), vector.values.end(), out, [=](double value) { return value * factor; });
    if (product)
        out[points_.d] = std::sqrt((1 - share) * (1 + share));
}

ProjectedPoints::Rows ProjectedPoints::rows(std::int64_t first, std::int64_t count, Buffer &buffer) const {
    if (!norms_)
        return {points_, first};
    buffer.values.resize(static_cast<std::size_t>(count * d_));
    for (std::int64_t i = 0; i < count; ++i)
        load(first + i, buffer.values.data() + i * d_, buffer.vector);
    return {row_major(BMO_F64, buffer.values.data(), count, d_), 0};
}

void ProjectedPoints::load_query(const ScaledVector &query, std::vector<double> &out) {
    const double factor = query.norm.is_zero() ? 0 : 1 / query.norm.root();
    std::fill(out.begin(), out.end(), 0.0);
    std::transform(query.values.begin(), query.values.end(), out.begin(), [=](double value) { return value * factor; });
}

} // namespace bmo

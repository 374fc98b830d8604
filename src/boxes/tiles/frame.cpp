#include "boxes/tiles/frame.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "boxes/tiles/tile_rows.hpp"
#include "simd/kernels.hpp"

namespace bmo {
namespace {

constexpr double kLargest = 1e300; // differences stay finite

} // namespace

Frame::Frame(const Dataset &data, const Metric &metric, const Angles *angles)
    : data_(data), metric_(metric), angles_(angles) {}

bool Frame::applies(const Dataset &data, const Metric &metric, double largest) {
    return metric.tiles() == Tiles::products && data.n() > 0 && largest < kLargest && data.max_abs < kLargest;
}

void Frame::fit(double largest_query) {
    if (middle_.empty())
        find_middle();
    scale_ = of_directions()
                 ? 1
                 : normalizing_scale(of_products() ? data_.max_abs : std::max(largest_query, data_.max_abs)) / 4;
    shifted_.resize(middle_.size());
    for (std::size_t j = 0; j < middle_.size(); ++j)
        shifted_[j] = middle_[j] * scale_;
}

// The mean of the middle ones of a few points, coordinate by coordinate: points that are far off count for nothing.
void Frame::find_middle() {
    constexpr std::int64_t kPoints = 15;
    const auto d = static_cast<std::size_t>(data_.d());
    const std::int64_t count = std::min(kPoints, data_.n());
    std::vector<AlignedVector<double>> points(static_cast<std::size_t>(count), AlignedVector<double>(d));
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t row = i * (data_.n() - 1) / std::max<std::int64_t>(1, count - 1);
        auto &point = points[static_cast<std::size_t>(i)];
        load_point(data_.dense, row, point.data());
        if (of_directions())
            for (double &value : point)
                value *= factor_of(row);
    }
    const auto trimmed = static_cast<std::size_t>(count / 5);
    std::vector<double> values(points.size());
    middle_.resize(d);
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t i = 0; i < points.size(); ++i)
            values[i] = points[i][j];
        std::sort(values.begin(), values.end());
        double sum = 0;
        for (std::size_t i = trimmed; i < values.size() - trimmed; ++i)
            sum += values[i] / static_cast<double>(values.size() - 2 * trimmed);
        middle_[j] = sum;
    }
}

double Frame::factor_of(std::int64_t point) const {
    return of_directions() ? angles_->inverse[static_cast<std::size_t>(point)] : scale_;
}

void Frame::bring_points(std::int64_t first, std::int64_t count, std::int64_t from, std::int64_t width,
                         std::int64_t row, float *rows, double *squares, float *largest) {
    const double *middle = shifted_.data() + from;
    visit_stored(data_.dense.dtype, [&]<class T>(const T *) {
        const ShiftKernel shift = kernels().shift[static_cast<std::size_t>(value_type_of(data_.dense.dtype))];
        visit_rows<T>(data_.dense, first, count, from, width, copy_, [&](std::int64_t i, const T *values) {
            const Shifted shifted = shift(values, middle, factor_of(first + i), width, rows + i * row);
            squares[i] += shifted.squares;
            largest[i] = std::max(largest[i], shifted.largest);
        });
    });
}

void Frame::bring_columns(std::int64_t first, std::int64_t count, std::int64_t from, std::int64_t width,
                          std::int64_t panel, float *panels, double *squares, float *largest) {
    factors_.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        factors_[static_cast<std::size_t>(i)] = factor_of(first + i);
    visit_stored(data_.dense.dtype, [&]<class T>(const T *) {
        const T *columns = data_.dense.point<T>(first) + from * data_.dense.coord_stride;
        const ColumnBlock block{columns, data_.dense.coord_stride, count,
                                width,   factors_.data(),          shifted_.data() + from};
        const auto type = static_cast<std::size_t>(value_type_of(data_.dense.dtype));
        kernels().shift_columns[type](block, panels, panel, squares, largest);
    });
}

FramedQuery Frame::bring_query(const Queries &queries, std::int64_t i, float *row) {
    const std::int64_t d = data_.d();
    FramedQuery framed;
    const ShiftKernel shift = kernels().shift[static_cast<std::size_t>(ValueType::f64)];
    values_.resize(static_cast<std::size_t>(d));
    const auto take = [&](double factor) {
        const Shifted shifted = shift(values_.data(), shifted_.data(), factor, d, row);
        framed.squares = shifted.squares;
        framed.largest = shifted.largest;
        return framed;
    };
    if (!angles_) {
        load_point(queries.points, queries.row(i), values_.data());
        return take(scale_);
    }
    query_.load(queries.points, queries.row(i));
    framed.is_zero = query_.norm.is_zero();
    const double length = query_.norm.root();
    for (std::size_t j = 0; j < values_.size(); ++j)
        values_[j] = framed.is_zero ? 0 : query_.values[j] / length;
    if (of_directions())
        return take(1);
    framed.length = std::ldexp(length, query_.norm.exponent) / scale_;
    if (!(framed.length > 0x1p-900 && framed.length < 0x1p900)) // distances cannot be brought to sums
        framed.length = std::numeric_limits<double>::quiet_NaN();
    double sizes = 0;
    for (std::size_t j = 0; j < values_.size(); ++j) {
        row[j] = static_cast<float>(values_[j]);
        framed.largest = std::max(framed.largest, std::abs(row[j]));
        framed.squares += values_[j] * values_[j];
        framed.offset += values_[j] * shifted_[j];
        sizes += std::abs(values_[j] * shifted_[j]);
    }
    framed.blur = (static_cast<double>(d) + 8) * 0x1p-52 * sizes;
    return framed;
}

double Frame::known_sum(std::int64_t point) const {
    if (!of_directions() || factor_of(point) != 0)
        return std::numeric_limits<double>::quiet_NaN();
    return (*angles_->norms)[static_cast<std::size_t>(point)].is_zero() ? 2 : -std::numeric_limits<double>::infinity();
}

// Distances are computed to 2^-40 of themselves, or of the product of the lengths, unless they are near the limits of double.
double Frame::rounded_up(double distance, const FramedQuery &query) const {
    constexpr double kUp = 1 + 0x1p-36;
    if (of_directions())
        return 2 * distance * kUp;
    if (of_products())
        return distance / query.length + std::abs(distance / query.length) * 0x1p-45 + query.offset + query.blur;
    return metric_.traits().root ? distance * scale_ * (distance * scale_) * kUp : distance * scale_ * scale_ * kUp;
}

double Frame::sum_of(double distance, const FramedQuery &query) const {
    if (!(std::abs(distance) >= kLeastTold))
        return std::numeric_limits<double>::infinity();
    const double sum = rounded_up(distance, query);
    const bool told = of_products() ? std::isfinite(sum) : sum >= kLeastTold;
    return told ? sum : std::numeric_limits<double>::infinity();
}

double Frame::distance_of(double square) const {
    if (of_directions())
        return square / 2;
    return metric_.traits().root ? std::sqrt(square) / scale_ : square / scale_ / scale_;
}

double Frame::distance_below(double sum) const {
    const double distance = distance_of(std::max(0.0, sum)) * (1 - 0x1p-36);
    return distance >= kLeastTold ? distance : 0;
}

double Frame::distance_above(double sum) const {
    return std::max(kLeastTold, distance_of(std::max(0.0, sum)) * (1 + 0x1p-36));
}

double Frame::limit_of(double distance, const FramedQuery &query) const {
    if (of_products())
        return sum_of(std::abs(distance) < kLeastTold ? kLeastTold : distance, query);
    return std::max(kLeastTold, rounded_up(std::max(kLeastTold, distance), query));
}

double Frame::sum_of_product(double sum, const FramedQuery &query) const {
    if (of_directions())
        return sum + std::abs(sum) * 0x1p-45;
    return sum * scale_ + std::abs(sum * scale_) * 0x1p-45 + query.offset + query.blur;
}

} // namespace bmo

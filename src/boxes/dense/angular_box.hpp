// The dense Monte Carlo box for cosine and inner product, by the squared differences of normalized vectors: see
// boxes/angles.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/angles.hpp"
#include "boxes/box.hpp"
#include "boxes/dense/dense_rows.hpp"
#include "boxes/dense/point_reader.hpp"
#include "boxes/norms.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"

namespace bmo {

// For one thread. The samples of a zero vector, and of a point whose norm is near the limits of double, are 0.
class AngularBox : public BoxDefaults<AngularBox> {
public:
    // u and v, as formed, are each within 2^-51 of every value, relatively.
    static constexpr double kError = 0x1p-50;

    // order is that of the preparation, if there is one (else null). All outlive the box.
    AngularBox(const Dataset &data, const Order &order, const DensePrepared *prepared, const Angles &angles);

    void bind(const Queries &queries, std::int64_t query);

    std::int64_t arms() const { return data_.n(); }
    std::int64_t population() const { return data_.d(); }

    double start_sum(std::int32_t arm) const { return angles_.start[static_cast<std::size_t>(arm)]; }
    std::uint64_t pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z);
    double exact(std::int32_t arm);
    void read_from(const ReadRows *rows) { reader_.read_from(rows); }
    double sample_units(double exact_sum) const { return angles_.sample_units(exact_sum, query_.norm); }

    std::uint64_t exact_ops(std::int32_t arm) const;
    std::uint64_t brute_ops(std::int64_t self) const {
        return static_cast<std::uint64_t>(data_.n() - (self < 0 ? 0 : 1)) * static_cast<std::uint64_t>(data_.d());
    }
    // What a scan of all arms takes: exact_ops() of each.
    std::uint64_t scan_ops(std::int64_t self) const;
    double distance(double exact_sum) const {
        return angular_distance(angles_.metric, exact_sum, query_.norm, angles_.largest);
    }
    double sum_of_epsilon(double epsilon) const {
        return sum_of_angular_epsilon(angles_.metric, epsilon, query_.norm, angles_.largest);
    }

    const ScaledVector &query() const { return query_; }

private:
    const Norm &norm_of(std::int32_t arm) const { return (*angles_.norms)[static_cast<std::size_t>(arm)]; }
    void order_query(std::int64_t count);
    double careful_exact(std::int32_t arm) const;
    DoubleDouble product_with(std::int32_t arm);

    const Dataset &data_;
    const Order &order_;
    const Angles &angles_;
    DenseRows rows_;
    PointReader reader_;
    PointsView asked_; // of which the query is this row
    std::int64_t asked_row_ = 0;
    ScaledVector query_, point_;
    std::vector<double> ordered_; // u in the order of the samples, as far as it was needed
};
static_assert(QueryBox<AngularBox> && kStarts<AngularBox>);

} // namespace bmo

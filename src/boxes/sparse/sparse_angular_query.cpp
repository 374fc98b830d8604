#include "boxes/sparse/sparse_angular_query.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bmo {

SparseAngularQuery::SparseAngularQuery(const Dataset &data, const SparseIndex &index, const Angles &angles)
    : data_(data), index_(index), angles_(angles), by_rank_(static_cast<std::size_t>(index.ranks())) {}

void SparseAngularQuery::bind(const Queries &queries, std::int64_t query) {
    const auto scatter = [this](bool bound) {
        for (std::size_t i = 0; i < coordinates_.size(); ++i) {
            const std::int32_t rank = index_.rank_of(coordinates_[i]);
            if (rank >= 0)
                by_rank_[static_cast<std::size_t>(rank)] = bound ? query_.values[i] : 0;
        }
    };
    scatter(false);
    asked_ = queries.points;
    asked_row_ = queries.row(query);
    query_.load_entries(asked_, asked_row_, coordinates_);
    scatter(true);
    has_vanished_ = std::ranges::count(query_.values, 0.0) > 0;
}

double SparseAngularQuery::sum(std::int32_t arm) {
    const bool zero = sum_ops(arm) == 0;
    const DoubleDouble product = zero ? DoubleDouble{} : product_with(arm);
    const double sum = angular_sum(angles_.metric, query_.norm, norm_of(arm), product, angles_.largest);
    const bool vanishes = data_.sparse.dtype == BMO_F64 || !query_.is_short;
    if (zero || !is_delicate(angles_.metric, sum, product, vanishes) || !may_meet())
        return sum;
    return careful_sum(arm);
}

// May the point whose product was formed last have an entry at a coordinate of the query's?
bool SparseAngularQuery::may_meet() const {
    return has_vanished_ || std::any_of(met_.begin(), met_.end(), [](double value) { return value != 0; });
}

// Over the coordinates of either.
double SparseAngularQuery::careful_sum(std::int32_t arm) const {
    struct Entry {
        std::int64_t coordinate;
        double value;
    };
    std::vector<Entry> others;
    for_entries(data_.points(), arm, [&](std::int64_t coordinate, double value) {
        others.push_back({coordinate, value});
    });
    std::vector<double> query, point;
    auto other = others.begin();
    const auto add_others = [&](std::int64_t before) {
        for (; other != others.end() && other->coordinate < before; ++other) {
            query.push_back(0);
            point.push_back(other->value);
        }
    };
    for_entries(asked_, asked_row_, [&](std::int64_t coordinate, double value) {
        add_others(coordinate);
        const bool both = other != others.end() && other->coordinate == coordinate;
        query.push_back(value);
        point.push_back(both ? (other++)->value : 0);
    });
    add_others(data_.d());
    return careful_angular_sum(angles_.metric, std::move(query), query_.norm, std::move(point), norm_of(arm),
                               angles_.largest);
}

// Of the scaled vectors.
DoubleDouble SparseAngularQuery::product_with(std::int32_t arm) {
    const SparseView &points = data_.sparse;
    const std::int64_t first = points.first(arm), last = points.first(arm + 1);
    met_.clear();
    for (std::int64_t k = first; k < last; ++k)
        met_.push_back(by_rank_[static_cast<std::size_t>(index_.rank_of(points.indices[k]))]);
    const int exponent = norm_of(arm).exponent;
    if (exponent <= kLeastFactorExponent) {
        std::vector<std::int32_t> coordinates;
        point_.load_entries(points, arm, coordinates);
        return dot_product(point_.values.data(), BMO_F64, 1, met_, query_.is_short);
    }
    return visit_values(points, [&]<class T>(const T *) {
        return dot_product(points.typed_values<T>() + first, points.dtype, std::ldexp(1.0, -exponent), met_,
                           query_.is_short);
    });
}

std::uint64_t SparseAngularQuery::sum_ops(std::int32_t arm) const {
    return query_.norm.is_zero() ? 0 : static_cast<std::uint64_t>(data_.sparse.entries(arm));
}

std::uint64_t SparseAngularQuery::brute_ops(std::int64_t self) const {
    const std::int64_t candidates = data_.n() - (self < 0 ? 0 : 1);
    const std::int64_t own = self < 0 ? 0 : data_.sparse.entries(self);
    return static_cast<std::uint64_t>(candidates * static_cast<std::int64_t>(coordinates_.size()) + data_.nnz() - own);
}

} // namespace bmo

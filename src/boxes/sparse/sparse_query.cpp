#include "boxes/sparse/sparse_query.hpp"

#include <algorithm>
#include <cmath>

namespace bmo {
SparseQuery::SparseQuery(const Dataset &data, const SparseIndex &index, const Metric &metric)
    : data_(data), index_(index), metric_(metric), position_(static_cast<std::size_t>(index.ranks()), 0) {}

void SparseQuery::bind(const Queries &queries, std::int64_t query) {
    for (const Entry &entry : entries_)
        if (entry.rank >= 0)
            position_[static_cast<std::size_t>(entry.rank)] = 0;
    entries_.clear();
    values_.assign(1, 0);
    given_.assign(1, 0);
    alone_.assign(1, 0);
    norm_ = 0;
    integers_ = true;
    double largest =
        data_.max_abs; // and of this query, not of all of the call: an answer does not depend on other queries
    for_entries(queries.points, queries.row(query),
                [&](std::int64_t, double value) { largest = std::max(largest, std::abs(value)); });
    // The norms in the index have the scale of squares.
    scale_ = summing_scale(largest, metric_.overlaps() ? 2 : metric_.p, data_.d());
    least_plain_ = metric_.least_plain(scale_, true);
    for_entries(queries.points, queries.row(query),
                [this](std::int64_t coordinate, double value) { add(coordinate, value); });
    met_.assign(values_.size(), 0);
    sums_ = 0;
}

void SparseQuery::add(std::int64_t coordinate, double value) {
    const std::int32_t rank = index_.rank_of(static_cast<std::int32_t>(coordinate));
    if (rank >= 0)
        position_[static_cast<std::size_t>(rank)] = static_cast<std::int32_t>(values_.size());
    integers_ = integers_ && value == std::floor(value);
    entries_.push_back({rank, value * scale_});
    values_.push_back(value * scale_);
    given_.push_back(value);
    alone_.push_back(metric_.visit([=, this](auto rho) { return rho(value * scale_, 0.0); }));
    norm_ += alone_.back();
}

template <class T, class Function>
double SparseQuery::sum_typed(std::int32_t arm, Function rho) {
    if (++sums_ == 0) { // all over again
        std::fill(met_.begin(), met_.end(), 0);
        sums_ = 1;
    }
    const SparseView &points = data_.sparse;
    const T *values = points.typed_values<T>();
    double sum = 0;
    for (std::int64_t k = points.first(arm); k < points.first(arm + 1); ++k) {
        const auto rank = static_cast<std::size_t>(index_.rank_of(points.indices[k]));
        const auto position = static_cast<std::size_t>(position_[rank]);
        sum += rho(values_[position], static_cast<double>(values[k]) * scale_);
        met_[position] = sums_;
    }
    double alone = 0;
    for (std::size_t position = 1; position < values_.size(); ++position)
        alone += met_[position] == sums_ ? 0 : alone_[position];
    return sum + alone < least_plain_ ? pair_sum<T>(arm) : sum + alone;
}

// What sum_typed() met of the query is known.
template <class T>
double SparseQuery::pair_sum(std::int32_t arm) {
    const SparseView &points = data_.sparse;
    const T *values = points.typed_values<T>();
    pairs_.clear();
    for (std::int64_t k = points.first(arm); k < points.first(arm + 1); ++k) {
        const auto rank = static_cast<std::size_t>(index_.rank_of(points.indices[k]));
        pairs_.emplace_back(given_[static_cast<std::size_t>(position_[rank])], static_cast<double>(values[k]));
    }
    for (std::size_t position = 1; position < given_.size(); ++position)
        if (met_[position] != sums_)
            pairs_.emplace_back(given_[position], 0);
    return metric_.pair_sum(
        static_cast<std::int64_t>(pairs_.size()), scale_,
        [&](std::int64_t i) { return pairs_[static_cast<std::size_t>(i)]; }, [](std::int64_t) { return 1.0; });
}

double SparseQuery::sum(std::int32_t arm) {
    return visit_values(data_.sparse, [&]<class T>(const T *) {
        return metric_.visit([&](auto rho) { return sum_typed<T>(arm, rho); });
    });
}

std::uint64_t SparseQuery::sum_ops(std::int32_t arm) const {
    return static_cast<std::uint64_t>(count() + data_.sparse.entries(arm));
}

std::uint64_t SparseQuery::unmet(std::int32_t arm, std::int64_t below) const {
    std::uint64_t entries = 0;
    for (std::int64_t k = data_.sparse.first(arm); below > 0 && k < data_.sparse.first(arm + 1); ++k) {
        const std::int32_t rank = index_.rank_of(data_.sparse.indices[k]);
        entries += rank < below && position_[static_cast<std::size_t>(rank)] == 0 ? 1 : 0;
    }
    return entries;
}

double SparseQuery::sum_of_epsilon(double epsilon) const {
    return metric_.sum_of_epsilon(epsilon, data_.d(), scale_);
}

std::uint64_t SparseQuery::brute_ops(std::int64_t self) const {
    const std::int64_t candidates = data_.n() - (self < 0 ? 0 : 1);
    const std::int64_t own = self < 0 ? 0 : data_.sparse.entries(self);
    return static_cast<std::uint64_t>(candidates * count() + data_.nnz() - own);
}

} // namespace bmo

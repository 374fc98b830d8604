#include "boxes/sparse/overlap_box.hpp"

#include <algorithm>
#include <cmath>

#include "data/check.hpp"

namespace bmo {
namespace {

template <bool square>
double power(double size) {
    return square ? size * size : std::abs(size);
}

// Of the two cache lines from `at` on.
template <class T>
void prefetch_lines(const T *at) {
    constexpr std::size_t kValuesOfLine = 64 / sizeof(T);
    __builtin_prefetch(at);
    __builtin_prefetch(at + kValuesOfLine);
}

} // namespace

OverlapBox::OverlapBox(const Dataset &data, const SparseIndex &index, const Metric &metric)
    : data_(data), index_(index), square_(metric.rho() == Rho::square), norms_(square_ ? index.norm2 : index.norm1),
      query_(data, index, metric), population_(index, square_), counts_(index.counts, square_),
      read_(static_cast<std::size_t>(data.n())), cursor_(read_.size()), place_(read_.size()) {}

void OverlapBox::bind(const Queries &queries, std::int64_t query) {
    query_.bind(queries, query);
    population_.meet(query_);
    // Points that are all 0 have a scale of 1: the square of a tiny query's scale is beyond double.
    const double ratio = data_.max_abs == 0 ? 0 : query_.scale() / index_.scale;
    norm_ratio_ = square_ ? ratio * ratio : ratio;
    largest_ = query_.norm() + (square_ ? index_.largest_norm2 : index_.largest_norm1) * norm_ratio_;
    const bool scaled = query_.scale() != 1 || index_.scale != 1;
    exact_ = !scaled && index_.integers && query_.integers() && largest_ < exact_in_f64;
    rounding_ = static_cast<double>(query_.count() + index_.largest_entries + 64) * 0x1p-50;
}

template <class Visit>
std::uint64_t OverlapBox::typed(Visit visit) {
    return visit_values(data_.sparse, [&]<class T>(const T *) {
        return square_ ? visit.template operator()<true, T>() : visit.template operator()<false, T>();
    });
}

void OverlapBox::restart() {
    for (std::size_t i = 0; i < read_.size(); ++i)
        read_[i] = {0, norms_[i] * norm_ratio_};
    std::fill(cursor_.begin(), cursor_.end(), -1);
}

std::int32_t OverlapBox::rank_of_position(std::int32_t position) const {
    return query_.entries()[static_cast<std::size_t>(position) - 1].rank;
}

std::int32_t OverlapBox::sample_rank(std::int64_t sample) const {
    return sample < population_.size() ? rank_of_position(population_.samples()[static_cast<std::size_t>(sample)])
                                       : static_cast<std::int32_t>(index_.ranks());
}

template <bool square, class T>
std::uint64_t OverlapBox::read_column(std::int32_t position) {
    const QueryTerm meeting = population_.meetings()[static_cast<std::size_t>(position)];
    const auto rank = static_cast<std::size_t>(rank_of_position(position));
    const T *values = index_.rank_value.data<T>();
    const std::int64_t first = index_.rank_first[rank], last = index_.rank_first[rank + 1];
    for (std::int64_t k = first; k < last; ++k) {
        const double value = static_cast<double>(values[k]) * meeting.sign;
        Read &read = read_[static_cast<std::size_t>(index_.rank_arm[static_cast<std::size_t>(k)])];
        read.overlap += meeting.overlap<square>(value);
        read.rest -= power<square>(value);
    }
    return static_cast<std::uint64_t>(last - first);
}

std::uint64_t OverlapBox::read_heavy() {
    return typed([&]<bool square, class T>() {
        std::uint64_t entries = 0;
        for (const std::int32_t position : population_.heavy())
            entries += read_column<square, T>(position);
        return entries;
    });
}

// The samples of an arm that has no entry at any of the batch's coordinates.
OverlapBox::SampleRow OverlapBox::missed_samples(std::int64_t first) const {
    SampleRow row{};
    for (std::int64_t j = 0; j < kBatch && first + j < population_.size(); ++j) {
        const auto position = static_cast<std::size_t>(population_.samples()[static_cast<std::size_t>(first + j)]);
        row[static_cast<std::size_t>(j)] =
            static_cast<float>(population_.meetings()[position].most * population_.unit());
    }
    return row;
}

template <bool square, class T>
std::uint64_t OverlapBox::read_column_samples(std::int64_t sample, std::int32_t last_arm, float *z) {
    const std::int32_t position = population_.samples()[static_cast<std::size_t>(sample)];
    const QueryTerm meeting = population_.meetings()[static_cast<std::size_t>(position)];
    const auto rank = static_cast<std::size_t>(rank_of_position(position));
    const T *values = index_.rank_value.data<T>();
    const std::int32_t *arms = index_.rank_arm.data();
    const double unit = population_.unit();
    std::int64_t &at = at_[static_cast<std::size_t>(meeting.lane)];
    const std::int64_t from = at, end = index_.rank_first[rank + 1];
    z += meeting.lane;
    for (; at < end && arms[at] <= last_arm; ++at) {
        const double value = static_cast<double>(values[at]) * meeting.sign;
        const auto arm = static_cast<std::size_t>(arms[at]);
        read_[arm].overlap += meeting.overlap<square>(value);
        read_[arm].rest -= power<square>(value);
        z[std::ptrdiff_t{place_[arm]} * kBatch] = static_cast<float>(meeting.missing<square>(value) * unit);
    }
    return static_cast<std::uint64_t>(at - from);
}

void OverlapBox::start_columns(std::int64_t first) {
    at_.clear();
    for (std::int64_t sample = first; sample < std::min(population_.size(), first + kBatch); ++sample)
        at_.push_back(index_.rank_first[static_cast<std::size_t>(sample_rank(sample))]);
    next_arm_ = 0;
}

std::uint64_t OverlapBox::read_columns(std::int64_t first, std::span<const std::int32_t> arms, float *z) {
    const SampleRow missed = missed_samples(first);
    for (std::size_t i = 0; i < arms.size(); ++i)
        std::copy_n(missed.begin(), kBatch, z + i * kBatch);
    std::fill(place_.begin() + next_arm_, place_.begin() + arms.back() + 1, static_cast<std::int32_t>(arms.size()));
    for (std::size_t i = 0; i < arms.size(); ++i)
        place_[static_cast<std::size_t>(arms[i])] = static_cast<std::int32_t>(i);
    next_arm_ = arms.back() + 1;
    return typed([&]<bool square, class T>() {
        std::uint64_t entries = 0;
        for (std::size_t lane = 0; lane < at_.size(); ++lane)
            entries += read_column_samples<square, T>(first + static_cast<std::int64_t>(lane), arms.back(), z);
        return entries;
    });
}

// Ranks are spread evenly over a row, about: from where one should be, the search is short.
std::int64_t OverlapBox::likely_cursor(std::int32_t arm, std::int32_t rank) const {
    const std::int64_t first = data_.sparse.first(arm), entries = data_.sparse.first(arm + 1) - first;
    return first + static_cast<std::int64_t>(static_cast<double>(entries) * static_cast<double>(rank) /
                                             static_cast<double>(index_.ranks()));
}

std::int64_t OverlapBox::cursor(std::int32_t arm, std::int32_t rank) {
    std::int64_t &cursor = cursor_[static_cast<std::size_t>(arm)];
    if (cursor >= 0)
        return cursor;
    const std::int32_t *ranks = index_.row_rank.data();
    const std::int64_t first = data_.sparse.first(arm), last = data_.sparse.first(arm + 1);
    std::int64_t low = likely_cursor(arm, rank), high = low;
    for (std::int64_t step = 8; low > first && ranks[low - 1] >= rank; step *= 2)
        low = std::max(first, low - step);
    for (std::int64_t step = 8; high < last && ranks[high] < rank; step *= 2)
        high = std::min(last, high + step);
    cursor = std::lower_bound(ranks + low, ranks + high, rank) - ranks;
    return cursor;
}

template <class T>
void OverlapBox::prefetch_row(std::int32_t arm, std::int32_t rank) const {
    const std::int64_t known = cursor_[static_cast<std::size_t>(arm)];
    const auto at = static_cast<std::size_t>(known >= 0 ? known : likely_cursor(arm, rank));
    prefetch_lines(index_.row_rank.data() + at);
    prefetch_lines(index_.row_value.data<T>() + at);
}

template <bool square, class T>
std::uint64_t OverlapBox::read_row_samples(std::int32_t arm, std::int64_t first, SampleRow &row) {
    const std::int32_t *ranks = index_.row_rank.data();
    const T *values = index_.row_value.data<T>();
    const QueryTerm *meetings = population_.meetings().data();
    const std::int32_t *positions = query_.positions();
    const std::int64_t from = cursor(arm, sample_rank(first)), last = data_.sparse.first(arm + 1);
    const std::int32_t end = sample_rank(first + kBatch);
    const double unit = population_.unit(), scale = query_.scale();
    Read read = state(arm);
    std::int64_t k = from, heavy = 0;
    for (; k < last && ranks[k] < end; ++k) {
        const QueryTerm &meeting = meetings[positions[ranks[k]]];
        if (meeting.heavy) {
            ++heavy;
            continue;
        }
        const auto value = static_cast<double>(values[k]);
        read.rest -= power<square>(value * scale);
        read.overlap += meeting.overlap<square>(value * meeting.sign);
        row[static_cast<std::size_t>(meeting.lane)] =
            static_cast<float>(meeting.missing<square>(value * meeting.sign) * unit);
    }
    read_[static_cast<std::size_t>(arm)] = read;
    cursor_[static_cast<std::size_t>(arm)] = k;
    return static_cast<std::uint64_t>(k - from - heavy);
}

std::uint64_t OverlapBox::read_rows(std::int64_t first, std::span<const std::int32_t> arms, float *z) {
    constexpr std::size_t kAhead = 8;
    const SampleRow missed = missed_samples(first);
    const std::int32_t rank = sample_rank(first);
    return typed([&]<bool square, class T>() {
        std::uint64_t entries = 0;
        for (std::size_t i = 0; i < arms.size(); ++i) {
            if (i + kAhead < arms.size())
                prefetch_row<T>(arms[i + kAhead], rank);
            SampleRow row = missed;
            entries += read_row_samples<square, T>(arms[i], first, row);
            std::copy_n(row.begin(), kBatch, z + i * kBatch);
        }
        return entries;
    });
}

std::uint64_t OverlapBox::column_entries(std::int64_t first) const {
    return column_entries_of(first, arms());
}

std::uint64_t OverlapBox::column_entries_of(std::int64_t first, std::int64_t arms) const {
    std::uint64_t entries = 0;
    for (std::int64_t sample = first; sample < std::min(population_.size(), first + kBatch); ++sample)
        entries += static_cast<std::uint64_t>(std::min<std::int64_t>(arms, index_.entries(sample_rank(sample))));
    return entries;
}

double OverlapBox::row_entries(std::int64_t first, std::uint64_t entries) const {
    const std::int32_t ranks = sample_rank(first + kBatch) - sample_rank(first);
    return static_cast<double>(entries) * static_cast<double>(ranks) / static_cast<double>(index_.ranks());
}

template <bool square, bool heavy_too, class T>
std::uint64_t OverlapBox::complete_row(std::int32_t arm, std::int64_t from) {
    const std::int32_t *ranks = index_.row_rank.data(), *positions = query_.positions();
    const T *values = index_.row_value.data<T>();
    const QueryTerm *meetings = population_.meetings().data();
    const std::int64_t last = data_.sparse.first(arm + 1);
    double overlap = 0;
    std::int64_t heavy = 0;
    for (std::int64_t k = from; k < last; ++k) {
        const QueryTerm &meeting = meetings[positions[ranks[k]]];
        const bool was_read = !heavy_too && meeting.heavy;
        overlap += was_read ? 0 : meeting.overlap<square>(static_cast<double>(values[k]) * meeting.sign);
        heavy += was_read ? 1 : 0;
    }
    read_[static_cast<std::size_t>(arm)].overlap += overlap;
    cursor_[static_cast<std::size_t>(arm)] = last;
    return static_cast<std::uint64_t>(last - from - heavy);
}

std::uint64_t OverlapBox::complete(std::int32_t arm, std::int64_t read) {
    return typed(
        [&]<bool square, class T>() { return complete_row<square, false, T>(arm, cursor(arm, sample_rank(read))); });
}

std::uint64_t OverlapBox::read_whole_row(std::int32_t arm) {
    const std::int64_t from = data_.sparse.first(arm);
    return typed([&]<bool square, class T>() { return complete_row<square, true, T>(arm, from); });
}

// As read_column(), of the overlap alone.
template <bool square, class T>
void OverlapBox::add_column(std::int32_t position) {
    const QueryTerm meeting = population_.meetings()[static_cast<std::size_t>(position)];
    const auto rank = static_cast<std::size_t>(rank_of_position(position));
    const std::vector<std::int64_t> &first = index_.stored();
    if (const std::int32_t place = index_.counts.place[rank]; place >= 0 && first[rank] == first[rank + 1])
        return add_counts<square>(meeting, index_.counts.column(place));
    const T *values = index_.rank_value.data<T>();
    const std::int32_t *arms = index_.rank_arm.data();
    for (std::int64_t k = first[rank]; k < first[rank + 1]; ++k)
        read_[static_cast<std::size_t>(arms[k])].overlap +=
            meeting.overlap<square>(static_cast<double>(values[k]) * meeting.sign);
}

template <bool square>
void OverlapBox::add_counts(const QueryTerm &meeting, const std::uint8_t *column) {
    for (std::size_t arm = 0; arm < read_.size(); ++arm)
        if (column[arm] != 0)
            read_[arm].overlap += meeting.overlap<square>(static_cast<double>(column[arm]) * meeting.sign);
}

std::uint64_t OverlapBox::read_all_columns() {
    counts_.clear();
    typed([&]<bool square, class T>() {
        std::int32_t position = 0;
        for (const SparseQuery::Entry &entry : query_.entries()) {
            ++position;
            if (entry.rank >= 0 && !counts_.take(entry.rank, entry.value / query_.scale()))
                add_column<square, T>(position);
        }
        return std::uint64_t{0};
    });
    const double unit = square_ ? query_.scale() * query_.scale() : query_.scale();
    counts_.add_up([&](std::int64_t arm, std::uint16_t sum) {
        read_[static_cast<std::size_t>(arm)].overlap += unit * static_cast<double>(sum);
    });
    return all_column_entries();
}

std::uint64_t OverlapBox::all_column_entries() const {
    std::uint64_t entries = 0;
    for (const SparseQuery::Entry &entry : query_.entries())
        entries += entry.rank < 0 ? 0 : static_cast<std::uint64_t>(index_.entries(entry.rank));
    return entries;
}

double OverlapBox::target(double tau) const {
    return population_.heavy_most() + population_.most_from(0) + (tau - query_.norm()) / 2 + error(std::abs(tau));
}

double OverlapBox::reach(std::int32_t arm, std::int64_t read) const {
    const double rest = std::max(0.0, state(arm).rest) + (exact_ ? 0 : rounding_ * norm(arm));
    const double unread = population_.norm_from(read);
    const double shared = square_ ? std::sqrt(unread * rest) * (1 + 0x1p-50) : std::min(unread, rest);
    return std::min(shared, population_.most_from(read));
}

bool OverlapBox::excluded(std::int32_t arm, std::int64_t read, double tau) const {
    const double needed = (query_.norm() + norm(arm) - tau) / 2 - error(std::abs(tau));
    return needed - state(arm).overlap > reach(arm, read);
}

} // namespace bmo

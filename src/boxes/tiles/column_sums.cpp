#include "boxes/tiles/column_sums.hpp"

#include <algorithm>
#include <cmath>

#include "boxes/metric.hpp"
#include "boxes/tiles/float_pairs.hpp"

namespace bmo {

// change(query, coordinate, value): the value as it is compared.
template <class Value, class Change>
void ColumnSums::take(std::int64_t count, const LoadQuery &load, AlignedVector<Value> &to, Change change) {
    const std::int64_t d = points_.d, groups = (d + kColumns - 1) / kColumns;
    queries_ = numbers_ == Numbers::floats ? count + 1 : count;
    to.assign(static_cast<std::size_t>(groups * queries_ * kColumns), 0);
    query_.resize(static_cast<std::size_t>(d));
    for (std::int64_t q = 0; q < count; ++q) {
        load(q, query_);
        for (std::int64_t j = 0; j < d; ++j) {
            const std::int64_t at = (j / kColumns * queries_ + q) * kColumns + j % kColumns;
            to[static_cast<std::size_t>(at)] = static_cast<Value>(change(q, j, query_[static_cast<std::size_t>(j)]));
        }
    }
    sums_.resize(static_cast<std::size_t>(queries_ * stride()));
}

void ColumnSums::take_doubles(std::int64_t count, const LoadQuery &load, double scale) {
    numbers_ = Numbers::doubles;
    scale_ = scale;
    take(count, load, values_, [&](std::int64_t, std::int64_t, double value) { return value * scale; });
}

void ColumnSums::take_floats(std::int64_t count, const LoadQuery &load, double scale) {
    numbers_ = Numbers::floats;
    scale_ = scale;
    if (middle_.empty()) {
        middle_ = middle_of(points_);
        middle_.insert(middle_.end(), std::size_t{2} * kColumns, 0.0); // of columns behind the last one
    }
    norms_.assign(static_cast<std::size_t>(count), 0);
    take(count, load, float_values_, [&](std::int64_t q, std::int64_t j, double value) {
        const auto shifted = static_cast<float>((value - middle_[static_cast<std::size_t>(j)]) * scale);
        norms_[static_cast<std::size_t>(q)] += static_cast<double>(std::abs(shifted));
        return shifted;
    });
    float_sums_.resize(sums_.size());
}

void ColumnSums::take_bytes(std::int64_t count, const LoadQuery &load) {
    numbers_ = Numbers::bytes;
    take(count, load, byte_values_, [](std::int64_t, std::int64_t, double value) { return value; });
    byte_sums_.resize(sums_.size());
}

std::array<const void *, kColumns> ColumnSums::columns(std::int64_t first, std::int64_t from) const {
    // Of columns behind the last one terms are 0, as the values of the queries are there.
    alignas(64) static constexpr double kZeros[kMostPoints] = {};
    std::array<const void *, kColumns> found;
    visit_stored(points_.dtype, [&]<class T>(const T *) {
        for (std::int64_t j = 0; j < kColumns; ++j)
            found[static_cast<std::size_t>(j)] = from + j < points_.d
                                                     ? points_.point<T>(first) + (from + j) * points_.coord_stride
                                                     : static_cast<const void *>(kZeros);
    });
    return found;
}

template <class Value, class Sum>
void ColumnSums::add_chunk(void (*kernel)(const ColumnTile &, const Value *, Sum *), const AlignedVector<Value> &values,
                           std::int64_t first, std::int64_t from, std::int64_t to, AlignedVector<Sum> &sums,
                           Watch &watch) const {
    ColumnTile tile{columns(first, from), {}, count_, queries_, stride(), scale_, {}};
    std::ranges::fill(sums, Sum{0});
    for (std::int64_t j = from; j < to; j += kColumns) {
        watch.poll();
        tile.next = columns(first, j + kColumns);
        if (numbers_ == Numbers::floats)
            std::copy_n(middle_.begin() + j, kColumns, tile.middle.begin());
        kernel(tile, values.data() + j * queries_, sums.data());
        tile.columns = tile.next;
    }
}

void ColumnSums::add_up(std::int64_t first, Watch &watch) {
    const auto source = static_cast<std::size_t>(value_type_of(points_.dtype)), term = static_cast<std::size_t>(term_);
    const std::int64_t d = points_.d;
    count_ = std::min(block_points(), points_.n - first);
    if (numbers_ == Numbers::doubles)
        return add_chunk(kernels().add_columns[source][term], values_, first, 0, d, sums_, watch);
    if (numbers_ == Numbers::floats) {
        add_chunk(kernels().add_float_columns[source], float_values_, first, 0, d, float_sums_, watch);
        std::ranges::copy(float_sums_, sums_.begin());
        return;
    }
    std::ranges::fill(sums_, 0.0);
    for (std::int64_t from = 0; from < d; from += kTileChunk) {
        add_chunk(kernels().add_byte_columns[term], byte_values_, first, from, std::min(d, from + kTileChunk),
                  byte_sums_, watch);
        std::ranges::transform(sums_, byte_sums_, sums_.begin(),
                               [](double sum, std::int32_t more) { return sum + more; });
    }
}

} // namespace bmo

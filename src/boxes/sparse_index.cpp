#include "boxes/sparse_index.hpp"

#include <cmath>

#include "boxes/metric.hpp"
#include "boxes/order.hpp"
#include "util/stopwatch.hpp"

namespace bmo {
namespace {

// With more coordinates than this, what is kept for each takes more memory than the entries: only those that have
// entries are numbered then.
std::int64_t most_coordinates(std::int64_t nnz) {
    return 4 * nnz + (std::int64_t{1} << 20);
}

std::vector<std::int32_t> present_coordinates(const SparseView &points) {
    std::vector<std::int32_t> present(points.indices, points.indices + points.nnz());
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    return present;
}

template <class T>
class Builder {
public:
    Builder(SparseIndex &index, const SparseView &points, Watch &watch)
        : index_(index), points_(points), watch_(watch), values_(points.typed_values<T>()) {}

    void build(std::int64_t seed) {
        number(seed);
        watch_.begin(BMO_PHASE_PREPARE, 2 * points_.n);
        count();
        place_by_rank();
        place_by_row();
        copy_counts();
        watch_.finish();
    }

private:
    template <class Visit>
    void for_rows(Visit visit) {
        for (std::int64_t i = 0; i < points_.n; ++i) {
            if (i % 64 == 0)
                watch_.poll();
            visit(i, points_.first(i), points_.first(i + 1));
            watch_.advance(1);
        }
    }

    void number(std::int64_t seed) {
        std::int64_t coordinates = points_.d;
        if (coordinates > most_coordinates(points_.nnz())) {
            index_.present = present_coordinates(points_);
            coordinates = static_cast<std::int64_t>(index_.present.size());
        }
        const Order order = random_order(coordinates, seed);
        index_.rank.resize(order.size());
        for (std::size_t t = 0; t < order.size(); ++t)
            index_.rank[static_cast<std::size_t>(order[t])] = static_cast<std::int32_t>(t);
        index_.summary.resize(order.size());
        index_.rank_first.assign(order.size() + 1, 0);
    }

    std::size_t rank_of_entry(std::int64_t k) const {
        return static_cast<std::size_t>(index_.rank_of(points_.indices[k]));
    }

    // What is known of each point and each coordinate, and how many entries each has.
    void count() {
        index_.norm1.reserve(static_cast<std::size_t>(points_.n));
        index_.norm2.reserve(static_cast<std::size_t>(points_.n));
        for_rows([&](std::int64_t, std::int64_t first, std::int64_t last) {
            double norm1 = 0, norm2 = 0;
            for (std::int64_t k = first; k < last; ++k) {
                const auto value = static_cast<double>(values_[k]), size = std::abs(value);
                norm1 += size * index_.scale;
                norm2 += size * index_.scale * (size * index_.scale);
                index_.integers = index_.integers && value == std::floor(value);
                const std::size_t t = rank_of_entry(k);
                ++index_.rank_first[t + 1];
                double &largest = index_.summary[t].largest[value < 0 ? 1 : 0];
                largest = std::max(largest, size);
                index_.summary[t].sum_abs += size * index_.scale;
            }
            index_.norm1.push_back(norm1);
            index_.norm2.push_back(norm2);
            index_.largest_norm1 = std::max(index_.largest_norm1, norm1);
            index_.largest_norm2 = std::max(index_.largest_norm2, norm2);
            index_.largest_entries = std::max(index_.largest_entries, last - first);
        });
        for (std::size_t t = 0; t < index_.rank.size(); ++t)
            index_.rank_first[t + 1] += index_.rank_first[t];
    }

    void place_by_rank() {
        index_.rank_arm.resize(static_cast<std::size_t>(points_.nnz()));
        index_.rank_value.typed<T>().resize(static_cast<std::size_t>(points_.nnz()));
        std::vector<std::int64_t> next(index_.rank_first.begin(), index_.rank_first.end() - 1);
        for_rows([&](std::int64_t i, std::int64_t first, std::int64_t last) {
            for (std::int64_t k = first; k < last; ++k) {
                const auto to = static_cast<std::size_t>(next[rank_of_entry(k)]++);
                index_.rank_arm[to] = static_cast<std::int32_t>(i);
                index_.rank_value.typed<T>()[to] = values_[k];
            }
        });
    }

    // By ascending rank, so that each row's entries come to lie in that order.
    void place_by_row() {
        index_.row_rank.resize(static_cast<std::size_t>(points_.nnz()));
        index_.row_value.typed<T>().resize(static_cast<std::size_t>(points_.nnz()));
        std::vector<std::int64_t> next(static_cast<std::size_t>(points_.n));
        for (std::int64_t i = 0; i < points_.n; ++i)
            next[static_cast<std::size_t>(i)] = points_.first(i);
        for (std::size_t t = 0; t < index_.rank.size(); ++t) {
            if (t % 1024 == 0)
                watch_.poll();
            for (auto k = static_cast<std::size_t>(index_.rank_first[t]);
                 k < static_cast<std::size_t>(index_.rank_first[t + 1]); ++k) {
                const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(index_.rank_arm[k])]++);
                index_.row_rank[to] = static_cast<std::int32_t>(t);
                index_.row_value.typed<T>()[to] = index_.rank_value.typed<T>()[k];
            }
        }
    }

    // The largest of a rank's entries; 0 where one is no count that a byte holds.
    std::uint8_t largest_count(std::int32_t t) const {
        double largest = 0;
        for (std::int64_t k = index_.rank_first[static_cast<std::size_t>(t)]; k < rank_end(t); ++k) {
            const auto value = static_cast<double>(rank_values()[k]);
            if (!(value >= 1 && value <= 255 && value == std::floor(value)))
                return 0;
            largest = std::max(largest, value);
        }
        return static_cast<std::uint8_t>(largest);
    }

    std::int64_t rank_end(std::int32_t t) const { return index_.rank_first[static_cast<std::size_t>(t) + 1]; }
    const T *rank_values() const { return index_.rank_value.data<T>(); }

    void copy_counts() {
        CountColumns &counts = index_.counts;
        counts.points = points_.n;
        counts.stride = (points_.n + kColumnStep - 1) / kColumnStep * kColumnStep;
        counts.place.assign(static_cast<std::size_t>(index_.ranks()), -1);
        for (std::int32_t t = 0; t < index_.ranks(); ++t)
            if (const std::uint8_t largest = is_full_column(index_.entries(t), points_.n) ? largest_count(t) : 0) {
                counts.place[static_cast<std::size_t>(t)] = static_cast<std::int32_t>(counts.largest.size());
                counts.largest.push_back(largest);
                index_.counted += index_.entries(t);
            }
        counts.bytes.assign(counts.largest.size() * static_cast<std::size_t>(counts.stride), 0);
        for (std::int32_t t = 0; t < index_.ranks(); ++t) {
            watch_.poll();
            if (const std::int32_t place = counts.place[static_cast<std::size_t>(t)]; place >= 0)
                for (std::int64_t k = index_.rank_first[static_cast<std::size_t>(t)]; k < rank_end(t); ++k)
                    counts.column(place)[index_.rank_arm[static_cast<std::size_t>(k)]] =
                        static_cast<std::uint8_t>(rank_values()[k]);
        }
    }

    SparseIndex &index_;
    const SparseView &points_;
    Watch &watch_;
    const T *values_;
};

template <class T, class Allocator>
std::uint64_t bytes_of(const std::vector<T, Allocator> &values) {
    return values.size() * sizeof(T);
}

} // namespace

std::shared_ptr<SparseIndex> build_sparse_index(const Dataset &data, std::int64_t seed, Watch &watch) {
    const Stopwatch stopwatch;
    auto index = std::make_shared<SparseIndex>();
    index->seed = seed;
    index->scale = summing_scale(data.max_abs, 2, data.d());
    visit_values(data.sparse, [&]<class T>(const T *) { Builder<T>(*index, data.sparse, watch).build(seed); });
    index->bytes = bytes_of(index->present) + bytes_of(index->rank) + bytes_of(index->rank_first) +
                   bytes_of(index->rank_arm) + bytes_of(index->rank_value.floats) +
                   bytes_of(index->rank_value.doubles) + bytes_of(index->row_rank) + bytes_of(index->row_value.floats) +
                   bytes_of(index->row_value.doubles) + bytes_of(index->summary) + bytes_of(index->norm1) +
                   bytes_of(index->norm2) + index->counts.memory();
    index->prepare_ns = stopwatch.ns();
    return index;
}

std::shared_ptr<const Preparation> prepare_sparse(const Dataset &source, const Settings &settings, int, Watch &watch) {
    auto index = build_sparse_index(source, settings.seed, watch);
    index->box = settings.box;
    return index;
}

} // namespace bmo

#include "boxes/sparse/sparse_index.hpp"

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

// By parts, and then pairs of sorted parts, so that the watch is polled in between.
void sort_polling(std::vector<std::int32_t> &values, Watch &watch) {
    constexpr std::size_t kPart = std::size_t{1} << 16;
    const auto at = [&](std::size_t place) {
        return values.begin() + static_cast<std::ptrdiff_t>(std::min(place, values.size()));
    };
    for (std::size_t first = 0; first < values.size(); first += kPart) {
        watch.poll();
        std::sort(at(first), at(first + kPart));
    }
    for (std::size_t part = kPart; part < values.size(); part *= 2)
        for (std::size_t first = 0; first < values.size(); first += 2 * part) {
            watch.poll();
            std::inplace_merge(at(first), at(first + part), at(first + 2 * part));
        }
}

std::vector<std::int32_t> present_coordinates(const SparseView &points, Watch &watch) {
    std::vector<std::int32_t> present(points.indices, points.indices + points.nnz());
    sort_polling(present, watch);
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
        choose_counts();
        if (index_.use == IndexUse::scans)
            keep_the_others();
        place_by_rank();
        if (index_.use == IndexUse::all)
            place_by_row();
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
            index_.present = present_coordinates(points_, watch_);
            coordinates = static_cast<std::int64_t>(index_.present.size());
        }
        watch_.poll();
        const Order order = random_order(coordinates, seed);
        watch_.poll();
        index_.rank.resize(order.size());
        for (std::size_t t = 0; t < order.size(); ++t)
            index_.rank[static_cast<std::size_t>(order[t])] = static_cast<std::int32_t>(t);
        watch_.poll();
        index_.summary.resize(order.size());
        index_.rank_first.assign(order.size() + 1, 0);
        counts_.assign(order.size(), 1);
    }

    static bool is_count(double value) { return value >= 1 && value <= 255 && value == std::floor(value); }

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
                counts_[t] = counts_[t] != 0 && is_count(value) ? 1 : 0;
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

    // Of ranks that are full enough, and hold nothing but counts.
    void choose_counts() {
        CountColumns &counts = index_.counts;
        counts.points = points_.n;
        counts.stride = (points_.n + kColumnStep - 1) / kColumnStep * kColumnStep;
        counts.place.assign(static_cast<std::size_t>(index_.ranks()), -1);
        for (std::int32_t t = 0; t < index_.ranks(); ++t) {
            const auto at = static_cast<std::size_t>(t);
            if (counts_[at] == 0 || index_.entries(t) == 0 || !is_full_column(index_.entries(t), points_.n))
                continue;
            counts.place[at] = static_cast<std::int32_t>(counts.largest.size());
            counts.largest.push_back(static_cast<std::uint8_t>(index_.summary[at].largest[0]));
            index_.counted += index_.entries(t);
        }
        counts.bytes.assign(counts.largest.size() * static_cast<std::size_t>(counts.stride), 0);
    }

    void keep_the_others() {
        index_.kept_first.assign(1, 0);
        for (std::int32_t t = 0; t < index_.ranks(); ++t)
            index_.kept_first.push_back(
                index_.kept_first.back() +
                (index_.counts.place[static_cast<std::size_t>(t)] >= 0 ? 0 : index_.entries(t)));
    }

    void place_by_rank() {
        const std::vector<std::int64_t> &first = index_.stored();
        index_.rank_arm.resize(static_cast<std::size_t>(first.back()));
        index_.rank_value.typed<T>().resize(static_cast<std::size_t>(first.back()));
        std::vector<std::int64_t> next(first.begin(), first.end() - 1);
        for_rows([&](std::int64_t i, std::int64_t from, std::int64_t last) {
            for (std::int64_t k = from; k < last; ++k) {
                const std::size_t t = rank_of_entry(k);
                const std::int32_t place = index_.counts.place[t];
                if (place >= 0)
                    index_.counts.column(place)[i] = static_cast<std::uint8_t>(values_[k]);
                if (place >= 0 && index_.use == IndexUse::scans)
                    continue;
                const auto to = static_cast<std::size_t>(next[t]++);
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

    SparseIndex &index_;
    const SparseView &points_;
    Watch &watch_;
    const T *values_;
    std::vector<std::uint8_t> counts_; // by rank: whether all of its entries are counts
};

template <class T, class Allocator>
std::uint64_t bytes_of(const std::vector<T, Allocator> &values) {
    return values.size() * sizeof(T);
}

} // namespace

std::shared_ptr<SparseIndex> build_sparse_index(const Dataset &data, std::int64_t seed, IndexUse use, Watch &watch) {
    const Stopwatch stopwatch;
    auto index = std::make_shared<SparseIndex>();
    index->use = use;
    index->seed = seed;
    index->scale = summing_scale(data.max_abs, 2, data.d());
    visit_values(data.sparse, [&]<class T>(const T *) { Builder<T>(*index, data.sparse, watch).build(seed); });
    index->bytes = bytes_of(index->present) + bytes_of(index->rank) + bytes_of(index->rank_first) +
                   bytes_of(index->kept_first) + bytes_of(index->rank_arm) + bytes_of(index->rank_value.floats) +
                   bytes_of(index->rank_value.doubles) + bytes_of(index->row_rank) + bytes_of(index->row_value.floats) +
                   bytes_of(index->row_value.doubles) + bytes_of(index->summary) + bytes_of(index->norm1) +
                   bytes_of(index->norm2) + index->counts.memory();
    index->prepare_ns = stopwatch.ns();
    return index;
}

std::shared_ptr<const Preparation> prepare_sparse(const Dataset &source, const Settings &settings, int, Watch &watch) {
    auto index = build_sparse_index(source, settings.seed, IndexUse::all, watch);
    index->box = settings.box;
    return index;
}

} // namespace bmo

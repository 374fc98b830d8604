// Processor time of a query of sparse points, in turns by each way to search, against plain scans that are written here.
//
// usage: sparse_scans FILE [POINTS [QUERIES [SCALE]]]
//
// FILE: sparse points. POINTS: so many are made of its points, each with its entries thinned, as if fewer counts had been
// taken (0: its own points). Queries are points, spread over all. SCALE multiplies every value: with one that is not
// whole they are no counts any more. The scans:
//   scattered  the query in an array by coordinate, and for each point a sum over its entries
//   inverted   sums by point, to which the entries of the query's columns are added
// both with 32-bit indices and float values, in float sums.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "data/sparse_rows.hpp"
#include "search/knn.hpp"
#include "search/preparation.hpp"
#include "util/xoshiro.hpp"

namespace {

constexpr std::int64_t kNeighbors = 5;
constexpr int kTurns = 5;

// Entries of lines: of points by coordinate, or the other way round.
struct Lines {
    std::vector<std::int64_t> first;
    std::vector<std::int32_t> index;
    std::vector<float> value;
};

Lines rows_of(const bmo::SparseView &points) {
    Lines rows;
    for (std::int64_t i = 0; i <= points.n; ++i)
        rows.first.push_back(points.first(i));
    rows.index.assign(points.indices, points.indices + points.nnz());
    for (std::int64_t k = 0; k < points.nnz(); ++k)
        rows.value.push_back(static_cast<float>(points.value(k)));
    return rows;
}

Lines transposed(const Lines &rows, std::int64_t columns) {
    Lines out{std::vector<std::int64_t>(static_cast<std::size_t>(columns) + 1, 0), {}, {}};
    out.index.resize(rows.index.size());
    out.value.resize(rows.value.size());
    for (const std::int32_t j : rows.index)
        ++out.first[static_cast<std::size_t>(j) + 1];
    for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j)
        out.first[j + 1] += out.first[j];
    std::vector<std::int64_t> next(out.first);
    for (std::size_t i = 0; i + 1 < rows.first.size(); ++i)
        for (auto k = static_cast<std::size_t>(rows.first[i]); k < static_cast<std::size_t>(rows.first[i + 1]); ++k) {
            const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(rows.index[k])]++);
            out.index[to] = static_cast<std::int32_t>(i);
            out.value[to] = rows.value[k];
        }
    return out;
}

template <bool square>
float overlap(float a, float b) {
    return square ? a * b : std::min(a, b); // of counts
}

// Both scans find the same overlaps; what is nearest is chosen as simply as can be.
class PlainScans {
public:
    explicit PlainScans(const bmo::SparseView &points)
        : rows_(rows_of(points)), columns_(transposed(rows_, points.d)), query_(static_cast<std::size_t>(points.d), 0),
          overlaps_(static_cast<std::size_t>(points.n)), norms_(overlaps_.size()) {}

    template <bool square>
    double scattered(std::size_t query) {
        for_entries(query, [&](std::size_t k) { query_[static_cast<std::size_t>(rows_.index[k])] = rows_.value[k]; });
        for (std::size_t i = 0; i < overlaps_.size(); ++i) {
            float sum = 0;
            for_entries(i, [&](std::size_t k) {
                sum += overlap<square>(query_[static_cast<std::size_t>(rows_.index[k])], rows_.value[k]);
            });
            overlaps_[i] = sum;
        }
        for_entries(query, [&](std::size_t k) { query_[static_cast<std::size_t>(rows_.index[k])] = 0; });
        return nearest<square>(query);
    }

    template <bool square>
    double inverted(std::size_t query) {
        std::fill(overlaps_.begin(), overlaps_.end(), 0.0F);
        for_entries(query, [&](std::size_t k) {
            const float q = rows_.value[k];
            const auto column = static_cast<std::size_t>(rows_.index[k]);
            for (auto e = static_cast<std::size_t>(columns_.first[column]);
                 e < static_cast<std::size_t>(columns_.first[column + 1]); ++e)
                overlaps_[static_cast<std::size_t>(columns_.index[e])] += overlap<square>(q, columns_.value[e]);
        });
        return nearest<square>(query);
    }

    template <bool square>
    void measure_norms() {
        for (std::size_t i = 0; i < norms_.size(); ++i) {
            norms_[i] = 0;
            for_entries(i, [&](std::size_t k) { norms_[i] += overlap<square>(rows_.value[k], rows_.value[k]); });
        }
    }

private:
    template <class Visit>
    void for_entries(std::size_t row, Visit visit) const {
        for (auto k = static_cast<std::size_t>(rows_.first[row]); k < static_cast<std::size_t>(rows_.first[row + 1]);
             ++k)
            visit(k);
    }

    // The sum of the k least distances.
    template <bool square>
    double nearest(std::size_t query) {
        std::vector<float> distances;
        for (std::size_t i = 0; i < overlaps_.size(); ++i)
            if (i != query)
                distances.push_back(norms_[i] - 2 * overlaps_[i]);
        std::partial_sort(distances.begin(), distances.begin() + kNeighbors, distances.end());
        double sum = 0;
        for (std::size_t r = 0; r < static_cast<std::size_t>(kNeighbors); ++r)
            sum += static_cast<double>(distances[r] + norms_[query]);
        return sum;
    }

    Lines rows_, columns_;
    std::vector<float> query_, overlaps_, norms_;
};

// Each point is one of the given ones, of whose counts a share is left.
std::shared_ptr<const bmo::Dataset> thinned(const bmo::SparseView &given, std::int64_t n) {
    bmo::Xoshiro256pp random(1);
    bmo::SparseRows<float> rows;
    rows.n = n;
    rows.d = given.d;
    rows.pointers.push_back(0);
    for (std::int64_t i = 0; i < n; ++i) {
        const auto from = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(given.n)));
        const std::uint64_t share = 500 + random.below(500); // of 1,000
        for (std::int64_t k = given.first(from); k < given.first(from + 1); ++k) {
            int left = 0;
            for (auto c = static_cast<int>(given.value(k)); c > 0; --c)
                left += random.below(1000) < share ? 1 : 0;
            if (left > 0) {
                rows.indices.push_back(given.indices[k]);
                rows.values.push_back(static_cast<float>(left));
            }
        }
        rows.pointers.push_back(static_cast<std::int64_t>(rows.indices.size()));
    }
    bmo::Watch watch;
    return bmo::adopt_sparse(std::move(rows), "data", watch);
}

std::shared_ptr<const bmo::Dataset> scaled(const bmo::SparseView &given, double scale) {
    bmo::SparseRows<float> rows;
    rows.n = given.n;
    rows.d = given.d;
    for (std::int64_t i = 0; i <= given.n; ++i)
        rows.pointers.push_back(given.first(i));
    rows.indices.assign(given.indices, given.indices + given.nnz());
    for (std::int64_t k = 0; k < given.nnz(); ++k)
        rows.values.push_back(static_cast<float>(given.value(k) * scale));
    bmo::Watch watch;
    return bmo::adopt_sparse(std::move(rows), "data", watch);
}

double seconds_of(const std::function<void()> &run) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    };
    const double start = now();
    run();
    return now() - start;
}

struct Way {
    std::string name;
    std::function<double()> run; // returns the sum of all distances (squared for l2)
    double least = HUGE_VAL, found = 0;
};

// A search of the library, prepared.
std::function<double()> library(const std::shared_ptr<const bmo::Dataset> &data, const std::vector<std::int64_t> &rows,
                                std::int64_t metric, std::int64_t method) {
    bmo::Settings settings;
    settings.metric = metric;
    settings.method = method;
    bmo::Watch creating;
    const auto search = std::make_shared<bmo::KnnSearch>(data, settings, creating);
    return [=, &rows] {
        const bmo::Queries queries{.points = data->points(),
                                   .rows = rows.data(),
                                   .count = static_cast<std::int64_t>(rows.size()),
                                   .own_points = true,
                                   .max_abs = data->max_abs};
        double sum = 0;
        bmo::Watch watch;
        bmo_stats stats{};
        search->run(
            queries, kNeighbors,
            [&](std::int64_t, std::span<const bmo::Neighbor> found, const bmo_row_stats &) {
                for (const bmo::Neighbor &one : found)
                    sum += one.distance;
            },
            watch, stats);
        return sum;
    };
}

template <bool square>
void compare(const std::shared_ptr<const bmo::Dataset> &data, PlainScans &plain,
             const std::vector<std::int64_t> &rows) {
    const std::int64_t metric = square ? BMO_METRIC_SQEUCLIDEAN : BMO_METRIC_L1;
    const auto each = [&rows](auto scan) {
        return [=, &rows] {
            double sum = 0;
            for (const std::int64_t row : rows)
                sum += scan(static_cast<std::size_t>(row));
            return sum;
        };
    };
    plain.measure_norms<square>();
    Way ways[] = {{"scattered", each([&plain](std::size_t row) { return plain.template scattered<square>(row); })},
                  {"inverted", each([&plain](std::size_t row) { return plain.template inverted<square>(row); })},
                  {"method exact", library(data, rows, metric, BMO_METHOD_EXACT)},
                  {"method bandit", library(data, rows, metric, BMO_METHOD_BANDIT)},
                  {"method auto", library(data, rows, metric, BMO_METHOD_AUTO)}};
    for (int turn = 0; turn < kTurns; ++turn)
        for (Way &way : ways)
            way.least = std::min(way.least, seconds_of([&way] { way.found = way.run(); }));
    for (const Way &way : ways)
        std::printf("%-5s %-14s %8.0f us a query, sum of distances %.0f\n", square ? "sqeuclidean" : "l1",
                    way.name.c_str(), way.least / static_cast<double>(rows.size()) * 1e6, way.found);
}

} // namespace

int main(int count, char **words) {
    if (count < 2)
        return std::fprintf(stderr, "usage: sparse_scans FILE [POINTS [QUERIES [SCALE]]]\n"), 2;
    bmo::Watch watch;
    auto data = bmo::open_dataset(words[1], false, watch);
    if (count > 2 && std::atoll(words[2]) > 0)
        data = thinned(data->sparse, std::atoll(words[2]));
    const std::int64_t queries = count > 3 ? std::atoll(words[3]) : 100;
    if (count > 4)
        data = scaled(data->sparse, std::atof(words[4]));
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 0; i < queries; ++i)
        rows.push_back(i * data->n() / queries);
    data = bmo::prepare_dataset(*data, {}, watch);
    std::printf("%lld points, %lld entries, %lld queries\n", static_cast<long long>(data->n()),
                static_cast<long long>(data->nnz()), static_cast<long long>(queries));
    PlainScans plain(data->sparse);
    compare<false>(data, plain, rows);
    compare<true>(data, plain, rows);
}

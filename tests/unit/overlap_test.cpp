// The overlap box and the searches on sparse points, against integer arithmetic over a map of the entries.
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>

#include "boxes/sparse/overlap_box.hpp"
#include "cmocka.hpp"
#include "search/knn.hpp"
#include "sparse_points.hpp"

namespace {

using bmo::kBatch;

constexpr std::int64_t kN = 120, kD = 900;

// Points, queries, and the same as datasets.
template <class Value = float>
struct Case {
    Entries points, queries;
    std::shared_ptr<const bmo::Dataset> data, asked;
    std::int64_t queries_count = 6;

    explicit Case(bool negative, double unit = 1, bmo_dtype dtype = BMO_F32)
        : points(random_entries(kN, kD, negative, 11)), queries(random_entries(6, kD, negative, 12)) {
        for (std::int64_t j = 0; j < kD; ++j) {
            points.erase({3, j});  // an empty point,
            queries.erase({5, j}); // and an empty query
        }
        data = dataset(points, kN, unit, dtype);
        asked = dataset(queries, queries_count, unit, dtype);
    }

    static std::shared_ptr<const bmo::Dataset> dataset(const Entries &entries, std::int64_t n, double unit,
                                                       bmo_dtype dtype) {
        Arrays<std::int64_t, std::int32_t, Value> arrays(entries, n, false, 0);
        for (Value &value : arrays.values)
            value = static_cast<Value>(static_cast<double>(value) * unit);
        bmo::Watch watch;
        return bmo::make_sparse(arrays.input(n, kD, false, 0, dtype), false, nullptr, "data", watch);
    }

    bmo::Queries as_queries() const {
        return {.points = asked->points(), .count = queries_count, .max_abs = asked->max_abs};
    }
};

struct Bound {
    std::shared_ptr<const bmo::SparseIndex> index;
    std::unique_ptr<bmo::OverlapBox> box;

    template <class C>
    Bound(const C &made, std::int64_t metric, std::int64_t seed, std::int64_t query) {
        bmo::Watch watch;
        index = bmo::build_sparse_index(*made.data, seed, bmo::IndexUse::all, watch);
        box = std::make_unique<bmo::OverlapBox>(*made.data, *index, bmo::Metric::from(metric, 2));
        box->bind(made.as_queries(), query);
        box->draw_population();
        box->restart();
        box->read_heavy();
    }
};

// Reads all samples of every arm, by columns or by rows; sums[i] gets those of arm i.
std::vector<double> read_all(bmo::OverlapBox &box, bool by_rows, std::vector<std::vector<float>> *samples = nullptr) {
    std::vector<std::int32_t> arms(static_cast<std::size_t>(kN));
    std::iota(arms.begin(), arms.end(), 0);
    std::vector<double> sums(arms.size(), 0);
    constexpr std::size_t kPart = 50;
    std::vector<float> z((kPart + 1) * kBatch);
    for (std::int64_t first = 0; first < box.population().size(); first += kBatch) {
        if (!by_rows)
            box.start_columns(first);
        for (std::size_t at = 0; at < arms.size(); at += kPart) {
            const std::span<const std::int32_t> some(arms.data() + at, std::min(kPart, arms.size() - at));
            if (by_rows)
                box.read_rows(first, some, z.data());
            else
                box.read_columns(first, some, z.data());
            for (std::size_t i = 0; i < some.size(); ++i)
                for (std::size_t j = 0; j < static_cast<std::size_t>(kBatch); ++j) {
                    const float sample = z[i * static_cast<std::size_t>(kBatch) + j];
                    assert_true(sample >= 0);
                    sums[at + i] += static_cast<double>(sample) / box.population().unit();
                    if (samples)
                        (*samples)[at + i].push_back(sample);
                }
        }
    }
    return sums;
}

// With tau the distance of an arm, its samples and what is known add up to the target: no more, no less.
void the_samples_of_an_arm_add_up_to_its_distance(void **) {
    for (const bool negative : {false, true})
        for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_SQEUCLIDEAN})
            for (const bool by_rows : {false, true}) {
                const Case<> made(negative);
                for (std::int64_t query = 0; query < made.queries_count; ++query) {
                    Bound bound(made, metric, 77, query);
                    bmo::OverlapBox &box = *bound.box;
                    assert_true(box.exact());
                    std::vector<double> total;
                    for (std::int32_t arm = 0; arm < kN; ++arm)
                        total.push_back(box.start_sum(arm));
                    const std::vector<double> sampled = read_all(box, by_rows);
                    for (std::int32_t arm = 0; arm < kN; ++arm) {
                        const auto tau = static_cast<double>(
                            sum_between(made.queries, query, made.points, arm, kD, metric == BMO_METRIC_SQEUCLIDEAN));
                        const auto i = static_cast<std::size_t>(arm);
                        assert_true(total[i] + sampled[i] == box.target(tau));
                        assert_true(box.overlap_sum(arm) == tau);
                        assert_true(box.difference_sum(arm) == tau);
                    }
                }
            }
}

void columns_and_rows_have_the_same_samples(void **) {
    const Case<> made(true);
    for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_SQEUCLIDEAN}) {
        std::vector<std::vector<float>> by_columns(kN), by_rows(kN);
        Bound first(made, metric, 3, 0), second(made, metric, 3, 0);
        read_all(*first.box, false, &by_columns);
        read_all(*second.box, true, &by_rows);
        assert_true(by_columns == by_rows);
        assert_true(first.box->population().size() > 2 * kBatch);
    }
}

// At every stage: the bound excludes no arm whose distance is tau, and in the end excludes it below.
void a_bound_never_excludes_what_is_within_tau(void **) {
    for (const bool negative : {false, true})
        for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_SQEUCLIDEAN}) {
            const Case<> made(negative);
            Bound bound(made, metric, 9, 1);
            bmo::OverlapBox &box = *bound.box;
            std::vector<double> tau;
            for (std::int32_t arm = 0; arm < kN; ++arm)
                tau.push_back(static_cast<double>(
                    sum_between(made.queries, 1, made.points, arm, kD, metric == BMO_METRIC_SQEUCLIDEAN)));
            std::vector<std::int32_t> arms(static_cast<std::size_t>(kN));
            std::iota(arms.begin(), arms.end(), 0);
            std::vector<float> z(static_cast<std::size_t>((kN + 1) * kBatch));
            std::int64_t excluded_early = 0;
            for (std::int64_t read = 0;; read += kBatch) {
                for (const std::int32_t arm : arms) {
                    const double exact = tau[static_cast<std::size_t>(arm)];
                    assert_false(box.excluded(arm, std::min(read, box.population().size()), exact));
                    excluded_early += box.excluded(arm, std::min(read, box.population().size()), exact / 4);
                }
                if (read >= box.population().size())
                    break;
                box.read_rows(read, arms, z.data());
            }
            assert_true(excluded_early > 0);
            for (const std::int32_t arm : arms)
                if (tau[static_cast<std::size_t>(arm)] > 0)
                    assert_true(box.excluded(arm, box.population().size(), tau[static_cast<std::size_t>(arm)] - 1));
        }
}

// The population's order is random: over seeds, each of its coordinates comes first about as often.
void every_sample_comes_first_as_often(void **) {
    constexpr std::int64_t kSeeds = 4000;
    std::map<std::int32_t, std::int64_t> first;
    std::int64_t size = 0;
    Entries few; // of 64 coordinates, so that there are many counts of each
    for (std::int32_t j = 0; j < 64; ++j) {
        few[{0, j}] = 1;
        few[{1, j}] = 1;
    }
    const Arrays<std::int64_t, std::int32_t, float> arrays(few, 2, false, 0);
    bmo::Watch watch;
    const auto data = bmo::make_sparse(arrays.input(2, 64, false, 0, BMO_F32), false, nullptr, "data", watch);
    for (std::int64_t seed = 0; seed < kSeeds; ++seed) {
        const auto index = bmo::build_sparse_index(*data, seed, bmo::IndexUse::all, watch);
        bmo::OverlapBox box(*data, *index, bmo::Metric::from(BMO_METRIC_L1, 2));
        box.bind({.points = data->points(), .count = 2, .max_abs = 1}, 0);
        box.draw_population();
        size = box.population().size();
        ++first[box.population().samples().front()];
    }
    assert_int_equal(size, 48);
    const double expected = static_cast<double>(kSeeds) / static_cast<double>(size);
    double squares = 0;
    for (const auto &[position, count] : first)
        squares += (static_cast<double>(count) - expected) * (static_cast<double>(count) - expected) / expected;
    assert_int_equal(static_cast<std::int64_t>(first.size()), size);
    assert_true(squares < 110); // chi square, 47 degrees: above it with probability below 1e-6
}

struct Answer {
    std::vector<std::int64_t> index;
    std::vector<double> distance;
};

std::vector<Answer> search(const std::shared_ptr<const bmo::Dataset> &data, bmo::Queries queries, std::int64_t k,
                           const bmo::Settings &settings, bmo_stats *stats = nullptr) {
    std::vector<Answer> answers(static_cast<std::size_t>(queries.count));
    bmo::Watch watch;
    bmo_stats local{};
    const bmo::KnnSearch knn(data, settings, watch);
    knn.run(
        queries, k,
        [&](std::int64_t query, std::span<const bmo::Neighbor> neighbors, const bmo_row_stats &) {
            for (const bmo::Neighbor &neighbor : neighbors) {
                answers[static_cast<std::size_t>(query)].index.push_back(neighbor.index);
                answers[static_cast<std::size_t>(query)].distance.push_back(neighbor.distance);
            }
        },
        watch, stats ? *stats : local);
    return answers;
}

// The k least of (sum, index).
std::vector<std::pair<std::int64_t, std::int64_t>> nearest(const Entries &queries, std::int64_t query,
                                                           const Entries &points, std::int64_t k, bool square) {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    for (std::int64_t i = 0; i < kN; ++i)
        all.emplace_back(sum_between(queries, query, points, i, kD, square), i);
    std::sort(all.begin(), all.end());
    all.resize(static_cast<std::size_t>(k));
    return all;
}

bmo::Settings settings_of(std::int64_t metric, std::int64_t method) {
    bmo::Settings settings;
    settings.metric = metric;
    settings.method = method;
    settings.delta = 1e-6;
    settings.seed = 4;
    return settings;
}

void searches_find_the_nearest(void **) {
    constexpr std::int64_t kK = 7;
    for (const bool negative : {false, true}) {
        const Case<> made(negative);
        std::vector<float> dense(static_cast<std::size_t>(made.queries_count * kD));
        for (const auto &[place, value] : made.queries)
            dense[static_cast<std::size_t>(place.first * kD + place.second)] = static_cast<float>(value);
        bmo::Queries as_dense = made.as_queries();
        as_dense.points = bmo::row_major(BMO_F32, dense.data(), made.queries_count, kD);
        for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_SQEUCLIDEAN})
            for (const std::int64_t method : {BMO_METHOD_BANDIT, BMO_METHOD_EXACT, BMO_METHOD_AUTO})
                for (const bmo::Queries &queries : {made.as_queries(), as_dense}) {
                    const auto answers = search(made.data, queries, kK, settings_of(metric, method));
                    for (std::int64_t query = 0; query < made.queries_count; ++query) {
                        const auto expected =
                            nearest(made.queries, query, made.points, kK, metric == BMO_METRIC_SQEUCLIDEAN);
                        const Answer &answer = answers[static_cast<std::size_t>(query)];
                        for (std::size_t r = 0; r < static_cast<std::size_t>(kK); ++r) {
                            assert_int_equal(answer.index[r], expected[r].second);
                            assert_true(answer.distance[r] == static_cast<double>(expected[r].first));
                        }
                    }
                }
    }
}

// Values that are no integers, and large or small ones: distances come from differences.
void other_values_have_accurate_distances(void **) {
    constexpr std::int64_t kK = 5;
    for (const double unit : {0.1, 1e-3, 1e150, 1e-150, 1e-300}) {
        const Case<double> made(true, unit, BMO_F64);
        for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_L2})
            for (const std::int64_t method : {BMO_METHOD_BANDIT, BMO_METHOD_EXACT}) {
                const auto answers = search(made.data, made.as_queries(), kK, settings_of(metric, method));
                for (std::int64_t query = 0; query < made.queries_count; ++query) {
                    const auto expected = nearest(made.queries, query, made.points, kK, metric == BMO_METRIC_L2);
                    for (std::size_t r = 0; r < static_cast<std::size_t>(kK); ++r) {
                        const auto sum = static_cast<double>(expected[r].first);
                        const double distance = (metric == BMO_METRIC_L2 ? std::sqrt(sum) : sum) * unit;
                        const double got = answers[static_cast<std::size_t>(query)].distance[r];
                        assert_true(std::abs(got - distance) <= 1e-12 * distance);
                    }
                }
            }
    }
}

void the_graph_leaves_each_point_out(void **) {
    const Case<> made(false);
    const bmo::Queries own{
        .points = made.data->points(), .count = kN, .own_points = true, .max_abs = made.data->max_abs};
    for (const std::int64_t method : {BMO_METHOD_BANDIT, BMO_METHOD_EXACT}) {
        const auto answers = search(made.data, own, 1, settings_of(BMO_METRIC_L1, method));
        for (std::int64_t i = 0; i < kN; ++i) {
            std::pair<std::int64_t, std::int64_t> best{INT64_MAX, -1};
            for (std::int64_t j = 0; j < kN; ++j)
                if (j != i)
                    best = std::min(best, {sum_between(made.points, i, made.points, j, kD, false), j});
            assert_int_equal(answers[static_cast<std::size_t>(i)].index[0], best.second);
        }
    }
}

void lp_is_scanned(void **) {
    const Case<> made(true);
    bmo::Settings settings = settings_of(BMO_METRIC_LP, BMO_METHOD_AUTO);
    settings.p = 3;
    bmo_stats stats{};
    const auto answers = search(made.data, made.as_queries(), 1, settings, &stats);
    assert_int_equal(stats.method, BMO_METHOD_EXACT);
    assert_int_equal(stats.guarantee, BMO_GUARANTEE_EXACT);
    for (std::int64_t query = 0; query < made.queries_count; ++query) {
        std::int64_t least = INT64_MAX;
        for (std::int64_t i = 0; i < kN; ++i) {
            std::int64_t sum = 0;
            for (std::int64_t j = 0; j < kD; ++j) {
                const std::int64_t size = std::abs(value_at(made.queries, query, j) - value_at(made.points, i, j));
                sum += size * size * size;
            }
            least = std::min(least, sum);
        }
        const double expected = std::cbrt(static_cast<double>(least));
        assert_true(std::abs(answers[static_cast<std::size_t>(query)].distance[0] - expected) <= 1e-12 * expected);
    }
    settings.method = BMO_METHOD_BANDIT;
    assert_int_equal(failure_of([&] { search(made.data, made.as_queries(), 1, settings); }).status, BMO_EINVAL);
}

// Points of so many entries in 1,024 coordinates that each about as many of them have: random multiples of a unit from 1 to
// 255. In groups: those of each group of 256 points differ in an eighth of their entries alone.
std::shared_ptr<const bmo::Dataset> even_points(std::int64_t n, std::int64_t entries, bool in_groups, float unit) {
    constexpr std::int64_t kWide = 1024;
    const std::int64_t groups = in_groups ? n / 256 : n;
    std::vector<std::int64_t> pointers{0};
    std::vector<std::int32_t> indices;
    std::vector<float> values;
    bmo::Xoshiro256pp own(17);
    for (std::int64_t i = 0; i < n; ++i) {
        bmo::Xoshiro256pp of_group(static_cast<std::uint64_t>(i % groups));
        const auto first = static_cast<std::int64_t>(of_group.below(kWide));
        for (std::int64_t e = 0; e < entries; ++e) {
            const std::uint64_t usual = of_group.below(255), another = own.below(255);
            indices.push_back(static_cast<std::int32_t>((first + e) % kWide));
            values.push_back(unit * static_cast<float>(1 + (own.below(8) == 0 ? another : usual)));
        }
        pointers.push_back(static_cast<std::int64_t>(indices.size()));
    }
    bmo::Watch watch;
    return bmo::make_sparse({.pointer_dtype = BMO_I64,
                             .index_dtype = BMO_I32,
                             .value_dtype = BMO_F32,
                             .n = n,
                             .d = kWide,
                             .nnz = static_cast<std::int64_t>(indices.size()),
                             .pointers = pointers.data(),
                             .indices = indices.data(),
                             .values = values.data()},
                            false, nullptr, "data", watch);
}

// What docs/combinations.md says of sparse points.
void auto_scans_what_is_small(void **) {
    const struct {
        std::int64_t n, entries;
        bool in_groups;
        float unit;
        std::int64_t queries, k, method;
        bool tried;
    } cases[] = {{16384, 800, true, 0.5F, 64, 5, BMO_METHOD_BANDIT, true},
                 {16384, 300, false, 0.5F, 64, 5, BMO_METHOD_EXACT, true},
                 {16383, 300, true, 0.5F, 64, 5, BMO_METHOD_EXACT, false},
                 {16384, 250, true, 0.5F, 64, 5, BMO_METHOD_EXACT, false},
                 {16384, 300, true, 0.5F, 64, 410, BMO_METHOD_EXACT, false},
                 {16384, 300, true, 0.5F, 63, 5, BMO_METHOD_EXACT, false}};
    for (const auto &[n, entries, in_groups, unit, queries, k, method, tried] : cases) {
        const auto data = even_points(n, entries, in_groups, unit);
        bmo_stats stats{};
        search(data, {.points = data->points(), .count = queries, .own_points = true, .max_abs = data->max_abs}, k,
               settings_of(BMO_METRIC_L1, BMO_METHOD_AUTO), &stats);
        assert_int_equal(stats.method, method);
        assert_int_equal(stats.guarantee == BMO_GUARANTEE_EXACT, method == BMO_METHOD_EXACT);
        assert_int_equal(stats.pulls > 0, tried);
        assert_true(std::string(stats.reason).starts_with(method == BMO_METHOD_EXACT ? "exact: " : "bandit: "));
    }
}

void operations_are_entries(void **) {
    const Case<> made(false);
    bmo_stats stats{};
    search(made.data, made.as_queries(), 3, settings_of(BMO_METRIC_L1, BMO_METHOD_EXACT), &stats);
    std::uint64_t brute = 0, by_columns = 0;
    for (std::int64_t query = 0; query < made.queries_count; ++query)
        for (std::int64_t j = 0; j < kD; ++j)
            if (value_at(made.queries, query, j) != 0) {
                brute += static_cast<std::uint64_t>(kN);
                for (std::int64_t i = 0; i < kN; ++i)
                    by_columns += value_at(made.points, i, j) != 0;
            }
    brute += static_cast<std::uint64_t>(made.queries_count) * static_cast<std::uint64_t>(made.points.size());
    assert_int_equal(stats.coord_ops_brute, brute);
    assert_in_range(stats.coord_ops, 1, made.points.size() * static_cast<std::uint64_t>(made.queries_count));
    assert_true(stats.coord_ops >= by_columns);
    search(made.data, made.as_queries(), 3, settings_of(BMO_METRIC_L1, BMO_METHOD_BANDIT), &stats);
    assert_in_range(stats.coord_ops, 1, made.points.size() * static_cast<std::uint64_t>(made.queries_count));
}

// Points that samples and norms do not tell apart, of values that are no integers, and what a scan of them reads.
struct Alike {
    std::int64_t d;
    std::shared_ptr<const bmo::Dataset> data;
    std::int64_t entries = 0;

    // Each point has the same `wide` values; shared(i) of them are at the coordinates that the first point has them at.
    Alike(std::int64_t n, std::int64_t coordinates, std::int64_t wide,
          const std::function<std::int64_t(std::int64_t)> &shared)
        : d(coordinates) {
        Entries all;
        bmo::Xoshiro256pp random(5);
        for (std::int64_t i = 0; i < n; ++i) {
            std::vector<std::int64_t> others;
            for (std::int64_t j = wide; j < d; ++j)
                others.push_back(j);
            for (std::int64_t e = 0; e < wide; ++e) {
                const std::size_t drawn = static_cast<std::size_t>(random.below(others.size()));
                all[{i, e < shared(i) ? e : others[drawn]}] = 1 + e % 3;
                others.erase(others.begin() + static_cast<std::ptrdiff_t>(drawn));
            }
        }
        entries = static_cast<std::int64_t>(all.size());
        Arrays<std::int64_t, std::int32_t, double> arrays(all, n, false, 0);
        for (double &value : arrays.values)
            value *= 0.1;
        bmo::Watch watch;
        data = bmo::make_sparse(arrays.input(n, d, false, 0, BMO_F64), false, nullptr, "data", watch);
    }
    std::uint64_t operations_of_scan(bool own) const {
        const std::int64_t wide = entries / data->n(), candidates = data->n() - (own ? 1 : 0);
        return static_cast<std::uint64_t>(2 * wide * candidates);
    }
};

// However alike the points are: a scan reads no more than the entries of the query and of each point, and a race at most 1.1
// times that. The points have the same entries in other places, or none of them, or half of them do.
void no_search_reads_more_than_the_bound(void **) {
    const struct {
        std::int64_t n, d, wide;
        std::function<std::int64_t(std::int64_t)> shared;
    } cases[] = {{60, 200, 90, [](std::int64_t) { return 90; }},
                 {60, 400, 90, [](std::int64_t) { return 40; }},
                 {60, 4000, 150, [](std::int64_t i) { return i < 30 ? 150 : 2; }},
                 {60, 4000, 150, [](std::int64_t i) { return i < 30 ? 140 - i : 0; }},
                 {60, 400, 40, [](std::int64_t) { return 40; }},
                 {2, 400, 90, [](std::int64_t) { return 60; }},
                 {40, 700, 60, [](std::int64_t i) { return 16 + i; }}};
    for (const auto &[n, d, wide, shared] : cases) {
        const Alike made(n, d, wide, shared);
        const std::int64_t row = 0;
        for (const bool own : {false, true})
            for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_L2})
                for (const std::int64_t k : {std::int64_t{1}, n / 2, n - 1})
                    for (const std::int64_t method : {BMO_METHOD_EXACT, BMO_METHOD_BANDIT}) {
                        bmo_stats stats{};
                        search(made.data,
                               {.points = made.data->points(),
                                .rows = &row,
                                .count = 1,
                                .own_points = own,
                                .max_abs = made.data->max_abs},
                               k, settings_of(metric, method), &stats);
                        assert_int_equal(stats.coord_ops_brute, made.operations_of_scan(own));
                        const double most = method == BMO_METHOD_EXACT ? 1 : 1.1;
                        assert_true(static_cast<double>(stats.coord_ops) <=
                                    most * static_cast<double>(made.operations_of_scan(own)));
                    }
    }
}

// Where the distance of every point is computed from differences, that is what it takes, by columns and by rows.
void a_scan_of_equal_points_reads_each_entry_once(void **) {
    for (const std::int64_t d : {200, 2000}) {
        const Alike made(50, d, 90, [](std::int64_t) { return 90; });
        const std::int64_t row = 0;
        for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_L2}) {
            bmo_stats stats{};
            search(made.data, {.points = made.data->points(), .rows = &row, .count = 1, .max_abs = made.data->max_abs},
                   50, settings_of(metric, BMO_METHOD_EXACT), &stats);
            assert_int_equal(stats.exact_evals, 50);
            assert_int_equal(stats.coord_ops, made.operations_of_scan(false));
        }
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_samples_of_an_arm_add_up_to_its_distance),
        cmocka_unit_test(columns_and_rows_have_the_same_samples),
        cmocka_unit_test(a_bound_never_excludes_what_is_within_tau),
        cmocka_unit_test(every_sample_comes_first_as_often),
        cmocka_unit_test(searches_find_the_nearest),
        cmocka_unit_test(other_values_have_accurate_distances),
        cmocka_unit_test(the_graph_leaves_each_point_out),
        cmocka_unit_test(lp_is_scanned),
        cmocka_unit_test(auto_scans_what_is_small),
        cmocka_unit_test(operations_are_entries),
        cmocka_unit_test(no_search_reads_more_than_the_bound),
        cmocka_unit_test(a_scan_of_equal_points_reads_each_entry_once),
    };
    return cmocka_run_group_tests_name("overlap", tests, nullptr, nullptr);
}

// Searches of sparse points, against integer arithmetic over a map of the entries.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "cmocka.hpp"
#include "search/knn.hpp"
#include "sparse_case.hpp"

namespace sparse_search_test {

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
        assert_int_equal(stats.coord_ops_sampled > 0, tried);
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

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(searches_find_the_nearest),
        cmocka_unit_test(other_values_have_accurate_distances),
        cmocka_unit_test(the_graph_leaves_each_point_out),
        cmocka_unit_test(lp_is_scanned),
        cmocka_unit_test(auto_scans_what_is_small),
        cmocka_unit_test(operations_are_entries),
        cmocka_unit_test(no_search_reads_more_than_the_bound),
        cmocka_unit_test(a_scan_of_equal_points_reads_each_entry_once),
    };
    return cmocka_run_group_tests_name("sparse_search", tests, nullptr, nullptr);
}

} // namespace sparse_search_test

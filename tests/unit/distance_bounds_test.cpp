// Bounds of many distances at once: each holds its distance, as long double has it, and is near it. Points in columns give the
// answers of points in rows.
#include "cmocka.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "data/dataset.hpp"
#include "exact_scan.hpp"
#include "search/clusters/kmeans.hpp"
#include "search/knn.hpp"
#include "search/medoid/distance_rows.hpp"
#include "search/medoid/medoid.hpp"
#include "search/worker.hpp"
#include "util/xoshiro.hpp"

namespace distance_bounds_test {

constexpr std::int64_t kN = 150, kD = 310;
constexpr std::int64_t kMetrics[] = {BMO_METRIC_L2, BMO_METRIC_SQEUCLIDEAN, BMO_METRIC_L1, BMO_METRIC_COSINE};

// Whole numbers from 0 to 255, from `offset` on, times `scale`; point 7 is 0, and point 9 equals point 3.
std::vector<double> made_points(double offset, double scale) {
    bmo::Xoshiro256pp random(5);
    std::vector<double> values;
    for (std::int64_t i = 0; i < kN * kD; ++i)
        values.push_back((offset + static_cast<double>(random.below(256))) * scale);
    std::fill_n(values.begin() + 7 * kD, kD, 0);
    std::copy_n(values.begin() + 3 * kD, kD, values.begin() + 9 * kD);
    return values;
}

long double distance(const double *a, const double *b, std::int64_t metric, std::int64_t d = kD) {
    long double squares = 0, absolute = 0, product = 0, of_a = 0, of_b = 0;
    for (std::int64_t j = 0; j < d; ++j) {
        const long double x = a[j], y = b[j];
        squares += (x - y) * (x - y);
        absolute += std::abs(x - y);
        product += x * y;
        of_a += x * x;
        of_b += y * y;
    }
    switch (metric) {
    case BMO_METRIC_L2: return std::sqrt(squares);
    case BMO_METRIC_SQEUCLIDEAN: return squares;
    case BMO_METRIC_L1: return absolute;
    default: return of_a == 0 || of_b == 0 ? 1 : 1 - product / std::sqrt(of_a * of_b);
    }
}

bmo::Settings settings_of(std::int64_t metric) {
    bmo::Settings settings;
    settings.metric = metric;
    return settings;
}

// A bound may miss by the rounding of a distance as it is computed.
void check_bounds(const std::vector<double> &points, const bmo::DenseView &stored, std::int64_t metric, double near) {
    bmo::Watch watch;
    const auto data = bmo::make_dense(stored, true, nullptr, watch);
    const bmo::KnnSearch search(data, settings_of(metric), watch);
    const bmo::Queries queries{.points = data->points(), .count = kN, .own_points = true, .max_abs = data->max_abs};
    const std::unique_ptr<bmo::Worker> worker = search.take_worker();
    assert_true(worker->has_bounds(queries));
    std::int64_t seen = 0;
    double largest = 0;
    for (std::int64_t i = 0; i < kN; ++i)
        largest = std::max(largest, static_cast<double>(distance(points.data(), points.data() + i * kD, metric)));
    worker->bound(queries, 10, kN - 10, 0, watch,
                  [&](std::int64_t query, std::int64_t first, std::span<const double> lower, auto upper) {
                      for (std::size_t i = 0; i < lower.size(); ++i, ++seen) {
                          const double *a = points.data() + query * kD,
                                       *b = points.data() + (first + static_cast<std::int64_t>(i)) * kD;
                          const auto truth = static_cast<double>(distance(a, b, metric));
                          assert_true(lower[i] >= 0 && lower[i] <= truth + 1e-13 * largest);
                          assert_true(upper[i] >= truth - 1e-13 * largest);
                          assert_true(upper[i] - lower[i] <= near * largest);
                      }
                  });
    assert_int_equal(seen, (kN - 10) * kN);
}

void bounds_hold_their_distances(void **) {
    for (const std::int64_t metric : kMetrics)
        for (const double scale : {1.0, 1e-100, 1e150, 3.7})
            for (const double offset : {0.0, -128.0, 4000.0}) {
                if (metric == BMO_METRIC_SQEUCLIDEAN && std::abs(std::log10(scale)) >= 100)
                    continue; // near the ends of double
                const std::vector<double> points = made_points(offset, scale);
                const double near = metric == BMO_METRIC_L2 ? 0.2 : 1e-2; // of squares near 0 roots are far apart
                check_bounds(points, view(points.data(), BMO_F64, kN, kD), metric, near);
            }
}

void bounds_of_bytes_are_distances(void **) {
    const std::vector<double> points = made_points(0, 1);
    const std::vector<std::uint8_t> bytes(points.begin(), points.end());
    for (const std::int64_t metric : kMetrics)
        check_bounds(points, view(bytes.data(), BMO_U8, kN, kD), metric, metric == BMO_METRIC_COSINE ? 1e-2 : 0);
}

// Coordinate by coordinate.
template <class T>
std::vector<T> columns_of(const std::vector<T> &points, std::int64_t n = kN, std::int64_t d = kD) {
    std::vector<T> columns;
    for (std::int64_t j = 0; j < d; ++j)
        for (std::int64_t i = 0; i < n; ++i)
            columns.push_back(points[static_cast<std::size_t>(i * d + j)]);
    return columns;
}

template <class T>
T stored(double value) {
    if constexpr (std::is_same_v<T, bmo::Float16>)
        return {static_cast<std::uint16_t>(0x3c00 + static_cast<int>(value))}; // from 1 on
    else if constexpr (std::is_same_v<T, bmo::BFloat16>)
        return {static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16)};
    else
        return static_cast<T>(value);
}

// Of many queries the columns are copied as rows first, of few they are not.
template <class T>
void check_columns(const std::vector<double> &values, bmo_dtype dtype, std::int64_t n, std::int64_t d,
                   std::initializer_list<std::int64_t> counts) {
    std::vector<T> points;
    for (const double value : values)
        points.push_back(stored<T>(value));
    const std::vector<T> columns = columns_of(points, n, d);
    bmo::Watch watch;
    const auto rows = bmo::make_dense(view(points.data(), dtype, n, d), true, nullptr, watch);
    const auto apart = bmo::make_dense(view(columns.data(), dtype, n, d, true), true, nullptr, watch);
    for (const std::int64_t metric : kMetrics)
        for (const std::int64_t count : counts) {
            const bmo::Queries queries{
                .points = rows->points(), .count = count, .own_points = true, .max_abs = rows->max_abs};
            const auto expected = search(rows, queries, 4, metric), found = search(apart, queries, 4, metric);
            assert_int_equal(expected.size(), count);
            for (std::size_t i = 0; i < expected.size(); ++i)
                assert_same(found[i], expected[i]);
        }
}

void columns_of_every_type_are_found_as_rows(void **) {
    const std::vector<double> some = made_points(-128, 0.1), bytes = made_points(0, 1), small = made_points(-128, 1);
    check_columns<double>(some, BMO_F64, kN, kD, {0, 1, 5, kN});
    check_columns<float>(some, BMO_F32, kN, kD, {0, 1, 5, kN});
    check_columns<bmo::BFloat16>(bytes, BMO_BF16, kN, kD, {0, 1, 5, kN});
    check_columns<bmo::Float16>(bytes, BMO_F16, kN, kD, {0, 1, 5, kN});
    check_columns<std::int8_t>(small, BMO_I8, kN, kD, {0, 1, 5, kN});
    check_columns<std::uint8_t>(bytes, BMO_U8, kN, kD, {0, 1, 5, kN});
}

// Tiles of bytes are larger; of points so wide there is no room to read the candidates of all queries at once.
void columns_of_more_than_a_tile_are_found_as_rows(void **) {
    std::vector<double> values;
    bmo::Xoshiro256pp random(7);
    for (std::int64_t i = 0; i < 700 * 50; ++i)
        values.push_back(static_cast<double>(random.below(256)));
    check_columns<std::uint8_t>(values, BMO_U8, 700, 50, {1, 5});
    check_columns<float>(values, BMO_F32, 700, 50, {1, 5});
    check_columns<float>(values, BMO_F32, 14, 2500, {2});
    constexpr std::int64_t kWide = 60000, kFew = 40;
    std::vector<double> twins; // all points are one of two, so that no bound tells candidates apart
    for (std::int64_t i = 0; i < kFew; ++i)
        for (std::int64_t j = 0; j < kWide; ++j)
            twins.push_back(values[static_cast<std::size_t>(j + i % 2) % values.size()]);
    check_columns<double>(twins, BMO_F64, kFew, kWide, {1, 6});
}

// The index of the nearest point to zero, of rows and of columns.
template <class Check>
void check_zero_query(const std::vector<double> &rows, std::int64_t n, std::int64_t d, std::int64_t metric,
                      const Check &check) {
    const std::vector<double> columns = columns_of(rows, n, d), zeros(static_cast<std::size_t>(d));
    bmo::Watch watch;
    for (const bool by_columns : {false, true}) {
        const auto data = bmo::make_dense(view(by_columns ? columns.data() : rows.data(), BMO_F64, n, d, by_columns),
                                          true, nullptr, watch);
        const bmo::Queries queries{.points = view(zeros.data(), BMO_F64, 1, d), .count = 1};
        check(search(data, queries, 1, metric)[0][0].index);
    }
}

// Sums below 2^-600 are kept in 48 bits: those of the first two points are the same, so that the lower index wins.
void sums_that_share_a_code_tie(void **) {
    const double one = std::ldexp(1.0, -310), ulp = std::ldexp(one, -52);
    check_zero_query({one + 9 * ulp, 0, one + 4 * ulp, 0, 1, 1}, 3, 2, BMO_METRIC_SQEUCLIDEAN,
                     [](std::int64_t index) { assert_int_equal(index, 0); });
    check_zero_query({one + 4 * ulp, 0, one + 9 * ulp, 0, 1, 1}, 3, 2, BMO_METRIC_SQEUCLIDEAN,
                     [](std::int64_t index) { assert_int_equal(index, 0); });
}

// Small terms that sums of 16 lanes keep and sums of columns lose, or the other way round: the answer is that of the lanes.
void roundings_of_columns_do_not_decide(void **) {
    constexpr std::int64_t kMany = 512;
    const double unit = std::ldexp(1.0, -53);
    std::vector<double> a(kMany), b(kMany);
    for (std::size_t j = 0; j < kMany; ++j) {
        if (j % 4 == 0 && j < 16) {
            a[j] = 1;
            b[j] = 1 + 50 * unit;
        } else if (j >= 16 && j % 4 < 2) {
            a[j] = (j % 4 == 0 ? 3.06 : 0.9) * unit;
            b[j] = (j % 4 == 0 ? 0.94 : 3.12) * unit;
        }
    }
    std::vector<double> both = a, turned = b;
    both.insert(both.end(), b.begin(), b.end());
    turned.insert(turned.end(), a.begin(), a.end());
    check_zero_query(both, 2, kMany, BMO_METRIC_L1, [](std::int64_t index) { assert_int_equal(index, 1); });
    check_zero_query(turned, 2, kMany, BMO_METRIC_L1, [](std::int64_t index) { assert_int_equal(index, 0); });
}

// More than a tile and a group of points, of which the first ones are zero.
void sums_of_bounds_hold_sums_of_distances(void **) {
    constexpr std::int64_t kMany = 600, kFew = 40, kZeros = 60;
    bmo::Xoshiro256pp random(6);
    std::vector<double> points(static_cast<std::size_t>(kMany * kFew));
    for (std::size_t i = static_cast<std::size_t>(kZeros * kFew); i < points.size(); ++i)
        points[i] = static_cast<double>(random.below(256)) - 100;
    bmo::Watch watch;
    const auto data = bmo::make_dense(view(points.data(), BMO_F64, kMany, kFew), true, nullptr, watch);
    for (const std::int64_t metric : kMetrics)
        for (const std::int64_t threads : {1, 3}) {
            bmo::Settings settings = settings_of(metric);
            settings.threads = threads;
            const bmo::KnnSearch search(data, settings, watch);
            bmo::DistanceRows rows(search);
            bmo::SumBounds sums;
            const std::uint64_t ops = rows.bound_sums(sums, watch);
            assert_true(ops >= static_cast<std::uint64_t>(kMany * (kMany - 1) / 2 * kFew));
            assert_true(ops < static_cast<std::uint64_t>(kMany * (kMany - 1) * kFew * 4 / 5));
            for (std::int64_t i = 0; i < kMany; ++i) {
                long double truth = 0;
                for (std::int64_t j = 0; j < kMany; ++j)
                    truth += j == i ? 0
                                    : distance(&points[static_cast<std::size_t>(i * kFew)],
                                               &points[static_cast<std::size_t>(j * kFew)], metric, kFew);
                const auto sum = static_cast<double>(truth), near = (metric == BMO_METRIC_L2 ? 0.2 : 1e-2) * sum;
                const double lower = sums.lower[static_cast<std::size_t>(i)],
                             upper = sums.upper[static_cast<std::size_t>(i)];
                assert_true(lower <= sum * (1 + 1e-12) && upper >= sum * (1 - 1e-12) && upper - lower <= near);
            }
        }
}

void medoid_and_clusters_of_columns_are_those_of_rows(void **) {
    const std::vector<double> points = made_points(-128, 0.1), columns = columns_of(points);
    bmo::Watch watch;
    const auto rows = bmo::make_dense(view(points.data(), BMO_F64, kN, kD), true, nullptr, watch);
    const auto apart = bmo::make_dense(view(columns.data(), BMO_F64, kN, kD, true), true, nullptr, watch);
    assert_true(bmo::in_rows(*rows, watch) == nullptr);
    for (const std::int64_t metric : kMetrics) {
        bmo_stats of_rows{}, of_columns{};
        const bmo::Medoid one = bmo::find_medoid(bmo::KnnSearch(rows, settings_of(metric), watch), 1, watch, of_rows);
        const bmo::Medoid other =
            bmo::find_medoid(bmo::KnnSearch(apart, settings_of(metric), watch), 1, watch, of_columns);
        assert_int_equal(one.index, other.index);
        assert_true(one.mean == other.mean);
        assert_int_equal(of_rows.coord_ops, of_columns.coord_ops);
    }
    const bmo::KmeansRule rule{.k = 5, .given = {}};
    bmo_stats stats{};
    const bmo::Clusters one = bmo::kmeans(*rows, settings_of(BMO_METRIC_L2), rule, watch, stats),
                        other = bmo::kmeans(*apart, settings_of(BMO_METRIC_L2), rule, watch, stats);
    assert_true(one.labels == other.labels && one.centers == other.centers);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_their_distances),
        cmocka_unit_test(bounds_of_bytes_are_distances),
        cmocka_unit_test(sums_of_bounds_hold_sums_of_distances),
        cmocka_unit_test(columns_of_every_type_are_found_as_rows),
        cmocka_unit_test(columns_of_more_than_a_tile_are_found_as_rows),
        cmocka_unit_test(sums_that_share_a_code_tie),
        cmocka_unit_test(roundings_of_columns_do_not_decide),
        cmocka_unit_test(medoid_and_clusters_of_columns_are_those_of_rows),
    };
    return cmocka_run_group_tests_name("distance_bounds", tests, nullptr, nullptr);
}

} // namespace distance_bounds_test

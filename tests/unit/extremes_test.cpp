// Values at the ends of what float and double hold, against sums of scaled differences.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "data/dataset.hpp"
#include "search/knn.hpp"
#include "util/xoshiro.hpp"

namespace extremes_test {

constexpr std::int64_t kPoints = 400, kCoordinates = 800, kNeighbors = 5;

// Points of two clusters, the nearer of them of 12 points, and the query at the origin of both; sizes around `scale`.
template <class T>
struct Cloud {
    double scale;
    std::vector<T> points, query;

    explicit Cloud(double size) : scale(size), points(kPoints * kCoordinates), query(kCoordinates) {
        bmo::Xoshiro256pp random(17);
        for (T &value : query)
            value = static_cast<T>(scale * static_cast<double>(random.below(1000)) / 1000);
        for (std::size_t i = 0; i < kPoints; ++i)
            for (std::size_t j = 0; j < kCoordinates; ++j) {
                const double spread = i % 33 == 0 ? 0.25 : 1.0,
                             draw = static_cast<double>(random.below(2000)) / 1000 - 1;
                points[i * kCoordinates + j] = static_cast<T>(static_cast<double>(query[j]) + scale * spread * draw);
            }
    }

    // The distances of the nearest points as multiples of unit(metric), ascending, and their indices. Differences are
    // divided by the scale before anything can overflow.
    std::vector<std::pair<double, std::int64_t>> nearest(std::int64_t metric) const {
        std::vector<std::pair<double, std::int64_t>> all;
        for (std::size_t i = 0; i < kPoints; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < kCoordinates; ++j) {
                const double difference =
                    (static_cast<double>(points[i * kCoordinates + j]) - static_cast<double>(query[j])) / scale;
                sum += metric == BMO_METRIC_L1 ? std::abs(difference) : difference * difference;
            }
            all.emplace_back(metric == BMO_METRIC_L2 ? std::sqrt(sum) : sum, static_cast<std::int64_t>(i));
        }
        std::sort(all.begin(), all.end());
        all.resize(kNeighbors);
        return all;
    }
    double unit(std::int64_t metric) const { return metric == BMO_METRIC_SQEUCLIDEAN ? scale * scale : scale; }
};

bmo::DenseView view(const void *data, bmo_dtype dtype, std::int64_t n) {
    return {.dtype = dtype, .data = data, .n = n, .d = kCoordinates, .point_stride = kCoordinates};
}

std::vector<bmo::Neighbor> search(const bmo::DenseView &points, const bmo::DenseView &query, std::int64_t metric,
                                  std::int64_t method, bmo_stats &stats) {
    bmo::Watch watch;
    bmo::Settings settings;
    settings.metric = metric;
    settings.method = method;
    const bmo::KnnSearch knn(bmo::make_dense(points, true, nullptr, watch), settings, watch);
    bmo::Queries queries;
    queries.points = query;
    queries.count = 1;
    queries.max_abs = bmo::check_values(query, "query", watch);
    std::vector<bmo::Neighbor> found;
    knn.run(
        queries, kNeighbors,
        [&](std::int64_t, std::span<const bmo::Neighbor> row, const bmo_row_stats &) {
            found.assign(row.begin(), row.end());
        },
        watch, stats);
    return found;
}

template <class T>
void check(double scale, bmo_dtype dtype, std::int64_t metric) {
    const Cloud<T> cloud(scale);
    const auto expected = cloud.nearest(metric);
    for (const std::int64_t method : {BMO_METHOD_BANDIT, BMO_METHOD_EXACT}) {
        bmo_stats stats{};
        const auto found = search(view(cloud.points.data(), dtype, kPoints), view(cloud.query.data(), dtype, 1), metric,
                                  method, stats);
        assert_int_equal(found.size(), kNeighbors);
        for (std::size_t r = 0; r < found.size(); ++r) {
            assert_int_equal(found[r].index, expected[r].second);
            assert_true(std::abs(found[r].distance / cloud.unit(metric) / expected[r].first - 1) < 1e-11);
        }
        if (method == BMO_METHOD_BANDIT) // sampling works at this scale, too: it is no scan in disguise
            assert_true(stats.coord_ops < stats.coord_ops_brute / 2);
    }
}

void float32_at_its_ends(void **) {
    for (const double scale : {1e30, 1e15, 1.0, 1e-10, 1e-25, 1e-36})
        for (const std::int64_t metric : {BMO_METRIC_L2, BMO_METRIC_SQEUCLIDEAN, BMO_METRIC_L1})
            check<float>(scale, BMO_F32, metric);
}

void float32_below_its_normal_range(void **) {
    check<float>(1e-39, BMO_F32, BMO_METRIC_L1);
}

void float64_at_its_ends(void **) {
    for (const double scale : {1e300, 1e200, 1e100, 1.0, 1e-100, 1e-200, 1e-300}) {
        check<double>(scale, BMO_F64, BMO_METRIC_L2);
        check<double>(scale, BMO_F64, BMO_METRIC_L1);
    }
    for (const double scale : {1e150, 1e-150})
        check<double>(scale, BMO_F64, BMO_METRIC_SQEUCLIDEAN);
}

void a_distance_beyond_double_is_an_overflow(void **) {
    const Cloud<double> cloud(1e200);
    bmo_stats stats{};
    const bmo::Failure failure = failure_of([&] {
        search(view(cloud.points.data(), BMO_F64, kPoints), view(cloud.query.data(), BMO_F64, 1),
               BMO_METRIC_SQEUCLIDEAN, BMO_METHOD_BANDIT, stats);
    });
    assert_int_equal(failure.status, BMO_EOVERFLOW);
    assert_string_equal(failure.argument.c_str(), "distance");
}

// Differences that are exact in double and vanish in float.
void queries_that_are_no_floats(void **) {
    std::vector<float> points(kPoints * kCoordinates, 1);
    std::vector<std::uint8_t> bytes(points.size(), 1);
    std::vector<double> query(kCoordinates, 1 + 1e-10);
    for (std::size_t i = 0; i < kPoints; ++i) // point i differs in i of the coordinates, by 1e-3
        for (std::size_t j = 0; j < i; ++j)
            points[i * kCoordinates + j] = 1.0009765625F;
    for (std::size_t i = 0; i < kPoints; ++i)
        for (std::size_t j = 0; j < i; ++j)
            bytes[i * kCoordinates + j] = 3;
    for (const std::int64_t method : {BMO_METHOD_BANDIT, BMO_METHOD_EXACT}) {
        bmo_stats stats{};
        const auto of_floats =
            search(view(points.data(), BMO_F32, kPoints), view(query.data(), BMO_F64, 1), BMO_METRIC_L1, method, stats);
        const auto of_bytes =
            search(view(bytes.data(), BMO_U8, kPoints), view(query.data(), BMO_F64, 1), BMO_METRIC_L1, method, stats);
        for (std::size_t r = 0; r < kNeighbors; ++r) {
            const auto far = static_cast<double>(r), near = static_cast<double>(kCoordinates) - far;
            assert_int_equal(of_floats[r].index, r);
            assert_true(std::abs(of_floats[r].distance - (near * 1e-10 + far * (0.0009765625 - 1e-10))) < 1e-12);
            assert_int_equal(of_bytes[r].index, r);
            assert_true(std::abs(of_bytes[r].distance - (near * 1e-10 + far * (2 - 1e-10))) < 1e-10);
        }
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(float32_at_its_ends),        cmocka_unit_test(float32_below_its_normal_range),
        cmocka_unit_test(float64_at_its_ends),        cmocka_unit_test(a_distance_beyond_double_is_an_overflow),
        cmocka_unit_test(queries_that_are_no_floats),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace extremes_test

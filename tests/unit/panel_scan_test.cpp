// The exact scan of many queries at once by panels, under each of its metrics: neighbors as integer arithmetic has them, and the
// same bits as scans of one query at a time, which computes every distance in full.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "boxes/tiles/scan_prepared.hpp"
#include "data/dataset.hpp"
#include "exact_scan.hpp"
#include "scratch.hpp"
#include "search/bmo_file.hpp"
#include "search/knn.hpp"
#include "search/preparation.hpp"
#include "util/xoshiro.hpp"

namespace panel_scan_test {

__extension__ using Wide = __int128;

constexpr std::int64_t kMetrics[] = {BMO_METRIC_L2, BMO_METRIC_SQEUCLIDEAN, BMO_METRIC_COSINE,
                                     BMO_METRIC_INNER_PRODUCT};

struct Shape {
    std::int64_t n, d, queries, k;
};
// Enough points and coordinates for whole numbers of 8 bits, and fewer; a point more than whole panels, and less.
constexpr Shape kShapes[] = {{2500, 128, 24, 5}, {2081, 150, 13, 3}, {65, 64, 66, 3}, {70, 257, 21, 5}, {7, 3, 5, 7}};

// All queries at once, on one thread and two, against each alone.
void check_alone(const std::vector<double> &points, const std::vector<double> &asked, const Shape &shape,
                 std::int64_t metric) {
    bmo::Watch watch;
    const auto data = bmo::make_dense(view(points.data(), BMO_F64, shape.n, shape.d), true, nullptr, watch);
    double largest = 0;
    for (const double value : asked)
        largest = std::max(largest, std::abs(value));
    const bmo::Queries queries{
        .points = view(asked.data(), BMO_F64, shape.queries, shape.d), .count = shape.queries, .max_abs = largest};
    const auto found = search(data, queries, shape.k, metric), by_two = search(data, queries, shape.k, metric, 2);
    for (std::int64_t q = 0; q < shape.queries; ++q) {
        const bmo::Queries one{.points = queries.points, .rows = &q, .count = 1, .max_abs = largest};
        const auto alone = search(data, one, shape.k, metric);
        assert_same(found[static_cast<std::size_t>(q)], alone[0]);
        assert_same(by_two[static_cast<std::size_t>(q)], alone[0]);
    }
}

// Where a point is among a query's neighbors, by integers: less is nearer. x_i = points[i * d .. ].
struct Integers {
    Shape shape;
    std::vector<std::int64_t> points, asked;

    Integers(const Shape &of, std::int64_t offset, std::uint64_t levels) : shape(of) {
        bmo::Xoshiro256pp random(3);
        for (auto *values : {&points, &asked})
            for (std::int64_t i = 0; i < (values == &points ? of.n : of.queries) * of.d; ++i)
                values->push_back(offset + static_cast<std::int64_t>(random.below(levels)));
    }

    std::int64_t product(const std::int64_t *a, const std::int64_t *b) const {
        std::int64_t sum = 0;
        for (std::int64_t j = 0; j < shape.d; ++j)
            sum += a[j] * b[j];
        return sum;
    }

    std::vector<std::int64_t> nearest(const std::int64_t *query, std::int64_t metric) const {
        std::vector<std::int64_t> order, products, squares;
        for (std::int64_t i = 0; i < shape.n; ++i) {
            const std::int64_t *x = points.data() + i * shape.d;
            order.push_back(i);
            products.push_back(product(x, query));
            squares.push_back(product(x, x));
        }
        std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
            const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
            if (metric == BMO_METRIC_INNER_PRODUCT)
                return products[i] > products[j];
            if (metric != BMO_METRIC_COSINE)
                return squares[i] - 2 * products[i] < squares[j] - 2 * products[j];
            // p / sqrt(s), where one of s = 0 is 0, with the sign of p.
            const auto sign = [&](std::size_t at) { return products[at] < 0 ? -1 : 1; };
            const Wide left = Wide(products[i]) * products[i] * sign(i) * (squares[j] == 0 ? 1 : squares[j]);
            const Wide right = Wide(products[j]) * products[j] * sign(j) * (squares[i] == 0 ? 1 : squares[i]);
            return left > right;
        });
        order.resize(static_cast<std::size_t>(shape.k));
        return order;
    }
};

template <class T>
void check_integers(bmo_dtype dtype, const Integers &made, bool by_columns) {
    const Shape &shape = made.shape;
    std::vector<T> rows(made.points.size());
    for (std::int64_t i = 0; i < shape.n; ++i)
        for (std::int64_t j = 0; j < shape.d; ++j)
            rows[static_cast<std::size_t>(by_columns ? j * shape.n + i : i * shape.d + j)] =
                static_cast<T>(made.points[static_cast<std::size_t>(i * shape.d + j)]);
    const std::vector<double> wanted(made.asked.begin(), made.asked.end());
    bmo::Watch watch;
    const auto data = bmo::make_dense(view(rows.data(), dtype, shape.n, shape.d, by_columns), true, nullptr, watch);
    const bmo::Queries queries{
        .points = view(wanted.data(), BMO_F64, shape.queries, shape.d), .count = shape.queries, .max_abs = 1e6};
    for (const std::int64_t metric : kMetrics) {
        const auto found = search(data, queries, shape.k, metric);
        for (std::int64_t q = 0; q < shape.queries; ++q) {
            const auto expected = made.nearest(made.asked.data() + q * shape.d, metric);
            for (std::size_t r = 0; r < expected.size(); ++r)
                assert_int_equal(found[static_cast<std::size_t>(q)][r].index, expected[r]);
        }
    }
}

void neighbors_are_those_of_integers(void **) {
    for (const Shape &shape : kShapes)
        for (const bool by_columns : {false, true}) {
            check_integers<float>(BMO_F32, Integers(shape, -3, 7), by_columns); // ties in plenty
            check_integers<float>(BMO_F32, Integers(shape, -1000, 2001), by_columns);
            check_integers<double>(BMO_F64, Integers(shape, 0, 2), by_columns);
            check_integers<double>(BMO_F64, Integers(shape, 100000, 3), by_columns);
            check_integers<std::uint8_t>(BMO_U8, Integers(shape, 0, 256), by_columns);
        }
}

// Points as a function makes them, queries beside some of them.
using Make = std::function<double(std::int64_t point, std::int64_t coordinate, bmo::Xoshiro256pp &random)>;

double normal(bmo::Xoshiro256pp &random) { // about
    double sum = -6;
    for (int i = 0; i < 12; ++i)
        sum += static_cast<double>(random.next() >> 11) * 0x1p-53;
    return sum;
}

void check_made(const Shape &shape, const Make &make, double apart = 0.5,
                std::span<const std::int64_t> metrics = kMetrics) {
    bmo::Xoshiro256pp random(8);
    std::vector<double> points, asked;
    for (std::int64_t i = 0; i < shape.n; ++i)
        for (std::int64_t j = 0; j < shape.d; ++j)
            points.push_back(make(i, j, random));
    for (std::int64_t q = 0; q < shape.queries; ++q)
        for (std::int64_t j = 0; j < shape.d; ++j) {
            const double value = points[static_cast<std::size_t>(q * 7 % shape.n * shape.d + j)];
            asked.push_back(value + apart * value * normal(random));
        }
    for (const std::int64_t metric : metrics)
        check_alone(points, asked, shape, metric);
}

constexpr Shape kUsual = {2200, 130, 16, 6};

void noise(void **) {
    check_made(kUsual, [](auto, auto, auto &random) { return normal(random); });
}

void clusters_far_from_zero(void **) {
    for (const double spread : {1e-2, 1e-6, 1e-12})
        check_made(
            kUsual,
            [&](std::int64_t i, std::int64_t j, auto &random) {
                return 3 + static_cast<double>((i % 5 * 31 + j * 17) % 13) + spread * normal(random);
            },
            spread / 100);
}

// Neighbors that only the last bits of double tell apart.
void near_ties(void **) {
    check_made(
        kUsual,
        [](std::int64_t i, std::int64_t j, auto &random) {
            return static_cast<double>((j * 37) % 11 - 5) + (i % 3 == 0 ? 0x1p-48 * normal(random) : normal(random));
        },
        0);
    // All products are alike but for what only twice the precision of double has: ties go by index.
    check_made(
        {300, 69, 12, 4},
        [](std::int64_t, std::int64_t j, auto &random) {
            return static_cast<double>((j * 37) % 11 - 5) * (1 + 0x1p-52 * static_cast<double>(random.below(3)));
        },
        0);
}

void rows_of_many_sizes(void **) {
    check_made(kUsual, [](std::int64_t i, auto, auto &random) {
        return std::ldexp(normal(random), static_cast<int>(i * 41 % 160) - 80);
    });
}

void scales_near_the_limits(void **) {
    constexpr std::int64_t kAtAnyScale[] = {BMO_METRIC_L2,
                                            BMO_METRIC_COSINE}; // products are beyond double from 2^512 on
    for (const int exponent : {-1060, -600, -140, 140, 490, 600, 1015})
        check_made(
            kUsual, [&](auto, auto, auto &random) { return std::ldexp(normal(random), exponent); }, .5,
            exponent < 500 ? std::span(kMetrics) : std::span<const std::int64_t>(kAtAnyScale));
}

void constant_columns_and_zero_vectors(void **) {
    check_made(kUsual, [](std::int64_t i, std::int64_t j, auto &random) {
        return i % 9 == 0 ? 0 : j % 3 == 0 ? 7 : j % 3 == 1 ? 0 : normal(random);
    });
}

// A query that is zero as well: under a metric of angles all points are alike to it.
void zero_queries(void **) {
    bmo::Xoshiro256pp random(2);
    std::vector<double> points(static_cast<std::size_t>(kUsual.n * kUsual.d)),
        asked(static_cast<std::size_t>(kUsual.queries * kUsual.d));
    for (double &value : points)
        value = normal(random);
    for (std::size_t i = 0; i < asked.size() / 2; ++i)
        asked[i] = normal(random);
    for (const std::int64_t metric : kMetrics)
        check_alone(points, asked, kUsual, metric);
}

void one_far_outlier(void **) {
    for (const double size : {1e6, 1e15, 1e200})
        check_made(kUsual, [&](std::int64_t i, auto, auto &random) { return normal(random) * (i == 1100 ? size : 1); });
}

// More points at nearly one distance than can be kept: whole numbers of 8 bits tell nothing, and floats little.
void points_too_many_to_tell_apart(void **) {
    check_made(
        {5000, 128, 10, 3},
        [](std::int64_t i, std::int64_t j, auto &random) {
            return static_cast<double>((i % 2 * 5 + j) % 7) + 1e-9 * normal(random);
        },
        1e-9);
    check_made(
        {5000, 128, 10, 3}, [](std::int64_t, std::int64_t j, auto &) { return static_cast<double>(j % 5); }, 0);
}

// The graph: a point is no candidate of its own query, whichever way it was found.
void own_points_are_left_out(void **) {
    const Integers made({2100, 140, 1, 4}, -20, 41);
    const std::vector<float> rows(made.points.begin(), made.points.end());
    bmo::Watch watch;
    const auto data = bmo::make_dense(view(rows.data(), BMO_F32, 2100, 140), true, nullptr, watch);
    const bmo::Queries own{.points = data->points(), .count = 2100, .own_points = true, .max_abs = data->max_abs};
    for (const std::int64_t metric : kMetrics) {
        const auto found = search(data, own, 4, metric);
        for (std::int64_t q = 0; q < 2100; q += 70) {
            Integers wider = made;
            wider.shape.k = 5;
            auto expected = wider.nearest(made.points.data() + q * 140, metric);
            std::erase(expected, q);
            for (std::size_t r = 0; r < 4; ++r)
                assert_int_equal(found[static_cast<std::size_t>(q)][r].index, expected[r]);
        }
    }
}

// Points that were coded beforehand, asked together and one at a time, and read again from a file.
void prepared_points_are_scanned_alike(void **) {
    const Integers made({2100, 140, 20, 4}, -20, 41);
    const std::vector<float> rows(made.points.begin(), made.points.end());
    const std::vector<double> wanted(made.asked.begin(), made.asked.end());
    bmo::Watch watch;
    const auto data = bmo::make_dense(view(rows.data(), BMO_F32, 2100, 140), true, nullptr, watch);
    const Scratch directory;
    for (const std::int64_t metric : kMetrics) {
        bmo::Settings settings;
        settings.metric = metric;
        settings.method = BMO_METHOD_EXACT;
        settings.expected_queries = 1000;
        const auto prepared = bmo::prepare_dataset(*data, settings, watch);
        const bmo::Metric of_codes = bmo::Metric::from(metric, 2);
        const bool coded = bmo::codes_of(*prepared, of_codes) != nullptr;
        assert_true(coded == bmo::kernels().bytes_are_fast);
        const std::string path = (directory.directory() / "points.bmo").string();
        bmo::save_dataset(*prepared, path, watch);
        const auto opened = bmo::open_any_dataset(path, false, watch);
        assert_true((bmo::codes_of(*opened, of_codes) != nullptr) == coded);
        for (const auto &points : {prepared, opened})
            for (std::int64_t q = 0; q < 20; ++q) {
                const bmo::Queries one{
                    .points = view(wanted.data(), BMO_F64, 20, 140), .rows = &q, .count = 1, .max_abs = 21};
                const auto alone = search(points, one, 4, metric);
                const auto expected = made.nearest(made.asked.data() + q * 140, metric);
                for (std::size_t r = 0; r < 4; ++r)
                    assert_int_equal(alone[0][r].index, expected[r]);
            }
        for (const std::int64_t other : kMetrics) { // whichever metric they were coded for
            const bmo::Queries all{.points = view(wanted.data(), BMO_F64, 20, 140), .count = 20, .max_abs = 21};
            const auto found = search(prepared, all, 4, other);
            for (std::int64_t q = 0; q < 20; ++q) {
                const auto expected = made.nearest(made.asked.data() + q * 140, other);
                for (std::size_t r = 0; r < 4; ++r)
                    assert_int_equal(found[static_cast<std::size_t>(q)][r].index, expected[r]);
            }
        }
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(neighbors_are_those_of_integers),
        cmocka_unit_test(noise),
        cmocka_unit_test(clusters_far_from_zero),
        cmocka_unit_test(near_ties),
        cmocka_unit_test(rows_of_many_sizes),
        cmocka_unit_test(scales_near_the_limits),
        cmocka_unit_test(constant_columns_and_zero_vectors),
        cmocka_unit_test(zero_queries),
        cmocka_unit_test(one_far_outlier),
        cmocka_unit_test(points_too_many_to_tell_apart),
        cmocka_unit_test(own_points_are_left_out),
        cmocka_unit_test(prepared_points_are_scanned_alike),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace panel_scan_test

// The exact scan of many queries at once against distances by integer arithmetic: coordinates are integers, so that every
// sum is one, and ties are many.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include "data/dataset.hpp"
#include "exact_scan.hpp"
#include "search/knn.hpp"
#include "search/preparation.hpp"
#include "search/tiled_scan.hpp"
#include "util/xoshiro.hpp"

namespace tiled_scan_test {

struct Shape {
    std::int64_t n, d, queries, k;
};
constexpr Shape kShapes[] = {{1, 1, 2, 1},    {7, 3, 5, 7},      {64, 33, 2, 5},   {65, 64, 66, 3},
                             {80, 17, 40, 9}, {70, 1537, 21, 5}, {20, 6145, 6, 4}, {66, 3075, 70, 66}};

// Coordinates are offset + steps below `levels`.
std::vector<std::int64_t> integers(std::int64_t count, std::int64_t offset, std::uint64_t levels, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    std::vector<std::int64_t> made(static_cast<std::size_t>(count));
    for (auto &value : made)
        value = offset + static_cast<std::int64_t>(random.below(levels));
    return made;
}

Answer brute(const Shape &shape, const std::vector<std::int64_t> &points, const std::int64_t *query,
             std::int64_t metric, std::int64_t self) {
    Answer all;
    for (std::int64_t i = 0; i < shape.n; ++i) {
        if (i == self)
            continue;
        std::int64_t sum = 0;
        for (std::int64_t j = 0; j < shape.d; ++j) {
            const std::int64_t apart = points[static_cast<std::size_t>(i * shape.d + j)] - query[j];
            sum += metric == BMO_METRIC_L1 ? std::abs(apart) : apart * apart;
        }
        const auto distance = static_cast<double>(sum);
        all.push_back({metric == BMO_METRIC_L2 ? std::sqrt(distance) : distance, i});
    }
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
        return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
    });
    all.resize(static_cast<std::size_t>(shape.k));
    return all;
}

template <class T>
std::vector<T> stored(const std::vector<std::int64_t> &values, std::int64_t rows, std::int64_t columns,
                      bool by_columns) {
    std::vector<T> out(values.size());
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            out[static_cast<std::size_t>(by_columns ? j * rows + i : i * columns + j)] =
                static_cast<T>(values[static_cast<std::size_t>(i * columns + j)]);
    return out;
}

template <class T>
void check(bmo_dtype dtype, const Shape &shape, std::int64_t offset, std::uint64_t levels, bool by_columns) {
    const auto points = integers(shape.n * shape.d, offset, levels, 1);
    const auto asked = integers(shape.queries * shape.d, offset, levels, 2);
    const auto rows = stored<T>(points, shape.n, shape.d, by_columns);
    const auto wanted = stored<double>(asked, shape.queries, shape.d, false);
    bmo::Watch watch;
    const auto data = bmo::make_dense(view(rows.data(), dtype, shape.n, shape.d, by_columns), true, nullptr, watch);
    const bmo::DenseView query_view = view(wanted.data(), BMO_F64, shape.queries, shape.d);
    const double largest = static_cast<double>(offset) + static_cast<double>(levels);
    for (const std::int64_t metric : {BMO_METRIC_L2, BMO_METRIC_SQEUCLIDEAN, BMO_METRIC_L1}) {
        const bmo::Queries queries{.points = query_view, .count = shape.queries, .max_abs = largest};
        for (const std::int64_t threads : {1, 3}) {
            const auto found = search(data, queries, shape.k, metric, threads);
            for (std::int64_t q = 0; q < shape.queries; ++q)
                assert_same(found[static_cast<std::size_t>(q)],
                            brute(shape, points, asked.data() + q * shape.d, metric, -1));
        }
        if (shape.k == shape.n)
            continue;
        const bmo::Queries own{
            .points = data->points(), .count = shape.n, .own_points = true, .max_abs = data->max_abs};
        const auto found = search(data, own, shape.k, metric);
        for (std::int64_t q = 0; q < shape.n; ++q)
            assert_same(found[static_cast<std::size_t>(q)],
                        brute(shape, points, points.data() + q * shape.d, metric, q));
    }
}

void prepared_boxes_scan_alike(void **) {
    const Shape shape{70, 200, 9, 4};
    const auto points = integers(shape.n * shape.d, 0, 256, 1), asked = integers(shape.queries * shape.d, 0, 256, 2);
    const auto rows = stored<std::uint8_t>(points, shape.n, shape.d, false);
    const auto wanted = stored<std::uint8_t>(asked, shape.queries, shape.d, false);
    bmo::Watch watch;
    const auto data = bmo::make_dense(view(rows.data(), BMO_U8, shape.n, shape.d), true, nullptr, watch);
    const bmo::Queries queries{
        .points = view(wanted.data(), BMO_U8, shape.queries, shape.d), .count = shape.queries, .max_abs = 255};
    for (const std::int64_t box : {BMO_BOX_DENSE, BMO_BOX_ROTATED, BMO_BOX_PROJECTED}) {
        bmo::Settings settings;
        settings.box = box;
        const auto found = search(bmo::prepare_dataset(*data, settings, watch), queries, shape.k, BMO_METRIC_L2);
        for (std::int64_t q = 0; q < shape.queries; ++q)
            assert_same(found[static_cast<std::size_t>(q)],
                        brute(shape, points, asked.data() + q * shape.d, BMO_METRIC_L2, -1));
    }
}

// Progress goes on within a group, and ends at the number of queries.
void progress_is_that_of_the_tiles(void **) {
    struct Seen {
        std::int64_t last = 0, between = 0;
    } seen;
    const auto report = [](void *ctx, const bmo_progress *progress) -> std::int32_t {
        auto &so_far = *static_cast<Seen *>(ctx);
        assert_true(progress->done >= so_far.last && progress->done <= progress->total);
        so_far.between += progress->done > 0 && progress->done < progress->total;
        so_far.last = progress->done;
        return 0;
    };
    const Shape shape{12000, 700, 90, 4};
    const std::vector<float> rows(static_cast<std::size_t>(shape.n * shape.d), 1.0F);
    bmo::Watch unwatched, watch(report, &seen, 1, nullptr);
    const auto data = bmo::make_dense(view(rows.data(), BMO_F32, shape.n, shape.d), true, nullptr, unwatched);
    bmo::Settings settings;
    settings.method = BMO_METHOD_EXACT;
    bmo_stats stats{};
    const bmo::Queries queries{.points = data->points(), .count = shape.queries, .max_abs = 1};
    bmo::KnnSearch(data, settings, watch)
        .run(
            queries, shape.k, [](std::int64_t, std::span<const bmo::Neighbor>, const bmo_row_stats &) {}, watch, stats);
    assert_int_equal(seen.last, shape.queries);
    assert_true(seen.between > 0);
}

void bytes_are_exact(void **) {
    for (const Shape &shape : kShapes)
        for (const bool by_columns : {false, true}) {
            check<std::uint8_t>(BMO_U8, shape, 0, 256, by_columns);
            check<std::uint8_t>(BMO_U8, shape, 7, 2, by_columns);
        }
}

void floats_are_exact(void **) {
    for (const Shape &shape : kShapes)
        for (const bool by_columns : {false, true}) {
            check<float>(BMO_F32, shape, -3, 7, by_columns);
            check<double>(BMO_F64, shape, -500000, 1000001, by_columns);
        }
}

void unit_differences_far_from_zero_are_told_apart(void **) {
    for (const Shape &shape : kShapes) {
        check<float>(BMO_F32, shape, 1 << 22, 2, false);
        check<double>(BMO_F64, shape, std::int64_t{1} << 45, 2, false);
    }
}

// 33,100 differences of 255: the sum of their squares is beyond 31 bits, the sum of a lane is not.
void sums_of_bytes_beyond_31_bits(void **) {
    const Shape shape{3, 33100, 2, 3};
    std::vector<std::uint8_t> points(static_cast<std::size_t>(shape.n * shape.d), 255);
    std::fill_n(points.begin(), shape.d, std::uint8_t{0});
    std::fill_n(points.begin() + shape.d, shape.d, std::uint8_t{1});
    const std::vector<std::uint8_t> asked(static_cast<std::size_t>(2 * shape.d), 0);
    bmo::Watch watch;
    const auto data = bmo::make_dense(view(points.data(), BMO_U8, shape.n, shape.d), true, nullptr, watch);
    const bmo::Queries queries{.points = view(asked.data(), BMO_U8, 2, shape.d), .count = 2, .max_abs = 0};
    const auto found = search(data, queries, 3, BMO_METRIC_SQEUCLIDEAN);
    const Answer expected = {{0, 0}, {33100, 1}, {33100.0 * 255 * 255, 2}};
    for (const Answer &answer : found)
        assert_same(answer, expected);
}

// More points at one distance than are kept as candidates.
void many_ties(void **) {
    const Shape shape{9000, 5, 3, 4};
    const auto points = integers(shape.n * shape.d, 0, 1, 1);
    const std::vector<double> rows(points.begin(), points.end());
    const std::vector<double> asked(static_cast<std::size_t>(3 * shape.d), 1.0);
    bmo::Watch watch;
    const auto data = bmo::make_dense(view(rows.data(), BMO_F64, shape.n, shape.d), true, nullptr, watch);
    const bmo::Queries queries{.points = view(asked.data(), BMO_F64, 3, shape.d), .count = 3, .max_abs = 1};
    for (const Answer &answer : search(data, queries, 4, BMO_METRIC_L1))
        assert_same(answer, {{5, 0}, {5, 1}, {5, 2}, {5, 3}});
}

// One point far off must not hide the differences of the others: it is not the middle.
void an_outlier(void **) {
    const Shape shape{60, 20, 4, 3};
    for (const std::int64_t row : {0, 30, 59}) {
        auto points = integers(shape.n * shape.d, 0, 3, 1);
        std::fill_n(points.begin() + row * shape.d, shape.d, std::int64_t{1} << 50);
        const std::vector<double> rows(points.begin(), points.end());
        const auto asked = integers(shape.queries * shape.d, 0, 3, 2);
        const std::vector<double> wanted(asked.begin(), asked.end());
        bmo::Watch watch;
        const auto data = bmo::make_dense(view(rows.data(), BMO_F64, shape.n, shape.d), true, nullptr, watch);
        const bmo::Queries queries{
            .points = view(wanted.data(), BMO_F64, shape.queries, shape.d), .count = shape.queries, .max_abs = 3};
        const auto found = search(data, queries, shape.k, BMO_METRIC_L1);
        for (std::int64_t q = 0; q < shape.queries; ++q)
            assert_same(found[static_cast<std::size_t>(q)],
                        brute(shape, points, asked.data() + q * shape.d, BMO_METRIC_L1, -1));
    }
}

// Two queries and three points at the ends of double, in multiples of a power of two.
void extreme_sizes(void **) {
    for (const double unit : {0x1p-1070, 0x1p-300, 0x1p300, 0x1p1000}) {
        const std::vector<double> rows = {0, 0, 3 * unit, unit, 5 * unit, 5 * unit};
        const std::vector<double> asked = {unit, unit, 4 * unit, 4 * unit};
        bmo::Watch watch;
        const auto data = bmo::make_dense(view(rows.data(), BMO_F64, 3, 2), true, nullptr, watch);
        const bmo::Queries queries{.points = view(asked.data(), BMO_F64, 2, 2), .count = 2, .max_abs = 4 * unit};
        const auto found = search(data, queries, 2, BMO_METRIC_L1);
        assert_same(found[0], {{2 * unit, 0}, {2 * unit, 1}});
        assert_same(found[1], {{2 * unit, 2}, {4 * unit, 1}});
    }
}

void groups_share_the_queries(void **) {
    std::vector<std::uint8_t> byte(1);
    bmo::Watch watch;
    const auto narrow = bmo::make_dense(view(byte.data(), BMO_U8, 1, 1), true, nullptr, watch);
    assert_int_equal(bmo::TiledScan::group(*narrow, 0, 2), 1);
    assert_int_equal(bmo::TiledScan::group(*narrow, 1, 2), 1);
    assert_int_equal(bmo::TiledScan::group(*narrow, 100, 2), 50);
    assert_int_equal(bmo::TiledScan::group(*narrow, 100, 1), 100);
    assert_int_equal(bmo::TiledScan::group(*narrow, 1500, 1), 750);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_exact),
        cmocka_unit_test(prepared_boxes_scan_alike),
        cmocka_unit_test(progress_is_that_of_the_tiles),
        cmocka_unit_test(floats_are_exact),
        cmocka_unit_test(unit_differences_far_from_zero_are_told_apart),
        cmocka_unit_test(sums_of_bytes_beyond_31_bits),
        cmocka_unit_test(many_ties),
        cmocka_unit_test(an_outlier),
        cmocka_unit_test(extreme_sizes),
        cmocka_unit_test(groups_share_the_queries),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace tiled_scan_test

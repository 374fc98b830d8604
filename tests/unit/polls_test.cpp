// What takes long polls its watch all the time: no stretch without a poll is more than a quarter of the whole work. Both are
// processor time of the thread itself, so that a slow or busy machine changes neither.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <tuple>
#include <utility>
#include <vector>

#include "boxes/projected/directions.hpp"
#include "boxes/projected/orthonormal.hpp"
#include "boxes/rotated/rotation.hpp"
#include "data/check.hpp"
#include "data/dataset.hpp"
#include "search/knn.hpp"
#include "search/preparation.hpp"
#include "search/subset.hpp"

namespace polls_test {

constexpr double kLargestPart = 0.25;

double own_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Gaps {
    double first = own_seconds(), last = first, longest = 0;

    static std::int32_t take(void *self, const bmo_progress *) {
        static_cast<Gaps *>(self)->end();
        return 0;
    }
    void end() {
        longest = std::max(longest, own_seconds() - last);
        last = own_seconds();
    }
};

template <class Work>
void expect_polls(Work work) {
    Gaps gaps;
    bmo::Watch watch(Gaps::take, &gaps, 1, nullptr);
    watch.begin(BMO_PHASE_PREPARE, 1);
    work(watch);
    gaps.end();
    const double whole = gaps.last - gaps.first;
    if (gaps.longest > kLargestPart * whole)
        print_message("# %.3f s of %.3f s without a poll\n", gaps.longest, whole);
    assert_true(gaps.longest <= kLargestPart * whole);
}

// Coordinate j of row i: whole numbers that hang together in no way.
double value_of(std::int64_t i, std::int64_t j) {
    return static_cast<double>((i * 7919 + j * 104729 + i * j % 977 * 31) % 1009);
}

bmo::PointSource source(std::int64_t n, std::int64_t d) {
    return {n, d, [d](std::int64_t row, double *out) {
                for (std::int64_t j = 0; j < d; ++j)
                    out[j] = value_of(row, j);
            }};
}

void directions_of_images(void **) {
    expect_polls([](bmo::Watch &watch) { bmo::leading_directions(source(1100, 12288), 48, 1, 1, watch); });
}

void directions_of_long_rows(void **) {
    expect_polls([](bmo::Watch &watch) { bmo::leading_directions(source(12, 1 << 20), 48, 1, 1, watch); });
}

void rotation_of_a_long_row(void **) {
    const bmo::Rotation rotation(1 << 22, 1);
    std::vector<double> row(static_cast<std::size_t>(rotation.padded()));
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = value_of(3, static_cast<std::int64_t>(j));
    expect_polls([&](bmo::Watch &watch) { rotation.turn(row.data(), watch); });
}

// So few coordinates that every arm is finished, in an order that is sorted.
void a_race_of_many_arms(void **) {
    constexpr std::int64_t kArms = 1 << 20, kCoordinates = 16;
    std::vector<float> values(kArms * kCoordinates);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(value_of(static_cast<std::int64_t>(i), 1));
    bmo::Watch unwatched;
    const auto data =
        bmo::make_dense(bmo::row_major(BMO_F32, values.data(), kArms, kCoordinates), true, nullptr, unwatched);
    bmo::Settings settings;
    settings.threads = 1;
    settings.method = BMO_METHOD_BANDIT;
    settings.box = BMO_BOX_DENSE;
    const bmo::KnnSearch search(data, settings, unwatched);
    bmo::Queries queries;
    queries.points = bmo::row_major(BMO_F32, values.data(), 1, kCoordinates);
    queries.count = 1;
    queries.max_abs = data->max_abs;
    expect_polls([&](bmo::Watch &watch) {
        bmo_stats stats{};
        search.run(
            queries, 10, [](std::int64_t, std::span<const bmo::Neighbor>, const bmo_row_stats &) {}, watch, stats);
    });
}

void a_subset_of_many_points(void **) {
    constexpr std::int64_t kPoints = 200000, kCoordinates = 64;
    std::vector<float> values(kPoints * kCoordinates);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(value_of(static_cast<std::int64_t>(i), 1));
    std::vector<std::int64_t> rows(kPoints);
    for (std::int64_t i = 0; i < kPoints; ++i)
        rows[static_cast<std::size_t>(i)] = i * 7919 % kPoints;
    bmo::Watch unwatched;
    bmo::Settings settings;
    settings.metric = BMO_METRIC_COSINE;
    settings.box = BMO_BOX_DENSE;
    for (const bool columns : {false, true}) {
        bmo::DenseView view = bmo::row_major(BMO_F32, values.data(), kPoints, kCoordinates);
        if (columns)
            std::tie(view.point_stride, view.coord_stride) = std::pair(1, kPoints);
        const auto whole = bmo::prepare_dataset(*bmo::make_dense(view, true, nullptr, unwatched), settings, unwatched);
        expect_polls([&](bmo::Watch &watch) { bmo::subset(*whole, rows, watch); });
    }
}

// |V'V - 1| of what is made by blocks of reflections, and one by one, of matrices that are nearly of lower rank.
void columns_are_orthonormal(void **) {
    for (const std::int64_t rows : {5, 48, 60, 3000, 30000})
        for (const std::int64_t width : {1, 2, 5, 48, 56}) {
            if (width > rows)
                continue;
            bmo::WideMatrix matrix(rows, width);
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < width; ++j)
                    matrix(i, j) = value_of(i, j % 40) + 1e-6 * value_of(j, i);
            bmo::Watch watch;
            const bmo::WideMatrix columns = bmo::orthonormal(matrix, watch);
            const bmo::WideMatrix inner = columns.transpose() * columns;
            assert_true((inner - bmo::WideMatrix::Identity(width, width)).norm() <= 1e-12);
            // And they span what they should.
            const bmo::WideMatrix left = matrix - columns * (columns.transpose() * matrix);
            assert_true(left.norm() <= 1e-12 * matrix.norm());
        }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(directions_of_images),    cmocka_unit_test(directions_of_long_rows),
        cmocka_unit_test(rotation_of_a_long_row),  cmocka_unit_test(a_race_of_many_arms),
        cmocka_unit_test(a_subset_of_many_points), cmocka_unit_test(columns_are_orthonormal),
    };
    return cmocka_run_group_tests_name("polls", tests, nullptr, nullptr);
}

} // namespace polls_test

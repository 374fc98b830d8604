// The box that a preparation by auto is for, and what it is chosen by.
#include "cmocka.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "search/choice/box_choice.hpp"
#include "search/choice/contrast.hpp"
#include "util/xoshiro.hpp"

namespace box_choice_test {

using bmo::Dataset;
using bmo::Settings;

const bmo::Metric kSquares = bmo::Metric::from(BMO_METRIC_SQEUCLIDEAN, 2);

// n points with `rank` normal directions of variance 1, all of them on `spread` coordinates of d.
struct Points {
    std::vector<float> values;
    std::shared_ptr<const Dataset> data;

    Points(std::int64_t n, std::int64_t d, std::int64_t rank, std::int64_t spread)
        : values(static_cast<std::size_t>(n * d)) {
        bmo::Xoshiro256pp random(static_cast<std::uint64_t>(n + d + rank));
        const auto draw = [&] {
            double sum = -6;
            for (int i = 0; i < 12; ++i)
                sum += static_cast<double>(random.below(1 << 20)) / (1 << 20);
            return sum;
        };
        std::vector<double> directions(static_cast<std::size_t>(rank * spread));
        for (double &value : directions)
            value = draw();
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t r = 0; r < rank; ++r) {
                const double share = draw();
                for (std::int64_t j = 0; j < spread; ++j)
                    values[static_cast<std::size_t>(i * d + j)] +=
                        static_cast<float>(share * directions[static_cast<std::size_t>(r * spread + j)]);
            }
        bmo::Watch watch;
        data = bmo::make_dense(bmo::row_major(BMO_F32, values.data(), n, d), true, {}, watch);
    }
};

Settings expecting(std::int64_t queries) {
    Settings settings;
    settings.expected_queries = queries;
    return settings;
}

bool is(std::optional<std::int64_t> box, std::int64_t expected) {
    return box && *box == expected;
}

bool is_none(std::optional<std::int64_t> box) {
    return !box.has_value();
}

// Squared distances of points with r normal directions of like size have a spread of sqrt(2 / r), and normal coordinates a
// kurtosis of 3, or d / spread times that where only so many differ.
void contrast_is_that_of_normal_points(void **) {
    for (const std::int64_t rank : {1, 4, 16}) {
        const Points whole(400, 512, rank, 512), few(400, 512, rank, 32);
        const bmo::Contrast of_whole = bmo::sample_contrast(*whole.data, kSquares, 2000, 1);
        const bmo::Contrast of_few = bmo::sample_contrast(*few.data, kSquares, 2000, 1);
        assert_true(std::abs(of_whole.spread / std::sqrt(2 / static_cast<double>(rank)) - 1) < 0.25);
        assert_true(of_whole.dimensions() > 0.6 * static_cast<double>(rank));
        assert_true(of_few.kurtosis > 8 * of_whole.kurtosis && of_few.kurtosis < 32 * of_whole.kurtosis);
        assert_true(of_few.samples(400, 0.01) > 8 * of_whole.samples(400, 0.01));
        assert_true(of_whole.samples(400, 1e-6) > of_whole.samples(400, 0.01));
    }
    const Points noise(400, 512, 512, 512);
    const bmo::Contrast flat = bmo::sample_contrast(*noise.data, kSquares, 2000, 1);
    assert_true(flat.dimensions() > 200 && flat.samples(400, 0.01) > 512);
}

// Normal points in many dimensions are of nearly the same length, and their directions as far apart as they are.
void contrast_of_directions_is_that_of_normal_points(void **) {
    for (const std::int64_t metric : {BMO_METRIC_COSINE, BMO_METRIC_INNER_PRODUCT}) {
        const Points noise(400, 512, 512, 512), few(400, 512, 4, 512);
        assert_true(bmo::sample_angular_contrast(*noise.data, metric, 2000, 1).dimensions() > 200);
        assert_true(bmo::sample_angular_contrast(*few.data, metric, 2000, 1).dimensions() < 100);
    }
}

void points_that_are_all_alike_tell_nothing(void **) {
    const std::vector<float> values(300, 2.5F);
    bmo::Watch watch;
    const auto data = bmo::make_dense(bmo::row_major(BMO_F32, values.data(), 100, 3), true, {}, watch);
    assert_true(bmo::sample_contrast(*data, bmo::Metric::from(BMO_METRIC_L1, 1), 8, 1).samples(100, 0.01) == HUGE_VAL);
}

void what_is_prepared_depends_on_the_queries_to_come(void **) {
    const Points points(2500, 1024, 6, 1024);
    assert_true(is(bmo::box_to_prepare(*points.data, expecting(0)), BMO_BOX_PROJECTED)); // many
    assert_true(is_none(bmo::box_to_prepare(*points.data, expecting(1))));
    assert_true(is_none(bmo::box_to_prepare(*points.data, expecting(10))));
    assert_true(is(bmo::box_to_prepare(*points.data, expecting(1000000)), BMO_BOX_PROJECTED));
}

void what_is_prepared_depends_on_the_data(void **) {
    const Points noise(2500, 1024, 1024, 1024), peaks(2500, 4096, 6, 16), small(100, 16, 6, 16);
    for (const std::int64_t queries : {1000, 1000000}) {
        assert_true(is_none(bmo::box_to_prepare(*noise.data, expecting(queries))));
        assert_true(is_none(bmo::box_to_prepare(*small.data, expecting(queries))));
        assert_false(is(bmo::box_to_prepare(*peaks.data, expecting(queries)), BMO_BOX_DENSE));
    }
    Settings cosine = expecting(1);
    cosine.metric = BMO_METRIC_COSINE;
    const Points directed(2500, 1024, 6, 1024);
    assert_true(is_none(bmo::box_to_prepare(*directed.data, cosine)));
    cosine.expected_queries = 1000000; // of 1,000 a scan is as fast as under l2
    assert_true(is(bmo::box_to_prepare(*directed.data, cosine), BMO_BOX_PROJECTED));
    for (const std::int64_t metric : {BMO_METRIC_COSINE, BMO_METRIC_INNER_PRODUCT})
        for (const std::int64_t queries : {0, 1000, 1000000}) { // directions tell nothing apart
            Settings flat = expecting(queries);
            flat.metric = metric;
            assert_true(is_none(bmo::box_to_prepare(*noise.data, flat)));
        }
    Settings l1 = expecting(1000000);
    l1.metric = BMO_METRIC_L1;
    const Points points(2500, 4096, 6, 4096);
    assert_true(is(bmo::box_to_prepare(*points.data, l1), BMO_BOX_DENSE));
}

void what_is_asked_for_is_prepared(void **) {
    const Points points(100, 16, 6, 16);
    for (const std::int64_t box : {BMO_BOX_DENSE, BMO_BOX_ROTATED, BMO_BOX_PROJECTED}) {
        Settings settings = expecting(1);
        settings.box = box;
        assert_true(is(bmo::box_to_prepare(*points.data, settings), box));
        assert_true(bmo::narrowing_pays(*points.data, settings));
    }
    assert_false(bmo::narrowing_pays(*points.data, expecting(1)));
    assert_true(bmo::narrowing_pays(*points.data, expecting(1000000)));
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(contrast_is_that_of_normal_points),
        cmocka_unit_test(contrast_of_directions_is_that_of_normal_points),
        cmocka_unit_test(points_that_are_all_alike_tell_nothing),
        cmocka_unit_test(what_is_prepared_depends_on_the_queries_to_come),
        cmocka_unit_test(what_is_prepared_depends_on_the_data),
        cmocka_unit_test(what_is_asked_for_is_prepared),
    };
    return cmocka_run_group_tests_name("box_choice", tests, nullptr, nullptr);
}

} // namespace box_choice_test

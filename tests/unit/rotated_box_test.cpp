// The rotated box: its samples add up to the distance, and the margin for rounding covers what the stored values lose.
#include "cmocka.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "boxes/rotated/rotated_box.hpp"
#include "one_query.hpp"
#include "util/xoshiro.hpp"

namespace rotated_box_test {

constexpr std::int64_t kD = 400; // all 512 rotated coordinates are stored
constexpr std::int64_t kN = 40;

struct Bound {
    std::shared_ptr<const bmo::Preparation> prepared;
    bmo::RotatedBox box;

    Bound(const OneQuery &made, std::int64_t seed)
        : prepared(prepare(made, seed)), box(made.data, dynamic_cast<const bmo::RotatedPrepared &>(*prepared),
                                             bmo::Metric::from(BMO_METRIC_SQEUCLIDEAN, 2)) {}

    static std::shared_ptr<const bmo::Preparation> prepare(const OneQuery &made, std::int64_t seed) {
        bmo::Watch watch;
        bmo::Settings settings;
        settings.seed = seed;
        return bmo::prepare_rotated(made.data, settings, 1, watch);
    }

    // The sum of all samples of each arm, in double.
    std::vector<double> sums() {
        std::vector<std::int32_t> arms(static_cast<std::size_t>(box.arms()));
        std::iota(arms.begin(), arms.end(), 0);
        std::vector<float> z(arms.size() * bmo::kBatch);
        std::vector<double> total(arms.size());
        assert_int_equal(box.readable(), box.population());
        for (std::int64_t first = 0; first < box.population(); first += bmo::kBatch) {
            assert_int_equal(box.pull(first, bmo::kBatch, arms, z.data()), z.size());
            for (std::size_t i = 0; i < z.size(); ++i)
                total[i / bmo::kBatch] += static_cast<double>(z[i]);
        }
        return total;
    }
};

double uniform(bmo::Xoshiro256pp &random) {
    return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

// Two clusters, `apart` from each other and about 1 wide; the query is in the first.
OneQuery clusters(double apart, double unit, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    std::vector<double> points(kN * kD), query(kD);
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = unit * ((i / kD % 2 == 0 ? -apart : apart) + uniform(random));
    for (double &value : query)
        value = unit * (-apart + uniform(random));
    return {std::move(points), std::move(query)};
}

void samples_add_up_to_the_distance(void **) {
    for (const double unit : {1.0, 1e-200, 1e150, 1e-30}) {
        const OneQuery made = clusters(3, unit, 1);
        Bound bound(made, 2);
        bound.box.bind(made.queries(), 0);
        const std::vector<double> sums = bound.sums();
        for (std::int64_t arm = 0; arm < kN; ++arm) {
            const double units = bound.box.sample_units(bound.box.exact(static_cast<std::int32_t>(arm)));
            const double sum = sums[static_cast<std::size_t>(arm)];
            assert_true(sum * (1 - 1e-6) <= units && units <= sum * (1 + 1e-5));
            const double distance = bound.box.distance(bound.box.exact(static_cast<std::int32_t>(arm)));
            if (unit > 1e-100)
                assert_true(std::abs(distance - made.squared_distance(arm)) <= 1e-12 * distance);
        }
    }
}

// Clusters so far apart that float stores a good part of a distance as rounding: the margin has to cover it.
void the_margin_covers_the_rounding_of_stored_values(void **) {
    int beyond = 0;
    for (std::int64_t seed = 0; seed < 20; ++seed) {
        const OneQuery made = clusters(3e6, 1, static_cast<std::uint64_t>(seed));
        Bound bound(made, seed);
        bound.box.bind(made.queries(), 0);
        const std::vector<double> sums = bound.sums();
        const auto &prepared = dynamic_cast<const bmo::RotatedPrepared &>(*bound.prepared);
        for (std::int64_t arm = 0; arm < kN; ++arm) {
            const double sum = sums[static_cast<std::size_t>(arm)];
            const double units = bound.box.sample_units(bound.box.exact(static_cast<std::int32_t>(arm)));
            assert_true(sum * (1 - 1e-6) <= units);
            const double scale = prepared.rotation.scale();
            beyond += sum > made.squared_distance(arm) * scale * scale;
        }
    }
    assert_true(beyond > 100); // without the margin these would count against a neighbor
}

// The query lies so far out that its rotated values leave the range of float at the scale of the data.
void a_query_far_beyond_the_data_is_compared_in_double(void **) {
    for (const double far : {1e15, 1e30, 1e150}) {
        OneQuery made = clusters(3, 1, 4);
        for (std::size_t j = 0; j < kD; ++j)
            made.query[j] = far * (j % 3 == 0 ? -1.0 : 1.0);
        Bound bound(made, 5);
        bound.box.bind(made.queries(), 0);
        for (std::int64_t arm = 0; const double sum : bound.sums()) {
            const double units = bound.box.sample_units(bound.box.exact(static_cast<std::int32_t>(arm++)));
            assert_true(std::isfinite(sum) && sum > 0 && sum * (1 - 1e-6) <= units && units <= sum * (1 + 1e-5));
        }
    }
}

void an_own_point_need_not_be_rotated_again(void **) {
    const OneQuery made = clusters(3, 1, 6);
    Bound bound(made, 7);
    const bmo::Queries own{.points = made.data.dense, .count = kN, .own_points = true, .max_abs = made.data.max_abs};
    bound.box.bind(own, 9);
    assert_int_equal(bound.box.projection_ops(), 0);
    const std::vector<double> from_store = bound.sums();
    assert_true(from_store[9] == 0);
    bmo::Queries same = own;
    same.own_points = false;
    bound.box.bind(same, 9);
    assert_int_equal(bound.box.projection_ops(), 2 * 9 * 512);
    assert_true(bound.sums() == from_store);
}

void an_allowance_below_zero_stays_below_zero(void **) {
    const OneQuery made = clusters(3, 1, 8);
    Bound bound(made, 9);
    bound.box.bind(made.queries(), 0);
    assert_true(bound.box.sample_units(-1) < 0);
    assert_true(std::isinf(bound.box.sample_units(INFINITY)));
}

void no_points_can_be_prepared(void **) {
    const OneQuery made({}, std::vector<double>(kD, 1.0));
    Bound bound(made, 1);
    assert_int_equal(bound.box.arms(), 0);
    bound.box.bind(made.queries(), 0);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(samples_add_up_to_the_distance),
        cmocka_unit_test(the_margin_covers_the_rounding_of_stored_values),
        cmocka_unit_test(a_query_far_beyond_the_data_is_compared_in_double),
        cmocka_unit_test(an_own_point_need_not_be_rotated_again),
        cmocka_unit_test(an_allowance_below_zero_stays_below_zero),
        cmocka_unit_test(no_points_can_be_prepared),
    };
    return cmocka_run_group_tests_name("rotated_box", tests, nullptr, nullptr);
}

} // namespace rotated_box_test

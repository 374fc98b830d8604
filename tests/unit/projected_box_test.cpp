// The projected box: heads and residuals add up to the distance, the margin for rounding covers what stored values lose, and no
// bound is above a distance.
#include "cmocka.hpp"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "boxes/projected/projected_box.hpp"
#include "one_query.hpp"
#include "util/xoshiro.hpp"

namespace projected_box_test {

using Points = std::vector<double>;

constexpr std::int64_t kN = 120;

double uniform(bmo::Xoshiro256pp &random) {
    return static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5;
}

// Points near a plane of `rank` dimensions, `noise` off it, far from the origin by `offset`; the query is one more.
OneQuery near_plane(std::int64_t d, std::int64_t rank, double noise, double offset, double unit, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    Points basis(static_cast<std::size_t>(rank * d)), points, query;
    for (double &value : basis)
        value = uniform(random);
    for (std::int64_t i = 0; i <= kN; ++i) {
        Points shares(static_cast<std::size_t>(rank));
        for (double &share : shares)
            share = 10 * uniform(random);
        for (std::int64_t j = 0; j < d; ++j) {
            double value = offset + noise * uniform(random);
            for (std::int64_t l = 0; l < rank; ++l)
                value += shares[static_cast<std::size_t>(l)] * basis[static_cast<std::size_t>(l * d + j)];
            (i < kN ? points : query).push_back(unit * value);
        }
    }
    return {std::move(points), std::move(query)};
}

struct Bound {
    std::shared_ptr<const bmo::Preparation> prepared;
    bmo::ProjectedBox box;
    std::vector<std::int32_t> arms = std::vector<std::int32_t>(static_cast<std::size_t>(box.arms()));

    explicit Bound(const OneQuery &made, std::int64_t seed = 1)
        : prepared(prepare(made.data, seed)), box(made.data, dynamic_cast<const bmo::ProjectedPrepared &>(*prepared),
                                                  bmo::Metric::from(BMO_METRIC_SQEUCLIDEAN, 2)) {
        std::iota(arms.begin(), arms.end(), 0);
    }
    static std::shared_ptr<const bmo::Preparation> prepare(const bmo::Dataset &data, std::int64_t seed) {
        bmo::Watch watch;
        bmo::Settings settings;
        settings.seed = seed;
        return bmo::prepare_projected(data, settings, 1, watch);
    }

    // The heads' parts of the arms' sums; the leads' are a little less.
    std::vector<double> heads() {
        constexpr double kEverything = 1e38;
        std::vector<double> sums = left_by(guesses(), kEverything);
        assert_int_equal(box.add_rest(arms, sums.data()), arms.size() * (bmo::kHead - bmo::kLead));
        return sums;
    }
    // With all samples.
    std::vector<double> sums() {
        std::vector<double> total = heads();
        std::vector<float> z(arms.size() * bmo::kBatch);
        assert_int_equal(box.readable(), box.population());
        for (std::int64_t first = 0; first < box.population(); first += bmo::kBatch) {
            assert_int_equal(box.pull(first, bmo::kBatch, arms, z.data()), z.size());
            for (std::size_t i = 0; i < z.size(); ++i)
                total[i / bmo::kBatch] += static_cast<double>(z[i]);
        }
        return total;
    }
    bmo::AlignedVector<float> guesses() {
        bmo::AlignedVector<float> found((arms.size() + bmo::kBatch - 1) / bmo::kBatch * bmo::kBatch);
        assert_int_equal(box.guess(0, box.arms(), found.data()), arms.size() * bmo::kBatch);
        return found;
    }
    // Of each arm that the guesses leave, what the lead has of its sum at least; -1 of the others.
    std::vector<double> left_by(const bmo::AlignedVector<float> &guesses, double target) {
        std::vector<std::int32_t> kept(arms.size());
        std::vector<double> least(arms.size()), of_arms(arms.size(), -1);
        const std::int64_t found = box.bound_guesses(0, box.arms(), guesses.data(), target, kept.data(), least.data());
        for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i)
            of_arms.at(static_cast<std::size_t>(kept[i])) = least[i];
        return of_arms;
    }
    double units(std::size_t arm) { return box.sample_units(box.exact(static_cast<std::int32_t>(arm))); }
};

void heads_and_samples_add_up_to_the_distance(void **) {
    for (const double unit : {1.0, 1e-200, 1e150, 1e-30})
        for (const std::int64_t rank : {1, 20, 60}) {
            const OneQuery made = near_plane(320, rank, 1, 100, unit, 3);
            Bound bound(made);
            bound.box.bind(made.queries(), 0);
            const std::vector<double> sums = bound.sums();
            for (std::size_t arm = 0; arm < sums.size(); ++arm) {
                assert_true(sums[arm] * (1 - 1e-6) <= bound.units(arm));
                assert_true(bound.units(arm) <= sums[arm] * (1 + 1e-2));
                const double distance = bound.box.distance(bound.box.exact(static_cast<std::int32_t>(arm)));
                if (unit > 1e-100)
                    assert_true(std::abs(distance - made.squared_distance(static_cast<std::int64_t>(arm))) <=
                                1e-12 * distance);
            }
        }
}

// At each point's own distance as the target, no bound drops it; at a small part of it, most fall where the data are near a
// plane.
void bounds_are_never_above_a_distance(void **) {
    for (const double noise : {0.0, 1e-6, 1.0, 100.0})
        for (const double offset : {0.0, 4194304.0}) {
            const OneQuery made = near_plane(256, 10, noise, offset, 1, 5);
            Bound bound(made);
            bound.box.bind(made.queries(), 0);
            const std::vector<double> heads = bound.heads();
            std::uint8_t keep = 9;
            int dropped = 0;
            for (std::size_t arm = 0; arm < heads.size(); ++arm) {
                const std::int32_t which = bound.arms[arm];
                bound.box.bound({&which, 1}, &heads[arm], bound.units(arm), &keep);
                assert_int_equal(keep, 1);
                bound.box.bound({&which, 1}, &heads[arm], bound.box.sample_units(bound.box.exact(which) / 4), &keep);
                dropped += keep == 0;
            }
            if (noise <= 1)
                assert_true(dropped > kN * 9 / 10);
        }
}

// The same of guesses alone.
void guesses_never_drop_an_arm_at_its_distance(void **) {
    for (const double noise : {0.0, 1e-6, 1.0, 100.0})
        for (const double offset : {0.0, 4194304.0}) {
            const OneQuery made = near_plane(256, 10, noise, offset, 1, 5);
            Bound bound(made);
            bound.box.bind(made.queries(), 0);
            const bmo::AlignedVector<float> guesses = bound.guesses();
            const std::vector<double> heads = bound.heads();
            int dropped = 0;
            for (std::size_t arm = 0; arm < heads.size(); ++arm) {
                const double least = bound.left_by(guesses, bound.units(arm))[arm];
                assert_true(least >= 0 && least <= heads[arm]);
                const double exact = bound.box.exact(static_cast<std::int32_t>(arm));
                dropped += bound.left_by(guesses, bound.box.sample_units(exact / 4))[arm] < 0;
            }
            if (noise <= 1)
                assert_true(dropped > kN * 9 / 10);
        }
}

// Orthogonal parts: the point that is nearest in the plane, and no farther off it, has the least guess.
void guesses_find_the_nearest(void **) {
    const OneQuery made = near_plane(256, 8, 0.5, 0, 1, 7);
    Bound bound(made);
    bound.box.bind(made.queries(), 0);
    const bmo::AlignedVector<float> guesses = bound.guesses();
    const auto best =
        static_cast<std::int64_t>(std::min_element(guesses.begin(), guesses.begin() + kN) - guesses.begin());
    for (std::int64_t arm = 0; arm < kN; ++arm)
        assert_true(made.squared_distance(best) <= made.squared_distance(arm) * 1.1);
}

void a_query_far_beyond_the_data_is_compared_in_double(void **) {
    for (const double far : {1e15, 1e30, 1e150}) {
        OneQuery made = near_plane(64, 3, 1, 0, 1, 4);
        for (std::size_t j = 0; j < made.query.size(); ++j)
            made.query[j] = far * (j % 3 == 0 ? -1.0 : 1.0);
        Bound bound(made);
        bound.box.bind(made.queries(), 0);
        const std::vector<double> sums = bound.sums(), heads = bound.heads();
        std::vector<std::uint8_t> keep(sums.size());
        bound.box.bound(bound.arms, heads.data(), bound.units(0) * 2, keep.data());
        for (std::size_t arm = 0; arm < sums.size(); ++arm) {
            assert_true(std::isfinite(sums[arm]) && sums[arm] > 0);
            assert_true(sums[arm] * (1 - 1e-6) <= bound.units(arm) && bound.units(arm) <= sums[arm] * (1 + 1e-2));
            assert_int_equal(keep[arm], 1);
        }
        const bmo::AlignedVector<float> guesses = bound.guesses();
        for (const double least : bound.left_by(guesses, bound.units(0) * 2))
            assert_true(least >= 0);
        for (const double least : bound.left_by(guesses, bound.units(0) / 2))
            assert_true(least < 0);
    }
}

void an_own_point_need_not_be_projected_again(void **) {
    const OneQuery made = near_plane(208, 5, 1, 3, 1, 6);
    Bound bound(made);
    const bmo::Queries own{.points = made.data.dense, .count = kN, .own_points = true, .max_abs = made.data.max_abs};
    bound.box.bind(own, 9);
    assert_int_equal(bound.box.projection_ops(), 0);
    const std::vector<double> from_store = bound.sums();
    assert_true(from_store[9] == 0);
    bmo::Queries same = own;
    same.own_points = false;
    bound.box.bind(same, 9);
    assert_true(bound.box.projection_ops() >= static_cast<std::uint64_t>(bmo::kHead * made.d()));
    const std::vector<double> anew = bound.sums();
    for (std::size_t arm = 0; arm < anew.size(); ++arm) // residuals of 16 bits, or not
        assert_true(std::abs(anew[arm] - from_store[arm]) <= 2e-3 * from_store[arm] + 1e-6 * from_store[0]);
}

void queries_bound_together_are_as_if_alone(void **) {
    const OneQuery made = near_plane(208, 5, 1, 3, 1, 6);
    Bound one(made), two(made), alone(made);
    const bmo::Queries queries{.points = made.data.dense, .count = kN, .max_abs = made.data.max_abs};
    bmo::ProjectedBox::bind_together({&one.box, &two.box}, queries, 30);
    alone.box.bind(queries, 30);
    assert_true(one.sums() == alone.sums());
    alone.box.bind(queries, 31);
    assert_true(two.sums() == alone.sums());
}

// Fewer points, or fewer coordinates, than directions.
void small_data_have_fewer_directions(void **) {
    for (const std::int64_t d : {1, 2, 15, 47}) {
        const OneQuery made = near_plane(d, 1, 1, 0, 1, 2);
        Bound bound(made);
        bound.box.bind(made.queries(), 0);
        const std::vector<double> heads = bound.heads(); // as many directions as coordinates: all of it
        for (std::size_t arm = 0; arm < heads.size(); ++arm) {
            const double unit = bound.units(arm) / made.squared_distance(static_cast<std::int64_t>(arm));
            assert_true(std::abs(heads[arm] - made.squared_distance(static_cast<std::int64_t>(arm)) * unit) <=
                        1e-2 * heads[arm]);
        }
    }
    OneQuery none = near_plane(8, 1, 1, 0, 1, 2);
    none.data.dense.n = 0;
    Bound empty(none);
    assert_int_equal(empty.box.arms(), 0);
    empty.box.bind(none.queries(), 0);
}

void directions_are_those_of_the_data(void **) {
    const OneQuery made = near_plane(300, 2, 1e-3, 50, 1, 8);
    bmo::Watch watch;
    const bmo::PointSource points{kN, made.d(),
                                  [&](std::int64_t row, double *out) { bmo::load_point(made.data.dense, row, out); }};
    const bmo::Directions found = bmo::leading_directions(points, 16, 1, 1, watch);
    assert_true(found.skew < 1e-5);
    for (std::int64_t i = 0; i < kN; ++i) { // what the plane leaves of a point is its noise
        double square = 0, held = 0;
        for (std::int64_t l = -1; l < 2; ++l) {
            double share = 0;
            for (std::int64_t j = 0; j < made.d(); ++j) {
                const auto at = static_cast<std::size_t>(j);
                const double centered = made.points[static_cast<std::size_t>(i * made.d() + j)] - found.middle[at];
                if (l < 0)
                    square += centered * centered;
                else
                    share += centered * static_cast<double>(found.values[static_cast<std::size_t>(l * made.d() + j)]);
            }
            held += share * share;
        }
        assert_true(square - held <= 0.01 * square + 1e-3);
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(heads_and_samples_add_up_to_the_distance),
        cmocka_unit_test(bounds_are_never_above_a_distance),
        cmocka_unit_test(guesses_never_drop_an_arm_at_its_distance),
        cmocka_unit_test(guesses_find_the_nearest),
        cmocka_unit_test(a_query_far_beyond_the_data_is_compared_in_double),
        cmocka_unit_test(an_own_point_need_not_be_projected_again),
        cmocka_unit_test(queries_bound_together_are_as_if_alone),
        cmocka_unit_test(small_data_have_fewer_directions),
        cmocka_unit_test(directions_are_those_of_the_data),
    };
    return cmocka_run_group_tests_name("projected_box", tests, nullptr, nullptr);
}

} // namespace projected_box_test

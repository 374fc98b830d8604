// The samples of every box over dense points, at the ends of what float and double hold: each is a finite float, and those of
// an arm never add up to more than its own sum says. An arm would else fall for certain, a true neighbor too.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "boxes/box.hpp"
#include "boxes/dense/angular_box.hpp"
#include "boxes/dense/callback_box.hpp"
#include "boxes/dense/importance_box.hpp"
#include "boxes/dense/weighted_box.hpp"
#include "boxes/projected/projected_angular_box.hpp"
#include "boxes/projected/projected_box.hpp"
#include "boxes/rotated/rotated_angular_box.hpp"
#include "boxes/rotated/rotated_box.hpp"
#include "simd/bets.hpp"
#include "util/xoshiro.hpp"

namespace sample_extremes_test {

constexpr std::int64_t kN = 40, kD = 320; // all coordinates of a preparation are stored
constexpr std::int64_t kSeed = 3;

// Points and a query of these sizes, of both signs. Some points are next to the query, one is 0, one has one huge value.
struct Cloud {
    std::vector<double> doubles, query;
    std::vector<float> floats;
    bmo::Dataset data;
    double query_size;

    Cloud(bmo_dtype dtype, double size, double of_query) : query_size(of_query) {
        bmo::Xoshiro256pp random(7);
        const auto draw = [&] { return static_cast<double>(random.below(2001)) / 1000 - 1; };
        for (std::int64_t j = 0; j < kD; ++j)
            query.push_back(of_query * draw());
        for (std::int64_t i = 0; i < kN; ++i)
            for (std::int64_t j = 0; j < kD; ++j) {
                const double near = std::clamp(query[static_cast<std::size_t>(j)], -size, size);
                const double huge = i == 5 && j == 11 ? 1 : 1e-3;
                doubles.push_back(i == 0 ? 0 : i % 3 == 0 ? near * (1 + 1e-3 * draw()) : size * huge * draw());
            }
        floats.assign(doubles.begin(), doubles.end());
        const bool narrow = dtype == BMO_F32;
        data.dense =
            narrow ? bmo::row_major(BMO_F32, floats.data(), kN, kD) : bmo::row_major(BMO_F64, doubles.data(), kN, kD);
        if (narrow)
            doubles.assign(floats.begin(), floats.end());
        data.max_abs = largest(doubles);
    }
    Cloud(const Cloud &) = delete;
    Cloud &operator=(const Cloud &) = delete;

    bmo::Queries queries() const {
        return {.points = bmo::row_major(BMO_F64, query.data(), 1, kD), .count = 1, .max_abs = largest(query)};
    }
    bmo::Queries own() const {
        return {.points = data.dense, .count = kN, .own_points = true, .max_abs = data.max_abs};
    }

    static double largest(const std::vector<double> &values) {
        double most = 0;
        for (const double value : values)
            most = std::max(most, std::abs(value));
        return most;
    }
};

template <class Visit>
void for_clouds(Visit visit) {
    for (const double size : {1e-310, 1e-300, 1e-200, 1e-100, 1e-20, 1.0, 1e20, 1e100, 1e150, 1e200, 1e300, 1.7e308})
        for (const double query : {1e-320, 1e-300, 1e-100, 1e-10, 1.0, 1e10, 1e100, 1e200, 1.7e308})
            visit(Cloud(BMO_F64, size, query));
    for (const double size : {1e-44, 1e-38, 1e-30, 1e-19, 1.0, 1e18, 1e30, 3e38})
        for (const double query : {1e-300, 1e-44, 1e-38, 1e-19, 1.0, 1e18, 3e38, 1e300})
            visit(Cloud(BMO_F32, size, query));
}

std::vector<std::int32_t> all_arms(std::int64_t n) {
    std::vector<std::int32_t> arms(static_cast<std::size_t>(n));
    std::iota(arms.begin(), arms.end(), 0);
    return arms;
}

// Adds the samples of all arms to their sums.
template <class B>
void add_samples(B &box, std::vector<double> &sums) {
    const std::vector<std::int32_t> arms = all_arms(box.arms());
    std::vector<float> z(arms.size() * bmo::kBatch);
    for (std::int64_t first = 0; first < box.readable(); first += bmo::kBatch) {
        const auto width = static_cast<int>(std::min<std::int64_t>(bmo::kBatch, box.population() - first));
        box.pull(first, width, arms, z.data());
        for (std::size_t i = 0; i < arms.size(); ++i)
            for (int j = 0; j < width; ++j) {
                const float sample = z[i * bmo::kBatch + static_cast<std::size_t>(j)];
                assert_true(sample >= 0 && sample <= bmo::kSampleLimit);
                sums[i] += static_cast<double>(sample);
            }
    }
}

// As a look takes them: see sum_below(). The samples of boxes that serve upper bounds, too, do not add up to less.
template <class B>
void check_sums(B &box, std::vector<double> sums) {
    constexpr double kComfortable = 1e-150; // a sum whose terms did not underflow
    add_samples(box, sums);
    const double slack = static_cast<double>(box.population()) * bmo::kSampleAbsoluteError;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const double exact = box.exact(static_cast<std::int32_t>(i)), target = box.sample_units(exact);
        assert_true(sums[i] * (1 - bmo::kSumRelativeError) - slack <= target);
        if constexpr (requires { box.largest_sample(); })
            assert_true(exact < kComfortable || sums[i] * (1 + bmo::kSumRelativeError) + slack >= target);
    }
}

template <class B>
void check(B &box) {
    box.read_head(0, box.arms());
    std::vector<double> sums;
    for (std::int32_t arm = 0; arm < static_cast<std::int32_t>(box.arms()); ++arm)
        sums.push_back(box.start_sum(arm));
    check_sums(box, sums);
}

// The heads are no samples; what bounds say with certainty leaves an arm of its own sum in.
template <class B>
void check_projected(B &box) {
    constexpr double kEverything = 1e38;
    const std::vector<std::int32_t> arms = all_arms(box.arms());
    bmo::AlignedVector<float> guesses((arms.size() + bmo::kBatch - 1) / bmo::kBatch * bmo::kBatch);
    box.guess(0, box.arms(), guesses.data());
    std::vector<std::int32_t> kept(arms.size() + bmo::kBatch);
    std::vector<double> sums(kept.size());
    for (const std::int32_t arm : arms) {
        const double target = box.sample_units(box.exact(arm));
        const auto left = box.bound_guesses(0, box.arms(), guesses.data(), target, kept.data(), sums.data());
        const auto place = std::find(kept.begin(), kept.begin() + left, arm) - kept.begin();
        assert_true(place < left);
        std::uint8_t keep = 0;
        double *sum = sums.data() + place;
        box.add_rest({&arm, 1}, sum);
        box.bound({&arm, 1}, sum, target, &keep);
        assert_int_equal(keep, 1);
    }
    assert_int_equal(box.bound_guesses(0, box.arms(), guesses.data(), kEverything, kept.data(), sums.data()), kN);
    sums.resize(arms.size());
    box.add_rest(arms, sums.data());
    check_sums(box, sums);
}

const bmo::Metric kMetrics[] = {bmo::Metric::from(BMO_METRIC_SQEUCLIDEAN, 2), bmo::Metric::from(BMO_METRIC_L1, 1),
                                bmo::Metric::from(BMO_METRIC_LP, 3), bmo::Metric::from(BMO_METRIC_LP, 0.5),
                                bmo::Metric::from(BMO_METRIC_LP, 32)};

bmo::Settings settings_of(std::int64_t metric) {
    bmo::Settings settings;
    settings.metric = metric;
    settings.seed = kSeed;
    return settings;
}

// Weights over as many orders of magnitude as may be.
std::vector<double> wide_weights() {
    std::vector<double> weights;
    for (std::int64_t j = 0; j < kD; ++j)
        weights.push_back(j % 7 == 0 ? 0 : std::pow(10.0, -static_cast<double>(j % 290)));
    return weights;
}

void dense(void **) {
    for_clouds([](const Cloud &cloud) {
        const bmo::Order order = bmo::random_order(kD, kSeed);
        for (const bmo::Metric &metric : kMetrics) {
            bmo::DenseBox box(cloud.data, order, nullptr, metric);
            box.bind(cloud.queries(), 0);
            check(box);
        }
    });
}

void weighted(void **) {
    const bmo::Weights weights(wide_weights());
    for_clouds([&](const Cloud &cloud) {
        const bmo::Order order = bmo::weighted_order(weights, kSeed);
        for (const bmo::Metric &metric : kMetrics) {
            bmo::WeightedBox box(cloud.data, order, nullptr, metric, weights);
            box.bind(cloud.queries(), 0);
            check(box);
        }
    });
}

// Weights below what float holds, where distances are so large that they count.
void tiny_weights_count(void **) {
    constexpr float kFar = 1e17F, kNear = 1e-3F;
    std::vector<float> points(kN * kD);
    std::vector<double> weights(kD);
    for (std::size_t j = 0; j < kD; ++j)
        weights[j] = j % 2 == 0 ? 1e-39 : 1;
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = (i % 2 == 0 ? kFar : kNear) * static_cast<float>(1 + i / kD) / kN;
    const std::vector<double> origin(kD, 0);
    bmo::Dataset data;
    data.dense = bmo::row_major(BMO_F32, points.data(), kN, kD);
    data.max_abs = static_cast<double>(kFar);
    const bmo::Weights wide(weights);
    const bmo::Order order = bmo::weighted_order(wide, kSeed);
    bmo::WeightedBox box(data, order, nullptr, kMetrics[0], wide);
    box.bind({.points = bmo::row_major(BMO_F64, origin.data(), 1, kD), .count = 1, .max_abs = 0}, 0);
    check(box);
    for (std::int32_t arm = 0; arm < kN; ++arm)
        for (std::int32_t j = 0; j < kD; ++j) {
            float z = 0;
            box.sample(arm, &j, 1, &z);
            const auto apart = static_cast<double>(points[static_cast<std::size_t>(arm * kD + j)]);
            const double expected = wide.scaled[static_cast<std::size_t>(j)] * apart * apart;
            assert_true(std::abs(static_cast<double>(z) - expected) <= expected * 0x1p-22);
        }
}

void importance(void **) {
    const bmo::Weights weights(wide_weights());
    std::vector<std::int32_t> all = all_arms(kD);
    for_clouds([&](const Cloud &cloud) {
        for (const bmo::Metric &metric : kMetrics) {
            const bmo::ImportanceOrder parts(bmo::coordinate_spread(cloud.data, metric, nullptr, kSeed), all, true,
                                             kSeed);
            bmo::ImportanceBox<bmo::DenseBox> box(cloud.data, parts, metric);
            box.bind(cloud.queries(), 0);
            check(box);
            const bmo::ImportanceOrder of_weighted(bmo::coordinate_spread(cloud.data, metric, &weights, kSeed),
                                                   weights.positive, true, kSeed);
            bmo::ImportanceBox<bmo::WeightedBox> weighted_box(cloud.data, of_weighted, metric, weights);
            weighted_box.bind(cloud.queries(), 0);
            check(weighted_box);
        }
    });
}

void rotated(void **) {
    bmo::Watch watch;
    for_clouds([&](const Cloud &cloud) {
        const auto prepared = bmo::prepare_rotated(cloud.data, settings_of(BMO_METRIC_SQEUCLIDEAN), 1, watch);
        bmo::RotatedBox box(cloud.data, dynamic_cast<const bmo::RotatedPrepared &>(*prepared), kMetrics[0]);
        box.bind(cloud.queries(), 0);
        check(box);
        box.bind(cloud.own(), 5);
        check(box);
    });
}

void projected(void **) {
    bmo::Watch watch;
    for_clouds([&](const Cloud &cloud) {
        const auto prepared = bmo::prepare_projected(cloud.data, settings_of(BMO_METRIC_SQEUCLIDEAN), 1, watch);
        bmo::ProjectedBox box(cloud.data, dynamic_cast<const bmo::ProjectedPrepared &>(*prepared), kMetrics[0]);
        box.bind(cloud.queries(), 0);
        check_projected(box);
        box.bind(cloud.own(), 5);
        check_projected(box);
    });
}

void angular(void **) {
    bmo::Watch watch;
    for_clouds([&](const Cloud &cloud) {
        const bmo::Order order = bmo::random_order(kD, kSeed);
        const auto norms = bmo::norms_of(cloud.data.points(), 1, watch);
        for (const std::int64_t metric : {BMO_METRIC_COSINE, BMO_METRIC_INNER_PRODUCT}) {
            const bmo::Angles angles(norms, metric, bmo::AngularBox::kError);
            bmo::AngularBox box(cloud.data, order, nullptr, angles);
            box.bind(cloud.queries(), 0);
            check(box);
            const auto turned = bmo::prepare_rotated(cloud.data, settings_of(metric), 1, watch);
            const bmo::Angles of_turned(norms, metric, bmo::RotatedAngularBox::kError);
            bmo::RotatedAngularBox rotated_box(cloud.data, dynamic_cast<const bmo::RotatedPrepared &>(*turned),
                                               of_turned);
            rotated_box.bind(cloud.queries(), 0);
            check(rotated_box);
            const auto learnt = bmo::prepare_projected(cloud.data, settings_of(metric), 1, watch);
            bmo::ProjectedAngularBox projected_box(cloud.data, dynamic_cast<const bmo::ProjectedPrepared &>(*learnt),
                                                   angles);
            projected_box.bind(cloud.queries(), 0);
            check_projected(projected_box);
        }
    });
}

// What a caller says of coordinates may be anything from 0 to the largest double.
std::int32_t apart(void *, const std::int64_t *, std::int64_t count, const double *a, const double *b, double *rho) {
    for (std::int64_t i = 0; i < count; ++i)
        rho[i] = std::min(std::abs(a[i] / 512 - b[i] / 512), 1e300);
    return 0;
}

void callback(void **) {
    bmo::CustomRho rho;
    rho.call = apart;
    for_clouds([&](const Cloud &cloud) {
        const bmo::Order order = bmo::random_order(kD, kSeed);
        bmo::CallbackBox box(cloud.data, order, nullptr, rho);
        box.bind(cloud.queries(), 0);
        check(box);
    });
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(dense),      cmocka_unit_test(weighted), cmocka_unit_test(tiny_weights_count),
        cmocka_unit_test(importance), cmocka_unit_test(rotated),  cmocka_unit_test(projected),
        cmocka_unit_test(angular),    cmocka_unit_test(callback),
    };
    return cmocka_run_group_tests_name("sample_extremes", tests, nullptr, nullptr);
}

} // namespace sample_extremes_test

// Every box and sampling is unbiased: the samples of an arm, each as often as it is to be drawn, add up to the exact sum.
//
// Without replacement that is a count: the order has every sample once. With replacement the samples of all positions add
// up to the exact sum, and positions are uniform: of 60,000 draws over 60 positions (seed 1) chi^2, which has 59 degrees
// of freedom, is below 140; it is above that with probability 1.6e-8. So is that of the coordinates at a place of the
// orders of 6,000 seeds, and that of the parts of importance sampling, of which each coordinate has its number. (The samples of
// rotated and of sparse points are those of tests/unit/rotated_box_test.cpp and overlap_test.cpp.)
#include "../unit/cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "bandit/adaptive/box_arms.hpp"
#include "boxes/dense/dense_box.hpp"
#include "boxes/dense/importance_box.hpp"
#include "boxes/dense/importance_order.hpp"
#include "boxes/dense/weighted_box.hpp"
#include "util/xoshiro.hpp"

namespace {

constexpr std::int64_t kPoints = 5, kCoords = 1003;

// Small integers: every sum is exact.
std::vector<float> made(std::size_t count, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    std::vector<float> values(count);
    for (float &value : values)
        value = static_cast<float>(random.below(200)) - 100;
    return values;
}

struct Setting {
    std::vector<float> points = made(kPoints * kCoords, 1), query = made(kCoords, 2);
    std::vector<double> weights = std::vector<double>(kCoords);
    bmo::Dataset data;
    bmo::Queries queries;

    Setting() {
        data.dense = bmo::row_major(BMO_F32, points.data(), kPoints, kCoords);
        data.max_abs = 100;
        queries.points = bmo::row_major(BMO_F32, query.data(), 1, kCoords);
        queries.count = 1;
        queries.max_abs = 100;
        for (std::size_t j = 0; j < kCoords; ++j) // a third are 0; powers of two keep sums exact
            weights[j] = j % 3 == 0 ? 0 : std::ldexp(1.0, static_cast<int>(j % 5));
    }

    double sum(std::int32_t arm, int p, bool weighted) const {
        double sum = 0;
        for (std::size_t j = 0; j < kCoords; ++j) {
            const double apart = std::abs(static_cast<double>(points[static_cast<std::size_t>(arm) * kCoords + j]) -
                                          static_cast<double>(query[j]));
            sum += (weighted ? weights[j] : 1) * (p == 1 ? apart : apart * apart);
        }
        return sum;
    }
};

bmo::Metric metric_of(int p) {
    return bmo::Metric::from(p == 1 ? BMO_METRIC_L1 : BMO_METRIC_L2, 2);
}

template <bmo::Box B>
double sum_of_order(B &box, std::int32_t arm) {
    double sum = 0;
    float z[bmo::kBatch];
    for (std::int64_t first = 0; first < box.population(); first += bmo::kBatch) {
        const auto width = static_cast<int>(std::min<std::int64_t>(bmo::kBatch, box.population() - first));
        box.pull(first, width, {&arm, 1}, z);
        sum = std::accumulate(z, z + width, sum, [](double a, float b) { return a + static_cast<double>(b); });
    }
    return sum;
}

template <bmo::DrawableBox B>
double sum_of_positions(B &box, std::int32_t arm) {
    double sum = 0;
    for (std::int32_t j = 0; j < box.population(); ++j) {
        float z = 0;
        box.sample(arm, &j, 1, &z);
        sum += static_cast<double>(z);
    }
    return sum;
}

template <bmo::DrawableBox B>
void assert_unbiased(B &box, const Setting &setting, int p, bool weighted, double scale) {
    box.bind(setting.queries, 0);
    for (std::int32_t arm = 0; arm < kPoints; ++arm) {
        const double expected = setting.sum(arm, p, weighted) / scale;
        assert_true(box.sample_units(box.exact(arm)) == expected);
        assert_true(sum_of_order(box, arm) == expected);
        assert_true(sum_of_positions(box, arm) == expected);
        assert_true(box.largest_sample() * static_cast<double>(box.population()) >= expected);
        assert_true(box.sample_of(3) == 3 / scale);
    }
}

void the_dense_box_is_unbiased(void **) {
    const Setting setting;
    for (const int p : {1, 2}) {
        const bmo::Order order = bmo::random_order(kCoords, 7);
        bmo::DenseBox box(setting.data, order, nullptr, metric_of(p));
        assert_unbiased(box, setting, p, false, 1);
    }
}

void weights_keep_it_unbiased(void **) {
    const Setting setting;
    const bmo::Weights weights(setting.weights);
    for (const int p : {1, 2}) {
        const bmo::Order order = bmo::weighted_order(weights, 7);
        bmo::WeightedBox box(setting.data, order, nullptr, metric_of(p), weights);
        assert_int_equal(box.population(), kCoords - (kCoords + 2) / 3);
        assert_unbiased(box, setting, p, true, weights.root * weights.root);
    }
}

double chi_squared(const std::vector<double> &counts, double expected) {
    double sum = 0;
    for (const double count : counts)
        sum += (count - expected) * (count - expected) / expected;
    return sum;
}

void every_place_of_an_order_is_uniform(void **) {
    std::vector<std::vector<double>> at(60, std::vector<double>(60));
    for (std::int64_t seed = 1; seed <= 6000; ++seed) {
        const bmo::Order order = bmo::random_order(60, seed);
        for (std::size_t place = 0; place < 60; ++place)
            ++at[place][static_cast<std::size_t>(order[place])];
    }
    for (const std::size_t place : {0U, 1U, 16U, 31U, 58U, 59U})
        assert_true(chi_squared(at[place], 100) < 140);
}

std::vector<std::int32_t> all_coordinates(std::int64_t d) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(d));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

// Of 60 coordinates every fourth has three times the spread of the others, which is twice the mean: two parts.
void parts_have_the_places_of_their_number(void **) {
    std::vector<double> spread(60, 1);
    for (std::size_t j = 0; j < 60; j += 4)
        spread[j] = 3;
    std::vector<std::vector<double>> at(75, std::vector<double>(60));
    for (std::int64_t seed = 1; seed <= 6000; ++seed) {
        const bmo::ImportanceOrder parts(spread, all_coordinates(60), true, seed);
        assert_int_equal(parts.head, 0);
        assert_int_equal(parts.population(), 75);
        for (std::size_t place = 0; place < 75; ++place) {
            const auto j = static_cast<std::size_t>(parts.order[place]);
            assert_true(parts.share[place] == (j % 4 == 0 ? 0.5F : 1.0F));
            ++at[place][j];
        }
    }
    for (const std::size_t place : {0U, 1U, 16U, 31U, 73U, 74U}) {
        double chi2 = 0;
        for (std::size_t j = 0; j < 60; ++j) {
            const double expected = j % 4 == 0 ? 160 : 80;
            chi2 += (at[place][j] - expected) * (at[place][j] - expected) / expected;
        }
        assert_true(chi2 < 140);
    }
}

// What a head has and the parts of the others add up to the sum, and never to more.
template <class B, class... More>
void assert_parts_add_up(const Setting &setting, int p, bool weighted, double scale, bool with_head,
                         const More &...more) {
    std::vector<double> spread(kCoords);
    std::vector<std::int32_t> coordinates;
    for (std::size_t j = 0; j < kCoords; ++j) {
        spread[j] = (weighted ? setting.weights[j] : 1) * (j % 100 == 1 ? 1000 : static_cast<double>(1 + j % 7));
        if (!weighted || setting.weights[j] > 0)
            coordinates.push_back(static_cast<std::int32_t>(j));
    }
    const bmo::ImportanceOrder parts(spread, coordinates, with_head, 7);
    assert_int_equal(parts.head, with_head ? bmo::kBatch : 0);
    assert_true(parts.population() > static_cast<std::int64_t>(coordinates.size()) - parts.head);
    bmo::ImportanceBox<B> box(setting.data, parts, metric_of(p), more...);
    box.bind(setting.queries, 0);
    assert_int_equal(box.read_head(0, kPoints), kPoints * parts.head);
    for (std::int32_t arm = 0; arm < kPoints; ++arm) {
        const double expected = setting.sum(arm, p, weighted) / scale;
        assert_true(box.sample_units(box.exact(arm)) == expected);
        const double sum = box.start_sum(arm) + sum_of_order(box, arm);
        assert_true(sum <= expected * (1 + 0x1p-20) && sum >= expected * (1 - 0x1p-20));
        assert_true((box.start_sum(arm) > 0) == with_head);
    }
}

void importance_sampling_is_unbiased(void **) {
    const Setting setting;
    const bmo::Weights weights(setting.weights);
    for (const int p : {1, 2})
        for (const bool with_head : {false, true}) {
            assert_parts_add_up<bmo::DenseBox>(setting, p, false, 1, with_head);
            assert_parts_add_up<bmo::WeightedBox>(setting, p, true, weights.root * weights.root, with_head, weights);
        }
}

// Spread is that of the distances between points: of normal points with standard deviation s_j it is in proportion to s_j^p.
void spread_is_that_of_distances(void **) {
    constexpr std::int64_t kMany = 300;
    bmo::Xoshiro256pp random(3);
    std::vector<double> values;
    for (std::int64_t i = 0; i < kMany; ++i)
        for (int j = 0; j < 3; ++j) { // twelve uniforms have variance 1
            double sum = -6;
            for (int l = 0; l < 12; ++l)
                sum += static_cast<double>(random.next() >> 11) * 0x1p-53;
            values.push_back(j == 2 ? 5 : std::ldexp(sum, 3 * j));
        }
    bmo::Dataset data;
    data.dense = bmo::row_major(BMO_F64, values.data(), kMany, 3);
    data.max_abs = 48;
    for (const int p : {1, 2}) {
        const std::vector<double> spread = bmo::coordinate_spread(data, metric_of(p), nullptr, 1);
        assert_true(std::abs(spread[1] / spread[0] / std::pow(8, p) - 1) < 0.4);
        assert_true(spread[2] == 0);
        const bmo::Weights weights({0.5, 0, 0.25});
        const std::vector<double> weighted = bmo::coordinate_spread(data, metric_of(p), &weights, 1);
        assert_true(weighted[0] == spread[0] * weights.scaled[0] && weighted[1] == 0);
    }
}

// A box whose sample at position j is j.
struct Positions : bmo::BoxDefaults<Positions> {
    static std::int64_t arms() { return 1; }
    static std::int64_t population() { return 60; }
    static std::uint64_t pull(std::int64_t, int, std::span<const std::int32_t>, float *) { return 0; }
    static double exact(std::int32_t) { return 0; }
    static std::uint64_t exact_ops(std::int32_t) { return 0; }
    static std::uint64_t brute_ops(std::int64_t) { return 0; }
    static double sample_units(double sum) { return sum; }
    static void sample(std::int32_t, const std::int32_t *coords, int width, float *z) { std::copy_n(coords, width, z); }
    static double largest_sample() { return 59; }
    static double sample_of(double distance) { return distance; }
};

struct Histogram final : bmo::Confidence {
    std::vector<double> counts = std::vector<double>(60);

    void add(std::int32_t arm, std::span<const float> samples) override {
        bmo::Confidence::add(arm, samples);
        for (const float z : samples)
            ++counts[static_cast<std::size_t>(z)];
    }
    bmo::Bounds bounds(std::int32_t) override { return {}; }
};

void positions_are_uniform(void **) {
    Positions box;
    bmo::Cost cost;
    bmo::BoxArms arms(box, bmo::Draw::with_replacement, bmo::mix_seed({1, 0}), cost);
    Histogram histogram;
    histogram.begin(1, {});
    const std::int32_t arm = 0;
    for (int call = 0; call < 600; ++call) // each starts a stream anew
        arms.pull({&arm, 1}, 100, histogram);
    const double chi2 = chi_squared(histogram.counts, 1000);
    assert_int_equal(cost.sampling_ops, 60000);
    assert_true(chi2 < 140);
    assert_true(chi2 > 20); // below with probability 4.4e-7: so even would be no chance
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_dense_box_is_unbiased),
        cmocka_unit_test(weights_keep_it_unbiased),
        cmocka_unit_test(every_place_of_an_order_is_uniform),
        cmocka_unit_test(positions_are_uniform),
        cmocka_unit_test(parts_have_the_places_of_their_number),
        cmocka_unit_test(importance_sampling_is_unbiased),
        cmocka_unit_test(spread_is_that_of_distances),
    };
    return cmocka_run_group_tests_name("unbiased", tests, nullptr, nullptr);
}

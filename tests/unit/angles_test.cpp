// Cosine and inner product: what the samples of a point add up to, and sums of products to twice the precision of double.
#include "cmocka.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "boxes/dense/angular_box.hpp"
#include "boxes/dense/dense_prepared.hpp"
#include "boxes/rotated/rotated_angular_box.hpp"
#include "util/xoshiro.hpp"

namespace angles_test {

constexpr std::int64_t kD = 400; // all 512 rotated coordinates are stored
constexpr std::int64_t kN = 30;
__extension__ using Wide = __int128;

struct Case {
    std::vector<double> points, query;
    bmo::Dataset data;

    explicit Case(double unit, std::uint64_t seed) : points(kN * kD), query(kD) {
        bmo::Xoshiro256pp random(seed);
        const auto value = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-52 - 0.75; };
        for (double &q : query)
            q = value() * unit;
        for (std::size_t i = 0; i < points.size(); ++i) // every other point is near the query's direction
            points[i] = (i / kD % 2 == 0 ? value() * unit : query[i % kD] + 1e-3 * value() * unit) *
                        static_cast<double>(1 + i / kD % 7);
        std::fill_n(points.begin() + 3 * kD, kD, 0.0);
        data.dense = bmo::row_major(BMO_F64, points.data(), kN, kD);
        for (const double x : points)
            data.max_abs = std::max(data.max_abs, std::abs(x));
    }
    bmo::Queries queries() const { return {.points = bmo::row_major(BMO_F64, query.data(), 1, kD), .count = 1}; }

    long double product(std::int64_t arm) const {
        long double sum = 0;
        for (std::size_t j = 0; j < kD; ++j)
            sum += static_cast<long double>(points[static_cast<std::size_t>(arm * kD) + j]) * query[j];
        return sum;
    }
    static long double norm(const double *x) {
        long double sum = 0;
        for (std::size_t j = 0; j < kD; ++j)
            sum += static_cast<long double>(x[j]) * x[j];
        return std::sqrt(sum);
    }
    long double distance(std::int64_t metric, std::int64_t arm) const {
        const long double p = product(arm), of_point = norm(points.data() + arm * kD);
        if (metric == BMO_METRIC_INNER_PRODUCT)
            return -p;
        return of_point == 0 ? 1 : 1 - p / (of_point * norm(query.data()));
    }
};

std::shared_ptr<const bmo::Norms> norms(const Case &made) {
    bmo::Watch watch;
    return bmo::norms_of(made.data.points(), 1, watch);
}

// start_sum() and all samples of each arm, in double.
template <class B>
std::vector<double> totals(B &box) {
    std::vector<std::int32_t> arms(static_cast<std::size_t>(box.arms()));
    std::iota(arms.begin(), arms.end(), 0);
    std::vector<float> z(arms.size() * bmo::kBatch);
    std::vector<double> total;
    for (const std::int32_t arm : arms)
        total.push_back(box.start_sum(arm));
    for (std::int64_t first = 0; first < box.population(); first += bmo::kBatch) {
        const auto width = static_cast<int>(std::min<std::int64_t>(bmo::kBatch, box.population() - first));
        box.pull(first, width, arms, z.data());
        for (std::size_t i = 0; i < arms.size(); ++i)
            for (std::size_t j = 0; j < static_cast<std::size_t>(width); ++j)
                total[i] += static_cast<double>(z[i * bmo::kBatch + j]);
    }
    return total;
}

// The totals are at most what the exact sum allows, which is not much more; and the distances are right.
template <class B>
void check(B &box, const Case &made, std::int64_t metric, double unit, double loose) {
    box.bind(made.queries(), 0);
    const std::vector<double> total = totals(box);
    for (std::int32_t arm = 0; arm < kN; ++arm) {
        const double exact = box.exact(arm), units = box.sample_units(exact);
        assert_true(total[static_cast<std::size_t>(arm)] * (1 - 1e-6) <= units);
        if (arm != 3 || metric == BMO_METRIC_INNER_PRODUCT)
            assert_true(units <= total[static_cast<std::size_t>(arm)] * (1 + 1e-6) + loose);
        const long double distance = made.distance(metric, arm);
        const double allowed = metric == BMO_METRIC_COSINE ? 1e-17 : 1e-17 * unit * unit * kD;
        assert_true(std::abs(box.distance(exact) - distance) <= 1e-15L * std::abs(distance) + 100 * allowed);
    }
}

void samples_add_up_to_the_distance(void **) {
    for (const double unit : {1.0, 1e-150, 1e140, 1e-30})
        for (const std::int64_t metric : {BMO_METRIC_COSINE, BMO_METRIC_INNER_PRODUCT}) {
            const Case made(unit, 1);
            const bmo::Order order = bmo::random_order(kD, 2);
            const bmo::Angles angles(norms(made), metric, bmo::AngularBox::kError);
            bmo::AngularBox box(made.data, order, nullptr, angles);
            check(box, made, metric, unit, 1e-12);

            bmo::Settings settings;
            settings.metric = metric;
            bmo::Watch watch;
            const auto prepared = bmo::prepare_rotated(made.data, settings, 1, watch);
            const auto &rotated = dynamic_cast<const bmo::RotatedPrepared &>(*prepared);
            const bmo::Angles rotated_angles(rotated.norms, metric, bmo::RotatedAngularBox::kError);
            bmo::RotatedAngularBox rotated_box(made.data, rotated, rotated_angles);
            check(rotated_box, made, metric, unit, 1e-6);
        }
}

// Directions so close that what is stored of them differs by rounding: the margin has to cover it.
void the_margin_covers_the_rounding_of_stored_values(void **) {
    int beyond = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Case made(1, seed);
        for (std::size_t i = 0; i < made.points.size(); ++i)
            made.points[i] = made.query[i % kD] * (1 + 1e-9 * static_cast<double>(i % 5));
        bmo::Settings settings;
        settings.metric = BMO_METRIC_COSINE;
        settings.seed = static_cast<std::int64_t>(seed);
        bmo::Watch watch;
        const auto prepared = bmo::prepare_rotated(made.data, settings, 1, watch);
        const auto &rotated = dynamic_cast<const bmo::RotatedPrepared &>(*prepared);
        const bmo::Angles angles(rotated.norms, BMO_METRIC_COSINE, bmo::RotatedAngularBox::kError);
        bmo::RotatedAngularBox box(made.data, rotated, angles);
        box.bind(made.queries(), 0);
        const std::vector<double> total = totals(box);
        for (std::int32_t arm = 0; arm < kN; ++arm) {
            const double exact = box.exact(arm);
            assert_true(total[static_cast<std::size_t>(arm)] * (1 - 1e-6) <= box.sample_units(exact));
            beyond += total[static_cast<std::size_t>(arm)] > exact;
        }
    }
    assert_true(beyond > 100); // without the margin these would count against a neighbor
}

// Sums whose terms cancel but for their last bits, in integers of 104 bits.
void products_keep_what_double_would_lose(void **) {
    bmo::Xoshiro256pp random(4);
    for (int run = 0; run < 50; ++run) {
        std::vector<double> a(37), b(37);
        Wide sum = 0;
        for (std::size_t j = 0; j < a.size(); ++j) {
            const auto x = static_cast<std::int64_t>(random.next() >> 12),
                       y = static_cast<std::int64_t>(random.next() >> 12);
            a[j] = static_cast<double>(x);
            b[j] = static_cast<double>(j % 2 == 0 ? y : -y);
            sum += static_cast<Wide>(x) * (j % 2 == 0 ? y : -y);
        }
        const bmo::DoubleDouble found = bmo::dot_product(a.data(), BMO_F64, 1, b, false);
        // Integers below 2^110: the error is a few units of 2^-104 of the sum of magnitudes, which is below 2^110.
        const Wide difference = static_cast<Wide>(found.high) + static_cast<Wide>(found.low) - sum;
        assert_true(difference < 1 << 16 && difference > -(1 << 16));
        const bmo::DoubleDouble root = bmo::square_root(found * found);
        assert_true(std::abs((root.high - std::abs(found.high)) +
                             (root.low - (found.high < 0 ? -found.low : found.low))) <= 0x1p-98 * std::abs(found.high));
    }
}

// 1 - cos of whole numbers by the sum over pairs of coordinates of (a_i b_j - a_j b_i)^2, which is |a|^2 |b|^2 sin^2.
double one_minus_cosine(const std::vector<std::int64_t> &a, const std::vector<std::int64_t> &b) {
    long double across = 0, squares_a = 0, squares_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        squares_a += static_cast<long double>(a[i]) * static_cast<long double>(a[i]);
        squares_b += static_cast<long double>(b[i]) * static_cast<long double>(b[i]);
        for (std::size_t j = 0; j < i; ++j) {
            const auto exact = static_cast<long double>(Wide{a[i]} * b[j] - Wide{a[j]} * b[i]);
            across += exact * exact;
        }
    }
    const long double sine = across / squares_a / squares_b;
    return static_cast<double>(sine / (1 + std::sqrt(1 - sine)));
}

// Whole numbers near 2^51 that differ in their last bits: 1 - cos is about 2^-102, and as small as 2^-205 in two coordinates.
void vectors_that_differ_in_their_last_bits(void **) {
    for (const std::size_t d : {std::size_t{2}, std::size_t{3}, std::size_t{40}}) {
        constexpr std::size_t kVectors = 30;
        bmo::Xoshiro256pp random(d);
        std::vector<std::int64_t> query(d);
        std::vector<double> points, asked;
        for (std::int64_t &value : query) {
            value = (std::int64_t{1} << 51) + static_cast<std::int64_t>(random.below(8));
            asked.push_back(static_cast<double>(value));
        }
        std::vector<double> expected;
        for (std::size_t i = 0; i < kVectors; ++i) {
            std::vector<std::int64_t> point = query;
            for (std::int64_t &value : point)
                value += static_cast<std::int64_t>(random.below(4));
            expected.push_back(one_minus_cosine(query, point));
            for (const std::int64_t value : point) // three times as long: at the same angle
                points.push_back(static_cast<double>(i % 2 == 0 ? value : 3 * value));
        }
        bmo::Dataset data;
        data.dense = bmo::row_major(BMO_F64, points.data(), kVectors, static_cast<std::int64_t>(d));
        bmo::Watch watch;
        const bmo::Angles angles(bmo::norms_of(data.points(), 1, watch), BMO_METRIC_COSINE, bmo::AngularBox::kError);
        const bmo::Order order = bmo::random_order(static_cast<std::int64_t>(d), 1);
        bmo::AngularBox box(data, order, nullptr, angles);
        box.bind({.points = bmo::row_major(BMO_F64, asked.data(), 1, static_cast<std::int64_t>(d)), .count = 1}, 0);
        for (std::size_t i = 0; i < kVectors; ++i)
            assert_true(std::abs(box.exact(static_cast<std::int32_t>(i)) - expected[i]) <= 1e-15 * expected[i]);
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(samples_add_up_to_the_distance),
        cmocka_unit_test(the_margin_covers_the_rounding_of_stored_values),
        cmocka_unit_test(products_keep_what_double_would_lose),
        cmocka_unit_test(vectors_that_differ_in_their_last_bits),
    };
    return cmocka_run_group_tests_name("angles", tests, nullptr, nullptr);
}

} // namespace angles_test

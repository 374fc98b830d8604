// Sparse points at the ends of what float and double hold, against sums of differences in long double.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "data/sparse_input.hpp"
#include "search/knn.hpp"
#include "util/xoshiro.hpp"

namespace sparse_extremes_test {

// Rows of entries, as a dataset has them.
struct Rows {
    std::int64_t d;
    std::vector<std::int64_t> pointers{0};
    std::vector<std::int32_t> indices;
    std::vector<double> values;

    explicit Rows(std::int64_t coordinates) : d(coordinates) {}

    void put(std::int32_t coordinate, double value) {
        if (value == 0)
            return;
        indices.push_back(coordinate);
        values.push_back(value);
    }
    void end_row() { pointers.push_back(static_cast<std::int64_t>(indices.size())); }
    std::int64_t n() const { return static_cast<std::int64_t>(pointers.size()) - 1; }

    template <class T>
    std::shared_ptr<const bmo::Dataset> dataset() const {
        const std::vector<T> typed(values.begin(), values.end());
        bmo::Watch watch;
        return bmo::make_sparse({.pointer_dtype = BMO_I64,
                                 .index_dtype = BMO_I32,
                                 .value_dtype = sizeof(T) == sizeof(float) ? BMO_F32 : BMO_F64,
                                 .n = n(),
                                 .d = d,
                                 .nnz = static_cast<std::int64_t>(indices.size()),
                                 .pointers = pointers.data(),
                                 .indices = indices.data(),
                                 .values = typed.data()},
                                false, nullptr, "data", watch);
    }
};

std::vector<long double> row_of(const bmo::Dataset &data, std::int64_t row) {
    std::vector<long double> values(static_cast<std::size_t>(data.d()), 0);
    for (std::int64_t k = data.sparse.first(row); k < data.sparse.first(row + 1); ++k)
        values[static_cast<std::size_t>(data.sparse.indices[k])] = static_cast<long double>(data.sparse.value(k));
    return values;
}

// The distances of all points to a query, before any root.
std::vector<long double> true_sums(const bmo::Dataset &data, const bmo::Dataset &asked, std::int64_t query,
                                   bool square) {
    std::vector<long double> sums;
    const std::vector<long double> q = row_of(asked, query);
    for (std::int64_t i = 0; i < data.n(); ++i) {
        const std::vector<long double> x = row_of(data, i);
        long double sum = 0;
        for (std::size_t j = 0; j < q.size(); ++j)
            sum += square ? (q[j] - x[j]) * (q[j] - x[j]) : std::abs(q[j] - x[j]);
        sums.push_back(sum);
    }
    return sums;
}

struct Points {
    std::shared_ptr<const bmo::Dataset> data, asked;
    std::vector<std::vector<long double>> sums[2] = {}; // of |q - x| and (q - x)^2, by query and point

    Points(const std::shared_ptr<const bmo::Dataset> &points, const std::shared_ptr<const bmo::Dataset> &queries)
        : data(points), asked(queries) {
        for (std::int64_t query = 0; query < asked->n(); ++query)
            for (const bool square : {false, true})
                sums[square].push_back(true_sums(*data, *asked, query, square));
    }
};

constexpr std::int64_t kNearest = 5;

// Are these the nearest, with their distances? Sums within 1e-12 of each other are ties.
bool is_right(const std::vector<long double> &sums, std::span<const bmo::Neighbor> found, bool root) {
    std::vector<long double> sorted = sums;
    std::partial_sort(sorted.begin(), sorted.begin() + kNearest, sorted.end());
    for (std::size_t r = 0; r < found.size(); ++r) {
        const long double sum = sums[static_cast<std::size_t>(found[r].index)];
        const long double distance = root ? std::sqrt(sum) : sum;
        if (!(sum <= sorted[r] * (1 + 1e-12L)) ||
            !(std::abs(static_cast<long double>(found[r].distance) - distance) <= 1e-12L * distance))
            return false;
    }
    return true;
}

std::int64_t wrong_answers(const Points &points, const bmo::Settings &settings, bmo_stats &stats) {
    const bool square = settings.metric != BMO_METRIC_L1;
    const bmo::Queries queries{
        .points = points.asked->points(), .count = points.asked->n(), .max_abs = points.asked->max_abs};
    bmo::Watch watch;
    std::int64_t wrong = 0;
    bmo::KnnSearch(points.data, settings, watch)
        .run(
            queries, kNearest,
            [&](std::int64_t query, std::span<const bmo::Neighbor> found, const bmo_row_stats &) {
                const auto &sums = points.sums[square][static_cast<std::size_t>(query)];
                wrong += is_right(sums, found, settings.metric == BMO_METRIC_L2) ? 0 : 1;
            },
            watch, stats);
    return wrong;
}

bmo::Settings settings_of(std::int64_t metric, std::int64_t method, std::int64_t seed) {
    bmo::Settings settings;
    settings.metric = metric;
    settings.method = method;
    settings.seed = seed;
    settings.delta = 1e-6; // over the 1,000 or so answers here an error is less likely than 1 in 1,000
    return settings;
}

// Nearly all points have the sign opposite to the query's, at about `size`: so much less than nothing is their overlap. One
// has tiny positive values.
template <class T>
Points opposite_points(double size, double tiny) {
    constexpr std::int64_t kN = 1000, kD = 4000;
    constexpr int kEntries = 120;
    bmo::Xoshiro256pp random(5);
    Rows points(kD), query(kD);
    for (std::int64_t i = 0; i < kN; ++i) {
        for (int e = 0; e < kEntries; ++e) {
            const auto place = static_cast<std::int32_t>(e * (kD / kEntries)) +
                               static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(kD / kEntries)));
            points.put(place, -size * (1 + static_cast<double>(random.below(1000)) / 4000));
        }
        points.end_row();
    }
    for (std::int32_t j = 0; j < kD; ++j) {
        points.put(j, tiny);
        query.put(j, size);
    }
    points.end_row();
    query.end_row();
    return {points.dataset<T>(), query.dataset<T>()};
}

template <class T>
void check_opposite(double size, double tiny) {
    const Points points = opposite_points<T>(size, tiny);
    std::int64_t wrong = 0;
    for (std::int64_t seed = 0; seed < 20; ++seed) {
        bmo_stats stats{};
        wrong += wrong_answers(points, settings_of(BMO_METRIC_L2, BMO_METHOD_BANDIT, seed), stats);
        assert_true(stats.coord_ops < stats.coord_ops_brute / 2); // sampling works: it is no scan in disguise
    }
    assert_int_equal(wrong, 0);
}

void opposite_signs_lose_no_neighbor(void **) {
    check_opposite<float>(1, 1e-38);
    check_opposite<float>(1, 1e-42);
    check_opposite<float>(1e19, 0);
    check_opposite<double>(1, 1e-60);
    check_opposite<double>(1, 1e-300);
    check_opposite<double>(1e19, 0);
    check_opposite<double>(1e100, 1e-300);
    check_opposite<double>(1e-130, 1e-300);
}

// Points next to the query in a few coordinates, so that norms and overlap do not tell who is nearer; the many others, those
// that are sampled, are next to nothing.
Points heavy_points(double heavy, double light) {
    constexpr std::int64_t kN = 300;
    constexpr std::int32_t kD = 400, kHeavy = 16;
    bmo::Xoshiro256pp random(13);
    Rows points(kD), query(kD);
    for (std::int64_t i = 0; i <= kN; ++i) {
        Rows &to = i < kN ? points : query;
        for (std::int32_t j = 0; j < kHeavy; ++j)
            to.put(j, heavy * (1 + static_cast<double>(i < kN ? random.below(1000) : 0) * 0x1p-40));
        for (std::int32_t j = kHeavy; j < kD; ++j)
            to.put(j, light * static_cast<double>(1 + random.below(1000)));
        to.end_row();
    }
    return {points.dataset<double>(), query.dataset<double>()};
}

void light_samples_lose_no_neighbor(void **) {
    for (const double heavy : {1e60, 1.0, 1e-60, 1e200})
        for (const double light : {1e-100, 1e-150, 1e-200, 1e-300}) {
            const Points points = heavy_points(heavy, light);
            for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_L2})
                for (std::int64_t seed = 0; seed < 3; ++seed) {
                    bmo_stats stats{};
                    assert_int_equal(wrong_answers(points, settings_of(metric, BMO_METHOD_BANDIT, seed), stats), 0);
                }
        }
}

// Values from `least` to `most` of their type, evenly in their logarithms, of both signs. Half of the entries of a point are
// the query's, or nearly so: the further down the row, the more of them differ.
template <class T>
Points wide_points(double least, double most, std::uint64_t seed) {
    constexpr std::int64_t kN = 300, kD = 600, kQueries = 4;
    bmo::Xoshiro256pp random(seed);
    const auto draw = [&](double low, double high) {
        const double at = static_cast<double>(random.below(1 << 20)) / (1 << 20);
        const double size = std::exp2(std::log2(low) + at * (std::log2(high) - std::log2(low)));
        return random.below(2) == 0 ? size : -size;
    };
    Rows points(kD), queries(kD);
    std::vector<std::vector<double>> asked;
    for (std::int64_t q = 0; q < kQueries; ++q) {
        asked.emplace_back();
        for (std::int32_t j = 0; j < kD; ++j) {
            asked.back().push_back(random.below(3) == 0 ? 0 : draw(least, most));
            queries.put(j, asked.back().back());
        }
        queries.end_row();
    }
    for (std::int64_t i = 0; i < kN; ++i) {
        const std::vector<double> &near = asked[static_cast<std::size_t>(i % kQueries)];
        for (std::int32_t j = 0; j < kD; ++j) {
            const bool same = static_cast<std::int64_t>(random.below(kN)) >= i;
            if (random.below(2) == 0)
                points.put(j, same ? near[static_cast<std::size_t>(j)] : draw(least, most));
        }
        points.end_row();
    }
    return {points.dataset<T>(), queries.dataset<T>()};
}

// Values of at most some orders of magnitude, anywhere in the range of their type.
template <class T>
void check_wide(double least, double most) {
    const Points points = wide_points<T>(least, most, 8);
    for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_L2, BMO_METRIC_SQEUCLIDEAN}) {
        const double largest = metric == BMO_METRIC_SQEUCLIDEAN ? 1e150 : 1e300,
                     smallest = metric == BMO_METRIC_SQEUCLIDEAN ? 1e-140 : 0;
        if (most > largest || most < smallest) // a distance, or its digits, would be beyond double
            continue;
        for (const std::int64_t method : {BMO_METHOD_EXACT, BMO_METHOD_BANDIT})
            for (std::int64_t seed = 0; seed < 3; ++seed) {
                bmo_stats stats{};
                assert_int_equal(wrong_answers(points, settings_of(metric, method, seed), stats), 0);
            }
    }
}

void any_size_has_its_nearest(void **) {
    for (const double size : {1e-300, 1e-200, 1e-150, 1e-100, 1e-30, 1.0, 1e15, 1e30, 1e76, 1e100, 1e125, 1e138, 1e139,
                              1e140, 1e150, 1e200, 1e300})
        check_wide<double>(size / 1000, size);
    for (const double size : {1e-37, 1e-20, 1.0, 1e19, 1e30, 1e38})
        check_wide<float>(size / 1000, size);
}

// Points next to the query: each value within 2^-30 of its, so that norms and overlap tell nothing of their distances.
Points near_points(double size) {
    constexpr std::int64_t kN = 300;
    constexpr std::int32_t kD = 200;
    bmo::Xoshiro256pp random(9);
    Rows points(kD), query(kD);
    std::vector<double> asked;
    for (std::int32_t j = 0; j < kD; ++j) {
        asked.push_back(size * (1 + static_cast<double>(random.below(1000)) / 1000));
        query.put(j, asked.back());
    }
    query.end_row();
    for (std::int64_t i = 0; i < kN; ++i) {
        for (std::int32_t j = 0; j < kD; ++j) {
            const auto apart = static_cast<double>(random.below(static_cast<std::uint64_t>(i + 2)));
            points.put(j, asked[static_cast<std::size_t>(j)] * (1 + apart * 0x1p-40));
        }
        points.end_row();
    }
    return {points.dataset<double>(), query.dataset<double>()};
}

void near_points_come_from_differences(void **) {
    for (const double size : {1e-300, 1e-120, 1e-60, 1.0, 1e17, 1e100, 1e138, 1e139, 1e140, 1e150, 1e200, 1e300}) {
        const Points points = near_points(size);
        for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_L2})
            for (const std::int64_t method : {BMO_METHOD_EXACT, BMO_METHOD_BANDIT}) {
                bmo_stats stats{};
                assert_int_equal(wrong_answers(points, settings_of(metric, method, 1), stats), 0);
            }
    }
}

void subnormals_have_their_nearest(void **) {
    check_wide<double>(1e-322, 1e-310);
    check_wide<double>(1e-322, 1e-300);
    check_wide<float>(1e-44, 1e-39);
    check_wide<float>(1e-44, 1e38);
}

void sizes_that_differ_widely_have_their_nearest(void **) {
    check_wide<double>(1e-300, 1e300);
    check_wide<double>(1e-150, 1e150);
    check_wide<double>(1e-20, 1e139);
    check_wide<float>(1e-38, 1e38);
}

// A query of tiny values, the nearest points where it has its entries, and the others elsewhere: at the scale of the points
// the query's values are 0, but they are entries.
Points met_points(double size, double tiny) {
    constexpr std::int64_t kN = 60, kEntries = 3000;
    Rows points(2 * kEntries), query(2 * kEntries);
    bmo::Xoshiro256pp random(21);
    for (std::int64_t i = 0; i < kN; ++i) {
        const bool met = i % 12 == 7;
        const double of_row = size * (met ? 1 : 1.2 + 0.002 * static_cast<double>(i));
        for (std::int32_t j = 0; j < kEntries; ++j)
            points.put(met ? j : j + kEntries, random.below(2) == 0 ? of_row : -of_row);
        points.end_row();
    }
    for (std::int32_t j = 0; j < kEntries; ++j)
        query.put(j, tiny);
    query.end_row();
    return {points.dataset<double>(), query.dataset<double>()};
}

void a_union_counts_entries_that_scale_to_nothing(void **) {
    for (const auto &[size, tiny] : {std::pair{1e150, 1e-200}, {1e300, 1e-100}, {1e-100, 1e-310}, {1.0, 1e-5}}) {
        const Points points = met_points(size, tiny);
        for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_L2})
            for (const std::int64_t bandit : {BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP})
                for (const std::int64_t confidence : {BMO_CONFIDENCE_BETTING, BMO_CONFIDENCE_BERNSTEIN}) {
                    bmo::Settings settings = settings_of(metric, BMO_METHOD_BANDIT, 1);
                    settings.box = BMO_BOX_SPARSE_UNION;
                    settings.bandit = bandit;
                    settings.confidence = confidence;
                    bmo_stats stats{};
                    assert_int_equal(wrong_answers(points, settings, stats), 0);
                    assert_int_equal(stats.guarantee, BMO_GUARANTEE_PROVEN); // samples tell the points apart
                }
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(opposite_signs_lose_no_neighbor),
        cmocka_unit_test(light_samples_lose_no_neighbor),
        cmocka_unit_test(any_size_has_its_nearest),
        cmocka_unit_test(near_points_come_from_differences),
        cmocka_unit_test(subnormals_have_their_nearest),
        cmocka_unit_test(sizes_that_differ_widely_have_their_nearest),
        cmocka_unit_test(a_union_counts_entries_that_scale_to_nothing),
    };
    return cmocka_run_group_tests_name("sparse_extremes", tests, nullptr, nullptr);
}

} // namespace sparse_extremes_test

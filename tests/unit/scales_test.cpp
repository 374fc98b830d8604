// Neighbors of ordinary size beside values at the ends of what double holds, in another row or another query.
#include "cmocka.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "boxes/far_number.hpp"
#include "data/dataset.hpp"
#include "data/sparse_input.hpp"
#include "search/clusters/kmeans.hpp"
#include "search/knn.hpp"
#include "search/medoid/medoid.hpp"
#include "search/preparation.hpp"
#include "util/xoshiro.hpp"

namespace scales_test {

using Rows = std::vector<std::vector<double>>;
using Answer = std::vector<bmo::Neighbor>;

std::vector<double> flat(const Rows &rows) {
    std::vector<double> all;
    for (const std::vector<double> &row : rows)
        all.insert(all.end(), row.begin(), row.end());
    return all;
}

// A copy of the rows, as doubles or bytes.
std::shared_ptr<const bmo::Dataset> dense(const Rows &rows, bmo_dtype dtype = BMO_F64) {
    const std::vector<double> values = flat(rows);
    std::vector<std::uint8_t> bytes;
    if (dtype == BMO_U8)
        bytes.assign(values.begin(), values.end());
    const void *data = dtype == BMO_U8 ? static_cast<const void *>(bytes.data()) : values.data();
    bmo::Watch watch;
    return bmo::make_dense(
        bmo::row_major(dtype, data, static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())),
        false, nullptr, watch);
}

// The same rows, by their values that are not 0.
std::shared_ptr<const bmo::Dataset> sparse(const Rows &rows) {
    std::vector<std::int64_t> pointers = {0};
    std::vector<std::int32_t> indices;
    std::vector<double> values;
    for (const std::vector<double> &row : rows) {
        for (std::size_t j = 0; j < row.size(); ++j)
            if (row[j] != 0) {
                indices.push_back(static_cast<std::int32_t>(j));
                values.push_back(row[j]);
            }
        pointers.push_back(static_cast<std::int64_t>(values.size()));
    }
    bmo::Watch watch;
    return bmo::make_sparse({.pointer_dtype = BMO_I64,
                             .index_dtype = BMO_I32,
                             .value_dtype = BMO_F64,
                             .n = static_cast<std::int64_t>(rows.size()),
                             .d = static_cast<std::int64_t>(rows[0].size()),
                             .nnz = static_cast<std::int64_t>(values.size()),
                             .pointers = pointers.data(),
                             .indices = indices.data(),
                             .values = values.data()},
                            false, nullptr, "points", watch);
}

std::vector<Answer> search(const std::shared_ptr<const bmo::Dataset> &data, const Rows &queries, std::int64_t k,
                           const bmo::Settings &settings) {
    bmo::Watch watch;
    const std::vector<double> values = flat(queries);
    bmo::Queries asked;
    asked.points = bmo::row_major(BMO_F64, values.data(), static_cast<std::int64_t>(queries.size()), data->d());
    asked.count = static_cast<std::int64_t>(queries.size());
    asked.max_abs = bmo::check_values(asked.points.dense, "queries", watch);
    std::vector<Answer> answers(queries.size());
    bmo_stats stats{};
    bmo::KnnSearch(data, settings, watch)
        .run(
            asked, k,
            [&](std::int64_t query, std::span<const bmo::Neighbor> row, const bmo_row_stats &) {
                answers[static_cast<std::size_t>(query)].assign(row.begin(), row.end());
            },
            watch, stats);
    return answers;
}

bmo::Settings settings_of(std::int64_t metric, std::int64_t method = BMO_METHOD_EXACT, double p = 2) {
    bmo::Settings settings;
    settings.metric = metric;
    settings.method = method;
    settings.p = p;
    settings.threads = 1;
    return settings;
}

void check(const Answer &found, const std::vector<std::int64_t> &index, const std::vector<double> &distance,
           double error = 1e-14) {
    assert_int_equal(found.size(), index.size());
    for (std::size_t r = 0; r < found.size(); ++r) {
        assert_int_equal(found[r].index, index[r]);
        assert_true(std::abs(found[r].distance - distance[r]) <= error * std::abs(distance[r]));
    }
}

// Distances to (0, 0): 0, 2.5 and 0.5, or what the metric makes of them; and one point far off.
const Rows kBesideHuge = {{0, 0}, {1.5, 2}, {.5, 0}, {-DBL_MAX, 0}};

void a_huge_row_is_no_scale_for_others(void **) {
    for (const auto &data : {dense(kBesideHuge), sparse(kBesideHuge)}) {
        const auto found = [&](std::int64_t metric, double p = 2) {
            return search(data, {{0, 0}}, 3, settings_of(metric, BMO_METHOD_EXACT, p))[0];
        };
        check(found(BMO_METRIC_L2), {0, 2, 1}, {0, .5, 2.5}, 0);
        check(found(BMO_METRIC_SQEUCLIDEAN), {0, 2, 1}, {0, .25, 6.25}, 0);
        check(found(BMO_METRIC_L1), {0, 2, 1}, {0, .5, 3.5}, 0);
        check(found(BMO_METRIC_LP, 3), {0, 2, 1}, {0, .5, std::cbrt(91.0) / 2});
        check(found(BMO_METRIC_LP, 32), {0, 2, 1}, {0, .5, 2 * std::pow(1 + std::pow(.75, 32), 1.0 / 32)});
        check(found(BMO_METRIC_LP, .5), {0, 2, 1}, {0, .5, 3.5 + 2 * std::sqrt(3.0)});
    }
}

void nor_is_another_query(void **) {
    const Rows three = {{0, 0}, {3, 4}, {1, 0}};
    for (const double huge : {1e170, 1e200, 1e300})
        for (const auto &data : {dense(three), dense(three, BMO_U8), sparse(three)})
            for (const bool prepared : {false, true}) {
                bmo::Settings settings = settings_of(BMO_METRIC_L2);
                auto source = data;
                if (prepared && data->kind == bmo::Kind::dense) {
                    bmo::Watch watch;
                    settings.box = BMO_BOX_DENSE;
                    source = bmo::prepare_dataset(*data, settings, watch);
                }
                const auto answers = search(source, {{0, 0}, {huge, 0}}, 3, settings);
                check(answers[0], {0, 2, 1}, {0, 1, 5}, 0);
                check(answers[1], {0, 1, 2}, {huge, huge, huge});
            }
}

void every_size_in_one_answer(void **) {
    const Rows rows = {{1e300}, {1e-300}, {1}, {1e-170}, {1e170}, {0}, {3e-300}};
    for (const auto &data : {dense(rows), sparse(rows)})
        for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_L2, BMO_METRIC_LP})
            check(search(data, {{0}}, 7, settings_of(metric, BMO_METHOD_EXACT, 2.5))[0], {5, 1, 6, 3, 2, 4, 0},
                  {0, 1e-300, 3e-300, 1e-170, 1, 1e170, 1e300});
    // Squares below the range of double are 0, in the right order all the same.
    for (const auto &data : {dense(rows), sparse(rows)})
        check(search(data, {{0}}, 5, settings_of(BMO_METRIC_SQEUCLIDEAN))[0], {5, 1, 6, 3, 2}, {0, 0, 0, 0, 1}, 0);
}

void a_constant_column_is_no_scale_for_lp(void **) {
    const Rows rows = {{0, 1e12}, {3, 1e12}, {1, 1e12}};
    const bmo::Settings settings = settings_of(BMO_METRIC_LP, BMO_METHOD_EXACT, 32);
    for (const auto &data : {dense(rows), sparse(rows)}) {
        check(search(data, {rows[0]}, 3, settings)[0], {0, 2, 1}, {0, 1, 3});
        bmo::Watch watch;
        bmo_stats stats{};
        const bmo::Medoid medoid = bmo::find_medoid(bmo::KnnSearch(data, settings, watch), settings.seed, watch, stats);
        assert_int_equal(medoid.index, 2);
        assert_true(std::abs(medoid.mean - 1.5) < 1e-14);
    }
}

void weights_do_not_hide_a_difference(void **) {
    bmo::Settings settings = settings_of(BMO_METRIC_L2);
    settings.weights = std::make_shared<const std::vector<double>>(std::vector<double>{1, 1e-200});
    check(search(dense({{0, 3e-100}, {0, 1e-100}, {1e250, 0}}), {{0, 0}}, 3, settings)[0], {1, 0, 2},
          {1e-200, 3e-200, 1e250});
    settings.metric = BMO_METRIC_L1;
    check(search(dense({{0, 3e-120}, {0, 1e-120}, {1e300, 0}}), {{0, 0}}, 3, settings)[0], {1, 0, 2},
          {1e-320, 3e-320, 1e300}, 1e-3);
    settings.weights = std::make_shared<const std::vector<double>>(std::vector<double>{1e-250, 1e-250});
    check(search(dense({{-1.5e308, 0}, {1e308, 0}}), {{1e308, 0}}, 2, settings)[0], {1, 0}, {0, 2.5e58});
}

// Whole numbers in 64 coordinates, and a row that is huge.
struct Crowd {
    static constexpr std::size_t kN = 600, kD = 64;
    Rows rows = Rows(kN, std::vector<double>(kD)), queries = Rows(2, std::vector<double>(kD));

    Crowd() {
        bmo::Xoshiro256pp random(5);
        for (auto *some : {&rows, &queries})
            for (std::vector<double> &row : *some)
                for (double &value : row)
                    value = static_cast<double>(random.below(10));
        rows[7].assign(kD, -1e140);
        queries[1].assign(kD, 1e150);
    }
    // Of the first query, by whole numbers.
    Answer nearest(std::int64_t power, std::size_t k) const {
        Answer all;
        for (std::size_t i = 0; i < kN; ++i) {
            std::int64_t sum = 0;
            for (std::size_t j = 0; j < kD && i != 7; ++j) {
                const auto apart = static_cast<std::int64_t>(std::abs(rows[i][j] - queries[0][j]));
                sum += power == 2 ? apart * apart : apart * apart * apart;
            }
            if (i != 7)
                all.push_back({static_cast<double>(sum), static_cast<std::int64_t>(i)});
        }
        std::sort(all.begin(), all.end(), [](const bmo::Neighbor &a, const bmo::Neighbor &b) {
            return std::pair(a.distance, a.index) < std::pair(b.distance, b.index);
        });
        all.resize(k);
        return all;
    }
};

void check_crowd(const Crowd &crowd, const bmo::Settings &settings) {
    bmo::Watch watch;
    auto data = dense(crowd.rows);
    if (settings.box != BMO_BOX_AUTO)
        data = bmo::prepare_dataset(*data, settings, watch);
    const std::int64_t power = settings.metric == BMO_METRIC_LP ? 3 : 2;
    const Answer expected = crowd.nearest(power, 5);
    const Answer found = search(data, crowd.queries, 5, settings)[0];
    for (std::size_t r = 0; r < expected.size(); ++r) {
        const double distance = std::pow(
            expected[r].distance, settings.metric == BMO_METRIC_SQEUCLIDEAN ? 1 : 1.0 / static_cast<double>(power));
        assert_int_equal(found[r].index, expected[r].index);
        assert_true(std::abs(found[r].distance / distance - 1) < 1e-13);
    }
}

void every_box_and_bandit(void **) {
    const Crowd crowd;
    for (const std::int64_t method : {BMO_METHOD_EXACT, BMO_METHOD_BANDIT})
        for (const std::int64_t metric : {BMO_METRIC_L2, BMO_METRIC_SQEUCLIDEAN, BMO_METRIC_LP})
            for (const std::int64_t box : {BMO_BOX_AUTO, BMO_BOX_DENSE, BMO_BOX_ROTATED, BMO_BOX_PROJECTED}) {
                bmo::Settings settings = settings_of(metric, method, 3);
                settings.box = box;
                if (metric == BMO_METRIC_LP && (box == BMO_BOX_ROTATED || box == BMO_BOX_PROJECTED))
                    continue;
                check_crowd(crowd, settings);
            }
    for (const std::int64_t metric : {BMO_METRIC_L2, BMO_METRIC_LP}) {
        bmo::Settings settings = settings_of(metric, BMO_METHOD_BANDIT, 3);
        settings.sampling = BMO_SAMPLING_IMPORTANCE;
        check_crowd(crowd, settings);
        settings.sampling = BMO_SAMPLING_AUTO;
        for (const std::int64_t bandit : {BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP}) {
            settings.bandit = bandit;
            settings.confidence = BMO_CONFIDENCE_BETTING;
            check_crowd(crowd, settings);
        }
    }
}

void kmeans_beside_a_huge_row(void **) {
    const Rows rows = {{0}, {1}, {10}, {11}, {-1e200}}, centers = {{-1e200}, {10}, {0}};
    const std::vector<double> given = flat(centers);
    for (const auto &data : {dense(rows), sparse(rows)})
        for (const std::int64_t method : {BMO_METHOD_EXACT, BMO_METHOD_AUTO}) {
            bmo::Watch watch;
            bmo_stats stats{};
            const bmo::KmeansRule rule{.k = 3, .init = BMO_INIT_GIVEN, .given = given};
            const bmo::Clusters found = bmo::kmeans(*data, settings_of(BMO_METRIC_L2, method), rule, watch, stats);
            assert_true((found.labels == std::vector<std::int32_t>{2, 2, 1, 1, 0}));
            assert_true((found.centers == std::vector<double>{-1e200, 10.5, 0.5}));
            assert_true(found.inertia == 1);
        }
}

void products_beside_huge_ones(void **) {
    const bmo::Settings settings = settings_of(BMO_METRIC_INNER_PRODUCT);
    for (const bool by_entries : {false, true}) {
        const auto kind = [&](const Rows &rows) { return by_entries ? sparse(rows) : dense(rows); };
        // The largest norm is 1e300 times the others.
        auto found = search(kind({{1e-10}, {3e-10}, {2e-10}, {-1e300}}), {{1e-290}}, 4, settings)[0];
        check(found, {1, 2, 0, 3}, {-3e-300, -2e-300, -1e-300, 1e10});
        // Norms are 1e200, and products 1, 3 and 2.
        found = search(kind({{1, 0, 1e200}, {3, 0, 1e200}, {2, 0, 1e200}}), {{1, 1e200, 0}}, 3, settings)[0];
        assert_int_equal(found[0].index, 1);
        assert_int_equal(found[1].index, 2);
        assert_int_equal(found[2].index, 0);
        for (std::size_t r = 0; r < 3; ++r)
            assert_true(found[r].distance == static_cast<double>(r) - 3);
        // The first values are too small beside their vectors' largest to be scaled.
        found = search(kind({{1e-140, 0, 1e190}, {3e-140, 0, 1e190}, {2e-140, 0, 1e190}}), {{1e-170, 1e170, 0}}, 3,
                       settings)[0];
        check(found, {1, 2, 0}, {-3e-310, -2e-310, -1e-310}, 1e-13);
    }
}

// The value of a query that is half of what the scale of its largest can hold, beside points of whole numbers.
void a_query_value_that_vanishes_when_scaled(void **) {
    const Rows rows = {{1, 0}, {3, 0}, {0, 0}, {2, 0}};
    bmo::Watch watch;
    const auto check_answers = [](const std::shared_ptr<const bmo::Dataset> &data, const bmo::Settings &settings) {
        check(search(data, {{DBL_TRUE_MIN, 4}}, 4, settings)[0], {1, 3, 0, 2},
              {-3 * DBL_TRUE_MIN, -2 * DBL_TRUE_MIN, -DBL_TRUE_MIN, 0});
    };
    for (const std::int64_t method : {BMO_METHOD_EXACT, BMO_METHOD_BANDIT}) {
        const bmo::Settings settings = settings_of(BMO_METRIC_INNER_PRODUCT, method);
        const auto prepared = bmo::prepare_dataset(*dense(rows), settings, watch); // as bytes
        for (const auto &data : {dense(rows), dense(rows, BMO_U8), prepared})
            check_answers(data, settings);
    }
    check_answers(sparse(rows), settings_of(BMO_METRIC_INNER_PRODUCT));
}

// Every point is as far as the next, though by less than a double tells: the least indices.
void points_of_nothing_beside_a_tiny_query(void **) {
    const Rows rows(40, std::vector<double>(5, 0.0));
    for (const std::int64_t metric : {BMO_METRIC_L2, BMO_METRIC_SQEUCLIDEAN, BMO_METRIC_L1})
        for (const std::int64_t method : {BMO_METHOD_EXACT, BMO_METHOD_BANDIT})
            for (const double size : {DBL_TRUE_MIN, 0x1p-600}) {
                const double distance = metric == BMO_METRIC_SQEUCLIDEAN ? size * size : size;
                for (const auto &data : {dense(rows), sparse(rows)})
                    check(search(data, {{0, size, 0, 0, 0}}, 2, settings_of(metric, method))[0], {0, 1},
                          {distance, distance});
            }
}

// (2^-1074)^32 is 0 as a sample, at any scale that double has.
void samples_that_vanish_decide_nothing(void **) {
    const Rows rows = {{3 * DBL_TRUE_MIN, 0}, {2 * DBL_TRUE_MIN, 0}, {DBL_TRUE_MIN, 0}, {4 * DBL_TRUE_MIN, 0}};
    bmo::Settings settings = settings_of(BMO_METRIC_LP, BMO_METHOD_BANDIT, 32);
    for (const std::int64_t bandit : {BMO_BANDIT_RACE, BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP})
        for (const std::int64_t confidence : {BMO_CONFIDENCE_BETTING, BMO_CONFIDENCE_BERNSTEIN})
            for (const std::int64_t sampling : {BMO_SAMPLING_WITHOUT_REPLACEMENT, BMO_SAMPLING_WITH_REPLACEMENT}) {
                if (bandit == BMO_BANDIT_RACE &&
                    (confidence != BMO_CONFIDENCE_BETTING || sampling == BMO_SAMPLING_WITH_REPLACEMENT))
                    continue;
                settings.bandit = bandit;
                settings.confidence = confidence;
                settings.sampling = sampling;
                check(search(dense(rows), {{0, 0}}, 2, settings)[0], {2, 1}, {DBL_TRUE_MIN, 2 * DBL_TRUE_MIN});
            }
}

// Point i is 2^-525 i from the query: an epsilon far below the differences of squares changes nothing.
void an_epsilon_at_the_scale_of_the_data(void **) {
    Rows rows;
    for (int i = 1; i <= 40; ++i) {
        rows.emplace_back(17, 0.0);
        rows.back()[static_cast<std::size_t>(i % 17)] = std::ldexp(i * 23 % 41, -525);
    }
    for (const auto &data : {dense(rows), sparse(rows)})
        for (const std::int64_t bandit : {BMO_BANDIT_RACE, BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP}) {
            bmo::Settings settings = settings_of(BMO_METRIC_SQEUCLIDEAN, BMO_METHOD_BANDIT);
            settings.bandit = bandit;
            if (data->kind == bmo::Kind::sparse && bandit != BMO_BANDIT_RACE)
                settings.box = BMO_BOX_SPARSE_UNION;
            settings.epsilon = 1e-320;
            const Answer found = search(data, {std::vector<double>(17, 0.0)}, 3, settings)[0];
            for (std::size_t r = 0; r < 3; ++r) // 23 * 25 = 41 * 14 + 1, and so on
                assert_int_equal(found[r].index, (r + 1) * 25 % 41 - 1);
        }
}

// 1 - cos of (n, n) and (n + 1, n) is 1 / (8 n^2), about, and of (n + 2, n) four times that.
void angles_of_the_last_bits(void **) {
    constexpr double n = 0x1p51;
    const Rows rows = {{n + 2, n, 0}, {n + 1, n, 0}, {n, n, 0}, {n, n, 4}};
    for (const auto &data : {dense(rows), sparse(rows)})
        check(search(data, {{n, n, 0}}, 4, settings_of(BMO_METRIC_COSINE))[0], {2, 1, 0, 3},
              {0, 0x1p-105, 0x1p-103, 0x1p-100});
}

void codes_are_in_the_order_of_sums(void **) {
    for (const double least : {-5260.0, -67660.0}) {
        const bmo::SumCode code(least);
        bmo::Xoshiro256pp random(3);
        double last = 0;
        for (auto exponent = static_cast<std::int64_t>(least); exponent < -590; ++exponent)
            for (int step = 0; step < 3; ++step) {
                const double value =
                    (static_cast<double>(step) + static_cast<double>(random.next() >> 11) * 0x1p-53) / 3 + 1;
                const double coded = code.encode({value, exponent});
                assert_true(coded > last);
                last = coded;
                assert_true(coded >= bmo::FarNumber({value, exponent}).rounded());
                const bmo::FarNumber again = code.decode(coded);
                const double ratio = std::ldexp(again.value / value, static_cast<int>(again.exponent - exponent));
                assert_true(std::abs(ratio - 1) <= (least < -6000 ? 0x1p-44 : 0x1p-48));
            }
        for (std::int64_t whole = 1; whole < 2000; ++whole) { // sums of whole numbers keep their value
            const bmo::FarNumber again = code.decode(code.encode({static_cast<double>(whole), -1500}));
            assert_true(std::ldexp(again.value, static_cast<int>(again.exponent + 1500)) == static_cast<double>(whole));
        }
        assert_true(code.encode({0, 0}) == 0 && code.encode({.75, -599}) == 0x1.8p-600);
    }
}

// Of the metric, in more digits: each power in units of the largest difference.
double lp_distance(const std::vector<double> &a, const std::vector<double> &b, long double p,
                   const std::vector<double> &weights) {
    long double largest = 0, sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j)
        largest = std::max(largest, std::abs(static_cast<long double>(a[j]) - b[j]));
    for (std::size_t j = 0; j < a.size() && largest > 0; ++j)
        sum += weights[j] * std::pow(std::abs(static_cast<long double>(a[j]) - b[j]) / largest, p);
    return static_cast<double>(largest * std::pow(sum, 1 / p));
}

// Every distance is within 2^-48 of that, or 2^-48 / p where p < 1: so many units of 2^-53 are few in two coordinates.
void check_lp(const std::shared_ptr<const bmo::Dataset> &data, const Rows &rows, const Rows &queries,
              const bmo::Settings &settings) {
    const double p = settings.metric == BMO_METRIC_L1 ? 1 : settings.metric == BMO_METRIC_L2 ? 2 : settings.p;
    const std::vector<double> weights = settings.weights ? *settings.weights : std::vector<double>(rows[0].size(), 1);
    const auto found = search(data, queries, data->n(), settings);
    for (std::size_t query = 0; query < queries.size(); ++query)
        for (const bmo::Neighbor &neighbor : found[query]) {
            const double truly =
                lp_distance(rows[static_cast<std::size_t>(neighbor.index)], queries[query], p, weights);
            assert_true(std::abs(neighbor.distance - truly) <= 0x1p-48 / std::min(1.0, p) * truly + 0x1p-1073);
        }
}

void powers_keep_their_digits_beside_other_scales(void **) {
    const std::vector<std::pair<Rows, Rows>> all = {
        {{{0}, {3e-222}, {1e-222}, {1e200}}, {{0}}},
        {{{0}, {3e-222}, {1e-222}}, {{0}, {1e200}}},
        {{{1e-150, 0}, {3e-150, 0}, {1, 1}}, {{0, 0}}},
        {{{1e50, 0}, {3e50, 0}, {1e200, 1}}, {{0, 0}}},
        {{{1e-316, 3e-316}, {5e-316, 1e-316}}, {{2e-316, 0}}},
        {{{1e-150, 1}, {1e100, 5e-300}, {7e200, 1e200}}, {{0, 0}, {1e-290, 1e100}}},
    };
    for (const auto &[rows, queries] : all)
        for (const auto &data : {dense(rows), sparse(rows)}) {
            check_lp(data, rows, queries, settings_of(BMO_METRIC_L1));
            check_lp(data, rows, queries, settings_of(BMO_METRIC_L2));
            for (const double p : {.01, .3, .875, 1.0, 1.1, 1.98983536, 2.0, 3.0, 7.3, 31.9})
                check_lp(data, rows, queries, settings_of(BMO_METRIC_LP, BMO_METHOD_EXACT, p));
        }
}

// (1e-477)^0.01 is 1.7e-5.
void what_scales_to_nothing_counts_in_a_small_power(void **) {
    const Rows rows = {{1e-300, 1e177}, {1e-310, 1e170}, {1e300, 1e-320}};
    for (const auto &data : {dense(rows), sparse(rows)})
        for (const double p : {.01, .05, .12, .125, .2})
            check_lp(data, rows, {{0, 0}}, settings_of(BMO_METRIC_LP, BMO_METHOD_EXACT, p));
}

// By themselves, the root of the sum and that of the weights leave the range of double.
void weights_of_a_small_power(void **) {
    const Rows rows = {{1e-9, 2e-11}, {5e-10, 0}, {0, 3e-12}};
    bmo::Settings settings = settings_of(BMO_METRIC_LP, BMO_METHOD_EXACT, .02);
    for (const double weight : {1e-5, 1e-3, 1.0, 3e3})
        for (const double other : {0.5, 1.0}) {
            settings.weights = std::make_shared<const std::vector<double>>(std::vector<double>{weight, other * weight});
            check_lp(dense(rows), rows, {{0, 0}}, settings);
        }
    settings.p = 0.0101; // powers of the weights' scale are beyond double, and 0 is the distance all the same
    settings.weights = std::make_shared<const std::vector<double>>(std::vector<double>{1e9, 7e3});
    check(search(dense({{.5, 0}}), {{.5, 0}}, 1, settings)[0], {0}, {0});
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_huge_row_is_no_scale_for_others),
        cmocka_unit_test(nor_is_another_query),
        cmocka_unit_test(every_size_in_one_answer),
        cmocka_unit_test(a_constant_column_is_no_scale_for_lp),
        cmocka_unit_test(weights_do_not_hide_a_difference),
        cmocka_unit_test(every_box_and_bandit),
        cmocka_unit_test(kmeans_beside_a_huge_row),
        cmocka_unit_test(products_beside_huge_ones),
        cmocka_unit_test(points_of_nothing_beside_a_tiny_query),
        cmocka_unit_test(a_query_value_that_vanishes_when_scaled),
        cmocka_unit_test(samples_that_vanish_decide_nothing),
        cmocka_unit_test(an_epsilon_at_the_scale_of_the_data),
        cmocka_unit_test(angles_of_the_last_bits),
        cmocka_unit_test(codes_are_in_the_order_of_sums),
        cmocka_unit_test(powers_keep_their_digits_beside_other_scales),
        cmocka_unit_test(what_scales_to_nothing_counts_in_a_small_power),
        cmocka_unit_test(weights_of_a_small_power),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace scales_test

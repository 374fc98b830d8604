// The coin-flip box of sparse points: its samples' mean and range, and searches, against integer arithmetic.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "search/knn.hpp"
#include "search/preparation.hpp"
#include "search/sparse/union_arms.hpp"
#include "sparse_points.hpp"

namespace union_test {

constexpr std::int64_t kN = 60, kD = 300, kQueries = 4, kK = 3;

std::shared_ptr<const bmo::Dataset> dataset(const Entries &entries, std::int64_t n) {
    const Arrays<std::int64_t, std::int32_t, float> arrays(entries, n, false, 0);
    bmo::Watch watch;
    return bmo::make_sparse(arrays.input(n, kD, false, 0, BMO_F32), false, nullptr, "data", watch);
}

struct Case {
    Entries points = random_entries(kN, kD, true, 21), queries = random_entries(kQueries, kD, true, 22);
    std::shared_ptr<const bmo::Dataset> data, asked;

    Case() {
        for (std::int64_t j = 0; j < kD; ++j) {
            points.erase({3, j});  // an empty point,
            queries.erase({2, j}); // and an empty query
        }
        for (std::int64_t i = 0; i < kN; ++i)
            points.erase({i, 5}); // a coordinate of the queries alone
        queries[{0, 5}] = 4;
        data = dataset(points, kN);
        asked = dataset(queries, kQueries);
    }

    bmo::Queries as_queries() const {
        return {.points = asked->points(), .count = kQueries, .max_abs = asked->max_abs};
    }
    std::int64_t power_sum(std::int64_t query, std::int64_t point, int p) const {
        std::int64_t sum = 0;
        for (std::int64_t j = 0; j < kD; ++j) {
            const std::int64_t size = std::abs(value_at(queries, query, j) - value_at(points, point, j));
            sum += p == 1 ? size : p == 2 ? size * size : size * size * size;
        }
        return sum;
    }
};

// Keeps the tallies, and the ends of what came.
class Collected final : public bmo::Confidence {
public:
    using Confidence::add;
    void add(std::int32_t arm, std::span<const float> samples) override {
        least = std::min(least, *std::ranges::min_element(samples));
        largest = std::max(largest, *std::ranges::max_element(samples));
        Confidence::add(arm, samples);
    }
    bmo::Bounds bounds(std::int32_t) override { return {}; }

    float least = 1, largest = 0;
};

void samples_are_unbiased_and_within_their_range(void **) {
    constexpr std::int64_t kSamples = 40000;
    const Case made;
    for (const int p : {1, 2, 3}) {
        const std::int64_t id = p == 1 ? BMO_METRIC_L1 : p == 2 ? BMO_METRIC_SQEUCLIDEAN : BMO_METRIC_LP;
        bmo::Watch watch;
        const auto index = bmo::build_sparse_index(*made.data, 7, bmo::IndexUse::all, watch);
        bmo::SparseQuery query(*made.data, *index, bmo::Metric::from(id, p));
        for (std::int64_t q = 0; q < kQueries; ++q) {
            query.bind(made.as_queries(), q);
            bmo::Cost cost;
            bmo::UnionArms arms(query, *made.data, *index, static_cast<std::uint64_t>(q), cost);
            Collected collected;
            collected.begin(kN, {});
            const std::vector<std::int32_t> some{0, 1, 3, 17};
            arms.pull(some, kSamples, collected);
            assert_int_equal(cost.sampling_ops, some.size() * kSamples);
            assert_true(collected.least >= 0 && collected.largest <= 1);
            for (const std::int32_t arm : some) {
                const bmo::Tally &tally = collected.tally(arm);
                const auto sum = static_cast<double>(made.power_sum(q, arm, p));
                const double expected = arms.mean_of_exact(sum);
                const double deviation = std::sqrt(tally.variance() / static_cast<double>(kSamples));
                assert_true(std::abs(tally.mean - expected) <= 6 * deviation + 1e-6 * expected);
                assert_true(std::abs(arms.exact(arm) - sum) <= 1e-12 * sum);
            }
        }
    }
}

bmo_stats search(const Case &made, const bmo::Settings &settings, int p) {
    bmo::Watch watch;
    bmo_stats stats{};
    bmo::KnnSearch(made.data, settings, watch)
        .run(
            made.as_queries(), kK,
            [&](std::int64_t query, std::span<const bmo::Neighbor> found, const bmo_row_stats &) {
                std::vector<std::pair<std::int64_t, std::int64_t>> all;
                for (std::int64_t i = 0; i < kN; ++i)
                    all.emplace_back(made.power_sum(query, i, p), i);
                std::sort(all.begin(), all.end());
                for (std::size_t r = 0; r < static_cast<std::size_t>(kK); ++r)
                    assert_int_equal(found[r].index, all[r].second);
            },
            watch, stats);
    return stats;
}

void proven_rules_and_the_scan_find_the_nearest(void **) {
    const Case made;
    for (const int p : {1, 2, 3})
        for (const std::int64_t bandit : {BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP})
            for (const std::int64_t confidence : {BMO_CONFIDENCE_BETTING, BMO_CONFIDENCE_BERNSTEIN}) {
                bmo::Settings settings;
                settings.metric = p == 1 ? BMO_METRIC_L1 : p == 2 ? BMO_METRIC_SQEUCLIDEAN : BMO_METRIC_LP;
                settings.p = p == 3 ? 3 : 2;
                settings.box = BMO_BOX_SPARSE_UNION;
                settings.bandit = bandit;
                settings.confidence = confidence;
                settings.delta = 1e-6;
                const bmo_stats stats = search(made, settings, p);
                assert_int_equal(stats.box, BMO_BOX_SPARSE_UNION);
                assert_true(stats.guarantee >= BMO_GUARANTEE_PROVEN);
                settings.method = BMO_METHOD_EXACT;
                const bmo_stats scan = search(made, settings, p);
                assert_int_equal(scan.guarantee, BMO_GUARANTEE_EXACT);
                assert_int_equal(scan.coord_ops, scan.coord_ops_brute);
            }
}

// By default the paper's rule, with its first pulls, and no promise.
void the_papers_rule_is_heuristic(void **) {
    const Case made;
    bmo::Settings settings;
    settings.metric = BMO_METRIC_L1;
    settings.box = BMO_BOX_SPARSE_UNION;
    settings.max_pulls = 64;
    bmo::Watch watch;
    bmo_stats stats{};
    const bmo::KnnSearch knn(made.data, settings, watch);
    knn.run(
        made.as_queries(), kK, [](std::int64_t, std::span<const bmo::Neighbor>, const bmo_row_stats &) {}, watch,
        stats);
    assert_int_equal(stats.method, BMO_METHOD_BANDIT);
    assert_int_equal(stats.bandit, BMO_BANDIT_UCB);
    assert_int_equal(stats.confidence, BMO_CONFIDENCE_EMPIRICAL);
    assert_int_equal(stats.sampling, BMO_SAMPLING_WITH_REPLACEMENT);
    assert_true(stats.guarantee == BMO_GUARANTEE_HEURISTIC || stats.guarantee == BMO_GUARANTEE_EXACT);
    assert_true(stats.coord_ops_sampled >= 32 * kN * kQueries);
}

void what_does_not_combine_is_refused(void **) {
    const Case made;
    bmo::Settings settings;
    settings.box = BMO_BOX_SPARSE_UNION;
    bmo::Watch watch;
    for (const auto &[member, value] : {std::pair{&bmo::Settings::bandit, std::int64_t{BMO_BANDIT_RACE}},
                                        {&bmo::Settings::sampling, BMO_SAMPLING_WITHOUT_REPLACEMENT},
                                        {&bmo::Settings::confidence, BMO_CONFIDENCE_SUBGAUSSIAN},
                                        {&bmo::Settings::method, BMO_METHOD_UNIFORM}}) {
        bmo::Settings changed = settings;
        changed.*member = value;
        assert_int_equal(failure_of([&] { bmo::KnnSearch(made.data, changed, watch); }).status, BMO_EINVAL);
    }
    const auto prepared = bmo::prepare_dataset(*made.data, settings, watch);
    assert_int_equal(prepared->prepared->box, BMO_BOX_SPARSE_UNION);
    bmo::Settings other;
    other.box = BMO_BOX_SPARSE;
    assert_int_equal(failure_of([&] { bmo::KnnSearch(prepared, other, watch); }).status, BMO_EINVAL);
    const std::vector<float> dense(kD, 1);
    const auto dense_data = bmo::make_dense(bmo::row_major(BMO_F32, dense.data(), 1, kD), false, nullptr, watch);
    assert_int_equal(failure_of([&] { bmo::KnnSearch(dense_data, settings, watch); }).status, BMO_EINVAL);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_unbiased_and_within_their_range),
        cmocka_unit_test(proven_rules_and_the_scan_find_the_nearest),
        cmocka_unit_test(the_papers_rule_is_heuristic),
        cmocka_unit_test(what_does_not_combine_is_refused),
    };
    return cmocka_run_group_tests_name("union", tests, nullptr, nullptr);
}

} // namespace union_test

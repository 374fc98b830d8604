// The overlap box, against integer arithmetic over a map of the entries.
#include <memory>
#include <numeric>

#include "boxes/sparse/overlap_box.hpp"
#include "cmocka.hpp"
#include "sparse_case.hpp"

namespace overlap_test {

using bmo::kBatch;

struct Bound {
    std::shared_ptr<const bmo::SparseIndex> index;
    std::unique_ptr<bmo::OverlapBox> box;

    template <class C>
    Bound(const C &made, std::int64_t metric, std::int64_t seed, std::int64_t query) {
        bmo::Watch watch;
        index = bmo::build_sparse_index(*made.data, seed, bmo::IndexUse::all, watch);
        box = std::make_unique<bmo::OverlapBox>(*made.data, *index, bmo::Metric::from(metric, 2));
        box->bind(made.as_queries(), query);
        box->draw_population();
        box->restart();
        box->read_heavy();
    }
};

// Reads all samples of every arm, by columns or by rows; sums[i] gets those of arm i.
std::vector<double> read_all(bmo::OverlapBox &box, bool by_rows, std::vector<std::vector<float>> *samples = nullptr) {
    std::vector<std::int32_t> arms(static_cast<std::size_t>(kN));
    std::iota(arms.begin(), arms.end(), 0);
    std::vector<double> sums(arms.size(), 0);
    constexpr std::size_t kPart = 50;
    std::vector<float> z((kPart + 1) * kBatch);
    for (std::int64_t first = 0; first < box.population().size(); first += kBatch) {
        if (!by_rows)
            box.start_columns(first);
        for (std::size_t at = 0; at < arms.size(); at += kPart) {
            const std::span<const std::int32_t> some(arms.data() + at, std::min(kPart, arms.size() - at));
            if (by_rows)
                box.read_rows(first, some, z.data());
            else
                box.read_columns(first, some, z.data());
            for (std::size_t i = 0; i < some.size(); ++i)
                for (std::size_t j = 0; j < static_cast<std::size_t>(kBatch); ++j) {
                    const float sample = z[i * static_cast<std::size_t>(kBatch) + j];
                    assert_true(sample >= 0);
                    sums[at + i] += static_cast<double>(sample) / box.population().unit();
                    if (samples)
                        (*samples)[at + i].push_back(sample);
                }
        }
    }
    return sums;
}

// With tau the distance of an arm, its samples and what is known add up to the target: no more, no less.
void the_samples_of_an_arm_add_up_to_its_distance(void **) {
    for (const bool negative : {false, true})
        for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_SQEUCLIDEAN})
            for (const bool by_rows : {false, true}) {
                const Case<> made(negative);
                for (std::int64_t query = 0; query < made.queries_count; ++query) {
                    Bound bound(made, metric, 77, query);
                    bmo::OverlapBox &box = *bound.box;
                    assert_true(box.exact());
                    std::vector<double> total;
                    for (std::int32_t arm = 0; arm < kN; ++arm)
                        total.push_back(box.start_sum(arm));
                    const std::vector<double> sampled = read_all(box, by_rows);
                    for (std::int32_t arm = 0; arm < kN; ++arm) {
                        const auto tau = static_cast<double>(
                            sum_between(made.queries, query, made.points, arm, kD, metric == BMO_METRIC_SQEUCLIDEAN));
                        const auto i = static_cast<std::size_t>(arm);
                        assert_true(total[i] + sampled[i] == box.target(tau));
                        assert_true(box.overlap_sum(arm) == tau);
                        assert_true(box.difference_sum(arm) == tau);
                    }
                }
            }
}

void columns_and_rows_have_the_same_samples(void **) {
    const Case<> made(true);
    for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_SQEUCLIDEAN}) {
        std::vector<std::vector<float>> by_columns(kN), by_rows(kN);
        Bound first(made, metric, 3, 0), second(made, metric, 3, 0);
        read_all(*first.box, false, &by_columns);
        read_all(*second.box, true, &by_rows);
        assert_true(by_columns == by_rows);
        assert_true(first.box->population().size() > 2 * kBatch);
    }
}

// At every stage: the bound excludes no arm whose distance is tau, and in the end excludes it below.
void a_bound_never_excludes_what_is_within_tau(void **) {
    for (const bool negative : {false, true})
        for (const std::int64_t metric : {BMO_METRIC_L1, BMO_METRIC_SQEUCLIDEAN}) {
            const Case<> made(negative);
            Bound bound(made, metric, 9, 1);
            bmo::OverlapBox &box = *bound.box;
            std::vector<double> tau;
            for (std::int32_t arm = 0; arm < kN; ++arm)
                tau.push_back(static_cast<double>(
                    sum_between(made.queries, 1, made.points, arm, kD, metric == BMO_METRIC_SQEUCLIDEAN)));
            std::vector<std::int32_t> arms(static_cast<std::size_t>(kN));
            std::iota(arms.begin(), arms.end(), 0);
            std::vector<float> z(static_cast<std::size_t>((kN + 1) * kBatch));
            std::int64_t excluded_early = 0;
            for (std::int64_t read = 0;; read += kBatch) {
                for (const std::int32_t arm : arms) {
                    const double exact = tau[static_cast<std::size_t>(arm)];
                    assert_false(box.excluded(arm, std::min(read, box.population().size()), exact));
                    excluded_early += box.excluded(arm, std::min(read, box.population().size()), exact / 4);
                }
                if (read >= box.population().size())
                    break;
                box.read_rows(read, arms, z.data());
            }
            assert_true(excluded_early > 0);
            for (const std::int32_t arm : arms)
                if (tau[static_cast<std::size_t>(arm)] > 0)
                    assert_true(box.excluded(arm, box.population().size(), tau[static_cast<std::size_t>(arm)] - 1));
        }
}

// The population's order is random: over seeds, each of its coordinates comes first about as often.
void every_sample_comes_first_as_often(void **) {
    constexpr std::int64_t kSeeds = 4000;
    std::map<std::int32_t, std::int64_t> first;
    std::int64_t size = 0;
    Entries few; // of 64 coordinates, so that there are many counts of each
    for (std::int32_t j = 0; j < 64; ++j) {
        few[{0, j}] = 1;
        few[{1, j}] = 1;
    }
    const Arrays<std::int64_t, std::int32_t, float> arrays(few, 2, false, 0);
    bmo::Watch watch;
    const auto data = bmo::make_sparse(arrays.input(2, 64, false, 0, BMO_F32), false, nullptr, "data", watch);
    for (std::int64_t seed = 0; seed < kSeeds; ++seed) {
        const auto index = bmo::build_sparse_index(*data, seed, bmo::IndexUse::all, watch);
        bmo::OverlapBox box(*data, *index, bmo::Metric::from(BMO_METRIC_L1, 2));
        box.bind({.points = data->points(), .count = 2, .max_abs = 1}, 0);
        box.draw_population();
        size = box.population().size();
        ++first[box.population().samples().front()];
    }
    assert_int_equal(size, 48);
    const double expected = static_cast<double>(kSeeds) / static_cast<double>(size);
    double squares = 0;
    for (const auto &[position, count] : first)
        squares += (static_cast<double>(count) - expected) * (static_cast<double>(count) - expected) / expected;
    assert_int_equal(static_cast<std::int64_t>(first.size()), size);
    assert_true(squares < 110); // chi square, 47 degrees: above it with probability below 1e-6
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_samples_of_an_arm_add_up_to_its_distance),
        cmocka_unit_test(columns_and_rows_have_the_same_samples),
        cmocka_unit_test(a_bound_never_excludes_what_is_within_tau),
        cmocka_unit_test(every_sample_comes_first_as_often),
    };
    return cmocka_run_group_tests_name("overlap", tests, nullptr, nullptr);
}

} // namespace overlap_test

// Exact scans as unit tests ask for them: views of rows or columns, all answers of a search, and their comparison to the last bit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "boxes/metric.hpp"
#include "cmocka.hpp"
#include "data/dataset.hpp"
#include "search/knn.hpp"

using Answer = std::vector<bmo::Neighbor>;

inline bmo::DenseView view(const void *data, bmo_dtype dtype, std::int64_t n, std::int64_t d, bool by_columns = false) {
    return {dtype, data, n, d, by_columns ? 1 : d, by_columns ? n : 1};
}

inline std::vector<Answer> search(const std::shared_ptr<const bmo::Dataset> &data, const bmo::Queries &queries,
                                  std::int64_t k, std::int64_t metric, std::int64_t threads = 1) {
    bmo::Settings settings;
    settings.metric = metric;
    settings.method = BMO_METHOD_EXACT;
    settings.threads = threads;
    std::vector<Answer> answers(static_cast<std::size_t>(queries.count));
    bmo::Watch watch;
    bmo_stats stats{};
    bmo::KnnSearch(data, settings, watch)
        .run(
            queries, k,
            [&](std::int64_t query, std::span<const bmo::Neighbor> found, const bmo_row_stats &) {
                answers[static_cast<std::size_t>(query)].assign(found.begin(), found.end());
            },
            watch, stats);
    assert_int_equal(stats.guarantee, BMO_GUARANTEE_EXACT);
    assert_true(stats.coord_ops <= stats.coord_ops_brute);
    if (!bmo::is_angular(metric)) // of zero vectors no coordinate is read
        assert_true(stats.coord_ops == stats.coord_ops_brute);
    return answers;
}

inline void assert_same(const Answer &found, const Answer &expected) {
    assert_int_equal(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        assert_int_equal(found[i].index, expected[i].index);
        assert_true(found[i].distance == expected[i].distance);
    }
}

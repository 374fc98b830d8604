// Groups of heads: no point is nearer to a query than its group is said to be at least, whatever the groups.
#include "cmocka.hpp"

#include <cmath>
#include <vector>

#include "boxes/projected/coefficient_groups.hpp"
#include "util/xoshiro.hpp"

namespace head_groups_test {

double uniform(bmo::Xoshiro256pp &random) {
    return static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5;
}

// Heads about a few places, and norms behind them that are known within a little.
struct Case {
    std::vector<float> values, low, high;

    Case(std::int64_t n, std::int64_t places, double spread, double unit, std::uint64_t seed) {
        bmo::Xoshiro256pp random(seed);
        std::vector<double> place(static_cast<std::size_t>(places * bmo::kHead));
        for (double &value : place)
            value = 100 * uniform(random);
        for (std::int64_t i = 0; i < n; ++i) {
            for (std::int64_t j = 0; j < bmo::kHead; ++j)
                values.push_back(static_cast<float>(
                    unit * (place[static_cast<std::size_t>(i % places * bmo::kHead + j)] + spread * uniform(random))));
            const double norm = unit * (50 + 10 * static_cast<double>(i % places) + spread * uniform(random));
            low.push_back(static_cast<float>(norm * (1 - 1e-3)));
            high.push_back(static_cast<float>(norm * (1 + 1e-3)));
        }
    }
    void scale_norms(float by) {
        for (std::vector<float> *norms : {&low, &high})
            for (float &norm : *norms)
                norm *= by;
    }
    std::int64_t n() const { return static_cast<std::int64_t>(low.size()); }
    bmo::Heads heads() const { return {n(), values.data(), low.data(), high.data()}; }
};

// Of point and query, at least: heads as they are, norms as they are bounded.
long double squared_distance(const Case &a, std::int64_t i, const Case &b, std::int64_t j) {
    long double sum = 0;
    for (std::int64_t h = 0; h < bmo::kHead; ++h) {
        const long double apart = static_cast<long double>(a.values[static_cast<std::size_t>(i * bmo::kHead + h)]) -
                                  static_cast<long double>(b.values[static_cast<std::size_t>(j * bmo::kHead + h)]);
        sum += apart * apart;
    }
    const auto at = static_cast<std::size_t>(i), of = static_cast<std::size_t>(j);
    const long double gap = std::max({0.0L, static_cast<long double>(a.low[at]) - static_cast<long double>(b.high[of]),
                                      static_cast<long double>(b.low[of]) - static_cast<long double>(a.high[at])});
    return sum + gap * gap;
}

void check(const bmo::CoefficientGroups &groups, const Case &points, const Case &queries) {
    std::vector<double> about, at_least;
    std::vector<int> seen(static_cast<std::size_t>(points.n()), 0);
    for (std::int64_t query = 0; query < queries.n(); ++query) {
        const auto of = static_cast<std::size_t>(query);
        groups.distances(queries.values.data() + query * bmo::kHead, queries.low[of], queries.high[of], about,
                         at_least);
        assert_int_equal(at_least.size(), groups.count());
        for (std::int64_t group = 0; group < groups.count(); ++group)
            for (const std::int32_t point : groups.points(group)) {
                ++seen[static_cast<std::size_t>(point)];
                assert_true(static_cast<long double>(at_least[static_cast<std::size_t>(group)]) <=
                            squared_distance(points, point, queries, query));
            }
    }
    for (const int times : seen)
        assert_int_equal(times, queries.n());
}

void no_point_is_nearer_than_its_group(void **) {
    bmo::Watch watch;
    bmo::Xoshiro256pp random(5);
    for (const double unit : {1.0, 1e-18, 1e9})
        for (const double spread : {0.0, 1e-3, 30.0}) {
            const Case points(400, 7, spread, unit, 3), queries(20, 9, 10, unit, 3);
            for (const std::int64_t count : {1, 7, 50, 400}) {
                std::vector<std::int32_t> of_point;
                for (std::int64_t i = 0; i < points.n(); ++i)
                    of_point.push_back(static_cast<std::int32_t>(
                        count == 7 ? i % 7
                                   : static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count)))));
                const bmo::CoefficientGroups groups(of_point, points.heads(), watch);
                check(groups, points, queries);
                check(groups, points, points);
            }
        }
}

// A distance between two points on a line is the bound itself where a group is one point: it is met within 1e-5.
void bounds_are_tight_for_groups_of_a_point(void **) {
    bmo::Watch watch;
    const Case points(40, 40, 0, 1, 11), queries(5, 5, 0, 1, 12);
    std::vector<std::int32_t> of_point;
    for (std::int32_t i = 0; i < 40; ++i)
        of_point.push_back(i);
    const bmo::CoefficientGroups groups(of_point, points.heads(), watch);
    std::vector<double> about, at_least;
    for (std::int64_t query = 0; query < queries.n(); ++query) {
        const auto of = static_cast<std::size_t>(query);
        groups.distances(queries.values.data() + query * bmo::kHead, queries.low[of], queries.high[of], about,
                         at_least);
        for (std::int64_t point = 0; point < 40; ++point)
            assert_true(at_least[static_cast<std::size_t>(point)] >=
                        static_cast<double>(squared_distance(points, point, queries, query)) * (1 - 1e-5));
    }
}

void groups_are_kept_where_points_are_in_clusters(void **) {
    bmo::Watch watch;
    Case clusters(9000, 30, 1, 1, 7), one(9000, 1, 1, 1, 7), few(2000, 30, 1, 1, 7), far(9000, 30, 1, 1, 7);
    for (Case *made : {&clusters, &one, &few}) // else what is behind the heads outweighs them
        made->scale_norms(0.01F);
    const bmo::CoefficientGroups found = bmo::group_heads(clusters.heads(), 1, 2, watch);
    assert_in_range(found.count(), 30, 300);
    check(found, clusters, Case(10, 30, 1, 1, 8));
    assert_int_equal(bmo::group_heads(one.heads(), 1, 2, watch).count(), 0);
    assert_int_equal(bmo::group_heads(few.heads(), 1, 2, watch).count(), 0);
    assert_int_equal(bmo::group_heads(far.heads(), 1, 2, watch).count(), 0);
}

int run() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_point_is_nearer_than_its_group),
        cmocka_unit_test(bounds_are_tight_for_groups_of_a_point),
        cmocka_unit_test(groups_are_kept_where_points_are_in_clusters),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace head_groups_test

// bmo_query_kmeans.
#include "search/clusters/kmeans.hpp"

#include <algorithm>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/strides.hpp"
#include "api/structs.hpp"
#include "data/check.hpp"
#include "util/checked.hpp"

namespace bmo {

namespace {

void check_counts(const bmo_kmeans &run, const Dataset &data) {
    if (run.init < BMO_INIT_PLUSPLUS || run.init > BMO_INIT_GIVEN)
        refuse("run.init", run.init, "BMO_INIT_PLUSPLUS (0), BMO_INIT_RANDOM (1) or BMO_INIT_GIVEN (2)");
    if (run.reserved != 0)
        refuse("run.reserved", run.reserved, "0");
    if (data.n() == 0)
        fail(BMO_EINVAL, "query", "the dataset has no points to cluster");
    if (run.k < 1 || run.k > data.n())
        refuse("run.k", run.k, "1 to ", data.n(), ", the points of the dataset");
    const bool given = run.init == BMO_INIT_GIVEN;
    if (run.n_init < 0 || (given && run.n_init > 1))
        refuse("run.n_init", run.n_init, given ? "0 or 1 with given centers" : "0 or more");
    if (run.max_iter < 0)
        refuse("run.max_iter", run.max_iter, "0 or more");
    if (!(run.tol >= 0))
        refuse("run.tol", run.tol, "0 or more");
}

void check_centers(const bmo_kmeans &run, const Dataset &data) {
    const std::int64_t values = checked_mul(run.k, data.d(), "run.k");
    if (!run.centers && run.init == BMO_INIT_GIVEN)
        fail(BMO_EINVAL, "run.centers", text(Word{"run.centers"}, " is NULL; expected the centers to start from"));
    if (run.centers && run.centers_capacity < values)
        refuse("run.centers_capacity", run.centers_capacity, values, " or more");
    check_alignment(run.centers, alignof(double), "run.centers");
    check_alignment(run.labels, alignof(std::int32_t), "run.labels");
    check_alignment(run.seed, alignof(std::int64_t), "run.seed");
}

KmeansRule rule_of(const bmo_kmeans &run, const KnnSearch &search, Watch &watch) {
    const Dataset &data = search.data();
    const std::int64_t seed = run.seed ? *run.seed : search.settings().seed;
    KmeansRule rule{.k = run.k, .init = run.init, .tol = run.tol, .seed = seed, .given = {}};
    if (run.n_init > 0)
        rule.starts = run.n_init;
    if (run.max_iter > 0)
        rule.max_iter = run.max_iter;
    if (run.init == BMO_INIT_GIVEN) {
        check_values(row_major(BMO_F64, run.centers, run.k, data.d()), "run.centers", watch);
        rule.given = {run.centers, static_cast<std::size_t>(run.k * data.d())};
    }
    return rule;
}

void write_clusters(const Clusters &clusters, const bmo_kmeans &run) {
    if (run.centers)
        std::copy(clusters.centers.begin(), clusters.centers.end(), run.centers);
    if (run.labels)
        std::copy(clusters.labels.begin(), clusters.labels.end(), run.labels);
    if (run.inertia)
        *run.inertia = clusters.inertia;
    if (run.iterations)
        *run.iterations = clusters.iterations;
}

} // namespace

} // namespace bmo

bmo_status bmo_query_kmeans(const bmo_query *query, const bmo_kmeans *run, const bmo_monitor *monitor,
                            bmo_stats *stats) {
    return bmo::guard([&] {
        const bmo::KnnSearch &search = bmo::search_of_all(query);
        const bmo::Dataset &data = search.data();
        const bmo_kmeans asked = bmo::read_struct(run, "run");
        bmo::check_counts(asked, data);
        bmo::check_centers(asked, data);
        bmo::Watch watch = bmo::watch_of(monitor);
        if (stats)
            bmo::check_struct(stats, "stats");
        const bmo::KmeansRule rule = bmo::rule_of(asked, search, watch);
        bmo_stats filled{};
        bmo::write_clusters(bmo::kmeans(data, search.settings(), rule, watch, filled), asked);
        if (stats)
            bmo::write_struct(stats, filled);
    });
}

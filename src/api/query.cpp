// bmo_query: a dataset and a config bound, and the searches on them.
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/output.hpp"
#include "api/points.hpp"
#include "api/structs.hpp"
#include "util/counted.hpp"

namespace bmo {

namespace {

// What every search is asked to do with its queries.
struct Request {
    std::int64_t k;
    const bmo_output *out;
    const bmo_monitor *monitor;
    bmo_stats *stats;
};

const Dataset &dataset_of(const bmo_query *query) {
    require(query, "query");
    return query->search.data();
}

void check_d(std::int64_t d, const Dataset &data) {
    if (d != data.d())
        fail(BMO_EINVAL, "points.d", text("points.d is ", d, "; expected ", data.d(), ", that of the dataset"));
}

void check_k(std::int64_t k, const Dataset &data, const Queries &queries) {
    const std::int64_t candidates = queries.own ? data.n() - 1 : data.n();
    const bool bounded = data.n() > 0 || queries.count > 0;
    if (k >= 1 && (k <= candidates || !bounded))
        return;
    if (bounded && candidates < 1)
        fail(BMO_EINVAL, "k",
             text("k is ", k, ", but a query has no candidates: the dataset has ", counted(data.n(), "point")));
    if (bounded)
        fail(BMO_EINVAL, "k", text("k is ", k, "; expected 1 to ", candidates, ", the candidates of a query"));
    fail(BMO_EINVAL, "k", text("k is ", k, "; expected 1 or more"));
}

void nothing(Queries &, Watch &) {}

// Once the arguments are checked, check(queries, watch) looks at what may take longer: the values of the queries.
template <class Check>
void search(const bmo_query &query, Queries queries, const Check &check, const Request &request) {
    const Dataset &data = query.search.data();
    check_k(request.k, data, queries);
    const Output output(request.out, queries.count, request.k, data.n());
    Watch watch = watch_of(request.monitor);
    if (request.stats)
        check_struct(request.stats, "stats");
    output.clear();
    check(queries, watch);
    bmo_stats stats{};
    const auto deliver = [&](std::int64_t i, std::span<const Neighbor> neighbors, const bmo_row_stats &row_stats) {
        output.write(i, neighbors, row_stats);
    };
    query.search.run(queries, request.k, deliver, watch, stats);
    if (request.stats)
        write_struct(request.stats, stats);
}

Queries all_points(const Dataset &data) {
    return {.points = data.points(), .count = data.n(), .max_abs = data.max_abs};
}

} // namespace

} // namespace bmo

bmo_status bmo_query_create(bmo_query **out, const bmo_dataset *ds, const bmo_config *config) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        bmo::require(ds, "ds");
        *out = new bmo_query{bmo::KnnSearch(ds->data, bmo::settings_of(config))};
    });
}

void bmo_query_free(bmo_query *query) {
    delete query;
}

bmo_status bmo_query_knn(const bmo_query *query, const bmo_dataset *points, int64_t k, const bmo_output *out,
                         const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::guard([&] {
        const bmo::Dataset &data = bmo::dataset_of(query);
        bmo::require(points, "points");
        bmo::check_d(points->data->d(), data);
        bmo::search(*query, bmo::all_points(*points->data), bmo::nothing, {k, out, monitor, stats});
    });
}

bmo_status bmo_query_knn_dense(const bmo_query *query, const bmo_dense *points, int64_t k, const bmo_output *out,
                               const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::guard([&] {
        const bmo::Dataset &data = bmo::dataset_of(query);
        const bmo::DenseView view = bmo::view_of(points, "points");
        bmo::check_d(view.d, data);
        const auto check = [&](bmo::Queries &queries, bmo::Watch &watch) {
            queries.max_abs = bmo::check_values(view, "points", watch);
        };
        bmo::search(*query, {.points = view, .count = view.n}, check, {k, out, monitor, stats});
    });
}

bmo_status bmo_query_knn_sparse(const bmo_query *query, const bmo_sparse *points, int64_t k, const bmo_output *out,
                                const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::guard([&] {
        const bmo::Dataset &data = bmo::dataset_of(query);
        const bmo::SparseInput input = bmo::input_of(points, "points");
        bmo::check_d(input.d, data);
        std::shared_ptr<const bmo::Dataset> rows;
        const auto check = [&](bmo::Queries &queries, bmo::Watch &watch) {
            rows = bmo::make_sparse(input, true, nullptr, "points", watch);
            queries = bmo::all_points(*rows);
        };
        bmo::search(*query, {.points = {}, .count = input.n}, check, {k, out, monitor, stats});
    });
}

bmo_status bmo_query_knn_rows(const bmo_query *query, const int64_t *rows, int64_t nrows, int64_t k,
                              const bmo_output *out, const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::guard([&] {
        const bmo::Dataset &data = bmo::dataset_of(query);
        bmo::check_rows(rows, nrows, data.n());
        bmo::Queries queries = bmo::all_points(data);
        queries.rows = rows;
        queries.count = nrows;
        queries.own = true;
        bmo::search(*query, queries, bmo::nothing, {k, out, monitor, stats});
    });
}

bmo_status bmo_query_graph(const bmo_query *query, int64_t k, const bmo_output *out, const bmo_monitor *monitor,
                           bmo_stats *stats) {
    return bmo::guard([&] {
        bmo::Queries queries = bmo::all_points(bmo::dataset_of(query));
        queries.own = true;
        bmo::search(*query, queries, bmo::nothing, {k, out, monitor, stats});
    });
}

// bmo_query: a dataset and a config bound, and the searches on them.
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/points.hpp"
#include "api/request.hpp"
#include "api/structs.hpp"

namespace bmo {

namespace {

const Dataset &dataset_of(const bmo_query *query) {
    require(query, "query");
    return query->search.data();
}

void check_d(std::int64_t d, const Dataset &data) {
    if (d != data.d())
        fail(BMO_EINVAL, "points.d", text("points.d is ", d, "; expected ", data.d(), ", that of the dataset"));
}

const auto kNothing = [](Queries &, Watch &) {};

} // namespace

} // namespace bmo

bmo_status bmo_query_create(bmo_query **out, const bmo_dataset *ds, const bmo_config *config,
                            const bmo_monitor *monitor) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        bmo::require(ds, "ds");
        bmo::Watch watch = bmo::watch_of(monitor);
        *out = new bmo_query{bmo::KnnSearch(ds->data, bmo::settings_of(config), watch)};
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
        bmo::search(query->search, bmo::all_points(*points->data), bmo::kNothing, {k, out, monitor, stats});
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
        bmo::search(query->search, {.points = view, .count = view.n}, check, {k, out, monitor, stats});
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
        bmo::search(query->search, {.points = {}, .count = input.n}, check, {k, out, monitor, stats});
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
        queries.own_points = true;
        bmo::search(query->search, queries, bmo::kNothing, {k, out, monitor, stats});
    });
}

bmo_status bmo_query_graph(const bmo_query *query, int64_t k, const bmo_output *out, const bmo_monitor *monitor,
                           bmo_stats *stats) {
    return bmo::guard([&] {
        bmo::Queries queries = bmo::all_points(bmo::dataset_of(query));
        queries.own_points = true;
        bmo::search(query->search, queries, bmo::kNothing, {k, out, monitor, stats});
    });
}

// bmo_query: a dataset and a config bound, and the searches on them.
#include <memory>
#include <utility>

#include "api/candidates.hpp"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/points.hpp"
#include "api/request.hpp"
#include "api/structs.hpp"
#include "search/among/among_search.hpp"

namespace bmo {

namespace {

const Dataset &dataset_of(const bmo_query *query) {
    require(query, "query");
    return query->search->data();
}

void check_d(std::int64_t d, const Dataset &data) {
    if (d != data.d())
        refuse("queries.d", d, data.d(), ", that of the dataset");
}

const auto kNothing = [](Queries &, Watch &) {};

// The searches, whatever is asked of them. Asked: Request, or RadiusRequest.
template <class Asked>
bmo_status search_dataset(const bmo_query *query, const bmo_dataset *queries, const Asked &asked) {
    return guard([&] {
        const Dataset &data = dataset_of(query);
        require(queries, "queries");
        check_d(queries->data->d(), data);
        search(*query->search, all_points(*queries->data), kNothing, asked);
    });
}

template <class Asked>
bmo_status search_dense(const bmo_query *query, const bmo_dense *queries, const Asked &asked) {
    return guard([&] {
        const Dataset &data = dataset_of(query);
        const DenseView view = view_of(queries, "queries");
        check_d(view.d, data);
        const auto check = [&](Queries &checked, Watch &watch) {
            checked.max_abs = check_values(view, "queries", watch);
        };
        search(*query->search, {.points = view, .count = view.n}, check, asked);
    });
}

template <class Asked>
bmo_status search_sparse(const bmo_query *query, const bmo_sparse *queries, const Asked &asked) {
    return guard([&] {
        const Dataset &data = dataset_of(query);
        const SparseInput input = input_of(queries, "queries");
        check_d(input.d, data);
        std::shared_ptr<const Dataset> rows;
        const auto check = [&](Queries &checked, Watch &watch) {
            rows = make_sparse(input, true, nullptr, "queries", watch);
            checked = all_points(*rows);
        };
        search(*query->search, {.points = {}, .count = input.n}, check, asked);
    });
}

template <class Asked>
bmo_status search_rows(const bmo_query *query, const int64_t *rows, int64_t nrows, const Asked &asked) {
    return guard([&] {
        const Dataset &data = dataset_of(query);
        check_rows(rows, nrows, data.n());
        Queries queries = all_points(data);
        queries.rows = rows;
        queries.count = nrows;
        queries.own_points = true;
        search(*query->search, queries, kNothing, asked);
    });
}

template <class Asked>
bmo_status search_graph(const bmo_query *query, const Asked &asked) {
    return guard([&] {
        Queries queries = all_points(dataset_of(query));
        queries.own_points = true;
        search(*query->search, queries, kNothing, asked);
    });
}

} // namespace

const KnnSearch &search_of_all(const bmo_query *query) {
    require(query, "query");
    if (!query->of_all)
        fail(BMO_EINVAL, "query",
             text(Word{"query"}, " searches among chosen candidates; expected one of all points: to use some points, ",
                  "make a dataset of them by ", Word{"bmo_dataset_subset()"}));
    return *query->of_all;
}

} // namespace bmo

bmo_status bmo_query_create(bmo_query **out, const bmo_dataset *ds, const bmo_config *config,
                            const bmo_monitor *monitor) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        bmo::require(ds, "ds");
        bmo::Watch watch = bmo::watch_of(monitor);
        auto search = std::make_unique<bmo::KnnSearch>(ds->data, bmo::settings_of(config), watch);
        const bmo::KnnSearch *of_all = search.get();
        *out = new bmo_query{std::move(search), of_all};
    });
}

bmo_status bmo_query_create_among(bmo_query **out, const bmo_dataset *ds, const bmo_config *config,
                                  const bmo_candidates *candidates, const bmo_monitor *monitor) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        bmo::require(ds, "ds");
        bmo::Candidates chosen = bmo::read_candidates(candidates, *ds->data);
        bmo::Watch watch = bmo::watch_of(monitor);
        *out = new bmo_query{
            std::make_unique<bmo::AmongSearch>(ds->data, bmo::settings_of(config), std::move(chosen), watch)};
    });
}

void bmo_query_free(bmo_query *query) {
    delete query;
}

bmo_status bmo_query_knn(const bmo_query *query, const bmo_dataset *queries, int64_t k, const bmo_output *out,
                         const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::search_dataset(query, queries, bmo::Request{k, out, monitor, stats});
}

bmo_status bmo_query_knn_dense(const bmo_query *query, const bmo_dense *queries, int64_t k, const bmo_output *out,
                               const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::search_dense(query, queries, bmo::Request{k, out, monitor, stats});
}

bmo_status bmo_query_knn_sparse(const bmo_query *query, const bmo_sparse *queries, int64_t k, const bmo_output *out,
                                const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::search_sparse(query, queries, bmo::Request{k, out, monitor, stats});
}

bmo_status bmo_query_knn_rows(const bmo_query *query, const int64_t *rows, int64_t nrows, int64_t k,
                              const bmo_output *out, const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::search_rows(query, rows, nrows, bmo::Request{k, out, monitor, stats});
}

bmo_status bmo_query_graph(const bmo_query *query, int64_t k, const bmo_output *out, const bmo_monitor *monitor,
                           bmo_stats *stats) {
    return bmo::search_graph(query, bmo::Request{k, out, monitor, stats});
}

bmo_status bmo_query_radius(const bmo_query *query, const bmo_dataset *queries, const bmo_limits *limits,
                            bmo_neighbors **out, const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::search_dataset(query, queries, bmo::RadiusRequest{limits, out, monitor, stats});
}

bmo_status bmo_query_radius_dense(const bmo_query *query, const bmo_dense *queries, const bmo_limits *limits,
                                  bmo_neighbors **out, const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::search_dense(query, queries, bmo::RadiusRequest{limits, out, monitor, stats});
}

bmo_status bmo_query_radius_sparse(const bmo_query *query, const bmo_sparse *queries, const bmo_limits *limits,
                                   bmo_neighbors **out, const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::search_sparse(query, queries, bmo::RadiusRequest{limits, out, monitor, stats});
}

bmo_status bmo_query_radius_rows(const bmo_query *query, const int64_t *rows, int64_t nrows, const bmo_limits *limits,
                                 bmo_neighbors **out, const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::search_rows(query, rows, nrows, bmo::RadiusRequest{limits, out, monitor, stats});
}

bmo_status bmo_query_radius_graph(const bmo_query *query, const bmo_limits *limits, bmo_neighbors **out,
                                  const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::search_graph(query, bmo::RadiusRequest{limits, out, monitor, stats});
}

bmo_status bmo_neighbors_read(const bmo_neighbors *neighbors, bmo_neighbors_view *view) {
    return bmo::guard([&] {
        bmo::require(neighbors, "neighbors");
        bmo::check_struct(view, "view");
        bmo_neighbors_view filled{};
        filled.queries = static_cast<int64_t>(neighbors->offset.size()) - 1;
        filled.pairs = neighbors->offset.back();
        filled.offset = neighbors->offset.data();
        filled.index = neighbors->index.data();
        filled.distance = neighbors->distance.data();
        bmo::write_struct(view, filled);
    });
}

void bmo_neighbors_free(bmo_neighbors *neighbors) {
    delete neighbors;
}

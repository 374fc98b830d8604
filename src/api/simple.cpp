// The simple calls: arrays in, arrays out.
#include <limits>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/points.hpp"
#include "api/request.hpp"
#include "api/strides.hpp"
#include "data/check.hpp"
#include "search/preparation.hpp"

namespace bmo {

namespace {

void check_count(std::int64_t count, std::int64_t least, std::string_view argument) {
    if (count < least)
        refuse(argument, count, least, " or more");
    check_side(count, argument, argument);
}

// rows x d values, row-major.
bmo_dense table(bmo_dtype dtype, const void *values, std::int64_t rows, std::int64_t d) {
    return {.struct_size = sizeof(bmo_dense),
            .dtype = dtype,
            .data = values,
            .n = rows,
            .d = d,
            .point_stride = 0,
            .coord_stride = 0};
}

void check_arguments(bmo_dtype dtype, const void *points, std::int64_t n, std::int64_t d, const std::int64_t *index) {
    if (dtype_size(dtype) == 0)
        refuse("dtype", dtype, kDtypeNames);
    check_count(n, 0, "n");
    check_count(d, 1, "d");
    if (n > 0)
        require(points, "points");
    require(index, "index");
}

Settings settings_for(const bmo_config *config, std::int64_t queries) {
    Settings settings = settings_of(config);
    if (settings.expected_queries == 0)
        settings.expected_queries = queries;
    return settings;
}

// The points, and what pays for so few queries to be prepared of them. Points that a config's box cannot serve as they are
// are prepared for it in any case.
KnnSearch search_of(const bmo_dense &points, const Settings &settings, Watch &watch) {
    std::shared_ptr<const Dataset> data = make_dense(view_of(&points, "points"), true, nullptr, watch, "points");
    if (settings.box != BMO_BOX_DENSE)
        data = prepare_dataset(*data, settings, watch);
    return {std::move(data), settings, watch};
}

// The caller vouches for the room: k places for each query.
bmo_output output_to(std::int64_t *index, double *distance) {
    bmo_output out{};
    out.struct_size = sizeof out;
    out.index = index;
    out.distance = distance;
    out.capacity = std::numeric_limits<std::int64_t>::max();
    return out;
}

} // namespace

} // namespace bmo

bmo_status bmo_knn(bmo_dtype dtype, const void *points, int64_t n, const void *queries, int64_t m, int64_t d, int64_t k,
                   int64_t *index, double *distance, const bmo_config *config) {
    return bmo::guard([&] {
        bmo::check_arguments(dtype, points, n, d, index);
        bmo::check_count(m, 0, "m");
        if (m > 0)
            bmo::require(queries, "queries");
        const bmo_dense theirs = bmo::table(dtype, queries, m, d);
        const bmo::DenseView view = bmo::view_of(&theirs, "queries");
        const bmo_output out = bmo::output_to(index, distance);
        const auto check = [&](bmo::Queries &asked, bmo::Watch &watch) {
            asked.max_abs = bmo::check_values(view, "queries", watch);
        };
        bmo::Watch watch;
        const bmo::KnnSearch knn = bmo::search_of(bmo::table(dtype, points, n, d), bmo::settings_for(config, m), watch);
        bmo::search(knn, {.points = view, .count = m}, check, {k, &out, nullptr, nullptr});
    });
}

bmo_status bmo_knn_graph(bmo_dtype dtype, const void *points, int64_t n, int64_t d, int64_t k, int64_t *index,
                         double *distance, const bmo_config *config) {
    return bmo::guard([&] {
        bmo::check_arguments(dtype, points, n, d, index);
        const bmo_output out = bmo::output_to(index, distance);
        bmo::Watch watch;
        const bmo::KnnSearch knn = bmo::search_of(bmo::table(dtype, points, n, d), bmo::settings_for(config, n), watch);
        bmo::Queries all = bmo::all_points(knn.data());
        all.own_points = true;
        bmo::search(knn, all, [](bmo::Queries &, bmo::Watch &) {}, {k, &out, nullptr, nullptr});
    });
}

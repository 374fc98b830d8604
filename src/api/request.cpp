#include "api/request.hpp"

#include "api/handles.hpp"
#include "api/limits.hpp"
#include "api/output.hpp"
#include "api/structs.hpp"
#include "util/counted.hpp"

namespace bmo {

namespace {

void check_k(std::int64_t k, const Dataset &data, const Queries &queries) {
    const std::int64_t candidates = queries.own_points ? data.n() - 1 : data.n();
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

} // namespace

Queries all_points(const Dataset &data) {
    return {.points = data.points(), .count = data.n(), .max_abs = data.max_abs};
}

void search(const KnnSearch &knn, Queries queries, const CheckQueries &check, const Request &request) {
    const Dataset &data = knn.data();
    check_k(request.k, data, queries);
    const Output output(request.out, queries.count, request.k, data.n());
    const Limits limits(output.limits(), queries.count, "out.limits");
    Watch watch = watch_of(request.monitor);
    if (request.stats)
        check_struct(request.stats, "stats");
    output.clear();
    check(queries, watch);
    limits.set(queries);
    bmo_stats stats{};
    const auto deliver = [&](std::int64_t i, std::span<const Neighbor> neighbors, const bmo_row_stats &row_stats) {
        output.write(i, neighbors, row_stats);
    };
    knn.run(queries, request.k, deliver, watch, stats);
    if (request.stats)
        write_struct(request.stats, stats);
}

} // namespace bmo

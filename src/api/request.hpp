// What every search does once its queries are known: checks, searches, and writes where the caller wants it.
#pragma once

#include <functional>

#include "bmo.h"
#include "search/neighbor_search.hpp"
#include "util/watch.hpp"

namespace bmo {

// What every search is asked to do with its queries.
struct Request {
    std::int64_t k;
    const bmo_output *out;
    const bmo_monitor *monitor;
    bmo_stats *stats;
};

// Looks at what may take longer than the arguments: the values of the queries.
using CheckQueries = std::function<void(Queries &queries, Watch &watch)>;

// All points of a dataset, as queries.
Queries all_points(const Dataset &data);

// check is called once the arguments are checked, and may change the queries.
void search(const NeighborSearch &searcher, Queries queries, const CheckQueries &check, const Request &request);

// What a search for all within a distance is asked to do.
struct RadiusRequest {
    const bmo_limits *limits;
    bmo_neighbors **out;
    const bmo_monitor *monitor;
    bmo_stats *stats;
};

// The same of all candidates within a distance.
void search(const NeighborSearch &searcher, Queries queries, const CheckQueries &check, const RadiusRequest &request);

} // namespace bmo

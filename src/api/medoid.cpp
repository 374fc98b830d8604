// bmo_query_medoid()
#include "search/medoid/medoid.hpp"

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/strides.hpp"
#include "api/structs.hpp"

bmo_status bmo_query_medoid(const bmo_query *query, bmo_medoid *out, const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::guard([&] {
        const bmo::KnnSearch &search = bmo::search_of_all(query);
        const bmo_medoid asked = bmo::read_struct(out, "out");
        if (asked.reserved != 0)
            bmo::refuse("out.reserved", asked.reserved, "0");
        bmo::check_alignment(asked.seed, alignof(std::int64_t), "out.seed");
        if (stats)
            bmo::check_struct(stats, "stats");
        if (search.data().n() == 0)
            bmo::fail(BMO_EINVAL, "query", "the dataset has no points, and no medoid");
        bmo::Watch watch = bmo::watch_of(monitor);
        bmo_stats filled{};
        const std::int64_t seed = asked.seed ? *asked.seed : search.settings().seed;
        const bmo::Medoid medoid = bmo::find_medoid(search, seed, watch, filled);
        bmo_medoid found = asked;
        found.index = medoid.index;
        found.mean_distance = medoid.mean;
        bmo::write_struct(out, found);
        if (stats)
            bmo::write_struct(stats, filled);
    });
}

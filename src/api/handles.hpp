// What is behind the opaque handles of bmo.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "data/settings.hpp"
#include "search/knn.hpp"
#include "util/watch.hpp"

struct bmo_cancel {
    std::shared_ptr<bmo::CancelFlag> flag; // shared with the calls that run
};

struct bmo_dataset {
    std::shared_ptr<const bmo::Dataset> data; // shared with queries and other handles
};

struct bmo_config {
    bmo::Settings settings;
    std::uint32_t set = 0; // of each line of the table of parameters, a bit
};

struct bmo_query {
    std::unique_ptr<const bmo::NeighborSearch> search;
    const bmo::KnnSearch *of_all = nullptr; // the same, if all points are candidates
};

struct bmo_neighbors {
    std::vector<std::int64_t> offset, index;
    std::vector<double> distance;
};

namespace bmo {

// NULL: the defaults.
inline Settings settings_of(const bmo_config *config) {
    return config ? config->settings : Settings{};
}

// The search of a query that has no candidates of its own choice.
const KnnSearch &search_of_all(const bmo_query *query);

// A watch of what the caller's monitor, which may be NULL, asks for.
Watch watch_of(const bmo_monitor *monitor);

} // namespace bmo

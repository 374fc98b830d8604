// What every search for neighbors is asked, and says.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "bmo.h"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "data/settings.hpp"
#include "util/failure.hpp"
#include "util/watch.hpp"

namespace bmo {

struct Neighbor {
    double distance;
    std::int64_t index;
};

// Receives one finished query: its k neighbors, or fewer if no others are near enough, ascending, ties by index. Called from
// several threads at once, for different queries.
using Deliver = std::function<void(std::int64_t query, std::span<const Neighbor>, const bmo_row_stats &)>;

[[noreturn]] inline void fail_beyond_double(std::int64_t query, std::int64_t point) {
    fail(BMO_EOVERFLOW, "distance",
         text("the distance of query ", Position{query}, " to point ", Position{point}, kCountedFrom0,
              " is beyond the range of double; scale the data down"),
         query);
}

// A dataset and settings bound. Thread-safe.
class NeighborSearch {
public:
    virtual ~NeighborSearch() = default;

    virtual const Dataset &data() const = 0;
    virtual const Settings &settings() const = 0; // decided, but for the method
    // The most candidates that a query may have. own: queries are points of the dataset.
    virtual std::int64_t most_candidates(bool own) const = 0;
    virtual LabelRule label_rule() const = 0;

    // Runs all queries; k was checked to be within the most candidates (1 if queries.all_within), and no distance of the queries is
    // NaN. Fills every field of *stats but struct_size.
    virtual void run(const Queries &queries, std::int64_t k, const Deliver &deliver, Watch &watch,
                     bmo_stats &stats) const = 0;
};

} // namespace bmo

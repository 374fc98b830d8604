#pragma once

#include <memory>

#include "library.h"

namespace rbmo {

struct Bound; // search.h

// What an external pointer of R stands for: a dataset, and the query that it was last searched with, for the next search.
struct Points {
    Dataset dataset;
    std::shared_ptr<const Bound> last;
};

// The points behind an external pointer; refuses one whose dataset ended with the session that made it.
Points &points_of(SEXP pointer);

const bmo_dataset *dataset_of(SEXP pointer);

// What it is.
bmo_dataset_info describe(const bmo_dataset *dataset);

// How many points it has.
int64_t size_of(const bmo_dataset *dataset);

} // namespace rbmo

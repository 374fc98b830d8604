#pragma once

#include "library.h"

namespace rbmo {

// The dataset behind an external pointer; refuses one whose dataset ended with the session that made it.
const bmo_dataset *dataset_of(SEXP pointer);

// What it is.
bmo_dataset_info describe(const bmo_dataset *dataset);

// How many points it has.
int64_t size_of(const bmo_dataset *dataset);

} // namespace rbmo

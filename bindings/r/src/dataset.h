#pragma once

#include "library.h"

namespace rbmo {

// The dataset behind an external pointer; refuses one whose dataset ended with the session that made it.
const bmo_dataset *dataset_of(SEXP pointer);

} // namespace rbmo

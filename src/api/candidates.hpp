// Which points are candidates: a caller's bmo_candidates, checked.
#pragma once

#include "bmo.h"
#include "data/dataset.hpp"
#include "search/among/candidates.hpp"

namespace bmo {

Candidates read_candidates(const bmo_candidates *theirs, const Dataset &data);

} // namespace bmo

// The medoid: the point of least mean distance to the others.
//
// Points are arms, whose samples are their distances to reference points, the same for all, drawn without replacement. A few
// references choose a leader, whose distances are computed in full; then arms are sampled against it, and go when a test
// says that they are farther from all than the best that was computed (search/medoid/reference_arm.hpp). What is left after a
// tenth of the references is computed in full, so that it never takes much more than computing every distance. Under l1 single
// coordinates of references are sampled first: those of a quarter of a distance tell most points.
//
// Where tiles have certain bounds of many distances at once (search/worker.hpp), these stand for distances: a lower bound is a sample
// that is not too large, and of the points that are left only those are computed whose sums of bounds allow them to be the medoid.
//
// The answer is wrong with probability at most delta. The medoid of lowest index is returned if it is computed; else it was
// dropped. The threshold is the sum of some point, never below that of the medoid, so that dropping it is a false rejection
// of its own test, or one of its two, of level delta / 2 each: no union over the points is needed.
#pragma once

#include <cstdint>

#include "bmo.h"
#include "search/knn.hpp"
#include "util/watch.hpp"

namespace bmo {

struct Medoid {
    std::int64_t index = 0;
    double mean = 0; // of the distances to the other points; 0 of a single point
};

// Of at least one point; ties to the lowest. The seed draws the references. Fails with BMO_EINVAL if the method is bandit and the
// metric has no reach.
Medoid find_medoid(const KnnSearch &given, std::int64_t seed, Watch &watch, bmo_stats &stats);

} // namespace bmo

package bmo

// #include "calls.h"
import "C"

import "context"

// A Medoid is the point of a dataset whose mean distance to the others is least.
type Medoid struct {
	Index        int64   // of the point
	MeanDistance float64 // to the other points; 0 of a single point
	Stats        Stats
}

// A MedoidOption sets what one search for a medoid has of its own.
type MedoidOption func(*medoidRun)

type medoidRun struct {
	seed *int64 // nil: that of the searcher
}

// WithMedoidSeed draws the points that others are compared with by this seed, which may differ from that of a preparation.
// Without it the seed is that of the searcher.
func WithMedoidSeed(seed int64) MedoidOption {
	return func(run *medoidRun) { run.seed = &seed }
}

// Medoid finds the point whose mean distance to the other points is least, ties to the lowest index. It is right with
// probability at least 1 - delta: distances to a few points, the same for all, rule most others out, and the means of those
// that are left are computed. So it is for 64 points or more under "l2", "sqeuclidean", "l1", "cosine", and "lp" with p of 1 or
// more; elsewhere, and with the method "exact", every distance is computed. Points may be dense or sparse. Of the parameters
// the metric, p, the method ("auto", "bandit" or "exact"), delta, the weights, the box, the threads and, unless
// WithMedoidSeed sets one, the seed count.
func (s *Searcher) Medoid(ctx context.Context, opts ...MedoidOption) (medoid Medoid, err error) {
	if s == nil {
		return Medoid{}, ErrClosed
	}
	var run medoidRun
	for _, opt := range opts {
		if opt != nil {
			opt(&run)
		}
	}
	err = s.handle.use(func() error {
		ask := C.go_medoid{stats: C.bmo_stats{struct_size: C.sizeof_bmo_stats}}
		err := interruptible(ctx, s.handle, s.own, func(watch *C.go_watch) C.bmo_status {
			ask.watch = *watch
			return C.go_query_medoid(s.c, &ask, (*C.int64_t)(run.seed))
		})
		if err != nil {
			return blame(err, s.handle.lent)
		}
		medoid = Medoid{Index: int64(ask.index), MeanDistance: float64(ask.mean_distance), Stats: statsOf(&ask.stats)}
		return nil
	})
	return medoid, err
}

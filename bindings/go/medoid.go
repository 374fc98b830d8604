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

// Medoid finds the point whose mean distance to the other points is least, ties to the lowest index. It is right with
// probability at least 1 - delta: distances to a few points, the same for all, rule most others out, and the means of those
// that are left are computed. So it is for 64 points or more under "l2", "sqeuclidean", "l1", "cosine", and "lp" with p of 1 or
// more; elsewhere, and with the method "exact", every distance is computed. Points may be dense or sparse. Of the parameters
// the metric, p, the method ("auto", "bandit" or "exact"), delta, the seed, the weights, the box and the threads count.
func (s *Searcher) Medoid(ctx context.Context) (medoid Medoid, err error) {
	if s == nil {
		return Medoid{}, ErrClosed
	}
	err = s.handle.use(func() error {
		found := C.bmo_medoid{struct_size: C.sizeof_bmo_medoid}
		stats := C.bmo_stats{struct_size: C.sizeof_bmo_stats}
		err := interruptible(ctx, s.handle, medoidWords, func(watch *C.go_watch) C.bmo_status {
			return C.go_query_medoid(s.c, &found, watch, &stats)
		})
		if err != nil {
			return err
		}
		medoid = Medoid{Index: int64(found.index), MeanDistance: float64(found.mean_distance), Stats: statsOf(&stats)}
		return nil
	})
	return medoid, err
}

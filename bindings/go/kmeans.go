package bmo

// #include "calls.h"
import "C"

import (
	"context"
	"math"
)

// KMeans says how [Searcher.KMeans] starts and ends. The zero value is k-means++ from one start, until no label changes
// or the centers moved 100 times.
type KMeans struct {
	Init    string    // "plusplus", which "" means too, or "random": k points of the dataset; unused where Centers is given
	Starts  int       // of which the one of least inertia is kept; 0: 1; with Centers: 1
	MaxIter int       // moves of the centers at most; 0: 100
	Tol     float64   // ends also once no center moved farther than this
	Centers []float64 // k x D, row-major: where the centers start; nil: as Init says. It is copied
	Seed    *int64    // draws the starts, and may differ from that of a preparation; nil: the seed of the searcher
}

// Clusters are points by their nearest centers.
type Clusters struct {
	K, D       int
	Centers    []float64 // coordinate j of center c is Centers[c*D + j]
	Labels     []int32   // the center of each point, ties to the lowest
	Inertia    float64   // the sum of the points' squared distances to their centers
	Iterations int       // moves of the centers
	Stats      Stats     // of all starts and steps
}

// Center is center i, 0 <= i < K. It shares memory with Centers.
func (c Clusters) Center(i int) []float64 {
	begin, end := i*c.D, (i+1)*c.D
	return c.Centers[begin:end:end]
}

var inits = map[string]C.int32_t{"": C.BMO_INIT_PLUSPLUS, "plusplus": C.BMO_INIT_PLUSPLUS, "random": C.BMO_INIT_RANDOM}

// KMeans groups the dataset's points around k centers by Lloyd's algorithm. The labels are those that
// computing every distance gives; bounds spare most of that work. Of the parameters the metric ("l2" or "sqeuclidean"), the
// method, the threads and, unless how has one, the seed count.
func (s *Searcher) KMeans(ctx context.Context, k int, how KMeans) (clusters Clusters, err error) {
	if s == nil {
		return Clusters{}, ErrClosed
	}
	err = s.handle.use(func() error {
		ask, err := s.askKMeans(k, how)
		if err != nil {
			return err
		}
		if clusters, err = s.newClusters(k, how.Centers); err != nil {
			return err
		}
		ask.run.centers_capacity = C.int64_t(len(clusters.Centers))
		err = interruptible(ctx, s.handle, s.own, func(watch *C.go_watch) C.bmo_status {
			ask.watch = *watch
			return C.go_query_kmeans(s.c, &ask, (*C.int64_t)(how.Seed), (*C.double)(first(clusters.Centers)), (*C.int32_t)(first(clusters.Labels)))
		})
		clusters.Inertia, clusters.Iterations = float64(ask.inertia), int(ask.iterations)
		clusters.Stats = statsOf(&ask.stats)
		return blame(err, s.handle.lent)
	})
	if err != nil {
		return Clusters{}, err
	}
	return clusters, nil
}

func (s *Searcher) askKMeans(k int, how KMeans) (C.go_kmeans, error) {
	ask := C.go_kmeans{stats: C.bmo_stats{struct_size: C.sizeof_bmo_stats}}
	init, known := inits[how.Init]
	needed, _ := product(k, s.d)
	switch {
	case !known:
		return ask, refuse(ErrInvalid, "Init", "Init is %q; expected \"plusplus\" or \"random\"", how.Init)
	case how.Starts < 0 || how.Starts > math.MaxInt32:
		return ask, refuse(ErrInvalid, "Starts", "Starts is %d; expected 0 to %d", how.Starts, math.MaxInt32)
	case how.Centers != nil && k > 0 && k <= s.n && len(how.Centers) != needed:
		return ask, refuse(ErrInvalid, "Centers", "Centers has %d elements; expected %d: k is %d and d is %d", len(how.Centers), needed, k, s.d)
	}
	if how.Centers != nil {
		init = C.BMO_INIT_GIVEN
	}
	ask.run.init = init
	ask.run.n_init = C.int32_t(how.Starts)
	ask.run.k = C.int64_t(k)
	ask.run.max_iter = C.int64_t(how.MaxIter)
	ask.run.tol = C.double(how.Tol)
	return ask, nil
}

// newClusters has room for the answer; none where k is one that C refuses.
func (s *Searcher) newClusters(k int, centers []float64) (Clusters, error) {
	clusters := Clusters{K: k, D: s.d}
	if k < 1 || k > s.n {
		return clusters, nil
	}
	// With C's copies of the centers, the directions, and the sample of points that these are found from.
	const copies, directions, mostSampled = 6, 48, 1024
	sampled := s.n
	if sampled > mostSampled {
		sampled = mostSampled
	}
	if err := checkRoom("k", copies*k+directions/2+sampled*3/2, s.d, 8); err != nil {
		return Clusters{}, err
	}
	if err := checkRoom("k", s.n, 1, 4); err != nil {
		return Clusters{}, err
	}
	clusters.Centers, clusters.Labels = make([]float64, k*s.d), make([]int32, s.n)
	copy(clusters.Centers, centers)
	return clusters, nil
}

package bmo

// #include "calls.h"
import "C"

import "context"

// A Searcher is a dataset and its parameters, bound and checked once. It does not change; any number of goroutines may
// use it at once. Close it when it is no longer needed.
type Searcher struct {
	handle *handle
	c      *C.bmo_query
	n, d   int
}

// NewSearcher makes a searcher of a dataset, which may be closed afterwards. Parameters that opts do not set are those
// of the dataset.
func NewSearcher(ds *Dataset, opts ...Option) (s *Searcher, err error) {
	err = ds.use(func() error {
		s, err = newSearcher(ds, opts)
		return err
	})
	return s, err
}

func newSearcher(ds *Dataset, opts []Option) (*Searcher, error) {
	all, err := resolve(ds.settings, opts)
	if err != nil {
		return nil, err
	}
	info, err := ds.info()
	if err != nil {
		return nil, err
	}
	var query *C.bmo_query
	err = withConfig(all, func(config *C.bmo_config) error {
		return checkIn(planWords, func() C.bmo_status { return C.bmo_query_create(&query, ds.c, config, nil) })
	})
	if err != nil {
		return nil, err
	}
	return &Searcher{handle: newHandle(func() { C.bmo_query_free(query) }), c: query, n: info.N, d: info.D}, nil
}

// Close frees the searcher. Calls that run on it end soon, with [ErrClosed] unless they are done before. It may be
// called again; it always returns nil.
func (s *Searcher) Close() error {
	if s != nil {
		s.handle.close()
	}
	return nil
}

// KNN finds the k nearest points of the dataset for each query:
//
//	result, err := searcher.KNN(ctx, bmo.Dense[float32]{Data: q, N: 3, D: d}, 5)
func (s *Searcher) KNN(ctx context.Context, queries Points, k int) (Result, error) {
	if isNil(queries) {
		return Result{}, refuse(ErrInvalid, "queries", "queries is nil; expected points")
	}
	return queries.search(ctx, s, k)
}

// isNil tells whether there are no points: neither in the interface, nor behind a pointer in it. A nil *Dataset is one that
// was closed.
func isNil(points Points) (missing bool) {
	if points == nil {
		return true
	}
	defer func() { missing = recover() != nil }()
	points.isThere()
	return false
}

// KNNRows finds the k nearest other points for each of the dataset's own points rows[i], which may repeat.
func (s *Searcher) KNNRows(ctx context.Context, rows []int64, k int) (Result, error) {
	return s.search(ctx, sameWords, len(rows), k, func(query *C.bmo_query, ask *C.go_search, index *C.int64_t, dist *C.double) C.bmo_status {
		return C.go_query_knn_rows(query, (*C.int64_t)(first(rows)), C.int64_t(len(rows)), ask, index, dist)
	})
}

// Graph finds the k nearest other points for every point of the dataset.
func (s *Searcher) Graph(ctx context.Context, k int) (Result, error) {
	n := 0
	if s != nil {
		n = s.n
	}
	return s.search(ctx, sameWords, n, k, func(query *C.bmo_query, ask *C.go_search, index *C.int64_t, dist *C.double) C.bmo_status {
		return C.go_query_graph(query, ask, index, dist)
	})
}

// search runs one of C's searches, of so many queries.
func (s *Searcher) search(ctx context.Context, words dictionary, queries, k int, run func(query *C.bmo_query, ask *C.go_search, index *C.int64_t, dist *C.double) C.bmo_status) (result Result, err error) {
	if s == nil {
		return Result{}, ErrClosed
	}
	err = s.handle.use(func() error {
		ask := C.go_search{k: C.int64_t(k), stats: C.bmo_stats{struct_size: C.sizeof_bmo_stats}}
		if result, err = s.newResult(queries, k); err != nil {
			return err
		}
		ask.capacity = C.int64_t(len(result.Index))
		err := interruptible(ctx, s.handle, words, func(cancel *C.bmo_cancel) C.bmo_status {
			ask.cancel = cancel
			return run(s.c, &ask, (*C.int64_t)(first(result.Index)), (*C.double)(first(result.Distance)))
		})
		result.Stats = statsOf(&ask.stats)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

// newResult has room for the answer; none where k is one that C refuses.
func (s *Searcher) newResult(queries, k int) (Result, error) {
	if k < 1 || k > s.n {
		return Result{K: k}, nil
	}
	const bytesEach = 16 // of an index and a distance
	if err := checkRoom("k", queries, k, bytesEach); err != nil {
		return Result{}, err
	}
	return Result{K: k, Index: make([]int64, queries*k), Distance: make([]float64, queries*k)}, nil
}

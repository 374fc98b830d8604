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

	labeled bool       // its candidates go by labels
	own     dictionary // what its k-means and medoid call words of C
}

// NewSearcher makes a searcher of a dataset, which may be closed afterwards. Parameters that opts do not set are those
// of the dataset.
func NewSearcher(ds *Dataset, opts ...Option) (s *Searcher, err error) {
	err = ds.use(func() error {
		s, err = newSearcher(ds, opts, func(out **C.bmo_query, config *C.bmo_config) error {
			return check(func() C.bmo_status { return C.bmo_query_create(out, ds.c, config, nil) })
		})
		return err
	})
	return s, err
}

func newSearcher(ds *Dataset, opts []Option, create func(out **C.bmo_query, config *C.bmo_config) error) (*Searcher, error) {
	all, err := resolveFor(callsOfSearcher, ds.settings, opts)
	if err != nil {
		return nil, err
	}
	info, err := ds.info()
	if err != nil {
		return nil, err
	}
	var query *C.bmo_query
	err = withConfig(all, func(config *C.bmo_config) error { return create(&query, config) })
	if err != nil {
		return nil, err
	}
	s := &Searcher{handle: newHandle(func() { C.bmo_query_free(query) }), c: query, n: info.N, d: info.D}
	s.handle.lent = ds.handle.lent
	return s, nil
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
func (s *Searcher) KNN(ctx context.Context, queries Points, k int, opts ...SearchOption) (Result, error) {
	a := nearest(k, opts)
	err := a.points(ctx, s, queries)
	return a.nearest, err
}

// KNNRows finds the k nearest other points for each of the dataset's own points rows[i], which may repeat.
func (s *Searcher) KNNRows(ctx context.Context, rows []int64, k int, opts ...SearchOption) (Result, error) {
	a := nearest(k, opts)
	err := a.rows(ctx, s, rows)
	return a.nearest, err
}

// Graph finds the k nearest other points for every point of the dataset.
func (s *Searcher) Graph(ctx context.Context, k int, opts ...SearchOption) (Result, error) {
	a := nearest(k, opts)
	err := a.graph(ctx, s)
	return a.nearest, err
}

// Radius finds all points of the dataset within maxDistance of each query; a distance that equals it is within. Every
// neighbor is within the distance, for certain. Each true one is missing with probability at most delta; with
// WithDeltaScope("call"), any of the call is.
func (s *Searcher) Radius(ctx context.Context, queries Points, maxDistance float64, opts ...SearchOption) (RadiusResult, error) {
	a := within(maxDistance, opts)
	err := a.points(ctx, s, queries)
	return a.within, err
}

// RadiusRows finds all other points within maxDistance of each of the dataset's own points rows[i], which may repeat.
func (s *Searcher) RadiusRows(ctx context.Context, rows []int64, maxDistance float64, opts ...SearchOption) (RadiusResult, error) {
	a := within(maxDistance, opts)
	err := a.rows(ctx, s, rows)
	return a.within, err
}

// RadiusGraph finds all other points within maxDistance of every point of the dataset.
func (s *Searcher) RadiusGraph(ctx context.Context, maxDistance float64, opts ...SearchOption) (RadiusResult, error) {
	a := within(maxDistance, opts)
	err := a.graph(ctx, s)
	return a.within, err
}

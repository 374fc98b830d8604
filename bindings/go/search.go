package bmo

// #include "calls.h"
import "C"

import (
	"context"
	"math"
)

// A SearchOption says which neighbors count in one search.
type SearchOption func(*limits)

type limits struct {
	maxDistance []float64 // none: no limit
	each        bool      // one for each query; else one for all
	maxPairs    int64
	labels      []int32 // of the queries; nil: none
}

// WithMaxDistance leaves out neighbors that are farther, whatever the query. It saves work, too.
func WithMaxDistance(distance float64) SearchOption {
	return func(l *limits) { l.maxDistance, l.each = []float64{distance}, false }
}

// WithMaxDistances leaves out neighbors that are farther than this of their query: one for each. In a radius search they take
// the place of its maxDistance.
func WithMaxDistances(distances []float64) SearchOption {
	return func(l *limits) { l.maxDistance, l.each = distances, true }
}

// WithMaxPairs makes it an error if a radius search finds more neighbors of all queries together. 0: any number.
func WithMaxPairs(pairs int64) SearchOption {
	return func(l *limits) { l.maxPairs = pairs }
}

// WithQueryLabels gives the label of each query, for a searcher of [NewSearcherAmong] that has labels. Queries that are points
// of its dataset have the labels of these points.
func WithQueryLabels(labels []int32) SearchOption {
	return func(l *limits) { l.labels = labels }
}

// An asked is a search: what is wanted, and what was found.
type asked struct {
	limits  limits
	k       int
	radius  bool // all within the limits; else the k nearest
	own     bool // of queries that are the searcher's own points
	lent    lent // of queries that are a dataset
	nearest Result
	within  RadiusResult
}

func nearest(k int, opts []SearchOption) *asked {
	return newAsked(asked{k: k}, opts)
}

func within(maxDistance float64, opts []SearchOption) *asked {
	return newAsked(asked{radius: true, limits: limits{maxDistance: []float64{maxDistance}}}, opts)
}

func newAsked(a asked, opts []SearchOption) *asked {
	for _, opt := range opts {
		if opt != nil {
			opt(&a.limits)
		}
	}
	return &a
}

func (a *asked) points(ctx context.Context, s *Searcher, queries Points) error {
	if isNil(queries) {
		return refuse(ErrInvalid, "queries", "queries is nil; expected points")
	}
	return queries.search(ctx, s, a)
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

func (a *asked) rows(ctx context.Context, s *Searcher, rows []int64) error {
	a.own = true
	return s.search(ctx, nil, len(rows), a, func(query *C.bmo_query, at *buffers) C.bmo_status {
		return C.go_search_rows(query, (*C.int64_t)(first(rows)), C.int64_t(len(rows)), at.ask, at.maxDistance, at.labels, at.index, at.dist)
	})
}

func (a *asked) graph(ctx context.Context, s *Searcher) error {
	a.own = true
	n := 0
	if s != nil {
		n = s.n
	}
	return s.search(ctx, nil, n, a, func(query *C.bmo_query, at *buffers) C.bmo_status {
		return C.go_search_graph(query, at.ask, at.maxDistance, at.labels, at.index, at.dist)
	})
}

// buffers are where one of C's searches reads and writes.
type buffers struct {
	ask         *C.go_search
	maxDistance *C.double
	labels      *C.int32_t
	index       *C.int64_t
	dist        *C.double
}

// search runs one of C's searches, of so many queries.
func (s *Searcher) search(ctx context.Context, own dictionary, queries int, a *asked, run func(query *C.bmo_query, at *buffers) C.bmo_status) error {
	if s == nil {
		return ErrClosed
	}
	if err := a.limits.check(queries); err != nil {
		return err
	}
	if err := a.limits.checkLabels(s.labeled && !a.own, queries); err != nil {
		return err
	}
	return s.handle.use(func() error {
		result, err := s.newResult(queries, a)
		if err != nil {
			return err
		}
		ask := C.go_search{
			k:                  C.int64_t(a.k),
			capacity:           C.int64_t(len(result.Index)),
			max_distance_count: C.int64_t(len(a.limits.maxDistance)),
			max_pairs:          C.int64_t(a.limits.maxPairs),
			query_label_count:  C.int64_t(len(a.limits.labels)),
			stats:              C.bmo_stats{struct_size: C.sizeof_bmo_stats},
		}
		if a.radius {
			ask.radius = 1
		}
		at := buffers{
			ask:         &ask,
			maxDistance: (*C.double)(first(a.limits.maxDistance)),
			labels:      (*C.int32_t)(first(a.limits.labels)),
			index:       (*C.int64_t)(first(result.Index)),
			dist:        (*C.double)(first(result.Distance)),
		}
		err = interruptible(ctx, s.handle, own, func(watch *C.go_watch) C.bmo_status {
			ask.watch = *watch
			return run(s.c, &at)
		})
		defer C.bmo_neighbors_free(ask.found)
		if err != nil {
			return blame(err, s.handle.lent, a.lent)
		}
		if a.radius {
			a.within, err = copyOf(ask.found, &ask.stats)
			return err
		}
		a.nearest, a.nearest.Stats = result, statsOf(&ask.stats)
		return nil
	})
}

// check refuses what C would name by its own struct.
func (l *limits) check(queries int) error {
	if l.each && len(l.maxDistance) != queries {
		return refuse(ErrInvalid, "maxDistances", "maxDistances has %d elements; expected %d, one for each query", len(l.maxDistance), queries)
	}
	for i, distance := range l.maxDistance {
		switch {
		case !math.IsNaN(distance):
		case l.each:
			return refuse(ErrInvalid, "maxDistances", "maxDistances[%d] is NaN; expected a number", i)
		default:
			return refuse(ErrInvalid, "maxDistance", "maxDistance is NaN; expected a number")
		}
	}
	if l.each && queries == 0 { // C takes none for no limit
		l.maxDistance = []float64{math.Inf(1)}
	}
	return nil
}

// checkLabels refuses labels of queries that C would call NULL, or name by its own struct.
func (l *limits) checkLabels(needed bool, queries int) error {
	switch {
	case needed && len(l.labels) != queries:
		return refuse(ErrInvalid, "queryLabels", "queryLabels has %d elements; expected %d, one for each query: see WithQueryLabels", len(l.labels), queries)
	case !needed && len(l.labels) > 0:
		return refuse(ErrInvalid, "queryLabels", "queryLabels has %d elements; expected none: the queries are points of the dataset, or the searcher has no labels", len(l.labels))
	}
	return nil
}

// newResult has room for the k nearest; none where k is one that C refuses.
func (s *Searcher) newResult(queries int, a *asked) (Result, error) {
	if a.radius || a.k < 1 || a.k > s.n {
		return Result{K: a.k}, nil
	}
	if err := checkRoom("k", queries, a.k, bytesOfNeighbor); err != nil {
		return Result{}, err
	}
	return Result{K: a.k, Index: make([]int64, queries*a.k), Distance: make([]float64, queries*a.k)}, nil
}

const bytesOfNeighbor = 16 // its index and its distance

// copyOf is what a radius search found, in Go's memory.
func copyOf(found *C.bmo_neighbors, stats *C.bmo_stats) (RadiusResult, error) {
	view := C.bmo_neighbors_view{struct_size: C.sizeof_bmo_neighbors_view}
	if err := check(func() C.bmo_status { return C.bmo_neighbors_read(found, &view) }); err != nil {
		return RadiusResult{}, err
	}
	queries, pairs := int(view.queries), int(view.pairs)
	if err := checkRoom("maxDistance", pairs, 1, bytesOfNeighbor); err != nil {
		return RadiusResult{}, err
	}
	return RadiusResult{
		Offset:   append([]int64(nil), sliceOf[int64](view.offset, queries+1)...),
		Index:    append([]int64(nil), sliceOf[int64](view.index, pairs)...),
		Distance: append([]float64(nil), sliceOf[float64](view.distance, pairs)...),
		Stats:    statsOf(stats),
	}, nil
}

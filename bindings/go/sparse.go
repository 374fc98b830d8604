package bmo

// #include "calls.h"
import "C"

import (
	"context"
	"unsafe"
)

// An Index is a type of the pointers and indices of a [CSR] or a [CSC].
type Index interface {
	int | int32 | int64
}

// CSR is N points of D coordinates most of which are 0: point i has at coordinate Indices[e] the value Values[e], for e
// from Indptr[i] to Indptr[i+1]-1, and 0 elsewhere. Indptr has N+1 elements, the others as many as its last says. Entries
// may come in any order; repeated ones are summed.
type CSR[V Number, I Index] struct {
	Indptr, Indices []I
	Values          []V // nil: all 1
	N, D            int
}

// NewCSR makes a dataset of n sparse points of d coordinates, as [CSR] has them. All is copied, and may change
// afterwards.
func NewCSR[V Number, I Index](indptr, indices []I, values []V, n, d int, opts ...Option) (*Dataset, error) {
	return CSR[V, I]{Indptr: indptr, Indices: indices, Values: values, N: n, D: d}.lines().dataset(argumentNames, opts)
}

// Dataset makes a dataset of the points. They are copied, and may change afterwards.
func (x CSR[V, I]) Dataset(opts ...Option) (*Dataset, error) {
	return x.lines().dataset(fieldNames, opts)
}

func (CSR[V, I]) isThere() {}

func (x CSR[V, I]) search(ctx context.Context, s *Searcher, a *asked) error {
	return x.lines().search(ctx, s, a)
}

func (x CSR[V, I]) lines() lines[V, I] {
	return lines[V, I]{x.Indptr, x.Indices, x.Values, x.N, x.D, C.BMO_POINTS_COMPRESSED}
}

// CSC is N points of D coordinates most of which are 0, by coordinates: point Indices[e] has at coordinate j the value
// Values[e], for e from Indptr[j] to Indptr[j+1]-1. Indptr has D+1 elements. The rest is as of a [CSR], which needs no
// transposing.
type CSC[V Number, I Index] struct {
	Indptr, Indices []I
	Values          []V // nil: all 1
	N, D            int
}

// NewCSC makes a dataset of n sparse points of d coordinates, as [CSC] has them. All is copied, and may change
// afterwards.
func NewCSC[V Number, I Index](indptr, indices []I, values []V, n, d int, opts ...Option) (*Dataset, error) {
	return CSC[V, I]{Indptr: indptr, Indices: indices, Values: values, N: n, D: d}.lines().dataset(argumentNames, opts)
}

// Dataset makes a dataset of the points. They are copied, and may change afterwards.
func (x CSC[V, I]) Dataset(opts ...Option) (*Dataset, error) {
	return x.lines().dataset(fieldNames, opts)
}

func (CSC[V, I]) isThere() {}

func (x CSC[V, I]) search(ctx context.Context, s *Searcher, a *asked) error {
	return x.lines().search(ctx, s, a)
}

func (x CSC[V, I]) lines() lines[V, I] {
	return lines[V, I]{x.Indptr, x.Indices, x.Values, x.N, x.D, C.BMO_COORDS_COMPRESSED}
}

// lines are sparse points with the entries of each point, or of each coordinate, together.
type lines[V Number, I Index] struct {
	indptr, indices []I
	values          []V
	n, d            int
	orientation     C.int32_t
}

func (x lines[V, I]) dataset(called names, opts []Option) (*Dataset, error) {
	view, err := x.view(called)
	if err != nil {
		return nil, err
	}
	return newDataset(settings{}, opts, func(_ settings, out **C.bmo_dataset) error {
		return checkIn(called.words(called.values), func() C.bmo_status {
			return C.go_dataset_sparse(out, &view.shape, view.indptr, view.indices, view.values)
		})
	})
}

func (x lines[V, I]) search(ctx context.Context, s *Searcher, a *asked) error {
	view, err := x.view(queryNames)
	if err != nil {
		return err
	}
	return s.search(ctx, sparseQueryWords, x.n, a, func(query *C.bmo_query, at *buffers) C.bmo_status {
		return C.go_search_sparse(query, &view.shape, view.indptr, view.indices, view.values, at.ask, at.maxDistance, at.labels, at.index, at.dist)
	})
}

// A sparseView is what C is told of lines.
type sparseView struct {
	shape                   C.bmo_sparse
	indptr, indices, values unsafe.Pointer
}

// view checks the lengths, which C cannot see. All else is left to C.
func (x lines[V, I]) view(called names) (sparseView, error) {
	count, name := x.n, called.n
	if x.orientation == C.BMO_COORDS_COMPRESSED {
		count, name = x.d, called.d
	}
	if len(x.indptr)-1 != count && !(x.n == 0 && len(x.indptr) == 0) {
		return sparseView{}, refuse(ErrInvalid, called.indptr, "%s has %d elements; expected %s + 1: %[3]s is %d", called.indptr, len(x.indptr), name, count)
	}
	if x.values != nil && len(x.values) != len(x.indices) {
		return sparseView{}, refuse(ErrInvalid, called.values, "%s has %d elements; expected %d, as many as %s", called.values, len(x.values), len(x.indices), called.indices)
	}
	view := sparseView{
		shape: C.bmo_sparse{
			struct_size:   C.sizeof_bmo_sparse,
			orientation:   x.orientation,
			pointer_dtype: indexType[I](),
			index_dtype:   indexType[I](),
			n:             C.int64_t(x.n),
			d:             C.int64_t(x.d),
			nnz:           C.int64_t(len(x.indices)),
		},
		indptr:  first(x.indptr),
		indices: first(x.indices),
		values:  first(x.values),
	}
	if len(x.values) > 0 {
		view.shape.value_dtype = numberType[V]()
	}
	return view, nil
}

// indexType is the library's name of a type of indices.
func indexType[I Index]() C.bmo_dtype {
	var index I
	if unsafe.Sizeof(index) == 4 {
		return C.BMO_I32
	}
	return C.BMO_I64
}

package bmo

// #include <stdlib.h>
// #include "calls.h"
import "C"

import (
	"context"
	"time"
	"unsafe"
)

// Points are the queries of [Searcher.KNN] and [Searcher.Radius]: a [Dense], a [CSR], a [CSC] or a *[Dataset].
type Points interface {
	isThere() // panics where the points are a nil pointer to a struct
	search(ctx context.Context, s *Searcher, a *asked) error
}

// A Dataset is points, and what was prepared for searching them. It does not change; any number of goroutines may use
// it at once. Close it when it is no longer needed.
type Dataset struct {
	handle   *handle
	c        *C.bmo_dataset
	settings settings
	borrows  bool // memory or a file, when it was made
}

// newDataset checks the options, makes a C dataset and takes it over.
func newDataset(base settings, opts []Option, create func(all settings, out **C.bmo_dataset) error) (*Dataset, error) {
	all, err := resolveFor(callsOfDataset, base, opts)
	if err != nil {
		return nil, err
	}
	var c *C.bmo_dataset
	if err := create(all, &c); err != nil {
		return nil, err
	}
	ds := &Dataset{handle: newHandle(func() { C.bmo_dataset_free(c) }), c: c, settings: all}
	info, err := ds.info()
	if err != nil {
		ds.Close()
		return nil, err
	}
	ds.handle.count(int64(info.BytesOwned))
	ds.borrows = info.BytesBorrowed > 0
	return ds, nil
}

// Open makes a dataset of a file: .npy, .mtx, .csv, .tsv, .fvecs, .bvecs, .ivecs, .fbin, .u8bin or .i8bin, also compressed
// with gzip, .npz (FILE.npz:ARRAY if it has several arrays), or .bmo, as [Dataset.Save] writes it. The file is read into memory. No search takes its metric, its weights or its [Rho] from a file, whatever the
// dataset had that was saved: opts set them, or those of the [Searcher], or the answers are those of the defaults.
func Open(ctx context.Context, path string, opts ...Option) (*Dataset, error) {
	return open(ctx, path, C.BMO_COPY, opts)
}

// OpenMapped is [Open] that maps a file into memory where its format allows that, instead of reading it. The file must
// neither change nor shrink while anything made from it is in use.
func OpenMapped(ctx context.Context, path string, opts ...Option) (*Dataset, error) {
	return open(ctx, path, C.BMO_BORROW, opts)
}

func open(ctx context.Context, path string, flags C.uint32_t, opts []Option) (*Dataset, error) {
	name, err := cString("path", path)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(name))
	return newDataset(settings{}, opts, func(_ settings, out **C.bmo_dataset) error {
		return interruptible(ctx, nil, nil, func(watch *C.go_watch) C.bmo_status {
			return C.go_dataset_open(out, name, flags, watch)
		})
	})
}

// OpenTransposed is [Open] of a file whose columns, not its rows, are the points. What was prepared is left out of a .bmo.
func OpenTransposed(ctx context.Context, path string, opts ...Option) (*Dataset, error) {
	return open(ctx, path, C.BMO_COPY|C.BMO_TRANSPOSE, opts)
}

// Prepare makes a dataset of the same points that answers the same, several times sooner: it copies part of the data
// into the order in which the search reads them. That pays from a few dozen queries on. Options given here hold for a
// [Searcher] of it too, which must keep the box, the seed and the weights.
func (ds *Dataset) Prepare(ctx context.Context, opts ...Option) (prepared *Dataset, err error) {
	err = ds.use(func() error {
		prepared, err = newDataset(ds.settings, opts, func(all settings, out **C.bmo_dataset) error {
			return ds.prepare(ctx, all, out)
		})
		if err == nil && prepared.borrows {
			prepared.handle.lent = ds.handle.lent
		}
		return err
	})
	return prepared, err
}

func (ds *Dataset) prepare(ctx context.Context, all settings, out **C.bmo_dataset) error {
	return withConfig(all, func(config *C.bmo_config) error {
		return interruptible(ctx, ds.handle, nil, func(watch *C.go_watch) C.bmo_status {
			return C.go_dataset_prepare(out, ds.c, config, watch)
		})
	})
}

// Subset makes a new dataset of some points: its point i is point rows[i] of ds. The rows may be in any order, and may repeat.
// So you delete points, or search some of them. The points are copied. The new dataset has the options of ds, and is prepared as
// ds is. What was prepared for the boxes "dense", "rotated" and "projected" is copied, as a rule. All
// else is prepared again, on one thread.
func (ds *Dataset) Subset(ctx context.Context, rows []int64) (subset *Dataset, err error) {
	err = ds.use(func() error {
		subset, err = newDataset(ds.settings, nil, func(_ settings, out **C.bmo_dataset) error {
			return ds.subset(ctx, rows, out)
		})
		return err
	})
	return subset, err
}

func (ds *Dataset) subset(ctx context.Context, rows []int64, out **C.bmo_dataset) error {
	return interruptible(ctx, ds.handle, nil, func(watch *C.go_watch) C.bmo_status {
		return C.go_dataset_subset(out, ds.c, (*C.int64_t)(first(rows)), C.int64_t(len(rows)), watch)
	})
}

// Save writes the points, and what was prepared for searching them, to a .bmo file, which [Open] and [OpenMapped] read. Of
// the parameters it has the box, the seed and the weights that the points were prepared with. A search takes the box and the seed
// from it; weights are refused where they differ, and must be given again; the metric and all others are in no file, and are
// given again too. The file appears under its name when it is complete; a file that was there is replaced, or stays where Save
// fails. What the leading directions of the box "projected" need is not in the file: they are computed again when it is opened.
func (ds *Dataset) Save(ctx context.Context, path string) error {
	return ds.use(func() error {
		name, err := cString("path", path)
		if err != nil {
			return err
		}
		defer C.free(unsafe.Pointer(name))
		return interruptible(ctx, ds.handle, nil, func(watch *C.go_watch) C.bmo_status {
			return C.go_dataset_save(ds.c, name, watch)
		})
	})
}

// Close frees the dataset, once running calls on it have ended: a Prepare, a Subset or a Save ends soon, with [ErrClosed]. Searchers and
// datasets made from it go on working. It may be called again; it always returns nil.
func (ds *Dataset) Close() error {
	if ds != nil {
		ds.handle.close()
	}
	return nil
}

// use makes a call on the dataset, which stays as it is meanwhile.
func (ds *Dataset) use(call func() error) error {
	if ds == nil {
		return ErrClosed
	}
	return ds.handle.use(call)
}

func (ds *Dataset) isThere() {}

func (ds *Dataset) search(ctx context.Context, s *Searcher, a *asked) error {
	return ds.use(func() error {
		info, err := ds.info()
		if err != nil {
			return err
		}
		a.lent = ds.handle.lent
		return s.search(ctx, datasetQueryWords, info.N, a, func(query *C.bmo_query, at *buffers) C.bmo_status {
			return C.go_search_points(query, ds.c, at.ask, at.maxDistance, at.labels, at.index, at.dist)
		})
	})
}

// Info describes a dataset.
type Info struct {
	Kind          string        // "dense" or "sparse"
	Type          string        // of the coordinates as stored: "float32", "float64", "uint8", "int8", "float16", "bfloat16"
	N, D          int           // points, coordinates
	NNZ           int           // stored values: N * D of dense data, those that are not 0 of sparse data
	Box           string        // what it was prepared for; "" where it was not
	Metric        string        // what it was prepared for; "" for any
	Seed          int64         // of the preparation
	BytesOwned    uint64        // memory held for data and preparation, the source's included
	BytesBorrowed uint64        // of a mapped file, or of borrowed data
	PrepareTime   time.Duration // that the preparation took
}

// Info describes the dataset.
func (ds *Dataset) Info() (info Info, err error) {
	err = ds.use(func() error {
		info, err = ds.info()
		return err
	})
	return info, err
}

func (ds *Dataset) info() (Info, error) {
	info := C.bmo_dataset_info{struct_size: C.sizeof_bmo_dataset_info}
	if err := check(func() C.bmo_status { return C.bmo_dataset_describe(ds.c, &info) }); err != nil {
		return Info{}, err
	}
	told := Info{
		Kind:          kindNames[info.kind],
		Type:          C.GoString(C.bmo_dtype_name(info.dtype)),
		N:             int(info.n),
		D:             int(info.d),
		NNZ:           int(info.nnz),
		Seed:          int64(info.seed),
		BytesOwned:    uint64(info.bytes_owned),
		BytesBorrowed: uint64(info.bytes_borrowed),
		PrepareTime:   time.Duration(info.prepare_ns),
	}
	if info.box != C.BMO_BOX_AUTO {
		told.Box = choiceName(C.BMO_PARAM_BOX, info.box)
		told.Metric = choiceName(C.BMO_PARAM_METRIC, info.metric)
	}
	return told, nil
}

var kindNames = map[C.int32_t]string{1: "dense", 2: "sparse"}

// Rows is a copy of the points of these indices, which may repeat: coordinate j of the i-th is at i*D + j.
func (ds *Dataset) Rows(rows []int64) (coordinates []float64, err error) {
	err = ds.use(func() error {
		info, err := ds.info()
		if err != nil {
			return err
		}
		if err := checkRoom("rows", len(rows), info.D, 8); err != nil {
			return err
		}
		coordinates = make([]float64, len(rows)*info.D)
		return check(func() C.bmo_status {
			return C.bmo_dataset_copy_rows(ds.c, (*C.int64_t)(first(rows)), C.int64_t(len(rows)), (*C.double)(first(coordinates)))
		})
	})
	if err != nil {
		return nil, err
	}
	return coordinates, nil
}

// Package bmo finds the exact k nearest neighbors of points in thousands of dimensions without computing every
// distance: the Go binding of libbmo.
//
// Make a [Dataset] with [NewDense], [NewCSR], [NewCSC] or [Open], bind it to its parameters with [NewSearcher], and ask:
//
//	data, err := bmo.NewDense(x, n, d) // x is row-major, of any Number: float32, uint8 ...
//	...
//	defer data.Close()
//	searcher, err := bmo.NewSearcher(data, bmo.WithMetric("l1"), bmo.WithThreads(0))
//	...
//	defer searcher.Close()
//	result, err := searcher.Graph(ctx, 10)
//	...
//	index, distance := result.Row(0) // the 10 nearest of point 0, ascending
//
// [Searcher.KNN] is for queries that are no points of the dataset, and [Searcher.Radius] finds all points within a distance.
// [NewSearcherAmong] is for neighbors among some of the points, chosen by rows, a mask or labels.
//
// An answer is right with probability at least 1 - delta (WithDelta, 0.01 unless set); [Stats.Guarantee] names what was
// proved of it. [Params] lists every parameter with its range and default; each has an option of its name.
//
// [Searcher.KMeans] groups the points around centers, and [Searcher.Medoid] finds the point that is nearest to all others
// on average. [BestArms] is the bandit alone, over functions of the caller's. [Dataset.Subset] deletes points, or takes some of
// them. [Dataset.Save] keeps points, and what was prepared for them, in a file.
//
// # Using it
//
// The package needs cgo, a C compiler, and an installed libbmo that pkg-config finds under the name bmo; or one that is
// not installed, with PKG_CONFIG_PATH and LD_LIBRARY_PATH:
//
//	PKG_CONFIG_PATH=build/meson-uninstalled LD_LIBRARY_PATH=build/src go test ./...
//
// It comes with libbmo and is in no module repository: name it in your go.mod by its place.
//
//	require bmo v0.0.0
//	replace bmo => /path/to/libbmo/bindings/go
//
// # Memory
//
// Data are copied into C once, when a Dataset is made, or used where they lie ([BorrowDense]). Otherwise C keeps no
// pointer to Go memory after any call. Queries are read where they are, during the call. Close frees at once what Go's collector would free some time later: it may be called
// again, and beside running calls, which then end with [ErrClosed]. The package runs the collector where the datasets that
// were made since, and not closed, hold 256 MB.
//
// # Goroutines
//
// A Dataset and a Searcher serve any number of goroutines at once. A call runs on the goroutine that made it, with the
// threads that [WithThreads] allows. Every long call takes a [context.Context] and returns soon after that is done, with
// an error that is both [ErrCanceled] and the context's; a nil context is never done.
//
// # Errors
//
// Each is [ErrClosed] or an [*Error], to be compared with the sentinels of this package by errors.Is. No misuse panics,
// but that of [Result.Row] and [Clusters.Center]: an index that is not there panics as that of a slice.
package bmo

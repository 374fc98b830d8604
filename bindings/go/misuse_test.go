package bmo_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bmo"
)

// A misuse is a call that must fail, and how.
type misuse struct {
	call func() error
	kind error
	says string
}

func failOf[T any](_ T, err error) error { return err }

func dense(data []float64, n, d, pointStride, coordStride int) func() error {
	return func() error {
		return failOf(bmo.Dense[float64]{Data: data, N: n, D: d, PointStride: pointStride, CoordStride: coordStride}.Dataset())
	}
}

func run(t *testing.T, cases map[string]misuse) {
	for name, wrong := range cases {
		t.Run(name, func(t *testing.T) {
			err := wrong.call()
			if !errors.Is(err, wrong.kind) || !strings.Contains(err.Error(), wrong.says) {
				t.Errorf("%v; want %v that says %q", err, wrong.kind, wrong.says)
			}
		})
	}
}

func TestMisuseOfConstructors(t *testing.T) {
	const huge = math.MaxInt
	four := []float64{1, 2, 3, 4}
	run(t, map[string]misuse{
		"nil":               {dense(nil, 2, 2, 0, 0), bmo.ErrInvalid, "Data has 0 elements"},
		"too short":         {dense(four, 2, 3, 0, 0), bmo.ErrInvalid, "Data has 4 elements; expected 6: N is 2 and D is 3"},
		"too long":          {dense(four, 1, 3, 0, 0), bmo.ErrInvalid, "exactly 3"},
		"n negative":        {dense(four, -1, 4, 0, 0), bmo.ErrInvalid, "N is -1"},
		"d zero":            {dense(nil, 4, 0, 0, 0), bmo.ErrInvalid, "D is 0"},
		"stride negative":   {dense(four, 2, 2, -2, 1), bmo.ErrInvalid, "PointStride is -2; expected 0 or more"},
		"other stride":      {dense(four, 2, 2, 0, -1), bmo.ErrInvalid, "CoordStride is -1; expected 0 or more"},
		"beyond the stride": {dense(four, 2, 2, 3, 0), bmo.ErrInvalid, "expected 5"},
		"n * d overflows":   {dense(four, huge/2, 4, 0, 0), bmo.ErrOverflow, "beyond an int"},
		"d * stride":        {dense(four, 1, huge/2, 0, 4), bmo.ErrOverflow, "beyond an int"},
		"last + first":      {dense(four, huge/4, 2, 4, huge/2), bmo.ErrOverflow, "beyond an int"},
		"NaN":               {dense([]float64{1, 2, 3, math.NaN()}, 2, 2, 0, 0), bmo.ErrNonFinite, ""},
		"infinity":          {dense([]float64{1, math.Inf(-1)}, 2, 1, 0, 0), bmo.ErrNonFinite, ""},
		"integer too large": {func() error { return failOf(bmo.NewDense([]int64{1 << 60}, 1, 1)) }, bmo.ErrInvalid, "1152921504606846976"},
	})
}

func TestPlaceOfNaN(t *testing.T) {
	x := make([]float32, 7*5)
	x[3*5+2] = float32(math.NaN())
	_, err := bmo.NewDense(x, 7, 5)
	var detail *bmo.Error
	if !errors.As(err, &detail) || detail.Row != 3 || detail.Col != 2 {
		t.Errorf("%#v; want row 3, column 2", err)
	}
	ds := cleanly(t)(bmo.NewDense(make([]float32, 7*5), 7, 5))
	_, err = newSearcher(t, ds).KNN(background, bmo.Dense[float32]{Data: x, N: 7, D: 5}, 1)
	if !errors.Is(err, bmo.ErrNonFinite) || !errors.As(err, &detail) || detail.Row != 3 || detail.Col != 2 {
		t.Errorf("%#v; want row 3, column 2", err)
	}
}

func TestPlacesThatAreNoPoints(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float64{1, 2, 3, 4}, 2, 2))
	s := newSearcher(t, ds)
	arms := randomLists(36, 3, 20).arms()
	arms.Exact = func(arm int64) (float64, error) { return float64(arm - 1), nil } // of arm 0 it is out of bounds
	for name, test := range map[string]struct {
		err      error
		row, col int64
	}{
		"index below 0": {failOf(bmo.NewCSR([]int{0, 0, 1}, []int{-7}, []float64{1}, 2, 2)), 1, -1},
		"rows":          {failOf(s.KNNRows(background, []int64{1, 0, -1}, 1)), 2, -1},
		"Subset":        {failOf(ds.Subset(background, []int64{1, 2})), 1, -1},
		"weight":        {failOf(bmo.NewDense([]float64{1, 2}, 1, 2, bmo.WithWeights([]float64{1, -1}))), -1, 1},
		"center":        {failOf(s.KMeans(background, 2, bmo.KMeans{Centers: []float64{1, 2, 3, math.NaN()}})), 1, 1},
		"arm":           {failOf(bmo.BestArms(background, arms, 3, 1, bmo.WithMethod("exact"))), 0, -1},
	} {
		var detail *bmo.Error
		if !errors.As(test.err, &detail) || detail.Row != test.row || detail.Col != test.col {
			t.Errorf("%s: %#v; want row %d, column %d", name, test.err, test.row, test.col)
		}
	}
}

func TestMisuseOfOptions(t *testing.T) {
	make := func(opts ...bmo.Option) func() error {
		return func() error { return failOf(bmo.NewDense([]float32{1}, 1, 1, opts...)) }
	}
	run(t, map[string]misuse{
		"metric":         {make(bmo.WithMetric("l3")), bmo.ErrInvalid, "l2 sqeuclidean l1"},
		"delta":          {make(bmo.WithDelta(0.75)), bmo.ErrInvalid, "delta is"},
		"delta NaN":      {make(bmo.WithDelta(math.NaN())), bmo.ErrInvalid, "delta is"},
		"threads":        {make(bmo.WithThreads(-1)), bmo.ErrInvalid, "threads is"},
		"name":           {make(bmo.WithParam("mertic", "l1")), bmo.ErrInvalid, "mertic"},
		"weight":         {make(bmo.WithWeights([]float64{-1})), bmo.ErrInvalid, "weights"},
		"NUL in a name":  {make(bmo.WithParam("metric\x00", "l1")), bmo.ErrInvalid, "NUL"},
		"NUL in a value": {make(bmo.WithParam("metric", "l1\x00")), bmo.ErrInvalid, "NUL"},
	})
	if err := make(nil, bmo.WithMetric("l1"), nil)(); err != nil {
		t.Errorf("a nil option: %v; want it ignored", err)
	}
}

func TestMisuseOfSearches(t *testing.T) {
	x := []float32{0, 0, 1, 0, 0, 3, 4, 4}
	ds := cleanly(t)(bmo.NewDense(x, 4, 2))
	s := newSearcher(t, ds)
	knn := func(queries bmo.Points, k int) func() error {
		return func() error { return failOf(s.KNN(background, queries, k)) }
	}
	rows := func(k int, rows ...int64) func() error {
		return func() error { return failOf(s.KNNRows(background, rows, k)) }
	}
	graph := func(k int) func() error { return func() error { return failOf(s.Graph(background, k)) } }
	other := cleanly(t)(bmo.NewDense(x, 2, 4))
	run(t, map[string]misuse{
		"k zero":             {knn(ds, 0), bmo.ErrInvalid, "k is 0"},
		"k negative":         {knn(ds, -1), bmo.ErrInvalid, "k is -1"},
		"k beyond n":         {knn(ds, 5), bmo.ErrInvalid, "k is 5"},
		"k huge":             {knn(ds, math.MaxInt), bmo.ErrInvalid, "k is 9"},
		"k of rows":          {rows(4, 0), bmo.ErrInvalid, "k is 4; expected 1 to 3"},
		"k of a graph":       {graph(4), bmo.ErrInvalid, "k is 4; expected 1 to 3"},
		"k zero, no queries": {knn(bmo.Dense[float32]{D: 2}, 0), bmo.ErrInvalid, "k is 0"},
		"row negative":       {rows(1, 0, -1), bmo.ErrInvalid, "rows[1] is -1"},
		"row beyond n":       {rows(1, 4), bmo.ErrInvalid, "rows[0] is 4"},
		"queries nil":        {knn(nil, 1), bmo.ErrInvalid, "queries is nil"},
		"queries nil Dense":  {knn((*bmo.Dense[float32])(nil), 1), bmo.ErrInvalid, "queries is nil"},
		"queries nil CSR":    {knn((*bmo.CSR[float32, int])(nil), 1), bmo.ErrInvalid, "queries is nil"},
		"queries nil within": {knn(struct{ bmo.Points }{}, 1), bmo.ErrInvalid, "queries is nil"},
		"queries of other d": {knn(other, 1), bmo.ErrInvalid, "queries.D is 4; expected 2, that of the dataset"},
		"slice of other d":   {knn(bmo.Dense[float32]{Data: x, N: 8, D: 1}, 1), bmo.ErrInvalid, "queries.D is 1; expected 2"},
		"queries too short":  {knn(bmo.Dense[float32]{Data: x, N: 5, D: 2}, 1), bmo.ErrInvalid, "queries.Data has 8 elements; expected 10: queries.N is 5 and queries.D is 2"},
		"copy of a bad row":  {func() error { return failOf(ds.Rows([]int64{7})) }, bmo.ErrInvalid, "rows[0] is 7"},
		"weights":            {func() error { return failOf(bmo.NewSearcher(ds, bmo.WithWeights([]float64{1}))) }, bmo.ErrInvalid, "has 1 value; expected 2, one a coordinate"},
		"another seed":       {func() error { return preparedWithAnotherSeed(t, ds) }, bmo.ErrInvalid, "seed is 2"},
	})
}

func preparedWithAnotherSeed(t *testing.T, ds *bmo.Dataset) error {
	prepared := cleanly(t)(ds.Prepare(background, bmo.WithSeed(1)))
	return failOf(bmo.NewSearcher(prepared, bmo.WithSeed(2)))
}

func TestOverflowOfADistance(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float64{1e200, -1e200}, 2, 1, bmo.WithMetric("sqeuclidean")))
	if _, err := newSearcher(t, ds).Graph(background, 1); !errors.Is(err, bmo.ErrOverflow) {
		t.Errorf("%v; want overflow", err)
	}
}

func TestMisuseOfFiles(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.npy")
	if err := os.WriteFile(broken, []byte("\x93NUMPY\x01\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(path string) func() error { return func() error { return failOf(bmo.Open(background, path)) } }
	run(t, map[string]misuse{
		"missing":       {open(filepath.Join(t.TempDir(), "none.npy")), bmo.ErrIO, "none.npy"},
		"broken":        {open(broken), bmo.ErrFormat, "broken.npy"},
		"NUL in a path": {open(broken + "\x00"), bmo.ErrInvalid, "NUL"},
		"option":        {func() error { return failOf(bmo.Open(background, broken, bmo.WithP(-1))) }, bmo.ErrInvalid, "p is"},
	})
}

func TestUseOfWhatWasClosed(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float32{1, 2, 3}, 3, 1))
	s := newSearcher(t, ds)
	ds.Close()
	if _, err := s.Graph(background, 1); err != nil {
		t.Errorf("a searcher of a closed dataset: %v", err)
	}
	open := newSearcher(t, cleanly(t)(bmo.NewDense([]float32{1, 2, 3}, 3, 1)))
	for i := 0; i < 2; i++ {
		if s.Close() != nil || ds.Close() != nil {
			t.Error("Close failed")
		}
	}
	closed := map[string]misuse{}
	for name, pair := range map[string]struct {
		ds *bmo.Dataset
		s  *bmo.Searcher
	}{"closed": {ds, s}, "nil": {nil, nil}, "zero": {&bmo.Dataset{}, &bmo.Searcher{}}} {
		ds, s := pair.ds, pair.s
		for call, use := range map[string]func() error{
			"Info":           func() error { return failOf(ds.Info()) },
			"Rows":           func() error { return failOf(ds.Rows(nil)) },
			"Prepare":        func() error { return failOf(ds.Prepare(background)) },
			"Subset":         func() error { return failOf(ds.Subset(background, nil)) },
			"NewSearcher":    func() error { return failOf(bmo.NewSearcher(ds)) },
			"Graph":          func() error { return failOf(s.Graph(background, 1)) },
			"KNNRows":        func() error { return failOf(s.KNNRows(background, nil, 1)) },
			"KNN":            func() error { return failOf(s.KNN(background, bmo.Dense[float32]{D: 1}, 1)) },
			"queries closed": func() error { return failOf(open.KNN(background, ds, 1)) },
		} {
			closed[name+" "+call] = misuse{use, bmo.ErrClosed, ""}
		}
	}
	run(t, closed)
}

// Each goroutine must read the message of its own call, whatever the threads that they run on.
func TestErrorsOfManyGoroutines(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float32{1, 2, 3}, 3, 1))
	s := newSearcher(t, ds)
	var all sync.WaitGroup
	for g := 1; g <= 16; g++ {
		g := g
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; i < 200; i++ {
				row := int64(1000*g + i)
				_, err := s.KNNRows(background, []int64{row}, 1)
				if want := fmt.Sprintf("rows[0] is %d (counted from 0);", row); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v; want %q", err, want)
				}
			}
		}()
	}
	all.Wait()
}

package bmo_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"bmo"
)

// With this Go, borrowed data are not copied.
func borrows(t *testing.T) bool {
	ds := cleanly(t)(bmo.BorrowDense([]float32{1, 2}, 1, 2))
	return infoOf(t, ds).BytesBorrowed == 8
}

func infoOf(t *testing.T, ds *bmo.Dataset) bmo.Info {
	info, err := ds.Info()
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func TestBorrowedDataAnswerAsCopiesDo(t *testing.T) {
	points := randomMatrix(71, 90, 40, 100)
	copied, err := newSearcher(t, cleanly(t)(bmo.NewDense(points.x, points.n, points.d))).Graph(background, 4)
	if err != nil {
		t.Fatal(err)
	}
	dense := bmo.Dense[float64]{Data: points.x, N: points.n, D: points.d}
	for name, ds := range map[string]*bmo.Dataset{
		"BorrowDense":  cleanly(t)(bmo.BorrowDense(points.x, points.n, points.d)),
		"Dense.Borrow": cleanly(t)(dense.Borrow()),
	} {
		got, err := newSearcher(t, ds).Graph(background, 4)
		if err != nil {
			t.Fatal(err)
		}
		for i := range copied.Index {
			if got.Index[i] != copied.Index[i] || got.Distance[i] != copied.Distance[i] {
				t.Fatalf("%s: neighbor %d is %d at %v; want %d at %v", name, i, got.Index[i], got.Distance[i], copied.Index[i], copied.Distance[i])
			}
		}
	}
}

// What is converted is copied, and let go of at once.
func TestBorrowedIntegersAreCopied(t *testing.T) {
	ds := cleanly(t)(bmo.BorrowDense([]int32{1, 2, 3, 4}, 2, 2))
	if info := infoOf(t, ds); info.BytesBorrowed != 0 || info.Type != "float32" {
		t.Errorf("%d bytes of %s are borrowed; want none, and float32", info.BytesBorrowed, info.Type)
	}
	cleanly(t)(bmo.BorrowDense([]float32{}, 0, 3))
}

func TestBorrowedDataThatAreRefusedAreLetGo(t *testing.T) {
	collected := make(chan struct{})
	func() {
		x := make([]float32, 1<<10)
		x[7] = float32(math.NaN())
		runtime.SetFinalizer(&x[0], func(*float32) { close(collected) })
		if _, err := bmo.BorrowDense(x, 1<<5, 1<<5); err == nil {
			t.Error("NaN was accepted")
		}
	}()
	waitFor(t, collected)
}

// A searcher holds the data after the dataset was closed; nothing does after it is closed, too.
func TestBorrowedDataAreKeptAsLongAsTheyAreUsed(t *testing.T) {
	if !borrows(t) {
		t.Skip("this Go has no runtime.Pinner")
	}
	collected := make(chan struct{})
	ds := func() *bmo.Dataset {
		x := make([]float32, 1<<10)
		for i := range x {
			x[i] = float32(i)
		}
		runtime.SetFinalizer(&x[0], func(*float32) { close(collected) })
		ds, err := bmo.BorrowDense(x, 1<<5, 1<<5)
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}()
	s := newSearcher(t, ds)
	ds.Close()
	for i := 0; i < 3; i++ {
		runtime.GC()
	}
	select {
	case <-collected:
		t.Fatal("the data were collected while a searcher used them")
	default:
	}
	got, err := s.KNNRows(background, []int64{5}, 1)
	if err != nil || got.Distance[0] != 32*5.656854249492381 { // 32 coordinates that are 32 apart
		t.Fatalf("%v, %v", got.Distance, err)
	}
	s.Close()
	waitFor(t, collected)
}

// waitFor lets the collector run until it has finalized something.
func waitFor(t *testing.T, collected chan struct{}) {
	for i := 0; i < 1000; i++ {
		runtime.GC()
		select {
		case <-collected:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Fatal("the data are still held")
}

// Data that the user changes lead the library to what cannot be: that is no bug of it.
func TestBorrowedDataThatWereChanged(t *testing.T) {
	if !borrows(t) {
		t.Skip("this Go has no runtime.Pinner")
	}
	points := randomMatrix(72, 300, 60, 100)
	points.x[0] += 0.5 // else preparing makes bytes of them
	borrow := func() ([]float64, *bmo.Dataset) {
		x := append([]float64(nil), points.x...)
		return x, cleanly(t)(bmo.BorrowDense(x, points.n, points.d, bmo.WithMethod("bandit")))
	}
	x, ds := borrow()
	s := newSearcher(t, ds)
	prepared := newSearcher(t, cleanly(t)(ds.Prepare(background, bmo.WithBox("dense"))))
	kept := newSearcher(t, cleanly(t)(bmo.NewDense(x, points.n, points.d)))
	borrowed := newSearcher(t, cleanly(t)(bmo.BorrowDense(points.x, points.n, points.d)))
	byRho := newSearcher(t, ds, bmo.WithRho(canberraRho))
	x[7*points.d+5] = math.NaN()
	const says = "the data were changed while the dataset borrowed them: x: the value of point 7, coordinate 5 (counted from 0) is nan"
	for name, call := range map[string]func() error{
		"Graph":       func() error { return failOf(s.Graph(background, 3)) },
		"KNNRows":     func() error { return failOf(s.KNNRows(background, []int64{7}, 3)) },
		"RadiusGraph": func() error { return failOf(s.RadiusGraph(background, 1e9)) },
		"KMeans":      func() error { return failOf(s.KMeans(background, 3, bmo.KMeans{})) },
		"Medoid":      func() error { return failOf(s.Medoid(background)) },
		"Rho":         func() error { return failOf(byRho.Graph(background, 3)) },
		"prepared":    func() error { return failOf(prepared.Graph(background, 3)) },
		"queries":     func() error { return failOf(borrowed.KNN(background, ds, 3)) },
	} {
		var detail *bmo.Error
		err := call()
		if !errors.Is(err, bmo.ErrInvalid) || !errors.As(err, &detail) || !strings.HasPrefix(detail.Message, says) ||
			detail.Argument != "dataset" || detail.Row != 7 || detail.Col != 5 {
			t.Errorf("%s: %#v; want ErrInvalid of point 7 that says %q", name, err, says)
		}
	}
	if _, err := kept.Graph(background, 3); err != nil {
		t.Errorf("a dataset of a copy: %v", err)
	}
}

// What is said of data that are as they were stays.
func TestBorrowedDataThatAreNotToBlame(t *testing.T) {
	far := newSearcher(t, cleanly(t)(bmo.BorrowDense([]float64{1e200, -1e200}, 2, 1, bmo.WithMetric("sqeuclidean"))))
	if _, err := far.Graph(background, 1); !errors.Is(err, bmo.ErrOverflow) {
		t.Errorf("%v; want ErrOverflow", err)
	}
	if _, err := far.KNN(background, bmo.Dense[float64]{Data: []float64{math.NaN()}, N: 1, D: 1}, 1); !errors.Is(err, bmo.ErrNonFinite) {
		t.Errorf("%v; want ErrNonFinite", err)
	}
}

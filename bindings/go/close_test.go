package bmo_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"bmo"
)

// Close beside running calls: each ends with its answer or with ErrClosed.
func TestCloseBesideRunningCalls(t *testing.T) {
	m := randomMatrix(12, 200, 600, 256)
	for round := 0; round < 20; round++ {
		points := cleanly(t)(bmo.NewDense(m.x, m.n, m.d))
		queries := cleanly(t)(bmo.NewDense(m.x[:2*m.d], 2, m.d))
		s := newSearcher(t, points)
		want := nearest("l2", m, m.row(1), -1, 3)
		var running sync.WaitGroup
		for g := 0; g < 4; g++ {
			running.Add(1)
			go func() {
				defer running.Done()
				for {
					result, err := s.KNN(background, queries, 3)
					if errors.Is(err, bmo.ErrClosed) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
					compare(t, result, 1, want)
				}
			}()
		}
		time.Sleep(time.Duration(round) * time.Millisecond / 4)
		for _, closer := range []interface{ Close() error }{points, queries, s} {
			running.Add(1)
			go func(closer interface{ Close() error }) {
				defer running.Done()
				closer.Close()
			}(closer)
		}
		running.Wait()
	}
}

func TestCloseEndsALongCall(t *testing.T) {
	s := slow(t)
	time.AfterFunc(20*time.Millisecond, func() { s.Close() })
	if _, err := s.Graph(background, 5); !errors.Is(err, bmo.ErrClosed) || errors.Is(err, bmo.ErrCanceled) {
		t.Errorf("%v; want closed", err)
	}
}

func TestGoroutinesShareASearcher(t *testing.T) {
	const goroutines, calls, k = 8, 200, 5
	m := randomMatrix(13, 400, 800, 256)
	s := newSearcher(t, cleanly(t)(bmo.NewDense(convert[float32](m.x), m.n, m.d)), bmo.WithMethod("bandit"))
	var alone [calls]bmo.Result
	for i := range alone {
		result, err := s.KNNRows(background, []int64{int64(i)}, k)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, result, 0, nearest("l2", m, m.row(i), i, k))
		alone[i] = result
	}
	var all sync.WaitGroup
	for g := 0; g < goroutines; g++ {
		g := g
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; i < calls; i++ {
				row := (i*(2*g+1) + g) % calls // each goroutine in an order of its own
				result, err := s.KNNRows(background, []int64{int64(row)}, k)
				if err != nil {
					t.Error(err)
					return
				}
				want := alone[row]
				for r := 0; r < k; r++ {
					if result.Index[r] != want.Index[r] || result.Distance[r] != want.Distance[r] {
						t.Errorf("row %d: %v at %v; alone %v at %v", row, result.Index, result.Distance, want.Index, want.Distance)
						return
					}
				}
				if result.Stats.CoordOps != want.Stats.CoordOps {
					t.Errorf("row %d: %d operations; alone %d", row, result.Stats.CoordOps, want.Stats.CoordOps)
				}
			}
		}()
	}
	all.Wait()
}

package bmo_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"bmo"
)

const soon = 100 * time.Millisecond

// tries allow for a machine that is busy with something else.
const tries = 5

// slow is a searcher whose graph takes many seconds.
func slow(t *testing.T) *bmo.Searcher {
	m := randomMatrix(11, 3000, 1000, 256)
	return newSearcher(t, cleanly(t)(bmo.NewDense(convert[float64](m.x), m.n, m.d)), bmo.WithMethod("exact"), bmo.WithMetric("l1"))
}

// stopsSoon wants call to end with an error of both kinds soon after begin returns.
func stopsSoon(t *testing.T, begin func() (ctx context.Context, stopped func() time.Time), call func(ctx context.Context) error, kinds ...error) {
	t.Helper()
	var took time.Duration
	for try := 0; try < tries; try++ {
		ctx, stopped := begin()
		err := call(ctx)
		took = time.Since(stopped())
		for _, kind := range kinds {
			if !errors.Is(err, kind) {
				t.Fatalf("%v; want %v", err, kind)
			}
		}
		if took < soon {
			return
		}
	}
	t.Errorf("ended %v after it was stopped; want under %v", took, soon)
}

func TestCancelStopsARunningCall(t *testing.T) {
	s := slow(t)
	begin := func() (context.Context, func() time.Time) {
		ctx, cancel := context.WithCancel(background)
		at := make(chan time.Time, 1)
		time.AfterFunc(30*time.Millisecond, func() {
			at <- time.Now()
			cancel()
		})
		return ctx, func() time.Time { return <-at }
	}
	graph := func(ctx context.Context) error { return failOf(s.Graph(ctx, 5)) }
	stopsSoon(t, begin, graph, bmo.ErrCanceled, context.Canceled)
}

func TestDeadlineStopsARunningCall(t *testing.T) {
	s := slow(t)
	begin := func() (context.Context, func() time.Time) {
		deadline := time.Now().Add(30 * time.Millisecond)
		ctx, cancel := context.WithDeadline(background, deadline)
		t.Cleanup(cancel)
		return ctx, func() time.Time { return deadline }
	}
	rows := make([]int64, 3000)
	call := func(ctx context.Context) error { return failOf(s.KNNRows(ctx, rows, 5)) }
	stopsSoon(t, begin, call, bmo.ErrCanceled, context.DeadlineExceeded)
}

func TestContextThatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	ds := cleanly(t)(bmo.NewDense([]float32{1, 2, 3}, 3, 1))
	s := newSearcher(t, ds)
	for name, call := range map[string]func() error{
		"Open":    func() error { return failOf(bmo.Open(ctx, "any")) },
		"Prepare": func() error { return failOf(ds.Prepare(ctx)) },
		"Subset":  func() error { return failOf(ds.Subset(ctx, []int64{0})) },
		"Among":   func() error { return failOf(bmo.NewSearcherAmong(ctx, ds, bmo.Candidates{})) },
		"KNN":     func() error { return failOf(s.KNN(ctx, ds, 1)) },
		"KNNRows": func() error { return failOf(s.KNNRows(ctx, []int64{0}, 1)) },
		"Graph":   func() error { return failOf(s.Graph(ctx, 1)) },
	} {
		if err := call(); !errors.Is(err, bmo.ErrCanceled) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v; want canceled", name, err)
		}
	}
}

func TestNilContextIsNeverDone(t *testing.T) {
	s := newSearcher(t, cleanly(t)(bmo.NewDense([]float32{1, 2, 4}, 3, 1)))
	var none context.Context
	result, err := s.Graph(none, 1)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, result, 2, []neighbor{{1, 2}})
}

package bmo_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"bmo"
)

// canberra is |a - b| / (a + b) of numbers that are not negative.
func canberra(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / (a + b)
}

func canberraRho(_ []int64, a, b, out []float64) error {
	for i := range out {
		out[i] = canberra(a[i], b[i])
	}
	return nil
}

// sumOf is a distance with a coordinate distance of its own.
func sumOf(rho func(a, b float64) float64, a, b []float64) float64 {
	sum := 0.0
	for j := range a {
		sum += rho(a[j], b[j])
	}
	return sum
}

func TestRhoIsTheMetric(t *testing.T) {
	m := randomMatrix(16, 200, 600, 256)
	ds := cleanly(t)(bmo.NewDense(m.x, m.n, m.d, bmo.WithMetric("custom"), bmo.WithRho(canberraRho)))
	for _, method := range []string{"bandit", "exact"} {
		result, err := newSearcher(t, ds, bmo.WithMethod(method)).KNNRows(background, some(m), 4)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range some(m) {
			index, dist := result.Row(i)
			for r := range index {
				distance := sumOf(canberra, m.row(int(row)), m.row(int(index[r])))
				if nearer := countNearer(m, int(row), distance); nearer != r || math.Abs(dist[r]-distance) > 1e-12*distance {
					t.Errorf("%s: neighbor %d of row %d at %v is %d-th at %v", method, r, row, dist[r], nearer, distance)
				}
			}
		}
	}
}

// countNearer is how many other points are closer to a row than a distance, by canberra.
func countNearer(m matrix, row int, distance float64) (count int) {
	for i := 0; i < m.n; i++ {
		if i != row && sumOf(canberra, m.row(row), m.row(i)) < distance {
			count++
		}
	}
	return count
}

func custom(t *testing.T, rho bmo.Rho) *bmo.Searcher {
	ds := cleanly(t)(bmo.NewDense([]float64{1, 2, 3, 4, 5, 7}, 3, 2))
	return newSearcher(t, ds, bmo.WithMetric("custom"), bmo.WithRho(rho))
}

func TestRhoThatFails(t *testing.T) {
	mine := errors.New("mine")
	for name, test := range map[string]struct {
		rho   bmo.Rho
		cause error
		says  string
	}{
		"error":          {func([]int64, []float64, []float64, []float64) error { return mine }, mine, "mine"},
		"panic":          {func([]int64, []float64, []float64, []float64) error { panic("out of luck") }, nil, "panic: out of luck"},
		"panic of error": {func([]int64, []float64, []float64, []float64) error { panic(mine) }, mine, "panic: mine"},
		"index":          {func(coord []int64, _, _, _ []float64) error { coord[len(coord)]++; return nil }, nil, "out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := custom(t, test.rho).Graph(background, 1)
			if !errors.Is(err, bmo.ErrCallback) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v; want ErrCallback that says %q", err, test.says)
			}
			if test.cause != nil && !errors.Is(err, test.cause) {
				t.Errorf("%v does not wrap %v", err, test.cause)
			}
		})
	}
}

func TestRhoThatIsNoDistance(t *testing.T) {
	for _, value := range []float64{-1, math.NaN(), math.Inf(1)} {
		_, err := custom(t, func(coord []int64, _, _, out []float64) error {
			for i := range out {
				out[i] = 1
				if coord[i] == 1 {
					out[i] = value
				}
			}
			return nil
		}).KNNRows(background, []int64{2}, 1)
		var detail *bmo.Error
		if !errors.Is(err, bmo.ErrCallback) || !errors.As(err, &detail) || detail.Col != 1 || errors.Unwrap(err) != nil {
			t.Errorf("%v: %#v; want ErrCallback at coordinate 1", value, err)
		}
	}
}

func TestMetricCustomWithoutRho(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float64{1, 2}, 2, 1, bmo.WithMetric("custom"), bmo.WithRho(canberraRho)))
	if _, err := bmo.NewSearcher(ds, bmo.WithRho(nil)); !errors.Is(err, bmo.ErrInvalid) {
		t.Errorf("%v; want invalid", err)
	}
}

func TestRhoSetsTheMetric(t *testing.T) {
	nothing := func(_ []int64, _, _, out []float64) error {
		for i := range out {
			out[i] = 0
		}
		return nil
	}
	of := func(opts ...bmo.Option) *bmo.Dataset {
		return cleanly(t)(bmo.NewDense([]float64{0, 0, 3, 4}, 2, 2, opts...))
	}
	for name, test := range map[string]struct {
		ds       *bmo.Dataset
		opts     []bmo.Option
		distance float64
	}{
		"alone":                  {of(), []bmo.Option{bmo.WithRho(nothing)}, 0},
		"of a dataset":           {of(bmo.WithRho(nothing)), nil, 0},
		"in a metric's place":    {of(bmo.WithMetric("l1")), []bmo.Option{bmo.WithRho(nothing)}, 0},
		"a metric in its place":  {of(bmo.WithRho(nothing)), []bmo.Option{bmo.WithMetric("l1")}, 7},
		"beside the metric":      {of(), []bmo.Option{bmo.WithRho(nothing), bmo.WithMetric("custom")}, 0},
		"cleared, with a metric": {of(bmo.WithRho(nothing)), []bmo.Option{bmo.WithRho(nil), bmo.WithMetric("l2")}, 5},
		"set and cleared":        {of(), []bmo.Option{bmo.WithRho(nothing), bmo.WithRho(nil)}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := newSearcher(t, test.ds, test.opts...).Graph(background, 1)
			if err != nil || result.Distance[0] != test.distance {
				t.Errorf("%v, %v; want %v", result.Distance, err, test.distance)
			}
		})
	}
	run(t, map[string]misuse{"another metric": {func() error {
		return failOf(bmo.NewDense([]float64{1}, 1, 1, bmo.WithMetric("l2"), bmo.WithRho(nothing)))
	}, bmo.ErrInvalid, `metric is "l2" beside WithRho; expected custom, or none`}})
}

// Each goroutine gets the error of its own call.
func TestRhosOfManyGoroutines(t *testing.T) {
	var all sync.WaitGroup
	for g := 0; g < 8; g++ {
		mine := errors.New("mine")
		s := custom(t, func([]int64, []float64, []float64, []float64) error { return mine })
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; i < 100; i++ {
				if _, err := s.Graph(background, 1); !errors.Is(err, mine) {
					t.Errorf("%v; want the error of this goroutine", err)
				}
			}
		}()
	}
	all.Wait()
}

// A Rho goes when the last that uses it is closed.
func TestRhoIsReleased(t *testing.T) {
	collected := make(chan struct{})
	func() {
		kept := new([1]float64)
		runtime.SetFinalizer(kept, func(*[1]float64) { close(collected) })
		ds, err := bmo.NewDense([]float64{1, 2}, 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		s, err := bmo.NewSearcher(ds, bmo.WithMetric("custom"), bmo.WithRho(func(_ []int64, _, _, out []float64) error {
			for i := range out {
				out[i] = kept[0]
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		ds.Close()
	}()
	for i := 0; i < 500; i++ {
		runtime.GC()
		select {
		case <-collected:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("the Rho is still there")
}

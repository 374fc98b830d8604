package bmo_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"bmo"
)

// trueMedoid scans all pairs. The sums of l1 and sqeuclidean are exact, as whole numbers; those of l2 are equal where they are
// within rounding.
func trueMedoid(metric string, m matrix) (index int64, mean float64) {
	sums, least, rounding := make([]float64, m.n), math.Inf(1), 0.0
	for i := range sums {
		for j := 0; j < m.n; j++ {
			sums[i] += distance(metric, m.row(i), m.row(j))
		}
		least = math.Min(least, sums[i])
	}
	if metric == "l2" {
		rounding = 1e-13
	}
	for sums[index] > least*(1+rounding) {
		index++
	}
	if m.n > 1 {
		mean = least / float64(m.n-1)
	}
	return index, mean
}

// around is points around one in the middle.
func around(seed int64, n, d int) matrix {
	m := randomMatrix(seed, n, d, 256)
	for j, middle := 0, m.row(n/3); j < d; j++ {
		middle[j] = 128
	}
	return m
}

func medoidOf(t *testing.T, ds *bmo.Dataset, opts ...bmo.Option) bmo.Medoid {
	t.Helper()
	got, err := newSearcher(t, ds, opts...).Medoid(background)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// 64 points are sampled, and from 512 coordinates on single ones under l1.
func TestMedoidIsThatOfAFullScan(t *testing.T) {
	for name, m := range map[string]matrix{
		"wide":           around(40, 150, 600),
		"narrow":         around(41, 150, 40),
		"no middle":      randomMatrix(42, 100, 520, 256),
		"duplicates":     duplicated(around(43, 160, 530)),
		"narrow and few": duplicated(randomMatrix(44, 200, 12, 3)),
		"least sampled":  around(45, 64, 512),
		"not sampled":    around(46, 63, 512),
		"all the same":   {make([]float64, 80*520), 80, 520},
		"two points":     randomMatrix(47, 2, 600, 256),
		"one point":      randomMatrix(48, 1, 600, 256),
	} {
		m := m
		t.Run(name, func(t *testing.T) {
			own := cleanly(t)
			datasets := map[string]*bmo.Dataset{
				"float64": own(bmo.NewDense(m.x, m.n, m.d)),
				"uint8":   own(bmo.NewDense(convert[uint8](m.x), m.n, m.d)),
				"CSR":     own(compressed[float32, int32](m).Dataset()),
			}
			for _, metric := range []string{"l1", "sqeuclidean", "l2"} {
				datasets["prepared"] = own(datasets["float64"].Prepare(background, bmo.WithMetric(metric)))
				index, mean := trueMedoid(metric, m)
				for kind, ds := range datasets {
					for _, method := range []string{"auto", "exact"} {
						got := medoidOf(t, ds, bmo.WithMetric(metric), bmo.WithMethod(method), bmo.WithDelta(1e-9))
						if got.Index != index || math.Abs(got.MeanDistance-mean) > 1e-13*mean {
							t.Errorf("%s, %s, %s: point %d at %v; want %d at %v", kind, metric, method, got.Index, got.MeanDistance, index, mean)
						}
						if sampled := method == "auto" && m.n >= 64; sampled != (got.Stats.Method == "bandit") {
							t.Errorf("%s, %s, %s: method %s", kind, metric, method, got.Stats.Method)
						}
					}
				}
			}
		})
	}
}

func TestStatsOfMedoid(t *testing.T) {
	m := around(49, 400, 600)
	ds := cleanly(t)(bmo.NewDense(convert[uint8](m.x), m.n, m.d))
	for _, metric := range []string{"l1", "l2", "sqeuclidean"} {
		got := medoidOf(t, ds, bmo.WithMetric(metric), bmo.WithDelta(0.001), bmo.WithSeed(5)).Stats
		if got.Guarantee != bmo.GuaranteeProven || got.Gain() <= 1 || got.CoordOpsSampled == 0 || got.ExactEvals == 0 || got.Reason == "" {
			t.Errorf("%s: stats %+v with gain %v", metric, got, got.Gain())
		}
		if got.Queries != 1 || got.Arms != 400 || got.Seed != 5 || got.Delta != 0.001 || got.CoordOpsBrute != 400*399*600 {
			t.Errorf("%s: stats %+v", metric, got)
		}
		if single := got.CoordOpsSampled%600 != 0; single != (metric == "l1") {
			t.Errorf("%s: %d pulls; want whole distances but under l1", metric, got.CoordOpsSampled)
		}
		exact := medoidOf(t, ds, bmo.WithMetric(metric), bmo.WithMethod("exact")).Stats
		if exact.Guarantee != bmo.GuaranteeExact || exact.Gain() != 1 || exact.CoordOpsSampled != 0 || exact.ExactEvals != 400 {
			t.Errorf("%s: stats %+v with gain %v", metric, exact, exact.Gain())
		}
	}
}

func TestSeedsAndThreadsOfMedoid(t *testing.T) {
	m := around(50, 300, 600)
	ds := cleanly(t)(bmo.NewDense(convert[float32](m.x), m.n, m.d))
	for _, metric := range []string{"l1", "l2"} {
		want, mean := trueMedoid(metric, m)
		for seed := int64(0); seed < 5; seed++ {
			one := medoidOf(t, ds, bmo.WithMetric(metric), bmo.WithSeed(seed), bmo.WithThreads(1))
			two := medoidOf(t, ds, bmo.WithMetric(metric), bmo.WithSeed(seed), bmo.WithThreads(2))
			if one.Index != want || math.Abs(one.MeanDistance-mean) > 1e-13*mean {
				t.Errorf("%s, seed %d: point %d at %v; want %d at %v", metric, seed, one.Index, one.MeanDistance, want, mean)
			}
			if one.Index != two.Index || one.MeanDistance != two.MeanDistance || one.Stats.CoordOps != two.Stats.CoordOps {
				t.Errorf("%s, seed %d: %+v with one thread, %+v with two", metric, seed, one, two)
			}
		}
	}
}

func TestMisuseOfMedoid(t *testing.T) {
	own := cleanly(t)
	ds, none := own(bmo.NewDense([]float64{1, 2, 3, 4}, 4, 1)), own(bmo.NewDense[float64](nil, 0, 3))
	closed := newSearcher(t, ds)
	closed.Close()
	medoid := func(s *bmo.Searcher) func() error { return func() error { return failOf(s.Medoid(background)) } }
	run(t, map[string]misuse{
		"no points": {medoid(newSearcher(t, none)), bmo.ErrInvalid, "the dataset has no points"},
		"uniform":   {medoid(newSearcher(t, ds, bmo.WithMethod("uniform"))), bmo.ErrInvalid, "method is uniform; expected auto, bandit or exact"},
		"inner_product": {medoid(newSearcher(t, ds, bmo.WithMetric("inner_product"), bmo.WithMethod("bandit"))), bmo.ErrInvalid,
			"method is bandit, but of this metric"},
		"closed": {medoid(closed), bmo.ErrClosed, ""},
		"nil":    {medoid(nil), bmo.ErrClosed, ""},
		"zero":   {medoid(&bmo.Searcher{}), bmo.ErrClosed, ""},
	})
	ctx, cancel := stopped()
	defer cancel()
	if _, err := newSearcher(t, ds).Medoid(ctx); !errors.Is(err, bmo.ErrCanceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("%v; want canceled", err)
	}
}

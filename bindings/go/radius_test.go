package bmo_test

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"bmo"
)

// within scans all points but skip.
func within(metric string, points matrix, query []float64, skip int, maxDistance float64) []neighbor {
	candidates := points.n
	if skip >= 0 {
		candidates--
	}
	all := nearest(metric, points, query, skip, candidates)
	for len(all) > 0 && all[len(all)-1].distance > maxDistance {
		all = all[:len(all)-1]
	}
	return all
}

// between is a distance between that of the r-th neighbor of a query and the next: no rounding decides who is within.
func between(metric string, points matrix, query []float64, r int) float64 {
	all := nearest(metric, points, query, -1, points.n)
	for all[r].distance == all[r-1].distance {
		r++
	}
	return (all[r-1].distance + all[r].distance) / 2
}

func TestRadiusIsThatOfAFullScan(t *testing.T) {
	m, q := randomMatrix(40, 200, 600, 256), randomMatrix(41, 3, 600, 256)
	own := cleanly(t)
	dense := own(bmo.NewDense(convert[uint8](m.x), m.n, m.d))
	datasets := map[string]*bmo.Dataset{
		"dense":    dense,
		"prepared": own(dense.Prepare(background)),
		"sparse":   own(compressed[float32, int](m).Dataset()),
	}
	queries := map[string]bmo.Points{
		"dense":   bmo.Dense[float64]{Data: q.x, N: q.n, D: q.d},
		"sparse":  compressed[int32, int64](q),
		"dataset": own(bmo.NewDense(q.x, q.n, q.d)),
	}
	for name, ds := range datasets {
		for _, metric := range []string{"l1", "l2", "sqeuclidean"} {
			for _, method := range []string{"bandit", "exact"} {
				s := newSearcher(t, ds, bmo.WithMetric(metric), bmo.WithMethod(method))
				one, each := between(metric, m, q.row(0), 5), make([]float64, q.n)
				for i := range each {
					each[i] = between(metric, m, q.row(i), i+2)
				}
				for kind, points := range queries {
					result, err := s.Radius(background, points, math.NaN(), bmo.WithMaxDistances(each))
					if err != nil || result.Len() != q.n || result.Stats.Neighbors != uint64(len(result.Index)) {
						t.Fatalf("%s, %s, %s: %+v, %v", name, metric, kind, result, err)
					}
					for i := range each {
						compare(t, result, i, within(metric, m, q.row(i), -1, each[i]))
					}
				}
				some := []int64{7, 3, 7}
				result, err := s.RadiusRows(background, some, one)
				if err != nil || result.Len() != len(some) {
					t.Fatal(result, err)
				}
				for i, row := range some {
					compare(t, result, i, within(metric, m, m.row(int(row)), int(row), one))
				}
				graph, err := s.RadiusGraph(background, one)
				if err != nil || graph.Len() != m.n {
					t.Fatal(graph, err)
				}
				for i := 0; i < m.n; i += 23 {
					compare(t, graph, i, within(metric, m, m.row(i), i, one))
				}
			}
		}
	}
}

func TestNearestWithinADistance(t *testing.T) {
	m, q := randomMatrix(42, 200, 600, 256), randomMatrix(43, 3, 600, 256)
	s := newSearcher(t, cleanly(t)(bmo.NewDense(m.x, m.n, m.d)))
	each := []float64{between("l2", m, q.row(0), 3), 0, math.Inf(1)}
	result, err := s.KNN(background, bmo.Dense[float64]{Data: q.x, N: q.n, D: q.d}, 5, bmo.WithMaxDistances(each))
	if err != nil || result.Len() != 3 || len(result.Index) != 15 {
		t.Fatal(result, err)
	}
	found := uint64(0)
	for i, distance := range each {
		want := within("l2", m, q.row(i), -1, distance)
		if len(want) > 5 {
			want = want[:5]
		}
		compare(t, result, i, want)
		for r := len(want); r < 5; r++ {
			if result.Index[i*5+r] != -1 || !math.IsInf(result.Distance[i*5+r], 1) {
				t.Errorf("query %d, rank %d: point %d at %v; want none", i, r, result.Index[i*5+r], result.Distance[i*5+r])
			}
		}
		found += uint64(len(want))
	}
	if result.Stats.Neighbors != found {
		t.Errorf("%d neighbors; want %d", result.Stats.Neighbors, found)
	}
	graph, err := s.Graph(background, 4, bmo.WithMaxDistance(1))
	if err != nil || graph.Stats.Neighbors != 0 {
		t.Fatal(graph.Stats.Neighbors, err)
	}
	all, err := s.KNNRows(background, []int64{1}, 4, bmo.WithMaxDistance(math.Inf(1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, all, 0, nearest("l2", m, m.row(1), 1, 4))
}

func TestRadiusOfNothing(t *testing.T) {
	s := newSearcher(t, cleanly(t)(bmo.NewDense([]float64{0, 3, 3}, 3, 1)))
	for name, opts := range map[string][]bmo.SearchOption{"one": nil, "each": {bmo.WithMaxDistances(nil)}} {
		result, err := s.RadiusRows(background, nil, 5, opts...)
		if err != nil || result.Len() != 0 || len(result.Index) != 0 {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
	}
	result, err := s.RadiusGraph(background, 0) // of points that are one and the same
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]neighbor{{}, {{2, 0}}, {{1, 0}}} {
		compare(t, result, i, want)
	}
	if (bmo.RadiusResult{}).Len() != 0 {
		t.Error("no answer has queries")
	}
}

func TestNamesOfLimits(t *testing.T) {
	s := newSearcher(t, cleanly(t)(bmo.NewDense([]float64{0, 3, 4}, 3, 1)))
	radius := func(maxDistance float64, opts ...bmo.SearchOption) func() error {
		return func() error { return failOf(s.RadiusGraph(background, maxDistance, opts...)) }
	}
	queries := bmo.Dense[float64]{Data: []float64{1}, N: 1, D: 1}
	each := bmo.WithMaxDistances([]float64{1, math.NaN(), 3})
	wantNames(t, map[string]named{
		"NaN":        {radius(math.NaN()), "maxDistance", "maxDistance is NaN; expected a number"},
		"NaN of one": {radius(1, each), "maxDistances", "maxDistances[1] is NaN; expected a number"},
		"too many": {func() error { return failOf(s.KNN(background, queries, 1, each)) }, "maxDistances",
			"maxDistances has 3 elements; expected 1, one for each query"},
		"none":       {radius(1, bmo.WithMaxDistances(nil)), "maxDistances", "maxDistances has 0 elements; expected 3"},
		"NaN of KNN": {func() error { return failOf(s.Graph(background, 1, bmo.WithMaxDistance(math.NaN()))) }, "maxDistance", "maxDistance is NaN"},
		"maxPairs":   {radius(9, bmo.WithMaxPairs(-1)), "maxPairs", "maxPairs is -1; expected 0 or more"},
		"of KNN":     {func() error { return failOf(s.Graph(background, 1, bmo.WithMaxPairs(3))) }, "maxPairs", "maxPairs is 3; expected 0"},
		"too many pairs": {radius(9, bmo.WithMaxPairs(5)), "maxPairs",
			"more than 5 pairs are within maxDistance; expected no more than maxPairs"},
		"queries": {func() error {
			return failOf(s.Radius(background, bmo.Dense[float64]{N: 1, D: 2, Data: make([]float64, 2)}, 1))
		},
			"queries.D", "queries.D is 2; expected 1"},
		"nil": {func() error { return failOf(s.Radius(background, nil, 1)) }, "queries", "queries is nil"},
	})
	if _, err := s.RadiusGraph(background, 9, bmo.WithMaxPairs(6)); err != nil {
		t.Error(err)
	}
}

// What a radius search found is C's memory until it is copied.
func TestRadiusLeavesNoMemory(t *testing.T) {
	s := newSearcher(t, cleanly(t)(bmo.NewDense(make([]uint8, 2000), 2000, 1)))
	search := func() {
		if _, err := s.RadiusGraph(background, 1); err != nil { // 4 million pairs of 32 bytes
			t.Fatal(err)
		}
		runtime.GC()
	}
	search()
	before := resident(t)
	for i := 0; i < 8; i++ {
		search()
	}
	if grown := resident(t) - before; grown > 300<<20 {
		t.Errorf("8 searches left %d MB", grown>>20)
	}
}

// Every type of numbers, against values that each of them has exactly.
func TestTypesOfNumbers(t *testing.T) {
	m := randomMatrix(44, 60, 300, 100)
	own := cleanly(t)
	half, brain := make([]bmo.Float16, len(m.x)), make([]bmo.BFloat16, len(m.x))
	for i, value := range m.x {
		half[i], brain[i] = halfOf(value), bmo.BFloat16(math.Float32bits(float32(value))>>16)
	}
	for stored, ds := range map[string][]*bmo.Dataset{
		"int8":     {own(bmo.NewDense(convert[int8](m.x), m.n, m.d))},
		"float32":  {own(bmo.NewDense(convert[int16](m.x), m.n, m.d)), own(bmo.NewDense(convert[uint16](m.x), m.n, m.d)), own(bmo.NewDense(convert[uint32](m.x), m.n, m.d))},
		"float16":  {own(bmo.NewDense(half, m.n, m.d))},
		"bfloat16": {own(bmo.NewDense(brain, m.n, m.d))},
	} {
		for _, one := range ds {
			if info, err := one.Info(); err != nil || info.Type != stored {
				t.Errorf("stored as %s, %v; want %s", info.Type, err, stored)
			}
			for _, metric := range metrics {
				compareRows(t, newSearcher(t, one, by(metric)...), m, wanted(m, metric, 3))
			}
		}
	}
	mixed := own(compressed[int8, int32](m).Dataset())
	compareRows(t, newSearcher(t, mixed), m, wanted(m, "l2", 3))
}

// halfOf is a whole number below 2048 as a binary16.
func halfOf(value float64) bmo.Float16 {
	if value == 0 {
		return 0
	}
	fraction, exponent := math.Frexp(value)
	return bmo.Float16(exponent+14)<<10 | bmo.Float16((2*fraction-1)*1024)
}

func TestOpenTransposed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "points.csv")
	if err := os.WriteFile(path, []byte("0,3,6\n0,4,8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ds := cleanly(t)(bmo.OpenTransposed(background, path))
	result, err := newSearcher(t, ds).RadiusGraph(background, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]neighbor{{{1, 5}}, {{0, 5}, {2, 5}}, {{1, 5}}} {
		compare(t, result, i, want)
	}
}

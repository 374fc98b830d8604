package bmo_test

import (
	"fmt"
	"testing"

	"bmo"
)

var metrics = []string{"l2", "sqeuclidean", "l1", "lp"}

// duplicated repeats each point four times.
func duplicated(m matrix) matrix {
	for i := 0; i < m.n; i++ {
		copy(m.row(i), m.row(i/4))
	}
	return m
}

// tied has one point a distance d away from all others, which are one and the same but for a coordinate.
func tied(n, d int) matrix {
	m := matrix{make([]float64, n*d), n, d}
	for i := 1; i < n; i++ {
		for j := range m.row(i) {
			m.row(i)[j] = 1
		}
		m.row(i)[i%d] = 2
	}
	return m
}

var shapes = map[string]matrix{
	"random":          randomMatrix(1, 300, 700, 256),
	"duplicates":      duplicated(randomMatrix(2, 300, 600, 256)),
	"tied":            tied(250, 520),
	"few values":      randomMatrix(3, 400, 16, 2),
	"one coordinate":  randomMatrix(4, 30, 1, 10),
	"two points":      randomMatrix(5, 2, 5, 10),
	"many and narrow": randomMatrix(6, 2000, 3, 256),
}

// asTypes makes the dataset in each type of numbers.
func asTypes(t *testing.T, m matrix) map[string]*bmo.Dataset {
	own := cleanly(t)
	return map[string]*bmo.Dataset{
		"float32": own(bmo.NewDense(convert[float32](m.x), m.n, m.d)),
		"float64": own(bmo.NewDense(m.x, m.n, m.d)),
		"uint8":   own(bmo.NewDense(convert[uint8](m.x), m.n, m.d)),
		"int32":   own(bmo.NewDense(convert[int32](m.x), m.n, m.d)),
		"int64":   own(bmo.NewDense(convert[int64](m.x), m.n, m.d)),
	}
}

// some rows of a matrix, with the first and the last.
func some(m matrix) []int64 {
	rows := []int64{0, int64(m.n - 1)}
	for i := 1; i < 6; i++ {
		rows = append(rows, int64(i*m.n/7))
	}
	return rows
}

// wanted is the answer to some rows.
func wanted(m matrix, metric string, k int) (answers [][]neighbor) {
	for _, row := range some(m) {
		answers = append(answers, nearest(metric, m, m.row(int(row)), int(row), k))
	}
	return answers
}

func compareRows(t *testing.T, s *bmo.Searcher, m matrix, want [][]neighbor) {
	t.Helper()
	rows, k := some(m), len(want[0])
	result, err := s.KNNRows(background, rows, k)
	if err != nil {
		t.Fatal(err)
	}
	if result.Len() != len(rows) || result.Stats.Guarantee < bmo.GuaranteeProven {
		t.Fatalf("%d rows with guarantee %v; want %d, proven", result.Len(), result.Stats.Guarantee, len(rows))
	}
	for i := range rows {
		compare(t, result, i, want[i])
	}
}

func TestRowsAreThoseOfAFullScan(t *testing.T) {
	for name, m := range shapes {
		m := m
		t.Run(name, func(t *testing.T) {
			k := 5
			if k > m.n-1 {
				k = m.n - 1
			}
			datasets := asTypes(t, m)
			for _, metric := range metrics {
				want := wanted(m, metric, k)
				for dtype, ds := range datasets {
					for _, method := range []string{"auto", "bandit", "exact"} {
						t.Run(dtype+"/"+metric+"/"+method, func(t *testing.T) {
							s := newSearcher(t, ds, by(metric, bmo.WithMethod(method))...)
							compareRows(t, s, m, want)
						})
					}
				}
			}
		})
	}
}

func TestPreparedAnswersTheSame(t *testing.T) {
	m := shapes["random"]
	ds := cleanly(t)(bmo.NewDense(convert[uint8](m.x), m.n, m.d, bmo.WithSeed(9)))
	prepared := cleanly(t)(ds.Prepare(background))
	ds.Close()
	info, err := prepared.Info()
	if err != nil || info.Box != "dense" || info.Seed != 9 || info.N != m.n || info.D != m.d || info.Type != "uint8" {
		t.Fatalf("%+v, %v; want a dense box of seed 9", info, err)
	}
	s := newSearcher(t, prepared, bmo.WithMethod("bandit"), bmo.WithMetric("l1"))
	prepared.Close()
	compareRows(t, s, m, wanted(m, "l1", 5))
}

func TestGraphIsThatOfAFullScan(t *testing.T) {
	m := shapes["duplicates"]
	s := newSearcher(t, cleanly(t)(bmo.NewDense(m.x, m.n, m.d)), bmo.WithMethod("bandit"), bmo.WithThreads(2))
	result, err := s.Graph(background, 4)
	if err != nil {
		t.Fatal(err)
	}
	if result.Len() != m.n {
		t.Fatalf("%d rows; want %d", result.Len(), m.n)
	}
	for i := 0; i < m.n; i++ {
		compare(t, result, i, nearest("l2", m, m.row(i), i, 4))
	}
	if result.Stats.Threads != 2 || result.Stats.Queries != uint64(m.n) || result.Stats.Arms != uint64(m.n-1) {
		t.Errorf("%+v; want 2 threads, %d queries, %d arms", result.Stats, m.n, m.n-1)
	}
}

func TestQueriesOfEveryKind(t *testing.T) {
	points, queries := randomMatrix(7, 260, 540, 100), randomMatrix(8, 7, 540, 100)
	s := newSearcher(t, cleanly(t)(bmo.NewDense(points.x, points.n, points.d)), bmo.WithMethod("bandit"))
	kinds := map[string]bmo.Points{
		"dataset": cleanly(t)(bmo.NewDense(convert[uint8](queries.x), queries.n, queries.d)),
		"float32": bmo.Dense[float32]{Data: convert[float32](queries.x), N: queries.n, D: queries.d},
		"float64": bmo.Dense[float64]{Data: queries.x, N: queries.n, D: queries.d},
		"int32":   bmo.Dense[int32]{Data: convert[int32](queries.x), N: queries.n, D: queries.d},
		"columns": transposed(queries),
		"gaps":    withGaps(queries),
	}
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			result, err := s.KNN(background, kind, 6)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < queries.n; i++ {
				compare(t, result, i, nearest("l2", points, queries.row(i), -1, 6))
			}
		})
	}
}

// transposed is the matrix column by column.
func transposed(m matrix) bmo.Dense[float64] {
	x := make([]float64, len(m.x))
	for i := 0; i < m.n; i++ {
		for j := 0; j < m.d; j++ {
			x[j*m.n+i] = m.row(i)[j]
		}
	}
	return bmo.Dense[float64]{Data: x, N: m.n, D: m.d, PointStride: 1, CoordStride: m.n}
}

// withGaps has three elements between the points, which are as large as can be.
func withGaps(m matrix) bmo.Dense[float32] {
	stride := m.d + 3
	x := make([]float32, m.n*stride)
	for i := range x {
		x[i] = 3e38
	}
	for i := 0; i < m.n; i++ {
		copy(x[i*stride:], convert[float32](m.row(i)))
	}
	return bmo.Dense[float32]{Data: x, N: m.n, D: m.d, PointStride: stride}
}

func TestDatasetWithStrides(t *testing.T) {
	m := randomMatrix(9, 50, 20, 200)
	for name, make := range map[string]func(...bmo.Option) (*bmo.Dataset, error){
		"columns": transposed(m).Dataset,
		"gaps":    withGaps(m).Dataset,
	} {
		t.Run(name, func(t *testing.T) {
			ds := cleanly(t)(make())
			rows, err := ds.Rows([]int64{49, 0, 49})
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprint(m.row(49), m.row(0), m.row(49))
			if got := fmt.Sprint(rows[:20], rows[20:40], rows[40:]); got != want {
				t.Errorf("the points are %s; want %s", got, want)
			}
			compareRows(t, newSearcher(t, ds), m, wanted(m, "l2", 3))
		})
	}
}

func TestDataAreCopied(t *testing.T) {
	m := randomMatrix(10, 40, 8, 100)
	x := convert[float64](m.x)
	ds := cleanly(t)(bmo.NewDense(x, m.n, m.d))
	for i := range x {
		x[i] = -1
	}
	compareRows(t, newSearcher(t, ds), m, wanted(m, "l2", 3))
}

func TestNoQueriesAndNoPoints(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float32{1, 2, 3}, 3, 1))
	s := newSearcher(t, ds)
	if result, err := s.KNN(background, bmo.Dense[float32]{N: 0, D: 1}, 2); err != nil || result.Len() != 0 {
		t.Errorf("no queries: %d answers, %v", result.Len(), err)
	}
	if result, err := s.KNNRows(background, nil, 2); err != nil || result.Len() != 0 {
		t.Errorf("no rows: %d answers, %v", result.Len(), err)
	}
	empty := cleanly(t)(bmo.NewDense([]float64(nil), 0, 4))
	if info, err := empty.Info(); err != nil || info.N != 0 || info.D != 4 {
		t.Errorf("no points: %+v, %v", info, err)
	}
	if result, err := newSearcher(t, empty).Graph(background, 1); err != nil || result.Len() != 0 {
		t.Errorf("graph of no points: %d answers, %v", result.Len(), err)
	}
}

func TestStats(t *testing.T) {
	m := shapes["random"]
	s := newSearcher(t, cleanly(t)(bmo.NewDense(m.x, m.n, m.d)),
		bmo.WithMethod("exact"), bmo.WithDelta(0.125), bmo.WithEpsilon(0.5), bmo.WithSeed(-3))
	result, err := s.KNNRows(background, []int64{1, 2}, 3)
	if err != nil {
		t.Fatal(err)
	}
	got, all := result.Stats, uint64(2*(m.n-1)*m.d)
	if got.Guarantee != bmo.GuaranteeExact || got.Guarantee.String() != "exact" || got.Method != "exact" {
		t.Errorf("guarantee %v by %q; want exact by exact", got.Guarantee, got.Method)
	}
	if got.CoordOps != all || got.CoordOpsExact != all || got.CoordOpsBrute != all || got.Gain() != 1 {
		t.Errorf("%d operations, %d exact, of %d, gain %v; want %d of each", got.CoordOps, got.CoordOpsExact, got.CoordOpsBrute, got.Gain(), all)
	}
	if got.Delta != 0.125 || got.Epsilon != 0.5 || got.Seed != -3 || got.Threads != 1 || got.Wall <= 0 {
		t.Errorf("%+v; want delta 0.125, epsilon 0.5, seed -3, a thread and a time", got)
	}
}

// A weight is a number of copies of a coordinate: the distances are those of a matrix that has them.
func TestWeights(t *testing.T) {
	m := randomMatrix(15, 200, 600, 256)
	weights := make([]float64, m.d)
	copies := matrix{n: m.n}
	for j := range weights {
		weights[j] = float64(j % 3)
		copies.d += j % 3
	}
	for i := 0; i < m.n; i++ {
		for j, value := range m.row(i) {
			for c := 0; c < j%3; c++ {
				copies.x = append(copies.x, value)
			}
		}
	}
	ds := cleanly(t)(bmo.NewDense(m.x, m.n, m.d, bmo.WithMethod("bandit")))
	for _, metric := range metrics {
		s := newSearcher(t, ds, by(metric, bmo.WithWeights(weights))...)
		compareRows(t, s, copies, wanted(copies, metric, 4))
	}
	compareRows(t, newSearcher(t, ds, bmo.WithWeights(weights), bmo.WithWeights(nil)), m, wanted(m, "l2", 4))
}

package bmo_test

import (
	"math"
	"math/rand"
	"testing"

	"bmo"
)

// sparse is a matrix most of which is 0, and one of its points all of it.
func sparse(seed int64, n, d int) matrix {
	random := rand.New(rand.NewSource(seed))
	m := matrix{make([]float64, n*d), n, d}
	for i := range m.x {
		if random.Intn(16) == 0 && i/d != n/2 {
			m.x[i] = float64(random.Intn(90) + 1)
		}
	}
	return m
}

// compressed is the matrix in rows of entries. In those with an odd number they come from the last to the first.
func compressed[V bmo.Number, I bmo.Index](m matrix) bmo.CSR[V, I] {
	x := bmo.CSR[V, I]{Indptr: []I{0}, N: m.n, D: m.d}
	for i := 0; i < m.n; i++ {
		for j := 0; j < m.d; j++ {
			at := j
			if i%2 == 1 {
				at = m.d - 1 - j
			}
			if value := m.row(i)[at]; value != 0 {
				x.Indices = append(x.Indices, I(at))
				x.Values = append(x.Values, V(value))
			}
		}
		x.Indptr = append(x.Indptr, I(len(x.Indices)))
	}
	return x
}

func TestSparseIsThatOfAFullScan(t *testing.T) {
	for name, m := range map[string]matrix{
		"random":     sparse(20, 400, 900),
		"duplicates": duplicated(sparse(21, 300, 700)),
		"tied":       tied(250, 520),
		"tiny":       sparse(22, 3, 4),
	} {
		m := m
		t.Run(name, func(t *testing.T) {
			k, own := 4, cleanly(t)
			if k > m.n-1 {
				k = m.n - 1
			}
			datasets := map[string]*bmo.Dataset{
				"float32 by int":   own(compressed[float32, int](m).Dataset()),
				"float64 by int32": own(compressed[float64, int32](m).Dataset()),
				"uint8 by int64":   own(compressed[uint8, int64](m).Dataset()),
			}
			for _, metric := range []string{"l1", "l2", "sqeuclidean"} {
				want := wanted(m, metric, k)
				for dtype, ds := range datasets {
					for _, method := range []string{"auto", "bandit", "exact"} {
						t.Run(dtype+"/"+metric+"/"+method, func(t *testing.T) {
							compareRows(t, newSearcher(t, ds, bmo.WithMetric(metric), bmo.WithMethod(method)), m, want)
						})
					}
				}
			}
		})
	}
}

func TestSparseAndDenseTogether(t *testing.T) {
	points, queries := sparse(23, 300, 600), sparse(24, 6, 600)
	datasets := map[string]*bmo.Dataset{
		"dense":  cleanly(t)(bmo.NewDense(points.x, points.n, points.d)),
		"sparse": cleanly(t)(compressed[float64, int](points).Dataset()),
	}
	kinds := map[string]bmo.Points{
		"dense":          bmo.Dense[float64]{Data: queries.x, N: queries.n, D: queries.d},
		"sparse":         compressed[float32, int32](queries),
		"sparse dataset": cleanly(t)(compressed[float32, int](queries).Dataset()),
	}
	for of, ds := range datasets {
		s := newSearcher(t, ds, bmo.WithMetric("l1"))
		for name, kind := range kinds {
			t.Run(name+" in "+of, func(t *testing.T) {
				result, err := s.KNN(background, kind, 5)
				if err != nil {
					t.Fatal(err)
				}
				for i := 0; i < queries.n; i++ {
					compare(t, result, i, nearest("l1", points, queries.row(i), -1, 5))
				}
			})
		}
	}
}

func TestSparseInfoAndRows(t *testing.T) {
	ds := cleanly(t)(bmo.NewCSR([]int32{0, 2, 2, 5}, []int32{3, 0, 1, 1, 2}, []float64{5, 7, 1, 2, -4}, 3, 4))
	info, err := ds.Info()
	if err != nil || info.Kind != "sparse" || info.Type != "float64" || info.N != 3 || info.D != 4 || info.NNZ != 4 {
		t.Errorf("%+v, %v; want 3 sparse points of 4 float64, 4 of them stored: two were summed", info, err)
	}
	rows, err := ds.Rows([]int64{2, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 3, -4, 0, 7, 0, 0, 5, 0, 0, 0, 0} {
		if rows[i] != want {
			t.Errorf("element %d is %v; want %v", i, rows[i], want)
		}
	}
}

func TestSparseOfOnes(t *testing.T) {
	ds := cleanly(t)(bmo.NewCSR[uint8]([]int{0, 2, 3}, []int{0, 2, 1}, nil, 2, 3, bmo.WithMetric("l1")))
	result, err := newSearcher(t, ds).Graph(background, 1)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, result, 0, []neighbor{{1, 3}})
}

func TestMisuseOfCSR(t *testing.T) {
	csr := func(indptr, indices []int, values []float64, n, d int) func() error {
		return func() error { return failOf(bmo.NewCSR(indptr, indices, values, n, d)) }
	}
	ds := cleanly(t)(bmo.NewDense([]float64{1, 2, 3, 4}, 2, 2))
	s := newSearcher(t, ds)
	one := []float64{1}
	run(t, map[string]misuse{
		"nil":                {csr(nil, nil, nil, 2, 2), bmo.ErrInvalid, "indptr has 0 elements"},
		"indptr too short":   {csr([]int{0, 1}, []int{0}, one, 2, 2), bmo.ErrInvalid, "indptr has 2 elements"},
		"n negative":         {csr([]int{}, nil, nil, -1, 2), bmo.ErrInvalid, "n is -1"},
		"n huge":             {csr([]int{0}, nil, nil, math.MaxInt, 2), bmo.ErrInvalid, "indptr"},
		"d zero":             {csr([]int{0}, nil, nil, 0, 0), bmo.ErrInvalid, "d is 0"},
		"indptr falls":       {csr([]int{0, 1, 0}, []int{0}, one, 2, 2), bmo.ErrInvalid, "indptr[2] is 0; expected 1 to 1"},
		"indptr beyond":      {csr([]int{0, 0, 2}, []int{0}, one, 2, 2), bmo.ErrInvalid, "indptr[2] is 2; expected 0 to 1"},
		"indptr from 1":      {csr([]int{1, 1}, []int{0}, one, 1, 2), bmo.ErrInvalid, "indptr[0] is 1; expected 0"},
		"index beyond":       {csr([]int{0, 1}, []int{2}, one, 1, 2), bmo.ErrInvalid, "indices"},
		"index negative":     {csr([]int{0, 1}, []int{-1}, one, 1, 2), bmo.ErrInvalid, "indices"},
		"values too short":   {csr([]int{0, 2}, []int{0, 1}, one, 1, 2), bmo.ErrInvalid, "values has 1 elements"},
		"values empty":       {csr([]int{0, 1}, []int{0}, []float64{}, 1, 2), bmo.ErrInvalid, "values has 0 elements"},
		"NaN":                {csr([]int{0, 1}, []int{0}, []float64{math.NaN()}, 1, 2), bmo.ErrNonFinite, ""},
		"query of other d":   {func() error { return failOf(s.KNN(background, bmo.CSR[uint8, int]{Indptr: []int{0}, D: 3}, 1)) }, bmo.ErrInvalid, "queries.D is 3"},
		"query of bad shape": {func() error { return failOf(s.KNN(background, bmo.CSR[uint8, int]{N: 1, D: 2}, 1)) }, bmo.ErrInvalid, "queries.Indptr has 0 elements; expected queries.N + 1: queries.N is 1"},
		"k zero":             {func() error { return failOf(s.KNN(background, bmo.CSR[uint8, int]{D: 2}, 0)) }, bmo.ErrInvalid, "k is 0"},
	})
	if result, err := s.KNN(background, bmo.CSR[uint8, int]{D: 2}, 1); err != nil || result.Len() != 0 || result.Stats.Gain() != 0 {
		t.Errorf("no queries: %d answers, gain %v, %v", result.Len(), result.Stats.Gain(), err)
	}
}

// byCoordinates is the matrix in columns of entries.
func byCoordinates[V bmo.Number, I bmo.Index](m matrix) bmo.CSC[V, I] {
	x := bmo.CSC[V, I]{Indptr: []I{0}, N: m.n, D: m.d}
	for j := 0; j < m.d; j++ {
		for i := 0; i < m.n; i++ {
			if value := m.row(i)[j]; value != 0 {
				x.Indices = append(x.Indices, I(i))
				x.Values = append(x.Values, V(value))
			}
		}
		x.Indptr = append(x.Indptr, I(len(x.Indices)))
	}
	return x
}

func TestSparseByCoordinatesIsTheSame(t *testing.T) {
	m, q := sparse(25, 200, 500), sparse(26, 4, 500)
	csc := byCoordinates[float32, int32](m)
	for _, ds := range []*bmo.Dataset{cleanly(t)(csc.Dataset()), cleanly(t)(bmo.NewCSC(csc.Indptr, csc.Indices, csc.Values, m.n, m.d))} {
		s := newSearcher(t, ds, bmo.WithMetric("l1"))
		compareRows(t, s, m, wanted(m, "l1", 3))
		result, err := s.KNN(background, byCoordinates[uint8, int](q), 3)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < q.n; i++ {
			compare(t, result, i, nearest("l1", m, q.row(i), -1, 3))
		}
	}
	wantNames(t, map[string]named{
		"length":  {func() error { return failOf(bmo.NewCSC([]int{0, 1}, []int{0}, []uint8{7}, 1, 3)) }, "indptr", "indptr has 2 elements; expected d + 1: d is 3"},
		"indices": {func() error { return failOf(bmo.NewCSC([]int{0, 1}, []int{1}, []uint8{7}, 1, 1)) }, "indices", "indices[0], of coordinate 0, is 1"},
		"values": {func() error {
			return failOf(bmo.CSC[uint8, int]{Indptr: []int{0, 1}, Indices: []int{0}, Values: []uint8{}, N: 1, D: 1}.Dataset())
		}, "Values", "as many as Indices"},
	})
}

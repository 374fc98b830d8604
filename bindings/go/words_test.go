package bmo_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"bmo"
)

// A named is a call that must fail because of an argument, and what its message says.
type named struct {
	call           func() error
	argument, says string
}

// wantNames wants errors in the words of this package: the arguments and fields that its caller wrote.
func wantNames(t *testing.T, cases map[string]named) {
	for name, wrong := range cases {
		t.Run(name, func(t *testing.T) {
			var detail *bmo.Error
			err := wrong.call()
			if !errors.As(err, &detail) || detail.Argument != wrong.argument || !strings.Contains(detail.Message, wrong.says) {
				t.Errorf("%#v; want argument %q, and that it says %q", err, wrong.argument, wrong.says)
			}
		})
	}
}

func TestNamesOfPoints(t *testing.T) {
	nan, three := math.NaN(), []float64{1, 2, 3}
	csr := bmo.CSR[float64, int]{Indptr: []int{0, 1}, Indices: []int{1}, Values: []float64{nan}, N: 1, D: 3}
	beyond := bmo.CSR[float64, int32]{Indptr: []int32{0, 1}, Indices: []int32{3}, N: 1, D: 3}
	s := newSearcher(t, cleanly(t)(bmo.NewDense(three, 1, 3)))
	knn := func(queries bmo.Points) func() error {
		return func() error { return failOf(s.KNN(background, queries, 1)) }
	}
	other := cleanly(t)(bmo.NewDense(three, 3, 1))
	ofNaN := []float64{1, nan, 3}
	wantNames(t, map[string]named{
		"NaN":              {func() error { return failOf(bmo.NewDense(ofNaN, 1, 3)) }, "x", "x: the value of point 0, coordinate 1"},
		"NaN of a Dense":   {func() error { return failOf(bmo.Dense[float64]{Data: ofNaN, N: 1, D: 3}.Dataset()) }, "Data", "Data: the value of point 0"},
		"NaN of queries":   {knn(bmo.Dense[float64]{Data: ofNaN, N: 1, D: 3}), "queries.Data", "queries.Data: the value of point 0"},
		"length":           {func() error { return failOf(bmo.NewDense(three, 2, 3)) }, "x", "x has 3 elements; expected 6: n is 2 and d is 3"},
		"n":                {func() error { return failOf(bmo.NewDense(three, -1, 3)) }, "n", "n is -1"},
		"length of Dense":  {knn(bmo.Dense[float64]{Data: three, N: 2, D: 3}), "queries.Data", "queries.N is 2"},
		"width of dataset": {knn(other), "queries.D", "queries.D is 1; expected 3"},
		"indptr":           {func() error { return failOf(bmo.NewCSR([]int{0, 2}, []int{0}, three[:1], 1, 3)) }, "indptr", "indptr[1] is 2; expected 0 to 1"},
		"indptr's last": {func() error { return failOf(bmo.NewCSR([]int{0, 1}, []int{0, 1}, three[:2], 1, 3)) }, "indptr",
			"indptr[1] is 1; expected 2, where the last entry ends"},
		"indices":           {func() error { return failOf(bmo.NewCSR([]int{0, 1}, []int{3}, three[:1], 1, 3)) }, "indices", "indices[0], of point 0, is 3"},
		"values":            {func() error { return failOf(bmo.NewCSR([]int{0, 1}, []int{0}, three, 1, 3)) }, "values", "as many as indices"},
		"width":             {func() error { return failOf(bmo.NewCSR[uint8]([]int{0}, nil, nil, 0, 0)) }, "d", "d is 0"},
		"width too large":   {func() error { return failOf(bmo.NewCSR[uint8]([]int{0}, nil, nil, 0, 1<<31)) }, "d", "d is 2147483648"},
		"NaN of NewCSR":     {func() error { return failOf(bmo.NewCSR(csr.Indptr, csr.Indices, csr.Values, 1, 3)) }, "values", "values: the value of point 0"},
		"NaN of a CSR":      {func() error { return failOf(csr.Dataset()) }, "Values", "Values: the value of point 0, coordinate 1"},
		"Indices":           {func() error { return failOf(beyond.Dataset()) }, "Indices", "Indices[0], of point 0, is 3"},
		"NaN of sparse":     {knn(csr), "queries.Values", "queries.Values: the value of point 0, coordinate 1"},
		"indices of sparse": {knn(beyond), "queries.Indices", "queries.Indices[0], of point 0, is 3"},
	})
}

func TestNamesOfOptions(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float64{1, 2, 3, 4, 5, 6}, 2, 3))
	bind := func(opts ...bmo.Option) func() error {
		return func() error { return failOf(bmo.NewSearcher(ds, opts...)) }
	}
	wantNames(t, map[string]named{
		"unknown":    {bind(bmo.WithParam("nope", "1")), "nope", `name is "nope"; expected one of`},
		"custom":     {bind(bmo.WithMetric("custom")), "metric", "metric is custom, but there is no Rho: set one by WithRho"},
		"prepare":    {bind(bmo.WithBox("rotated")), "box", "call Prepare with this box first"},
		"weights":    {bind(bmo.WithWeights([]float64{1, 2})), "weights", "weights has 2 values; expected 3, one a coordinate"},
		"of Prepare": {func() error { return failOf(ds.Prepare(background, bmo.WithWeights([]float64{1, 2}))) }, "weights", "weights has 2 values; expected 3"},
	})
}

func TestNamesOfSubset(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float64{1, 2, 3, 4, 5, 6}, 3, 2))
	subset := func(rows ...int64) func() error {
		return func() error { return failOf(ds.Subset(background, rows)) }
	}
	wantNames(t, map[string]named{
		"below 0":  {subset(0, 1, -1), "rows", "rows[2] is -1"},
		"beyond n": {subset(0, 3), "rows", "rows[1] is 3 (counted from 0); the dataset has 3 points"},
	})
}

func TestNamesOfKMeans(t *testing.T) {
	s := newSearcher(t, cleanly(t)(bmo.NewDense([]float64{1, 2, 3, 4, 5, 6}, 3, 2)))
	none := newSearcher(t, cleanly(t)(bmo.NewDense([]float64{}, 0, 2)))
	kmeans := func(k int, how bmo.KMeans) func() error {
		return func() error { return failOf(s.KMeans(background, k, how)) }
	}
	wantNames(t, map[string]named{
		"k":       {kmeans(4, bmo.KMeans{}), "k", "k is 4; expected 1 to 3"},
		"Starts":  {kmeans(1, bmo.KMeans{Starts: 2, Centers: []float64{1, 2}}), "Starts", "Starts is 2; expected 0 or 1"},
		"MaxIter": {kmeans(1, bmo.KMeans{MaxIter: -1}), "MaxIter", "MaxIter is -1"},
		"Tol":     {kmeans(1, bmo.KMeans{Tol: -1}), "Tol", "Tol is -1"},
		"Centers": {kmeans(2, bmo.KMeans{Centers: []float64{1, 2, 3, math.NaN()}}), "Centers", "Centers: the value of point 1, coordinate 1 (counted from 0) is nan"},
		"none":    {func() error { return failOf(none.KMeans(background, 1, bmo.KMeans{})) }, "dataset", "the dataset has no points"},
	})
}

func TestNamesOfMedoid(t *testing.T) {
	own := cleanly(t)
	medoid := func(ds *bmo.Dataset, opts ...bmo.Option) func() error {
		s := newSearcher(t, ds, opts...)
		return func() error { return failOf(s.Medoid(background)) }
	}
	far := own(bmo.NewDense([]float64{0, 1.7e308, 1.7e308}, 3, 1, bmo.WithMetric("l1")))
	wantNames(t, map[string]named{
		"no points": {medoid(own(bmo.NewDense[uint8](nil, 0, 2))), "dataset", "the dataset has no points"},
		"method":    {medoid(far, bmo.WithMethod("uniform")), "method", "method is uniform"},
		"too far":   {medoid(far), "MeanDistance", "the distances of point 0 (counted from 0) add up to more"},
	})
}

func TestNamesOfArms(t *testing.T) {
	x := randomLists(34, 5, 20)
	with := func(n, k int, change func(arms *bmo.Arms), opts ...bmo.Option) func() error {
		arms := x.arms()
		change(&arms)
		return func() error { return failOf(bmo.BestArms(background, arms, n, k, opts...)) }
	}
	same := func(*bmo.Arms) {}
	noExact := func(arms *bmo.Arms) { arms.Exact = nil }
	unbounded := func(arms *bmo.Arms) { arms.Bounded = false }
	broken := func(arms *bmo.Arms) { arms.Exact = func(int64) (float64, error) { return math.NaN(), nil } }
	wantNames(t, map[string]named{
		"n":         {with(0, 1, same), "n", "n is 0; expected 1 to 2147483647"},
		"k":         {with(5, 6, same), "k", "k is 6; expected 1 to 5"},
		"Exact":     {with(5, 1, noExact, bmo.WithMethod("exact")), "method", "method is exact, but Exact is not given"},
		"ExactCost": {with(5, 1, func(arms *bmo.Arms) { arms.ExactCost = 0 }), "ExactCost", "ExactCost is 0"},
		"Lower":     {with(5, 1, func(arms *bmo.Arms) { arms.Lower = 2 }), "Lower", "Lower is 2 and Upper 1; expected Lower < Upper"},
		"Bounded":   {with(5, 1, unbounded, bmo.WithConfidence("bernstein")), "confidence", "bounded on both sides"},
		"said":      {with(5, 1, broken, bmo.WithMethod("exact")), "Exact", "Exact says"},
	})
}

// What a user wrote stays as it is, though C may use the same words.
func TestTextsOfTheUserStay(t *testing.T) {
	_, err := bmo.Open(background, "points.d of run.k, this config.npy")
	if err == nil || !strings.Contains(err.Error(), "points.d of run.k, this config.npy") {
		t.Errorf("%v; want the path", err)
	}
}

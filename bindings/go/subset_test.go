package bmo_test

import (
	"fmt"
	"math"
	"testing"

	"bmo"
)

// rowsOf is a matrix of some rows of another.
func rowsOf(m matrix, rows []int64) matrix {
	chosen := matrix{n: len(rows), d: m.d}
	for _, row := range rows {
		chosen.x = append(chosen.x, m.row(int(row))...)
	}
	return chosen
}

// disordered is some of n rows in no order, and the first of them once more.
func disordered(n int) (rows []int64) {
	for i := 0; i < n/2; i++ {
		rows = append(rows, int64((i*37+n-1)%n))
	}
	return append(rows, rows[0])
}

// prepared is the dataset, prepared for a box, or as it is for "".
func prepared(t *testing.T, ds *bmo.Dataset, box string) *bmo.Dataset {
	t.Helper()
	if box == "" {
		return ds
	}
	return cleanly(t)(ds.Prepare(background, bmo.WithBox(box), bmo.WithSeed(5)))
}

// sameDistances wants two datasets to have the same exact graph.
func sameDistances(t *testing.T, got, want *bmo.Dataset, k int) {
	t.Helper()
	var graphs [2]bmo.Result
	for i, ds := range []*bmo.Dataset{got, want} {
		graph, err := newSearcher(t, ds, bmo.WithMethod("exact")).Graph(background, k)
		if err != nil {
			t.Fatal(err)
		}
		graphs[i] = graph
	}
	if len(graphs[0].Index) != len(graphs[1].Index) {
		t.Fatalf("%d neighbors; want %d", len(graphs[0].Index), len(graphs[1].Index))
	}
	for i, index := range graphs[1].Index {
		if graphs[0].Index[i] != index || graphs[0].Distance[i] != graphs[1].Distance[i] {
			t.Fatalf("neighbor %d is %d at %v; want %d at %v", i, graphs[0].Index[i], graphs[0].Distance[i], index, graphs[1].Distance[i])
		}
	}
}

func TestSubsetIsADatasetOfItsRows(t *testing.T) {
	m, entries := randomMatrix(80, 150, 600, 1000), sparse(81, 150, 600)
	rows := disordered(m.n)
	for _, test := range []struct {
		name, box string
		m         matrix
		make      func(m matrix) (*bmo.Dataset, error)
	}{
		{"dense", "", m, plainDense},
		{"dense, prepared", "dense", m, plainDense},
		{"dense, rotated", "rotated", m, plainDense},
		{"dense, projected", "projected", m, plainDense},
		{"dense, sketch", "sketch", m, plainDense},
		{"sparse", "", entries, plainSparse},
		{"sparse, prepared", "sparse", entries, plainSparse},
	} {
		test := test
		t.Run(test.name, func(t *testing.T) {
			whole, chosen := prepared(t, cleanly(t)(test.make(test.m)), test.box), rowsOf(test.m, rows)
			subset := cleanly(t)(whole.Subset(background, rows))
			of, is := infoOf(t, whole), infoOf(t, subset)
			if is.N != len(rows) || is.D != of.D || is.Kind != of.Kind || is.Type != of.Type || is.Box != of.Box || is.Metric != of.Metric || is.Seed != of.Seed {
				t.Fatalf("%+v; want %d points as in %+v", is, len(rows), of)
			}
			sameDistances(t, subset, cleanly(t)(test.make(chosen)), 4)
			compareRows(t, newSearcher(t, subset, bmo.WithMethod("bandit")), chosen, wanted(chosen, "l2", 4))
		})
	}
}

func plainDense(m matrix) (*bmo.Dataset, error) { return bmo.NewDense(m.x, m.n, m.d) }

func plainSparse(m matrix) (*bmo.Dataset, error) { return compressed[float64, int](m).Dataset() }

func TestSubsetWithoutPoints(t *testing.T) {
	ds := cleanly(t)(plainDense(randomMatrix(82, 20, 6, 100)))
	for _, box := range []string{"", "dense"} {
		for _, rows := range [][]int64{nil, {}} {
			empty := cleanly(t)(prepared(t, ds, box).Subset(background, rows))
			if info := infoOf(t, empty); info.N != 0 || info.D != 6 {
				t.Errorf("box %q: %+v; want no points of 6 coordinates", box, info)
			}
			if result, err := newSearcher(t, empty).Graph(background, 1); err != nil || result.Len() != 0 {
				t.Errorf("box %q: %d answers, %v", box, result.Len(), err)
			}
		}
	}
}

func TestSubsetHasTheOptionsOfItsDataset(t *testing.T) {
	x, weights := []float64{9, 9, 0, 0, 3, 4}, []float64{2, 1}
	for _, box := range []string{"", "dense"} {
		whole := prepared(t, cleanly(t)(bmo.NewDense(x, 3, 2, bmo.WithMetric("l1"), bmo.WithWeights(weights))), box)
		subset := cleanly(t)(whole.Subset(background, []int64{2, 1}))
		whole.Close() // the subset needs nothing of it
		if result, err := newSearcher(t, subset).Graph(background, 1); err != nil || result.Distance[0] != 10 {
			t.Errorf("box %q: %v, %v; want 10, that of l1 with the weights", box, result.Distance, err)
		}
	}
}

func TestSubsetOfBorrowedDataIsACopy(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6}
	ds := cleanly(t)(bmo.BorrowDense(x, 3, 2))
	subset := cleanly(t)(ds.Subset(background, []int64{2, 0}))
	x[0], x[5] = math.NaN(), math.NaN()
	if info := infoOf(t, subset); info.BytesBorrowed != 0 {
		t.Errorf("%d bytes are borrowed; want none", info.BytesBorrowed)
	}
	if got, err := subset.Rows([]int64{0, 1}); err != nil || fmt.Sprint(got) != "[5 6 1 2]" {
		t.Errorf("%v, %v; want the points as they were", got, err)
	}
}

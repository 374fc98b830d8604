package bmo_test

import (
	"errors"
	"math"
	"testing"

	"bmo"
)

// A choice is candidates, and what they mean for brute force: the chosen points, all of them for nil, and labels.
type choice struct {
	candidates bmo.Candidates
	chosen     map[int]bool
}

// allows tells whether a point is a candidate of a query with this label.
func (c choice) allows(point int, label int32) bool {
	if c.chosen != nil && !c.chosen[point] {
		return false
	}
	switch c.candidates.LabelRule {
	case bmo.LabelsSame:
		return c.candidates.Labels[point] == label
	case bmo.LabelsOther:
		return c.candidates.Labels[point] != label
	default:
		return true
	}
}

// nearest scans the candidates of a query, all of them, nearest first.
func (c choice) nearest(metric string, m matrix, query []float64, skip int, label int32) (found []neighbor) {
	count := m.n
	if skip >= 0 {
		count--
	}
	for _, one := range nearest(metric, m, query, skip, count) {
		if c.allows(int(one.index), label) {
			found = append(found, one)
		}
	}
	return found
}

func (c choice) label(point int) int32 {
	if c.candidates.Labels == nil {
		return 0
	}
	return c.candidates.Labels[point]
}

// most is the first of them, at most so many.
func most(found []neighbor, k int) []neighbor {
	if len(found) > k {
		return found[:k]
	}
	return found
}

// upTo is those within a distance.
func upTo(found []neighbor, distance float64) []neighbor {
	for len(found) > 0 && found[len(found)-1].distance > distance {
		found = found[:len(found)-1]
	}
	return found
}

// labelsOf has some labels of many points, and some of few: point 0 is alone.
func labelsOf(n int) []int32 {
	labels := make([]int32, n)
	for i := range labels {
		labels[i] = []int32{-7, 3, math.MaxInt32}[i*i%3]
		if i%50 == 1 {
			labels[i] = 12
		}
	}
	labels[0] = math.MinInt32
	return labels
}

// choices are some of n points: the same by rows and by mask, and each rule with and without them.
func choices(n int) map[string]choice {
	rows, mask, chosen := []int64(nil), make([]bool, n), map[int]bool{}
	for i := 0; i < n; i++ {
		if row := (i*37 + 5) % n; row%3 != 1 {
			rows = append(rows, int64(row))
			mask[row], chosen[row] = true, true
		}
	}
	labels := labelsOf(n)
	return map[string]choice{
		"all":            {bmo.Candidates{}, nil},
		"rows":           {bmo.Candidates{Rows: rows}, chosen},
		"mask":           {bmo.Candidates{Mask: mask}, chosen},
		"same":           {bmo.Candidates{Labels: labels, LabelRule: bmo.LabelsSame}, nil},
		"other":          {bmo.Candidates{Labels: labels, LabelRule: bmo.LabelsOther}, nil},
		"same of rows":   {bmo.Candidates{Rows: rows, Labels: labels, LabelRule: bmo.LabelsSame}, chosen},
		"other of masks": {bmo.Candidates{Mask: mask, Labels: labels, LabelRule: bmo.LabelsOther}, chosen},
	}
}

func newSearcherAmong(t testing.TB, ds *bmo.Dataset, candidates bmo.Candidates, opts ...bmo.Option) *bmo.Searcher {
	t.Helper()
	s, err := bmo.NewSearcherAmong(background, ds, candidates, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestNeighborsAmongCandidates(t *testing.T) {
	const k = 4
	m, q := randomMatrix(90, 150, 400, 1000), randomMatrix(91, 4, 400, 1000)
	queryLabels := []int32{3, -7, 12, 99} // the last one is that of no point
	own := cleanly(t)
	whole := own(bmo.NewDense(m.x, m.n, m.d))
	for kind, ds := range map[string]*bmo.Dataset{
		"dense":   whole,
		"rotated": own(whole.Prepare(background, bmo.WithBox("rotated"))),
		"sparse":  own(plainSparse(m)),
	} {
		for name, c := range choices(m.n) {
			c := c
			t.Run(kind+", "+name, func(t *testing.T) {
				// Of so many neighbors within a distance some would be missing at a larger delta.
				s := newSearcherAmong(t, ds, c.candidates, bmo.WithMethod("bandit"), bmo.WithDelta(1e-9))
				labels, opts := make([]int32, q.n), []bmo.SearchOption(nil)
				if c.candidates.LabelRule != "" {
					labels, opts = queryLabels, []bmo.SearchOption{bmo.WithQueryLabels(queryLabels)}
				}
				distance := between("l2", m, q.row(0), 20)
				queries := bmo.Dense[float64]{Data: q.x, N: q.n, D: q.d}
				result, err := s.KNN(background, queries, k, opts...)
				if err != nil {
					t.Fatal(err)
				}
				near, err := s.Radius(background, queries, distance, opts...)
				if err != nil {
					t.Fatal(err)
				}
				for i, label := range labels {
					want := c.nearest("l2", m, q.row(i), -1, label)
					compare(t, result, i, most(want, k))
					compare(t, near, i, upTo(want, distance))
				}
				graph, err := s.Graph(background, k)
				if err != nil {
					t.Fatal(err)
				}
				around, err := s.RadiusGraph(background, distance)
				if err != nil {
					t.Fatal(err)
				}
				for i := 0; i < m.n; i++ {
					want := c.nearest("l2", m, m.row(i), i, c.label(i))
					compare(t, graph, i, most(want, k))
					compare(t, around, i, upTo(want, distance))
				}
				some := []int64{51, 0, 51}
				rows, err := s.KNNRows(background, some, k)
				if err != nil {
					t.Fatal(err)
				}
				for i, row := range some {
					compare(t, rows, i, most(c.nearest("l2", m, m.row(int(row)), int(row), c.label(int(row))), k))
				}
			})
		}
	}
}

func TestShortRowsAmongCandidates(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float64{0, 1, 3, 7}, 4, 1))
	s := newSearcherAmong(t, ds, bmo.Candidates{Labels: []int32{5, 5, 5, 6}, LabelRule: bmo.LabelsSame})
	graph, err := s.Graph(background, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]neighbor{{{1, 1}, {2, 3}}, {{0, 1}, {2, 2}}, {{1, 2}, {0, 3}}, {}} {
		compare(t, graph, i, want)
	}
	if graph.Index[2] != -1 || !math.IsInf(graph.Distance[2], 1) || graph.Stats.Neighbors != 6 {
		t.Errorf("%d at %v, %d neighbors in all; want -1 at infinity, 6", graph.Index[2], graph.Distance[2], graph.Stats.Neighbors)
	}
}

func TestQueriesOfEachKindHaveLabels(t *testing.T) {
	own := cleanly(t)
	ds := own(bmo.NewDense([]float64{0, 1, 3, 7}, 4, 1))
	s := newSearcherAmong(t, ds, bmo.Candidates{Labels: []int32{5, 6, 5, 6}, LabelRule: bmo.LabelsOther})
	labels := bmo.WithQueryLabels([]int32{6, 5, 8})
	queries := bmo.Dense[float64]{Data: []float64{1, 3, 2.5}, N: 3, D: 1}
	for kind, points := range map[string]bmo.Points{
		"dense":   queries,
		"sparse":  compressed[float64, int](matrix{queries.Data, 3, 1}),
		"dataset": own(queries.Dataset()),
	} {
		result, err := s.KNN(background, points, 1, labels)
		if err != nil {
			t.Fatal(kind, err)
		}
		for i, want := range [][]neighbor{{{0, 1}}, {{1, 2}}, {{2, 0.5}}} {
			compare(t, result, i, want)
		}
	}
	none, err := s.KNN(background, bmo.Dense[float64]{N: 0, D: 1}, 1)
	if err != nil || none.Len() != 0 {
		t.Errorf("%+v, %v; want no answers of no queries", none, err)
	}
}

func TestSearcherAmongOutlivesItsDataset(t *testing.T) {
	ds, err := bmo.NewDense([]float64{0, 1, 3}, 3, 1, bmo.WithMetric("sqeuclidean"))
	if err != nil {
		t.Fatal(err)
	}
	rows := []int64{2, 0}
	s := newSearcherAmong(t, ds, bmo.Candidates{Rows: rows})
	ds.Close()
	rows[0] = 1
	result, err := s.Graph(background, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]neighbor{{{2, 9}}, {{0, 1}}, {{0, 9}}} {
		compare(t, result, i, want)
	}
	if err := failOf(bmo.NewSearcherAmong(background, ds, bmo.Candidates{})); !errors.Is(err, bmo.ErrClosed) {
		t.Errorf("%v; want closed", err)
	}
}

func TestNamesOfCandidates(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float64{0, 1, 3, 7}, 4, 1))
	empty := cleanly(t)(bmo.NewDense[float64](nil, 0, 1))
	labels := []int32{5, 6, 5, 6}
	among := func(candidates bmo.Candidates, opts ...bmo.Option) func() error {
		return func() error { return failOf(bmo.NewSearcherAmong(background, ds, candidates, opts...)) }
	}
	chosen := newSearcherAmong(t, ds, bmo.Candidates{Rows: []int64{1, 2}})
	labeled := newSearcherAmong(t, ds, bmo.Candidates{Labels: labels, LabelRule: bmo.LabelsSame})
	queries := bmo.Dense[float64]{Data: []float64{1}, N: 1, D: 1}
	wantNames(t, map[string]named{
		"rows beyond n": {among(bmo.Candidates{Rows: []int64{0, 4}}), "Rows", "Rows[1] is 4 (counted from 0); the dataset has 4 points"},
		"rows below 0":  {among(bmo.Candidates{Rows: []int64{-1}}), "Rows", "Rows[0] is -1"},
		"rows twice":    {among(bmo.Candidates{Rows: []int64{2, 0, 2}}), "Rows", "Rows has row 2 twice; expected each row once"},
		"no rows":       {among(bmo.Candidates{Rows: []int64{}}), "Rows", "Rows has no element; expected 1 or more, or nil for all points"},
		"no mask":       {among(bmo.Candidates{Mask: make([]bool, 4)}), "candidates", "no point is a candidate; expected 1 or more of the dataset's 4"},
		"short mask":    {among(bmo.Candidates{Mask: make([]bool, 3)}), "Mask", "Mask has 3 elements; expected 4, one for each point"},
		"rows and mask": {among(bmo.Candidates{Rows: []int64{1}, Mask: make([]bool, 4)}), "Mask", "candidates has rows and a mask; expected at most one of them"},
		"unknown rule":  {among(bmo.Candidates{Labels: labels, LabelRule: "equal"}), "LabelRule", `LabelRule is "equal"; expected "same", "other" or ""`},
		"no rule":       {among(bmo.Candidates{Labels: labels}), "LabelRule", `LabelRule is ""; expected "same" or "other", for there are Labels`},
		"no labels":     {among(bmo.Candidates{LabelRule: bmo.LabelsOther}), "Labels", "Labels has 0 elements; expected 4, one for each point"},
		"many labels":   {among(bmo.Candidates{Labels: make([]int32, 5), LabelRule: bmo.LabelsOther}), "Labels", "Labels has 5 elements; expected 4"},
		"option":        {among(bmo.Candidates{}, bmo.WithP(3)), "p", "p"},
		"no points": {func() error { return failOf(bmo.NewSearcherAmong(background, empty, bmo.Candidates{})) }, "candidates",
			"the dataset has no points"},
		"k":               {func() error { return failOf(chosen.Graph(background, 3)) }, "k", "k is 3; expected 1 to 2"},
		"no query labels": {func() error { return failOf(labeled.KNN(background, queries, 1)) }, "queryLabels", "queryLabels has 0 elements; expected 1, one for each query"},
		"query labels": {func() error { return failOf(labeled.Radius(background, queries, 1, bmo.WithQueryLabels(labels))) },
			"queryLabels", "queryLabels has 4 elements; expected 1"},
		"labels of points": {func() error { return failOf(labeled.Graph(background, 1, bmo.WithQueryLabels(labels))) }, "queryLabels",
			"queryLabels has 4 elements; expected none: the queries are points of the dataset"},
		"without labels": {func() error { return failOf(chosen.KNN(background, queries, 1, bmo.WithQueryLabels(labels[:1]))) },
			"queryLabels", "queryLabels has 1 elements; expected none"},
		"KMeans": {func() error { return failOf(chosen.KMeans(background, 1, bmo.KMeans{})) }, "searcher",
			"searcher searches among chosen candidates; expected one of all points: to use some points, make a dataset of them by Subset"},
		"Medoid": {func() error { return failOf(labeled.Medoid(background)) }, "searcher", "searcher searches among chosen candidates"},
	})
}

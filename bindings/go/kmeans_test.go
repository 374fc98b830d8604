package bmo_test

import (
	"errors"
	"math"
	"testing"

	"bmo"
)

// nearestCenters labels the points by their nearest centers, ties to the lowest.
func nearestCenters(points matrix, centers []float64) (labels []int32, inertia float64) {
	for i := 0; i < points.n; i++ {
		best, least := int32(-1), math.Inf(1)
		for c := 0; c*points.d < len(centers); c++ {
			if apart := distance("sqeuclidean", points.row(i), centers[c*points.d:(c+1)*points.d]); apart < least {
				best, least = int32(c), apart
			}
		}
		labels = append(labels, best)
		inertia += least
	}
	return labels, inertia
}

// means are the centers of labeled points; each label is there.
func means(points matrix, labels []int32, k int) []float64 {
	centers, counts := make([]float64, k*points.d), make([]float64, k)
	for i, label := range labels {
		counts[label]++
		for j, value := range points.row(i) {
			centers[int(label)*points.d+j] += value
		}
	}
	for at := range centers {
		centers[at] /= counts[at/points.d]
	}
	return centers
}

// lloyd is Lloyd's algorithm from these centers, until no label changes.
func lloyd(points matrix, centers []float64) bmo.Clusters {
	k := len(centers) / points.d
	labels, _ := nearestCenters(points, centers)
	for moves := 1; ; moves++ {
		centers = means(points, labels, k)
		before := labels
		var inertia float64
		if labels, inertia = nearestCenters(points, centers); equalLabels(labels, before) {
			return bmo.Clusters{K: k, D: points.d, Centers: centers, Labels: labels, Inertia: inertia, Iterations: moves}
		}
	}
}

func equalLabels(a, b []int32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

// clusteredMatrix is points around as many spots, each of which the first k points have one of.
func clusteredMatrix(seed int64, n, d, k int) matrix {
	spots, noise := randomMatrix(seed, k, d, 200), randomMatrix(seed+1, n, d, 56)
	for i := range noise.x {
		noise.x[i] += spots.x[i/d%k*d+i%d]
	}
	return noise
}

func TestKMeans(t *testing.T) {
	const k = 7
	points := clusteredMatrix(3, 400, 600, k)
	start := append([]float64(nil), points.x[:k*points.d]...)
	copy(start[points.d:], points.x[k*points.d:(k+1)*points.d]) // two of one spot: some steps until all is quiet
	want := lloyd(points, start)
	if want.Iterations < 2 {
		t.Fatalf("the test needs %d iterations only", want.Iterations)
	}
	for _, threads := range []int{1, 2} {
		ds := cleanly(t)(bmo.NewDense(convert[uint8](points.x), points.n, points.d, bmo.WithThreads(threads)))
		got, err := newSearcher(t, ds).KMeans(background, k, bmo.KMeans{Centers: start})
		if err != nil {
			t.Fatal(err)
		}
		if !equalLabels(got.Labels, want.Labels) || got.Iterations != want.Iterations {
			t.Errorf("%d threads: labels or iterations (%d, want %d) differ", threads, got.Iterations, want.Iterations)
		}
		if math.Abs(got.Inertia-want.Inertia) > 1e-12*want.Inertia {
			t.Errorf("inertia %v; want %v", got.Inertia, want.Inertia)
		}
		for at := range want.Centers {
			if math.Abs(got.Centers[at]-want.Centers[at]) > 1e-12*want.Centers[at] {
				t.Fatalf("center %d: %v; want %v", at/points.d, got.Centers[at], want.Centers[at])
			}
		}
		if got.Stats.Guarantee != bmo.GuaranteeExact || got.Stats.Gain() <= 1 || len(got.Center(k-1)) != points.d {
			t.Errorf("stats %+v", got.Stats)
		}
	}
}

func TestKMeansByItself(t *testing.T) {
	points := clusteredMatrix(5, 200, 30, 4)
	s := newSearcher(t, cleanly(t)(bmo.NewDense(points.x, points.n, points.d, bmo.WithSeed(2))))
	for _, how := range []bmo.KMeans{{}, {Init: "plusplus", Starts: 3}, {Init: "random", MaxIter: 1}, {Tol: 1e9}} {
		got, err := s.KMeans(background, 4, how)
		if err != nil {
			t.Fatal(err)
		}
		labels, inertia := nearestCenters(points, got.Centers)
		if !equalLabels(got.Labels, labels) || math.Abs(got.Inertia-inertia) > 1e-12*inertia {
			t.Errorf("%+v: labels or inertia are not those of the centers", how)
		}
		if how.MaxIter == 1 && got.Iterations > 1 || how.Tol > 0 && got.Iterations > 1 {
			t.Errorf("%+v: %d iterations", how, got.Iterations)
		}
	}
}

func TestKMeansOfSparsePoints(t *testing.T) {
	points := clusteredMatrix(8, 120, 90, 4)
	for i := range points.x {
		if i%3 > 0 {
			points.x[i] = 0
		}
	}
	start := append([]float64(nil), points.x[:4*points.d]...)
	want := lloyd(points, start)
	ds := cleanly(t)(compressed[float64, int](points).Dataset())
	got, err := newSearcher(t, ds).KMeans(background, 4, bmo.KMeans{Centers: start})
	if err != nil {
		t.Fatal(err)
	}
	if !equalLabels(got.Labels, want.Labels) || math.Abs(got.Inertia-want.Inertia) > 1e-12*want.Inertia {
		t.Errorf("labels or inertia differ from those of Lloyd's algorithm")
	}
}

// The centers alone would fit into the memory of many a machine; what C makes beside them would not.
func TestKMeansBeyondMemory(t *testing.T) {
	const d = 1<<31 - 1
	ds := cleanly(t)(bmo.NewCSR([]int{0, 1, 2}, []int{1, 5}, []float64{1, 2}, 2, d))
	if _, err := newSearcher(t, ds).KMeans(background, 2, bmo.KMeans{}); !errors.Is(err, bmo.ErrNoMemory) {
		t.Errorf("%v; want ErrNoMemory", err)
	}
}

func TestMisuseOfKMeans(t *testing.T) {
	points := clusteredMatrix(6, 20, 3, 2)
	s := newSearcher(t, cleanly(t)(bmo.NewDense(points.x, points.n, points.d)))
	closed := newSearcher(t, cleanly(t)(bmo.NewDense(points.x, points.n, points.d)))
	closed.Close()
	with := func(s *bmo.Searcher, k int, how bmo.KMeans) func() error {
		return func() error { return failOf(s.KMeans(background, k, how)) }
	}
	run(t, map[string]misuse{
		"k zero":          {with(s, 0, bmo.KMeans{}), bmo.ErrInvalid, "k is 0; expected 1 to 20"},
		"k beyond n":      {with(s, 21, bmo.KMeans{}), bmo.ErrInvalid, "k is 21"},
		"k huge":          {with(s, math.MaxInt, bmo.KMeans{Centers: []float64{1}}), bmo.ErrInvalid, "k is"},
		"init":            {with(s, 2, bmo.KMeans{Init: "best"}), bmo.ErrInvalid, `Init is "best"`},
		"starts":          {with(s, 2, bmo.KMeans{Starts: -1}), bmo.ErrInvalid, "Starts is -1; expected 0 to 2147483647"},
		"max_iter":        {with(s, 2, bmo.KMeans{MaxIter: -1}), bmo.ErrInvalid, "MaxIter is -1; expected 0 or more"},
		"tol":             {with(s, 2, bmo.KMeans{Tol: -1}), bmo.ErrInvalid, "Tol is -1; expected 0 or more"},
		"centers missing": {with(s, 2, bmo.KMeans{Centers: points.x[:5]}), bmo.ErrInvalid, "Centers has 5 elements; expected 6"},
		"starts given":    {with(s, 1, bmo.KMeans{Starts: 2, Centers: points.x[:3]}), bmo.ErrInvalid, "Starts is 2"},
		"center NaN":      {with(s, 1, bmo.KMeans{Centers: []float64{1, math.NaN(), 3}}), bmo.ErrNonFinite, ""},
		"closed":          {with(closed, 2, bmo.KMeans{}), bmo.ErrClosed, ""},
		"nil":             {with(nil, 2, bmo.KMeans{}), bmo.ErrClosed, ""},
	})
	ctx, cancel := stopped()
	defer cancel()
	if _, err := s.KMeans(ctx, 2, bmo.KMeans{}); !errors.Is(err, bmo.ErrCanceled) {
		t.Errorf("%v; want ErrCanceled", err)
	}
}

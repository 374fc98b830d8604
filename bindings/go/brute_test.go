package bmo_test

import (
	"context"
	"math"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"bmo"
)

var background = context.Background()

// cleanly makes a dataset that the test closes.
func cleanly(t testing.TB) func(ds *bmo.Dataset, err error) *bmo.Dataset {
	return func(ds *bmo.Dataset, err error) *bmo.Dataset {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ds.Close() })
		return ds
	}
}

func newSearcher(t testing.TB, ds *bmo.Dataset, opts ...bmo.Option) *bmo.Searcher {
	t.Helper()
	s, err := bmo.NewSearcher(ds, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A matrix is n points of d whole numbers from 0 to 255, row-major: exact in every type, and so are sums of squares.
type matrix struct {
	x    []float64
	n, d int
}

func (m matrix) row(i int) []float64 { return m.x[i*m.d : (i+1)*m.d] }

func randomMatrix(seed int64, n, d, values int) matrix {
	random := rand.New(rand.NewSource(seed))
	m := matrix{make([]float64, n*d), n, d}
	for i := range m.x {
		m.x[i] = float64(random.Intn(values))
	}
	return m
}

// convert is the matrix in another type.
func convert[T bmo.Number](x []float64) []T {
	converted := make([]T, len(x))
	for i, value := range x {
		converted[i] = T(value)
	}
	return converted
}

// by are the options of a metric; lp has p = 3.
func by(metric string, more ...bmo.Option) []bmo.Option {
	opts := append([]bmo.Option{bmo.WithMetric(metric)}, more...)
	if metric == bmo.Lp {
		opts = append(opts, bmo.WithP(3))
	}
	return opts
}

// distance is one of the library's metrics, from its definition; lp has p = 3.
func distance(metric string, a, b []float64) float64 {
	sum := 0.0
	for j := range a {
		difference := math.Abs(a[j] - b[j])
		switch metric {
		case "l1":
			sum += difference
		case "lp":
			sum += difference * difference * difference
		default:
			sum += difference * difference
		}
	}
	switch metric {
	case "l2":
		return math.Sqrt(sum)
	case "lp":
		return math.Cbrt(sum)
	default:
		return sum
	}
}

// A neighbor is a point and its distance.
type neighbor struct {
	index    int64
	distance float64
}

// nearest scans all points but skip.
func nearest(metric string, points matrix, query []float64, skip, k int) []neighbor {
	var all []neighbor
	for i := 0; i < points.n; i++ {
		if i != skip {
			all = append(all, neighbor{int64(i), distance(metric, query, points.row(i))})
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].distance < all[b].distance })
	return all[:k]
}

// A rows is an answer, of either kind of search.
type rows interface {
	Row(i int) (index []int64, distance []float64)
}

// compare wants query i of a result to have these neighbors: the same points, and distances equal to the last bits.
func compare(t testing.TB, result rows, i int, want []neighbor) {
	t.Helper()
	index, dist := result.Row(i)
	if len(index) != len(want) || len(dist) != len(want) {
		t.Fatalf("query %d has %d neighbors, %d distances; want %d", i, len(index), len(dist), len(want))
	}
	for r := range want {
		if index[r] != want[r].index || math.Abs(dist[r]-want[r].distance) > 1e-14*want[r].distance {
			t.Fatalf("query %d, rank %d: point %d at %v; want %d at %v", i, r, index[r], dist[r], want[r].index, want[r].distance)
		}
	}
}

// resident is how many bytes of memory the process holds.
func resident(t testing.TB) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

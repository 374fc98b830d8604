package bmo_test

import (
	"context"
	"testing"

	"bmo"
)

func BenchmarkGraph(b *testing.B) {
	m := randomMatrix(14, 500, 4096, 256)
	ds := cleanly(b)(bmo.NewDense(convert[uint8](m.x), m.n, m.d))
	s := newSearcher(b, ds)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if _, err := s.Graph(background, 5); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSmallestCall is what a call costs beside its search: of two points there is next to nothing to search.
func BenchmarkSmallestCall(b *testing.B) {
	s := newSearcher(b, cleanly(b)(bmo.NewDense([]float32{1, 2}, 2, 1)))
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	rows := []int64{0}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if _, err := s.KNNRows(ctx, rows, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewDense(b *testing.B) {
	const n, d = 1000, 4096
	x := make([]float32, n*d)
	b.SetBytes(4 * n * d)
	for i := 0; i < b.N; i++ {
		ds, err := bmo.NewDense(x, n, d)
		if err != nil {
			b.Fatal(err)
		}
		ds.Close()
	}
}

package bmo_test

import (
	"errors"
	"math"
	"testing"

	"bmo"
)

// known wants an error of one of the sentinels that a constructor may return.
func known(t *testing.T, err error) {
	t.Helper()
	for _, kind := range []error{bmo.ErrInvalid, bmo.ErrNonFinite, bmo.ErrOverflow, bmo.ErrNoMemory} {
		if errors.Is(err, kind) {
			return
		}
	}
	t.Fatalf("%v is of no known kind", err)
}

// sameRows wants the dataset to hold what the strides say.
func sameRows[T bmo.Number](t *testing.T, ds *bmo.Dataset, x bmo.Dense[T]) {
	t.Helper()
	coordStride := x.CoordStride
	if coordStride == 0 || x.D == 1 {
		coordStride = 1
	}
	pointStride := x.PointStride
	if pointStride == 0 {
		pointStride = x.D * coordStride
	}
	for i := 0; i < x.N; i++ {
		row, err := ds.Rows([]int64{int64(i)})
		if err != nil {
			t.Fatal(err)
		}
		for j := range row {
			if want := float64(x.Data[i*pointStride+j*coordStride]); row[j] != want {
				t.Fatalf("point %d, coordinate %d is %v; want %v", i, j, row[j], want)
			}
		}
	}
}

func tryDense[T bmo.Number](t *testing.T, x bmo.Dense[T], k int) {
	ds, err := x.Dataset()
	if err != nil {
		known(t, err)
		return
	}
	defer ds.Close()
	sameRows(t, ds, x)
	s := newSearcher(t, ds)
	result, err := s.KNN(background, x, k)
	switch {
	case k < 1 || (k > x.N && x.N > 0):
		if !errors.Is(err, bmo.ErrInvalid) {
			t.Fatalf("k is %d of %d points: %v; want invalid", k, x.N, err)
		}
	case err != nil && !errors.Is(err, bmo.ErrOverflow):
		t.Fatal(err)
	case err == nil && result.Len() != x.N:
		t.Fatalf("%d answers to %d queries", result.Len(), x.N)
	}
}

func FuzzDense(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6}, 2, 3, 0, 0, 1, uint8(0))
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7}, 2, 3, 4, 1, 2, uint8(1))
	f.Add([]byte{1, 2, 3, 4}, 2, 2, 1, 2, 9, uint8(2))
	f.Add([]byte{}, 0, 1, 0, 0, 1, uint8(0))
	f.Add([]byte{}, math.MaxInt, math.MaxInt, 0, 0, 1, uint8(1))
	f.Add([]byte{7}, 1, 1, -1, math.MinInt, 1, uint8(2))
	f.Fuzz(func(t *testing.T, bytes []byte, n, d, pointStride, coordStride, k int, kind uint8) {
		if len(bytes) > 4096 {
			return
		}
		switch kind % 3 {
		case 0:
			tryDense(t, bmo.Dense[uint8]{Data: bytes, N: n, D: d, PointStride: pointStride, CoordStride: coordStride}, k)
		case 1:
			tryDense(t, bmo.Dense[float32]{Data: float32s(bytes), N: n, D: d, PointStride: pointStride, CoordStride: coordStride}, k)
		default:
			tryDense(t, bmo.Dense[int64]{Data: int64s(bytes), N: n, D: d, PointStride: pointStride, CoordStride: coordStride}, k)
		}
	})
}

// float32s is any float32 that four bytes can be, NaN and infinity too.
func float32s(bytes []byte) []float32 {
	var x []float32
	for ; len(bytes) >= 4; bytes = bytes[4:] {
		bits := uint32(bytes[0]) | uint32(bytes[1])<<8 | uint32(bytes[2])<<16 | uint32(bytes[3])<<24
		x = append(x, math.Float32frombits(bits))
	}
	return x
}

func int64s(bytes []byte) []int64 {
	var x []int64
	for _, b := range bytes {
		x = append(x, int64(b)-128)
	}
	return x
}

func FuzzCSR(f *testing.F) {
	f.Add([]byte{0, 2, 3}, []byte{0, 2, 1}, []byte{5, 6, 7}, 2, 3)
	f.Add([]byte{0, 3}, []byte{1, 1, 1}, []byte{1, 2, 3}, 1, 2)
	f.Add([]byte{0, 9}, []byte{1}, []byte{}, 1, math.MaxInt)
	f.Add([]byte{}, []byte{}, []byte{}, 0, 1)
	f.Fuzz(func(t *testing.T, indptr, indices, values []byte, n, d int) {
		x := bmo.CSR[int64, int64]{Indptr: int64s(indptr), Indices: int64s(indices), Values: int64s(values), N: n, D: d}
		for _, numbers := range [][]int64{x.Indptr, x.Indices} {
			for i := range numbers {
				numbers[i] += 128 // as the byte was
			}
		}
		ds, err := x.Dataset()
		if err != nil {
			known(t, err)
			return
		}
		defer ds.Close()
		info, err := ds.Info()
		if err != nil || info.N != n || info.D != d || info.NNZ > len(indices) {
			t.Fatalf("%+v, %v; want %d points of %d with up to %d entries", info, err, n, d, len(indices))
		}
		if d <= 1000 {
			sameEntries(t, ds, x)
		}
	})
}

// sameEntries wants the dataset to hold the sums of the entries, and 0 elsewhere.
func sameEntries(t *testing.T, ds *bmo.Dataset, x bmo.CSR[int64, int64]) {
	t.Helper()
	for i := 0; i < x.N; i++ {
		want := make([]float64, x.D)
		for e := x.Indptr[i]; e < x.Indptr[i+1]; e++ {
			value := int64(1)
			if x.Values != nil {
				value = x.Values[e]
			}
			want[x.Indices[e]] += float64(value)
		}
		row, err := ds.Rows([]int64{int64(i)})
		if err != nil {
			t.Fatal(err)
		}
		for j := range want {
			if row[j] != want[j] {
				t.Fatalf("point %d, coordinate %d is %v; want %v", i, j, row[j], want[j])
			}
		}
	}
}

func FuzzParam(f *testing.F) {
	f.Add("delta", "0.5")
	f.Add("metric", "l1")
	f.Add("seed", "-9223372036854775808")
	f.Add("", "\x00")
	f.Fuzz(func(t *testing.T, name, value string) {
		ds, err := bmo.NewDense([]uint8{1, 2}, 2, 1, bmo.WithParam(name, value))
		if err != nil {
			known(t, err)
			return
		}
		ds.Close()
	})
}

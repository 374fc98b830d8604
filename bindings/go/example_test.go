package bmo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"time"

	"bmo"
)

// line is n points of d equal coordinates: point i is (i, i, ..., i).
func line(n, d int) []float32 {
	x := make([]float32, n*d)
	for i := range x {
		x[i] = float32(i / d)
	}
	return x
}

// The three nearest of every point.
func Example() {
	const n, d = 500, 4096
	data, err := bmo.NewDense(line(n, d), n, d)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	searcher, err := bmo.NewSearcher(data, bmo.WithMetric("l2"), bmo.WithDelta(0.001))
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	result, err := searcher.Graph(context.Background(), 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Row(0))
	fmt.Println(result.Row(250))
	fmt.Println(result.Stats.Guarantee >= bmo.GuaranteeProven)
	// Output:
	// [1 2 3] [64 128 192]
	// [249 251 248] [64 64 128]
	// true
}

// Queries that are no points of the dataset, in another type.
func ExampleSearcher_KNN() {
	data, err := bmo.NewDense([]uint8{0, 0, 0, 9, 9, 0, 9, 9}, 4, 2)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	searcher, err := bmo.NewSearcher(data, bmo.WithMetric("l1"))
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	queries := bmo.Dense[float64]{Data: []float64{0.5, 1, 8, 7.5}, N: 2, D: 2}
	result, err := searcher.KNN(context.Background(), queries, 1)
	if err != nil {
		log.Fatal(err)
	}
	for i := 0; i < result.Len(); i++ {
		fmt.Println(result.Row(i))
	}
	// Output:
	// [0] [1.5]
	// [3] [2.5]
}

// A few of the dataset's own points, found again by their rows.
func ExampleSearcher_Radius() {
	x := []float32{0, 0, 3, 4, 0, 1, 6, 8}
	data, err := bmo.BorrowDense(x, 4, 2) // x must not change before the Close
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	searcher, err := bmo.NewSearcher(data)
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()
	query := bmo.Dense[float32]{Data: []float32{0, 0}, N: 1, D: 2}
	result, err := searcher.Radius(context.Background(), query, 5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Row(0))
	// Output: [0 2 1] [0 1 5]
}

func ExampleSearcher_KNNRows() {
	data, err := bmo.NewDense([]float32{1, 2, 4, 8, 16}, 5, 1)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	searcher, err := bmo.NewSearcher(data)
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	result, err := searcher.KNNRows(context.Background(), []int64{4, 0}, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Index, result.Distance)
	// Output: [3 2 1 2] [8 12 1 3]
}

// Many searches of the same data: prepare it once.
func ExampleDataset_Prepare() {
	const n, d = 500, 1024
	data, err := bmo.NewDense(line(n, d), n, d, bmo.WithSeed(7))
	if err != nil {
		log.Fatal(err)
	}
	prepared, err := data.Prepare(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	data.Close() // prepared keeps what it needs
	defer prepared.Close()
	searcher, err := bmo.NewSearcher(prepared)
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	result, err := searcher.KNNRows(context.Background(), []int64{499}, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Index, result.Distance)
	// Output: [498 497] [32 64]
}

// A point is deleted: the new dataset has all others.
func ExampleDataset_Subset() {
	data, err := bmo.NewDense([]float32{1, 2, 4, 8, 16}, 5, 1)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	rows := []int64{0, 1, 3, 4} // all but point 2
	fewer, err := data.Subset(context.Background(), rows)
	if err != nil {
		log.Fatal(err)
	}
	defer fewer.Close()
	searcher, err := bmo.NewSearcher(fewer)
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	query := bmo.Dense[float32]{Data: []float32{4}, N: 1, D: 1}
	result, err := searcher.KNN(context.Background(), query, 2)
	if err != nil {
		log.Fatal(err)
	}
	for i, index := range result.Index {
		fmt.Println("point", rows[index], "of the old dataset at", result.Distance[i])
	}
	// Output:
	// point 1 of the old dataset at 2
	// point 0 of the old dataset at 3
}

// For points of several batches, the nearest in another batch.
func ExampleNewSearcherAmong() {
	ctx := context.Background()
	data, err := bmo.NewDense([]float32{0, 1, 2, 10, 11, 14}, 6, 1)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	batches := bmo.Candidates{Labels: []int32{1, 1, 2, 2, 2, 1}, LabelRule: bmo.LabelsOther}
	searcher, err := bmo.NewSearcherAmong(ctx, data, batches)
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	graph, err := searcher.Graph(ctx, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(graph.Index)

	// A query that is no point of the dataset, from batch 2.
	result, err := searcher.KNN(ctx, bmo.Dense[float32]{Data: []float32{9}, N: 1, D: 1}, 2, bmo.WithQueryLabels([]int32{2}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Row(0))
	// Output:
	// [2 2 1 5 5 4]
	// [5 1] [5 8]
}

// A file of NumPy, written here by hand.
func ExampleOpen() {
	directory, err := os.MkdirTemp("", "bmo")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(directory)
	path := filepath.Join(directory, "points.npy")
	header := fmt.Sprintf("%-117s\n", "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2), }")
	file := "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header + "\x00\x00\x03\x04\x06\x08"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		log.Fatal(err)
	}

	data, err := bmo.Open(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	info, err := data.Info()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.N, "points of", info.D, info.Type)
	// Output: 3 points of 2 uint8
}

// Points with what was prepared for them, in one file that is mapped when it is opened.
func ExampleDataset_Save() {
	directory, err := os.MkdirTemp("", "bmo")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(directory)
	path := filepath.Join(directory, "points.bmo")
	const n, d = 500, 1024
	data, err := bmo.NewDense(line(n, d), n, d)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	prepared, err := data.Prepare(context.Background(), bmo.WithBox("dense"))
	if err != nil {
		log.Fatal(err)
	}
	defer prepared.Close()
	if err := prepared.Save(context.Background(), path); err != nil {
		log.Fatal(err)
	}

	opened, err := bmo.OpenMapped(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	defer opened.Close()
	info, err := opened.Info()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.N, "points of", info.D, info.Type, "prepared for the box", info.Box)
	// Output: 500 points of 1024 float32 prepared for the box dense
}

// Two groups of points on a line.
func ExampleSearcher_KMeans() {
	data, err := bmo.NewDense([]float64{1, 20, 2, 3, 22}, 5, 1)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	searcher, err := bmo.NewSearcher(data)
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()
	clusters, err := searcher.KMeans(context.Background(), 2, bmo.KMeans{Centers: []float64{1, 20}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(clusters.Labels, clusters.Centers, clusters.Inertia)
	// Output: [0 1 0 0 1] [2 21] 4
}

// The point that is nearest to all others on average.
func ExampleSearcher_Medoid() {
	data, err := bmo.NewDense([]float64{1, 20, 2, 3, 22}, 5, 1)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	searcher, err := bmo.NewSearcher(data)
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()
	medoid, err := searcher.Medoid(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(medoid.Index, medoid.MeanDistance)
	// Output: 3 9.75
}

// An error says which argument is wrong, and what was expected.
func ExampleError() {
	_, err := bmo.NewDense([]float32{1, 2, 3}, 2, 2)
	var detail *bmo.Error
	if errors.As(err, &detail) {
		fmt.Println(detail.Argument)
	}
	fmt.Println(errors.Is(err, bmo.ErrInvalid))
	fmt.Println(err)
	// Output:
	// x
	// true
	// bmo: x has 3 elements; expected 4: n is 2 and d is 2
}

// A deadline stops a search that takes too long.
func ExampleErrCanceled() {
	data, err := bmo.NewDense(line(500, 1024), 500, 1024)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	searcher, err := bmo.NewSearcher(data)
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	ctx, cancel := context.WithTimeout(context.Background(), time.Microsecond)
	defer cancel()
	_, err = searcher.Graph(ctx, 3)
	fmt.Println(errors.Is(err, bmo.ErrCanceled), errors.Is(err, context.DeadlineExceeded))
	// Output: true true
}

// What can be set: the library's table of parameters.
func ExampleParams() {
	for _, param := range bmo.Params() {
		if param.Name == "delta" {
			fmt.Println(param.Default, param.Upper)
		}
	}
	// Output: 0.01 0.5
}

// A coordinate distance of one's own: |a - b| up to a limit, so that no coordinate decides alone.
func ExampleWithRho() {
	data, err := bmo.NewDense([]float64{0, 0, 0, 1, 1, 1, 0, 0, 90}, 3, 3)
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	limited := func(_ []int64, a, b, out []float64) error {
		for i := range out {
			out[i] = math.Min(math.Abs(a[i]-b[i]), 2)
		}
		return nil
	}
	searcher, err := bmo.NewSearcher(data, bmo.WithMetric("custom"), bmo.WithRho(limited))
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	result, err := searcher.KNNRows(context.Background(), []int64{0}, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Index, result.Distance)
	// Output: [2] [2]
}

// Sparse points: the graph of three, under l1.
func ExampleNewCSR() {
	indptr := []int{0, 2, 4, 6} // point 0 has entries 0 and 1, and so on
	indices := []int{0, 9999, 0, 9999, 1, 2}
	values := []float32{3, 1, 3, 2, 5, 5}
	data, err := bmo.NewCSR(indptr, indices, values, 3, 10000, bmo.WithMetric("l1"))
	if err != nil {
		log.Fatal(err)
	}
	defer data.Close()
	searcher, err := bmo.NewSearcher(data)
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	result, err := searcher.Graph(context.Background(), 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Index, result.Distance)
	// Output: [1 0 0] [1 1 14]
}

// The die of least mean among three, told by throwing them.
func ExampleBestArms() {
	dice := [][]float64{{1, 2, 3, 4, 5, 6}, {1, 1, 1, 1, 1, 2}, {6, 6, 6, 6, 6, 5}}
	arms := bmo.Arms{
		Pull: func(arms []int64, m int64, stream uint64, sum, sumsq []float64) error {
			random := rand.New(rand.NewSource(int64(stream)))
			for i, die := range arms {
				sum[i], sumsq[i] = 0, 0
				for s := int64(0); s < m; s++ {
					side := dice[die][random.Intn(6)]
					sum[i] += side
					sumsq[i] += side * side
				}
			}
			return nil
		},
		Bounded: true,
		Lower:   1,
		Upper:   6,
	}
	best, err := bmo.BestArms(context.Background(), arms, len(dice), 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(best.Arm, best.Stats.Guarantee)
	// Output: [1] proven
}

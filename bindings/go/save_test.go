package bmo_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"bmo"
)

// stopped is a context that is done.
func stopped() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	return ctx, cancel
}

func TestSave(t *testing.T) {
	points := randomMatrix(11, 150, 700, 1000) // no bytes, which preparing would make of them
	dense := func(opts ...bmo.Option) (*bmo.Dataset, error) {
		return bmo.NewDense(convert[float32](points.x), points.n, points.d, opts...)
	}
	for _, box := range []string{"", "dense", "rotated"} {
		t.Run(box, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "points.bmo")
			ds := cleanly(t)(dense(bmo.WithSeed(4)))
			if box != "" {
				ds = cleanly(t)(ds.Prepare(background, bmo.WithBox(box)))
			}
			if err := ds.Save(background, path); err != nil {
				t.Fatal(err)
			}
			for _, open := range []func(context.Context, string, ...bmo.Option) (*bmo.Dataset, error){bmo.Open, bmo.OpenMapped} {
				opened := cleanly(t)(open(background, path, bmo.WithSeed(4)))
				info, err := opened.Info()
				if err != nil || info.Box != box || info.N != points.n || info.D != points.d || info.Type != "float32" {
					t.Fatalf("%+v, %v", info, err)
				}
				rows, err := opened.Rows([]int64{3})
				if err != nil {
					t.Fatal(err)
				}
				for j, value := range points.row(3) {
					if rows[j] != value {
						t.Fatalf("coordinate %d is %v; want %v", j, rows[j], value)
					}
				}
				result, err := newSearcher(t, opened, bmo.WithMethod("bandit")).KNNRows(background, []int64{3, 77}, 4)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, result, 0, nearest("l2", points, points.row(3), 3, 4))
				compare(t, result, 1, nearest("l2", points, points.row(77), 77, 4))
			}
		})
	}
}

func TestFilesHaveNoMetricAndNoWeights(t *testing.T) {
	points, weights := []float64{0, 0, 3, 4}, []float64{2, 1}
	directory := t.TempDir()
	plain, weighted := filepath.Join(directory, "plain.bmo"), filepath.Join(directory, "weighted.bmo")
	ds := cleanly(t)(bmo.NewDense(points, 2, 2, bmo.WithMetric("l1"), bmo.WithWeights(weights)))
	prepared := cleanly(t)(ds.Prepare(background))
	for path, of := range map[string]*bmo.Dataset{plain: ds, weighted: prepared} {
		if err := of.Save(background, path); err != nil {
			t.Fatal(err)
		}
	}
	opened := cleanly(t)(bmo.Open(background, plain))
	if result, err := newSearcher(t, opened).Graph(background, 1); err != nil || result.Distance[0] != 5 {
		t.Errorf("%v, %v; want 5, that of l2 without weights", result.Distance, err)
	}
	ofWeights := cleanly(t)(bmo.Open(background, weighted, bmo.WithMetric("l1")))
	if _, err := bmo.NewSearcher(ofWeights); !errors.Is(err, bmo.ErrInvalid) {
		t.Errorf("without the weights: %v; want invalid", err)
	}
	if result, err := newSearcher(t, ofWeights, bmo.WithWeights(weights)).Graph(background, 1); err != nil || result.Distance[0] != 10 {
		t.Errorf("%v, %v; want 10, that of l1 with the weights", result.Distance, err)
	}
}

func TestMisuseOfSave(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float64{1, 2, 3, 4}, 2, 2))
	closed := cleanly(t)(bmo.NewDense([]float64{1, 2, 3, 4}, 2, 2))
	closed.Close()
	directory := t.TempDir()
	to := func(ds *bmo.Dataset, path string) func() error {
		return func() error { return ds.Save(background, path) }
	}
	run(t, map[string]misuse{
		"directory": {to(ds, directory), bmo.ErrIO, "is a directory"},
		"nowhere":   {to(ds, filepath.Join(directory, "a", "b.bmo")), bmo.ErrIO, "cannot be created"},
		"device":    {to(ds, "/dev/full"), bmo.ErrIO, "device"},
		"empty":     {to(ds, ""), bmo.ErrInvalid, "path is empty"},
		"NUL":       {to(ds, "a\x00b"), bmo.ErrInvalid, "NUL"},
		"closed":    {to(closed, filepath.Join(directory, "c.bmo")), bmo.ErrClosed, ""},
		"nil":       {to(nil, filepath.Join(directory, "c.bmo")), bmo.ErrClosed, ""},
	})
	large := cleanly(t)(bmo.NewDense(make([]float64, 1<<21), 1<<10, 1<<11))
	ctx, cancel := stopped()
	defer cancel()
	if err := large.Save(ctx, filepath.Join(directory, "d.bmo")); !errors.Is(err, bmo.ErrCanceled) {
		t.Errorf("%v; want ErrCanceled", err)
	}
	if files, err := os.ReadDir(directory); err != nil || len(files) != 0 {
		t.Errorf("%d files were left, %v", len(files), err)
	}
}

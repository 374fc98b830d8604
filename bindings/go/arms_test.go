package bmo_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"sort"
	"strings"
	"testing"
	"time"

	"bmo"
)

// lists are arms each of which is a list of numbers from 0 to 1: samples are drawn from it.
type lists [][]float64

func randomLists(seed int64, n, length int) lists {
	random := rand.New(rand.NewSource(seed))
	x := make(lists, n)
	for i := range x {
		top := random.Float64()
		for j := 0; j < length; j++ {
			x[i] = append(x[i], top*random.Float64())
		}
	}
	return x
}

func (x lists) mean(arm int64) float64 {
	sum := 0.0
	for _, value := range x[arm] {
		sum += value
	}
	return sum / float64(len(x[arm]))
}

func (x lists) arms() bmo.Arms {
	return bmo.Arms{
		Pull: func(arms []int64, m int64, stream uint64, sum, sumsq []float64) error {
			random := rand.New(rand.NewSource(int64(stream)))
			for i, arm := range arms {
				sum[i], sumsq[i] = 0, 0
				for s := int64(0); s < m; s++ {
					value := x[arm][random.Intn(len(x[arm]))]
					sum[i] += value
					sumsq[i] += value * value
				}
			}
			return nil
		},
		Exact:     func(arm int64) (float64, error) { return x.mean(arm), nil },
		ExactCost: uint64(len(x[0])),
		Bounded:   true,
		Lower:     0,
		Upper:     1,
	}
}

// best are all arms, those of least mean first.
func (x lists) best() []int64 {
	order := make([]int64, len(x))
	for i := range order {
		order[i] = int64(i)
	}
	sort.Slice(order, func(a, b int) bool { return x.mean(order[a]) < x.mean(order[b]) })
	return order
}

func sorted(arms []int64) string {
	copied := append([]int64(nil), arms...)
	sort.Slice(copied, func(a, b int) bool { return copied[a] < copied[b] })
	return fmt.Sprint(copied)
}

func TestBestArmsAreThoseOfLeastMean(t *testing.T) {
	const k = 4
	x := randomLists(30, 60, 5000)
	best, err := bmo.BestArms(background, x.arms(), len(x), k, bmo.WithDelta(1e-6))
	if err != nil {
		t.Fatal(err)
	}
	if sorted(best.Arm) != sorted(x.best()[:k]) || best.Stats.Guarantee != bmo.GuaranteeProven {
		t.Errorf("%v, %v; want %v, proven", best.Arm, best.Stats.Guarantee, x.best()[:k])
	}
	for r, arm := range best.Arm {
		if off := math.Abs(best.Mean[r] - x.mean(arm)); off > best.Halfwidth[r]+1e-12 {
			t.Errorf("arm %d is %v off; said to be within %v", arm, off, best.Halfwidth[r])
		}
	}
	if all := uint64(len(x) * 5000); best.Stats.CoordOpsBrute != all || best.Stats.CoordOps >= all {
		t.Errorf("%d samples of %d; want fewer than all %d", best.Stats.CoordOps, best.Stats.CoordOpsBrute, all)
	}
}

func TestBestArmsOfLargestMeanComputed(t *testing.T) {
	x := randomLists(31, 20, 50)
	arms := x.arms()
	arms.Maximize = true
	best, err := bmo.BestArms(background, arms, len(x), 3, bmo.WithMethod("exact"))
	if err != nil {
		t.Fatal(err)
	}
	order := x.best()
	for r, arm := range best.Arm {
		if want := order[len(x)-1-r]; arm != want || best.Mean[r] != x.mean(want) || best.Halfwidth[r] != 0 {
			t.Errorf("rank %d: arm %d of %v within %v; want arm %d of %v", r, arm, best.Mean[r], best.Halfwidth[r], want, x.mean(want))
		}
	}
}

func TestBestArmsWithoutExact(t *testing.T) {
	x := lists{{0, 1, 1, 1}, {0, 0, 0, 1}, {1, 1, 1, 1}}
	arms := x.arms()
	arms.Exact, arms.ExactCost = nil, 0
	best, err := bmo.BestArms(background, arms, 3, 1, bmo.WithDelta(1e-6))
	if err != nil || best.Arm[0] != 1 || !(best.Halfwidth[0] > 0) || best.Stats.CoordOpsBrute != 0 {
		t.Errorf("%+v, %v; want arm 1, within more than 0, and no full scan", best, err)
	}
}

func TestArmsThatFail(t *testing.T) {
	mine := errors.New("mine")
	x := randomLists(32, 5, 20)
	with := func(change func(arms *bmo.Arms)) func() error {
		arms := x.arms()
		change(&arms)
		return func() error { return failOf(bmo.BestArms(background, arms, 5, 1)) }
	}
	pull := func(err error) func([]int64, int64, uint64, []float64, []float64) error {
		return func([]int64, int64, uint64, []float64, []float64) error {
			if err == nil {
				panic("no luck")
			}
			return err
		}
	}
	cases := map[string]misuse{
		"error of Pull":  {with(func(a *bmo.Arms) { a.Pull = pull(mine) }), mine, "mine"},
		"panic of Pull":  {with(func(a *bmo.Arms) { a.Pull = pull(nil) }), bmo.ErrCallback, "panic: no luck"},
		"error of Exact": {with(func(a *bmo.Arms) { a.Exact = func(int64) (float64, error) { return 0, mine } }), mine, "mine"},
		"panic of Exact": {with(func(a *bmo.Arms) { a.Exact = func(int64) (float64, error) { panic(mine) } }), mine, "panic: mine"},
		"Exact of NaN":   {with(func(a *bmo.Arms) { a.Exact = func(int64) (float64, error) { return math.NaN(), nil } }), bmo.ErrCallback, ""},
		"beyond bounds":  {with(func(a *bmo.Arms) { a.Upper = 1e-9 }), bmo.ErrCallback, ""},
	}
	run(t, cases)
	for name, wrong := range cases {
		if err := wrong.call(); !errors.Is(err, bmo.ErrCallback) {
			t.Errorf("%s: %v; want ErrCallback", name, err)
		}
	}
}

func TestMisuseOfBestArms(t *testing.T) {
	x := randomLists(33, 5, 20)
	call := func(n, k int, opts ...bmo.Option) func() error {
		return func() error { return failOf(bmo.BestArms(background, x.arms(), n, k, opts...)) }
	}
	run(t, map[string]misuse{
		"bounds": {func() error {
			return failOf(bmo.BestArms(background, bmo.Arms{Pull: x.arms().Pull, Bounded: true, Lower: 2, Upper: 1}, 5, 1))
		}, bmo.ErrInvalid, "Lower is 2 and Upper 1"},
		"threads":    {call(5, 1, bmo.WithThreads(2)), bmo.ErrInvalid, "threads is 2, which does not count in this call; expected none"},
		"scope":      {call(5, 1, bmo.WithDeltaScope("call")), bmo.ErrInvalid, "delta_scope is call, which does not count in this call; expected none"},
		"no Pull":    {func() error { return failOf(bmo.BestArms(background, bmo.Arms{}, 5, 1)) }, bmo.ErrInvalid, "arms.Pull is nil"},
		"k zero":     {call(5, 0), bmo.ErrInvalid, "k is 0"},
		"k beyond n": {call(5, 6), bmo.ErrInvalid, "k is 6"},
		"n zero":     {call(0, 1), bmo.ErrInvalid, ""},
		"n negative": {call(-1, 1), bmo.ErrInvalid, ""},
		"k huge":     {call(5, math.MaxInt), bmo.ErrInvalid, "k is"},
		"delta":      {call(5, 1, bmo.WithDelta(0)), bmo.ErrInvalid, "delta is"},
		"metric":     {call(5, 1, bmo.WithMetric("l1")), bmo.ErrInvalid, "metric is l1, which does not count in this call; expected none"},
		"p":          {call(5, 1, bmo.WithP(3)), bmo.ErrInvalid, "p is 3, which does not count in this call; expected none"},
		"box":        {call(5, 1, bmo.WithBox("dense")), bmo.ErrInvalid, "box is dense, which does not count in this call; expected none"},
		"sampling":   {call(5, 1, bmo.WithSampling("auto")), bmo.ErrInvalid, "sampling is auto, which does not count in this call"},
		"expected":   {call(5, 1, bmo.WithExpectedQueries(9)), bmo.ErrInvalid, "expected_queries is 9, which does not count in this call"},
		"sigma":      {call(5, 1, bmo.WithSigma(1)), bmo.ErrInvalid, "sigma is 1, which does not count here; expected none, or confidence subgaussian"},
		"uniform":    {call(5, 1, bmo.WithUniformPulls(9)), bmo.ErrInvalid, "uniform_pulls is 9, which does not count here; expected none, or method uniform"},
		"weights":    {call(5, 1, bmo.WithWeights([]float64{1})), bmo.ErrInvalid, "BestArms takes no weights"},
		"Rho":        {call(5, 1, bmo.WithRho(canberraRho)), bmo.ErrInvalid, "BestArms takes no Rho"},
	})
}

func TestCancelStopsBestArms(t *testing.T) {
	equal := lists{{0, 1}, {0, 1}}
	arms := equal.arms()
	arms.Exact, arms.ExactCost = nil, 0 // so that two equal arms are sampled for ever
	ctx, cancel := context.WithTimeout(background, 30*time.Millisecond)
	defer cancel()
	if _, err := bmo.BestArms(ctx, arms, 2, 1); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "stopped") {
		t.Errorf("%v; want the deadline", err)
	}
}

package bmo_test

import (
	"testing"

	"bmo"
)

// A parameter that does not count is refused where it is given.
func TestParametersThatDoNotCount(t *testing.T) {
	make := func(opts ...bmo.Option) (*bmo.Dataset, error) {
		return bmo.NewDense([]float64{0, 0, 3, 4, 6, 8}, 3, 2, opts...)
	}
	ds := cleanly(t)(make())
	cubic := cleanly(t)(make(bmo.WithMetric(bmo.Lp), bmo.WithP(3)))
	bind := func(ds *bmo.Dataset, opts ...bmo.Option) func() error {
		return func() error { return failOf(bmo.NewSearcher(ds, opts...)) }
	}
	prepare := func(opts ...bmo.Option) func() error {
		return func() error { return failOf(ds.Prepare(background, opts...)) }
	}
	wantNames(t, map[string]named{
		"p of a dataset":     {func() error { return failOf(make(bmo.WithP(3))) }, "p", "p is 3, which does not count here; expected none, or metric lp"},
		"p":                  {bind(ds, bmo.WithP(3)), "p", "p is 3, which does not count here; expected none, or metric lp"},
		"p of another":       {bind(cubic, bmo.WithMetric(bmo.L1), bmo.WithP(4)), "p", "p is 4, which does not count here"},
		"expected":           {bind(ds, bmo.WithExpectedQueries(9)), "expected_queries", "expected_queries is 9, which does not count in this call"},
		"expected of a box":  {prepare(bmo.WithExpectedQueries(9), bmo.WithBox(bmo.BoxDense)), "expected_queries", "expected none, or box auto"},
		"sigma":              {bind(ds, bmo.WithSigma(1)), "sigma", "expected none, or confidence subgaussian"},
		"sigma of Prepare":   {prepare(bmo.WithSigma(1)), "sigma", "expected none, or confidence subgaussian"},
		"init_pulls":         {bind(ds, bmo.WithInitPulls(9)), "init_pulls", "expected none, or bandit ucb, lucb or lucb++"},
		"arms_per_round":     {bind(ds, bmo.WithBandit(bmo.BanditLUCB), bmo.WithArmsPerRound(9)), "arms_per_round", "expected none, or bandit ucb"},
		"uniform_pulls":      {bind(ds, bmo.WithUniformPulls(9)), "uniform_pulls", "expected none, or method uniform"},
		"the default itself": {bind(ds, bmo.WithP(2)), "p", "p is 2, which does not count here"},
	})
}

// What a dataset has may be for other calls, and counts together with what is given.
func TestParametersOfADatasetNeedNotCount(t *testing.T) {
	ds := cleanly(t)(bmo.NewDense([]float64{0, 0, 3, 4, 6, 8}, 3, 2, bmo.WithMetric(bmo.Lp), bmo.WithP(1), bmo.WithExpectedQueries(9)))
	for metric, want := range map[string]float64{"": 7, bmo.L2: 5} {
		var opts []bmo.Option
		if metric != "" {
			opts = []bmo.Option{bmo.WithMetric(metric)}
		}
		prepared := cleanly(t)(ds.Prepare(background, opts...))
		for name, one := range map[string]*bmo.Dataset{"as made": ds, "prepared": prepared} {
			got, err := newSearcher(t, one, opts...).Graph(background, 1)
			if err != nil || got.Distance[0] != want {
				t.Errorf("%q, %s: %v, %v; want %v", metric, name, got.Distance, err, want)
			}
		}
	}
	got, err := newSearcher(t, ds, bmo.WithP(2)).Graph(background, 1)
	if err != nil || got.Distance[0] != 5 {
		t.Errorf("p = 2: %v, %v; want 5", got.Distance, err)
	}
}

// On prepared points k-means and the medoid have seeds of their own, which draw as they do on points that are not prepared.
func TestSeedsOnPreparedPoints(t *testing.T) {
	points := clusteredMatrix(9, 300, 600, 12)
	ds := cleanly(t)(bmo.NewDense(points.x, points.n, points.d))
	prepared := newSearcher(t, cleanly(t)(ds.Prepare(background, bmo.WithSeed(1))))
	inertias := map[float64]bool{}
	for seed := int64(1); seed <= 6; seed++ {
		seed := seed
		plain := newSearcher(t, ds, bmo.WithSeed(seed))
		want, err := plain.KMeans(background, 7, bmo.KMeans{Init: "random", MaxIter: 1})
		if err != nil {
			t.Fatal(err)
		}
		inertias[want.Inertia] = true
		for name, s := range map[string]*bmo.Searcher{"prepared": prepared, "plain": newSearcher(t, ds, bmo.WithSeed(99))} {
			got, err := s.KMeans(background, 7, bmo.KMeans{Init: "random", MaxIter: 1, Seed: &seed})
			if err != nil || !equalLabels(got.Labels, want.Labels) || got.Stats.Seed != seed {
				t.Errorf("%s, seed %d: %v, stats of seed %d; want the labels of that seed", name, seed, err, got.Stats.Seed)
			}
			one, err := s.Medoid(background, nil, bmo.WithMedoidSeed(-1), bmo.WithMedoidSeed(seed))
			two, fault := plain.Medoid(background)
			if err != nil || fault != nil || one.Index != two.Index || one.Stats.CoordOps != two.Stats.CoordOps || one.Stats.Seed != seed {
				t.Errorf("%s, seed %d: %+v, %v; want %+v, %v", name, seed, one, err, two, fault)
			}
		}
	}
	if len(inertias) < 4 {
		t.Errorf("six seeds start in %d ways", len(inertias))
	}
	own, err := prepared.KMeans(background, 7, bmo.KMeans{Init: "random", MaxIter: 1})
	if err != nil || own.Stats.Seed != 1 {
		t.Errorf("seed %d, %v; want that of the preparation", own.Stats.Seed, err)
	}
}

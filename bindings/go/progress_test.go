package bmo_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"bmo"
)

// A told is what a call told of its progress.
type told []bmo.Progress

func (all *told) context() context.Context {
	return bmo.WithProgress(background, func(now bmo.Progress) error {
		*all = append(*all, now)
		return nil
	})
}

// wantPhase wants a phase that ended, of so many units, or of some more for what is around the data.
func (all told) wantPhase(t *testing.T, phase string, units, more int) {
	t.Helper()
	for _, now := range all {
		if now.Phase == phase && now.Done == now.Total && now.Total >= int64(units) && now.Total <= int64(units+more) {
			return
		}
	}
	t.Errorf("%v; want the end of the phase %s, of %d", all, phase, units)
}

func TestProgress(t *testing.T) {
	m := randomMatrix(50, 300, 600, 256)
	ds := cleanly(t)(bmo.NewDense(m.x, m.n, m.d))
	path := filepath.Join(t.TempDir(), "points.bmo")
	bytes := 8 * m.n * m.d
	var preparing, choosing, searching, radius, saving, opening told
	prepared := cleanly(t)(ds.Prepare(preparing.context(), bmo.WithBox(bmo.BoxDense)))
	preparing.wantPhase(t, "prepare", m.n, 0)
	cleanly(t)(prepared.Subset(choosing.context(), []int64{9, 4, 9}))
	choosing.wantPhase(t, "check", 3, 0)
	s := newSearcher(t, prepared)
	if _, err := s.Graph(searching.context(), 3); err != nil {
		t.Fatal(err)
	}
	searching.wantPhase(t, "search", m.n, 0)
	if _, err := s.RadiusRows(radius.context(), []int64{1, 2}, 3); err != nil {
		t.Fatal(err)
	}
	radius.wantPhase(t, "search", 2, 0)
	if err := ds.Save(saving.context(), path); err != nil {
		t.Fatal(err)
	}
	saving.wantPhase(t, "write", bytes, 4096)
	cleanly(t)(bmo.Open(opening.context(), path))
	opening.wantPhase(t, "read", bytes, 4096)
}

func TestProgressStopsACall(t *testing.T) {
	m := randomMatrix(51, 300, 600, 256)
	ds := cleanly(t)(bmo.NewDense(m.x, m.n, m.d))
	s := newSearcher(t, ds)
	enough := errors.New("enough")
	for name, report := range map[string]func(bmo.Progress) error{
		"error": func(bmo.Progress) error { return enough },
		"panic": func(bmo.Progress) error { panic(enough) },
	} {
		for call, err := range map[string]error{
			"Graph":   failOf(s.Graph(bmo.WithProgress(background, report), 3)),
			"KMeans":  failOf(s.KMeans(bmo.WithProgress(background, report), 3, bmo.KMeans{})),
			"Subset":  failOf(ds.Subset(bmo.WithProgress(background, report), []int64{1, 2})),
			"Prepare": failOf(ds.Prepare(bmo.WithProgress(background, report), bmo.WithBox(bmo.BoxDense))),
		} {
			if !errors.Is(err, bmo.ErrCanceled) || !errors.Is(err, enough) {
				t.Errorf("%s of %s: %v; want one that is ErrCanceled and wraps %v", name, call, err, enough)
			}
		}
	}
	if _, err := s.Graph(bmo.WithProgress(bmo.WithProgress(background, func(bmo.Progress) error { return enough }), nil), 3); err != nil {
		t.Error(err)
	}
	var none context.Context
	if _, err := s.Graph(bmo.WithProgress(none, func(bmo.Progress) error { return nil }), 3); err != nil {
		t.Error(err)
	}
}

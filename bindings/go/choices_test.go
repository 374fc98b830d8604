package bmo_test

import (
	"sort"
	"testing"

	"bmo"
)

func TestConstantsAreTheChoicesOfTheTable(t *testing.T) {
	constants := map[string][]string{
		"metric":      append([]string{bmo.L2, bmo.SqEuclidean, bmo.L1, bmo.Lp, bmo.Cosine, bmo.InnerProduct}, "custom"),
		"method":      []string{bmo.MethodAuto, bmo.MethodBandit, bmo.MethodExact, bmo.MethodUniform},
		"box":         []string{bmo.BoxAuto, bmo.BoxDense, bmo.BoxSparse, bmo.BoxSparseUnion, bmo.BoxRotated, bmo.BoxProjected, bmo.BoxSketch},
		"bandit":      []string{bmo.BanditAuto, bmo.BanditRace, bmo.BanditUCB, bmo.BanditLUCB, bmo.BanditLUCBPP},
		"confidence":  []string{bmo.ConfidenceAuto, bmo.ConfidenceBetting, bmo.ConfidenceBernstein, bmo.ConfidenceBeta, bmo.ConfidenceSubgaussian, bmo.ConfidenceEmpirical, bmo.ConfidencePooled},
		"sampling":    []string{bmo.SamplingAuto, bmo.SamplingWithReplacement, bmo.SamplingWithoutReplacement, bmo.SamplingImportance},
		"delta_scope": []string{bmo.ScopeQuery, bmo.ScopeCall},
	}
	for _, param := range bmo.Params() {
		if len(param.Choices) == 0 {
			continue
		}
		want, have := append([]string(nil), param.Choices...), constants[param.Name]
		sort.Strings(want)
		sort.Strings(have)
		if len(want) != len(have) {
			t.Fatalf("%s: constants %v; want %v", param.Name, have, want)
		}
		for i := range want {
			if want[i] != have[i] {
				t.Errorf("%s: constants %v; want %v", param.Name, have, want)
			}
		}
	}
	ds := cleanly(t)(bmo.NewDense([]float64{0, 3, 0, 4}, 2, 2, bmo.WithMetric(bmo.L1)))
	result, err := newSearcher(t, ds, bmo.WithMethod(bmo.MethodExact)).Graph(background, 1)
	if err != nil || result.Distance[0] != 1 || result.Stats.Method != "exact" {
		t.Errorf("%+v, %v; want distance 1 by exact", result, err)
	}
}

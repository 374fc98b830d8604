package bmo

import "testing"

func TestTranslate(t *testing.T) {
	own := dictionary{"data": "x"}
	for marked, want := range map[string]string{
		"":                        "",
		"no marks":                "no marks",
		"\x01data\x03 is NULL":    "x is NULL",
		"\x01run.k\x03 is 0":      "k is 0",
		"\x01nrows\x03 is 3":      "len(rows) is 3",
		"\x01unheard.of\x03":      "unheard.of",
		"of data, run.k":          "of data, run.k",
		"\x01data\x03[\x027\x03]": "x[7]",
		"point \x0217\x03\x04 (counted from 0)\x03: \x01data\x03": "point 17 (counted from 0): x",
		"cut in \x01dat...": "cut in dat...",
		"cut at \x01":       "cut at ",
	} {
		if got := own.translate(marked); got != want {
			t.Errorf("%q: %q; want %q", marked, got, want)
		}
	}
}

func TestNamesOfGuarantees(t *testing.T) {
	for guarantee, want := range map[Guarantee]string{GuaranteeNone: "none", GuaranteeHeuristic: "heuristic",
		GuaranteeConditional: "conditional", GuaranteeProven: "proven", GuaranteeExact: "exact", -1: "unknown guarantee", 5: "unknown guarantee"} {
		if got := guarantee.String(); got != want {
			t.Errorf("%d is %q; want %q", int(guarantee), got, want)
		}
	}
}

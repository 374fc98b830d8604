package bmo

// #include "calls.h"
import "C"

import "context"

// Candidates are the points of a dataset that may be neighbors. The zero value is all points. Set at most one of Rows and Mask.
type Candidates struct {
	Rows      []int64   // the chosen points, in any order, each once; nil: all
	Mask      []bool    // whether a point is chosen, for each; nil: all are
	Labels    []int32   // with a LabelRule: the label of each point of the dataset; else nil
	LabelRule LabelRule // which of the chosen points a query has, by its label: LabelsSame or LabelsOther; "": all
}

var labelRules = map[LabelRule]C.bmo_label_rule{"": 0, LabelsSame: C.BMO_LABELS_SAME, LabelsOther: C.BMO_LABELS_OTHER}

// Elsewhere an error about C's query is one about the dataset. Among candidates it is about the searcher.
var amongWords = dictionary{"query": "searcher"}

// NewSearcherAmong makes a searcher whose neighbors are some points of the dataset, which may be closed afterwards. Indices are
// those of the dataset. The promise of an answer holds among the candidates of each query. If these are fewer than k, the row is
// short: see [Result.Row]. Queries that are no points of the dataset need [WithQueryLabels] if there is a LabelRule.
//
// The chosen points are copied with their preparation, as by [Dataset.Subset]. [Searcher.KMeans] and [Searcher.Medoid] refuse
// such a searcher. Parameters that opts do not set are those of the dataset.
func NewSearcherAmong(ctx context.Context, ds *Dataset, candidates Candidates, opts ...Option) (s *Searcher, err error) {
	err = ds.use(func() error {
		s, err = newSearcher(ds, opts, func(out **C.bmo_query, config *C.bmo_config) error {
			return candidates.bind(ctx, ds, out, config)
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	s.labeled, s.own = candidates.LabelRule != "", amongWords
	return s, nil
}

// bind makes C's query among the candidates.
func (candidates Candidates) bind(ctx context.Context, ds *Dataset, out **C.bmo_query, config *C.bmo_config) error {
	info, err := ds.info()
	if err != nil {
		return err
	}
	if err := candidates.check(info.N); err != nil {
		return err
	}
	ask := C.go_among{label_rule: labelRules[candidates.LabelRule]}
	return interruptible(ctx, ds.handle, nil, func(watch *C.go_watch) C.bmo_status {
		ask.watch = *watch
		return C.go_query_create_among(out, ds.c, config, &ask, (*C.int64_t)(first(candidates.Rows)), C.int64_t(len(candidates.Rows)),
			(*C.uint8_t)(first(candidates.Mask)), (*C.int32_t)(first(candidates.Labels)))
	})
}

// check refuses what C would read beyond the end of a slice, take for all points, or call NULL.
func (candidates Candidates) check(n int) error {
	_, known := labelRules[candidates.LabelRule]
	switch {
	case !known:
		return refuse(ErrInvalid, "LabelRule", "LabelRule is %q; expected %q, %q or \"\"", candidates.LabelRule, LabelsSame, LabelsOther)
	case n == 0:
		return refuse(ErrInvalid, "candidates", "the dataset has no points; expected one or more that are candidates")
	case candidates.LabelRule == "" && candidates.Labels != nil:
		return refuse(ErrInvalid, "LabelRule", "LabelRule is \"\"; expected %q or %q, for there are Labels", LabelsSame, LabelsOther)
	case candidates.LabelRule != "" && len(candidates.Labels) != n:
		return refuse(ErrInvalid, "Labels", "Labels has %d elements; expected %d, one for each point", len(candidates.Labels), n)
	case candidates.Mask != nil && len(candidates.Mask) != n:
		return refuse(ErrInvalid, "Mask", "Mask has %d elements; expected %d, one for each point", len(candidates.Mask), n)
	case candidates.Rows != nil && len(candidates.Rows) == 0:
		return refuse(ErrInvalid, "Rows", "Rows has no element; expected 1 or more, or nil for all points")
	}
	return nil
}

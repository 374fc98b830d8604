package bmo

// #include "calls.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// The kinds of failure, for errors.Is.
var (
	ErrInvalid     = errors.New("bmo: invalid argument")           // an argument is out of its range
	ErrNoMemory    = errors.New("bmo: out of memory")              // memory ran out; nothing was changed
	ErrIO          = errors.New("bmo: input or output failed")     // a file could not be opened, read or written
	ErrFormat      = errors.New("bmo: malformed file")             // a file is not what its name or header says
	ErrVersion     = errors.New("bmo: from a newer version")       // of the library: a file, or this package
	ErrUnsupported = errors.New("bmo: unsupported")                // well formed, but not something libbmo reads
	ErrNonFinite   = errors.New("bmo: NaN or infinity")            // in the data or the queries: see Error.Row and Col
	ErrOverflow    = errors.New("bmo: beyond the range of a type") // a product of sizes, or a distance
	ErrCanceled    = errors.New("bmo: canceled")                   // stopped by its context, or by what WithProgress told
	ErrCallback    = errors.New("bmo: a callback failed")          // a Rho or one of Arms, or what it said; wraps its error
	ErrInternal    = errors.New("bmo: bug in libbmo")              // please report the message
	ErrClosed      = errors.New("bmo: use of what was closed")     // a Dataset or Searcher, before or during the call
)

var kinds = map[C.bmo_status]error{
	C.BMO_EINVAL:       ErrInvalid,
	C.BMO_ENOMEM:       ErrNoMemory,
	C.BMO_EIO:          ErrIO,
	C.BMO_EFORMAT:      ErrFormat,
	C.BMO_EVERSION:     ErrVersion,
	C.BMO_EUNSUPPORTED: ErrUnsupported,
	C.BMO_ENONFINITE:   ErrNonFinite,
	C.BMO_EOVERFLOW:    ErrOverflow,
	C.BMO_ECANCELED:    ErrCanceled,
	C.BMO_ECALLBACK:    ErrCallback,
}

// An Error is why a call failed. Row is the point at fault and Col the coordinate, but for some arguments: Row is the place
// within the rows of [Searcher.KNNRows] and [Dataset.Rows], the query where a distance is too large, the arm of [BestArms],
// the center of [KMeans].Centers; and Col is the place within weights. An index of a [CSR] below 0 is no coordinate: Col is
// -1, and Row its point.
type Error struct {
	Kind     error  // one of the sentinels; errors.Is(err, ErrInvalid) looks here
	Argument string // the argument, field or parameter at fault: "k", "queries.Data", "delta"; "" if none
	Row, Col int64  // the place at fault, from 0, as said above; -1: none
	Message  string // what is wrong, and what was expected

	cause error
}

// Error is the message, with the name of the package before it.
func (e *Error) Error() string {
	return "bmo: " + e.Message
}

// Is tells whether target is the sentinel of this kind of error.
func (e *Error) Is(target error) bool {
	return target == e.Kind
}

// Unwrap is what caused the error outside of libbmo: the error of the context that stopped a call, or that of a callback.
// Else nil.
func (e *Error) Unwrap() error {
	return e.cause
}

// refuse is the error of an argument that does not reach C.
func refuse(kind error, argument, format string, values ...any) error {
	return &Error{Kind: kind, Argument: argument, Row: -1, Col: -1, Message: fmt.Sprintf(format, values...)}
}

// A dictionary turns C's words, of a call, into those of its user here. An argument is looked up as it stands at the head
// of a message, with a colon; where one begins with another, the longer comes first.
type dictionary = *strings.Replacer

var (
	sameWords  = strings.NewReplacer()
	limitWords = strings.NewReplacer(limitNames...)
	planWords  = strings.NewReplacer("the config has no callback: call bmo_config_set_rho() first", "there is no Rho: give it by WithRho",
		"bmo_dataset_prepare()", "Prepare", "the config has", "the options have", "this config", "these options")
	armsWords = strings.NewReplacer("out.k", "k", "arms.n", "n", "arms.exact_cost", "ExactCost", "arms.exact is NULL", "Exact is nil",
		"arms.exact", "Exact", "arms.pull", "Pull", "arms.lower", "Lower", "arms.upper", "Upper", "lower < upper", "Lower < Upper",
		"the callback pull", "Pull", "the callback exact", "Exact", "BMO_ARMS_BOUNDED", "Bounded", "unless exact is", "unless Exact is")
	kmeansWords = strings.NewReplacer("run.k", "k", "run.n_init", "Starts", "run.max_iter", "MaxIter", "run.tol", "Tol",
		"run.centers: the value of point", "Centers: the value of center", "run.centers", "Centers", "run.inertia", "Inertia",
		"query: ", "dataset: ")
	medoidWords = strings.NewReplacer("query: ", "dataset: ", "mean_distance: ", "MeanDistance: ")
)

// limitNames are what C and the user of a search say for its limits.
var limitNames = []string{"out.limits.max_pairs", "maxPairs", "limits.max_pairs", "maxPairs", "limits.max_distance", "maxDistance"}

// check runs a call into C and returns what it says of its failure, which is kept for the thread that made it.
func check(call func() C.bmo_status) error {
	return checkIn(sameWords, call)
}

// checkIn is check of a call that has words of its own.
func checkIn(words dictionary, call func() C.bmo_status) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if call() == C.BMO_OK {
		return nil
	}
	detail := C.bmo_error{struct_size: C.sizeof_bmo_error}
	C.bmo_error_detail(&detail)
	kind, known := kinds[detail.status]
	if !known {
		kind = ErrInternal
	}
	failure := &Error{
		Kind:     kind,
		Argument: strings.TrimSuffix(words.Replace(C.GoString(detail.argument)+": "), ": "),
		Row:      int64(detail.row),
		Col:      int64(detail.col),
		Message:  words.Replace(C.GoString(detail.message)),
	}
	if kind == ErrCallback && detail.callback_result != 0 {
		failure.cause = takeFailure(detail.callback_result)
		failure.Message = fmt.Sprintf("%s: %v", failure.Argument, failure.cause)
	}
	if kind == ErrCanceled && detail.callback_result != 0 {
		failure.cause = takeFailure(detail.callback_result)
		failure.Message = fmt.Sprintf("stopped: %v", failure.cause)
	}
	return failure
}

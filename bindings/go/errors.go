package bmo

// #include "calls.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
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
// within the rows of [Searcher.KNNRows], [Dataset.Rows], [Dataset.Subset] and [Candidates], the query where a distance is too
// large, the arm of [BestArms], the center of [KMeans].Centers; and Col is the place within weights. An index of a [CSR] below 0
// is no coordinate: Col is -1, and Row its point.
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

// check runs a call into C and returns what it says of its failure, which is kept for the thread that made it.
func check(call func() C.bmo_status) error {
	return checkIn(nil, call)
}

// checkIn is check of a call that has names of its own.
func checkIn(own dictionary, call func() C.bmo_status) error {
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
		Argument: own.name(C.GoString(detail.argument)),
		Row:      int64(detail.row),
		Col:      int64(detail.col),
		Message:  own.translate(C.GoString(detail.marked)),
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

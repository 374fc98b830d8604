//go:build cgo

package bmo

import "errors"

// A lent checks again what memory of the user, which C uses where it lies, holds. nil: C uses none.
type lent func() error

// blame is the error of a call that read these. Data that were changed while they were lent lead C to what cannot be.
func blame(err error, read ...lent) error {
	var failure *Error
	if !errors.As(err, &failure) || !failure.isContradiction() {
		return err
	}
	const says, advice = "the data were changed while the dataset borrowed them", "; make the dataset again, or of a copy"
	lends := false
	for _, check := range read {
		if check == nil {
			continue
		}
		lends = true
		var found *Error
		if errors.As(check(), &found) {
			return &Error{Kind: ErrInvalid, Argument: "dataset", Row: found.Row, Col: found.Col, Message: says + ": " + found.Message + advice}
		}
	}
	if lends && failure.Kind == ErrInternal {
		return &Error{Kind: ErrInvalid, Argument: "dataset", Row: failure.Row, Col: failure.Col,
			Message: says + ", or libbmo has a bug: " + failure.Message + advice}
	}
	return err
}

// isContradiction tells whether it is a failure that data which were checked do not lead to, or not so often. A Rho that is
// asked for the distance to NaN says NaN.
func (e *Error) isContradiction() bool {
	return e.Kind == ErrInternal || e.Kind == ErrOverflow || e.Kind == ErrCallback && e.cause == nil
}

package bmo

// #include "calls.h"
import "C"

import (
	"context"
	"errors"
	"sync/atomic"
)

// interruptible makes a long call into C, tells of its progress, and stops it when ctx is done or h, which may be nil, is
// closed. Its errors have the call's own names.
func interruptible(ctx context.Context, h *handle, own dictionary, call func(watch *C.go_watch) C.bmo_status) error {
	if ctx == nil {
		ctx = context.Background()
	}
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	shared, err := newStop()
	if err != nil {
		return err
	}
	unwatch := shared.watch(ctx)
	watch := C.go_watch{cancel: shared.cancel}
	forget := lendProgress(ctx, &watch)
	err = h.stoppable(shared.cancel, func() error {
		return checkIn(own, func() C.bmo_status { return call(&watch) })
	})
	forget()
	unwatch()
	shared.release()
	switch {
	case !errors.Is(err, ErrCanceled) || errors.Unwrap(err) != nil: // by the function of WithProgress
		return err
	case ctx.Err() != nil:
		return interrupted(ctx)
	default:
		return ErrClosed
	}
}

// A stop is what stops a call. The call and what watches its context share it, and the last of them frees it, so that the
// call need not wait for the other.
type stop struct {
	cancel *C.bmo_cancel
	users  int32
}

func newStop() (*stop, error) {
	shared := &stop{users: 1}
	return shared, check(func() C.bmo_status { return C.bmo_cancel_create(&shared.cancel) })
}

func (s *stop) release() {
	if atomic.AddInt32(&s.users, -1) == 0 {
		C.bmo_cancel_free(s.cancel)
	}
}

func interrupted(ctx context.Context) error {
	return &Error{Kind: ErrCanceled, Row: -1, Col: -1, Message: "stopped: " + ctx.Err().Error(), cause: ctx.Err()}
}

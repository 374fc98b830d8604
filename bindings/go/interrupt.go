package bmo

// #include "calls.h"
import "C"

import (
	"context"
	"errors"
)

// interruptible makes a long call into C, and stops it when ctx is done or closing is closed.
func interruptible(ctx context.Context, closing <-chan struct{}, call func(cancel *C.bmo_cancel) C.bmo_status) error {
	if ctx == nil {
		ctx = context.Background()
	}
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	var cancel *C.bmo_cancel
	if err := check(func() C.bmo_status { return C.bmo_cancel_create(&cancel) }); err != nil {
		return err
	}
	unwatch := watch(ctx, closing, cancel)
	err := check(func() C.bmo_status { return call(cancel) })
	unwatch()
	C.bmo_cancel_free(cancel)
	switch {
	case !errors.Is(err, ErrCanceled):
		return err
	case ctx.Err() != nil:
		return interrupted(ctx)
	default:
		return ErrClosed
	}
}

// watch requests cancel when ctx is done or closing is closed, until the function that it returns has been called.
func watch(ctx context.Context, closing <-chan struct{}, cancel *C.bmo_cancel) (unwatch func()) {
	unwatched, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
			C.bmo_cancel_request(cancel)
		case <-closing:
			C.bmo_cancel_request(cancel)
		case <-unwatched:
		}
	}()
	return func() {
		close(unwatched)
		<-stopped
	}
}

func interrupted(ctx context.Context) error {
	return &Error{Kind: ErrCanceled, Row: -1, Col: -1, Message: "stopped: " + ctx.Err().Error(), cause: ctx.Err()}
}

//go:build !go1.21

package bmo

// #include "calls.h"
import "C"

import (
	"context"
	"sync/atomic"
)

// watch requests the stop when ctx is done, until the function that it returns has been called.
func (s *stop) watch(ctx context.Context) (unwatch func()) {
	finished := make(chan struct{})
	atomic.AddInt32(&s.users, 1)
	go func() {
		defer s.release()
		select {
		case <-ctx.Done():
			C.bmo_cancel_request(s.cancel)
		case <-finished:
		}
	}()
	return func() { close(finished) }
}

//go:build go1.21

package bmo

// #include "calls.h"
import "C"

import (
	"context"
	"sync/atomic"
)

// watch requests the stop when ctx is done, until the function that it returns has been called.
func (s *stop) watch(ctx context.Context) (unwatch func()) {
	atomic.AddInt32(&s.users, 1)
	forget := context.AfterFunc(ctx, func() {
		C.bmo_cancel_request(s.cancel)
		s.release()
	})
	return func() {
		if forget() {
			s.release()
		}
	}
}

package bmo

// #include "calls.h"
import "C"

import (
	"context"
	"runtime/cgo"
)

// Progress is how far a long call is: Done of Total units of its phase.
type Progress struct {
	Phase       string // "read", "check", "prepare", "search" or "write"
	Done, Total int64  // bytes read or written, points checked or prepared, queries searched
}

type progressKey struct{}

// WithProgress returns a context whose long calls tell report how far they are: about every 100 ms, and at the end of a
// phase. It is called on the goroutine of the call. An error, or a panic, stops the call with an error that is
// [ErrCanceled] and wraps it. It must not call [runtime.Goexit]. nil ends the telling.
func WithProgress(ctx context.Context, report func(Progress) error) context.Context {
	if ctx == nil {
		ctx = context.Background()
	}
	return context.WithValue(ctx, progressKey{}, report)
}

// lendProgress lends C the function of a context, until forget is called.
func lendProgress(ctx context.Context, watch *C.go_watch) (forget func()) {
	report, _ := ctx.Value(progressKey{}).(func(Progress) error)
	if report == nil {
		return func() {}
	}
	handle := cgo.NewHandle(report)
	watch.progress = C.uintptr_t(handle)
	return handle.Delete
}

//export goProgress
func goProgress(handle C.uintptr_t, phase C.int32_t, done, total C.int64_t) C.int32_t {
	return answer(func() error {
		name := C.GoString(C.bmo_phase_name(phase))
		return cgo.Handle(handle).Value().(func(Progress) error)(Progress{name, int64(done), int64(total)})
	})
}

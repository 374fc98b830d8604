package bmo

// #include "calls.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime/cgo"
	"sync"
	"unsafe"
)

// failures holds what Go functions that C called have failed with, by the numbers that C was told and hands back when it
// ends.
var failures struct {
	mu   sync.Mutex
	last C.int32_t
	of   map[C.int32_t]error
}

// answer calls a Go function on behalf of C: 0, or the number of its error. A panic must not run into C's frames.
func answer(call func() error) C.int32_t {
	err := recovering(call)
	if err == nil {
		return 0
	}
	failures.mu.Lock()
	defer failures.mu.Unlock()
	if failures.of == nil {
		failures.of = map[C.int32_t]error{}
	}
	failures.last = failures.last%math.MaxInt32 + 1
	failures.of[failures.last] = err
	return failures.last
}

func recovering(call func() error) (err error) {
	finished := false
	defer func() {
		switch cause := recover().(type) {
		case nil:
			if !finished { // a panic of nil, which Go before 1.21 does not tell from none
				err = errors.New("panic: nil")
			}
		case error:
			err = fmt.Errorf("panic: %w", cause)
		default:
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	err = call()
	finished = true
	return err
}

// takeFailure is the error of a number, once.
func takeFailure(number C.int32_t) error {
	failures.mu.Lock()
	defer failures.mu.Unlock()
	err := failures.of[number]
	delete(failures.of, number)
	return err
}

// A Rho is a coordinate distance: it sets out[i] to the distance of coordinate coord[i] between a[i], of a query, and
// b[i], of a point. Each is finite, 0 or more, and the same whenever it is asked again. All have the same length, up to
// a few thousand; they belong to the library, and are valid during the call only. An error, or a panic, ends the search
// with an error that is [ErrCallback] and wraps it. It must not call [runtime.Goexit], as FailNow of a test does: that ends
// the goroutine of the search, and what C held for the search stays.
type Rho func(coord []int64, a, b, out []float64) error

//export goRho
func goRho(handle C.uintptr_t, coord *C.int64_t, count C.int64_t, a, b, out *C.double) C.int32_t {
	return answer(func() error {
		rho, n := cgo.Handle(handle).Value().(Rho), int(count)
		return rho(sliceOf[int64](coord, n), sliceOf[float64](a, n), sliceOf[float64](b, n), sliceOf[float64](out, n))
	})
}

//export goRelease
func goRelease(handle C.uintptr_t) {
	if pinned, ok := cgo.Handle(handle).Value().(interface{ Unpin() }); ok {
		pinned.Unpin()
	}
	cgo.Handle(handle).Delete()
}

// sliceOf is C's array as a slice.
func sliceOf[To, From any](array *From, count int) []To {
	return unsafe.Slice((*To)(unsafe.Pointer(array)), count)
}

// setRho lends rho to a config and to what is made from it; C gives the handle back with goRelease.
func setRho(config *C.bmo_config, rho Rho) error {
	handle := cgo.NewHandle(rho)
	err := check(func() C.bmo_status { return C.go_config_set_rho(config, C.uintptr_t(handle)) })
	if err != nil {
		handle.Delete()
	}
	return err
}

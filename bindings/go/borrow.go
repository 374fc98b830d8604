//go:build go1.21

package bmo

// #include "calls.h"
import "C"

import (
	"runtime"
	"runtime/cgo"
	"unsafe"
)

// borrowDense makes a dataset of data that stay where they are until C has no more use for them, and calls goRelease.
func borrowDense(out **C.bmo_dataset, shape C.bmo_dense, data unsafe.Pointer) C.bmo_status {
	pinned := new(runtime.Pinner)
	if data != nil {
		pinned.Pin(data)
	}
	handle := cgo.NewHandle(pinned)
	status := C.go_dataset_borrow(out, &shape, data, C.uintptr_t(handle))
	if status != C.BMO_OK {
		goRelease(C.uintptr_t(handle))
	}
	return status
}

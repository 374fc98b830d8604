//go:build !go1.21

package bmo

// #include "calls.h"
import "C"

import "unsafe"

// borrowDense copies: data of Go cannot be kept where they are.
func borrowDense(out **C.bmo_dataset, shape C.bmo_dense, data unsafe.Pointer) C.bmo_status {
	return copyDense(out, shape, data)
}

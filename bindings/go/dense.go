package bmo

// #include "calls.h"
import "C"

import (
	"context"
	"fmt"
	"math/bits"
	"unsafe"
)

// A Number is a type of coordinates. Integers beyond 2^53 are refused.
type Number interface {
	float32 | float64 | uint8 | int32 | int64 | int8 | int16 | uint16 | uint32 | Float16 | BFloat16
}

// A Float16 has the bits of a binary16 of IEEE 754, which Go has no numbers of: files and other programs have them.
type Float16 uint16

// A BFloat16 has the bits of a bfloat16: the upper half of those of a float32.
type BFloat16 uint16

// Dense is N points of D coordinates in a slice: coordinate j of point i is Data[i*PointStride + j*CoordStride].
// Strides that are 0 mean row-major without gaps (D and 1); then Data has exactly N*D elements.
type Dense[T Number] struct {
	Data                     []T
	N, D                     int
	PointStride, CoordStride int
}

// NewDense makes a dataset of the n points of d coordinates in x, row-major. x is copied, and may change afterwards.
func NewDense[T Number](x []T, n, d int, opts ...Option) (*Dataset, error) {
	return Dense[T]{Data: x, N: n, D: d}.dataset(argumentNames, opts, copyDense)
}

// BorrowDense is [NewDense] that uses x where it lies. x must not change as long as the dataset or anything made from it is
// in use: else answers are wrong, or an error that is [ErrInvalid] says that it was changed. It is let go of when all of these
// are closed, or collected. Integers of more than 8 bits are converted, and so copied, and before Go 1.21 all numbers are.
func BorrowDense[T Number](x []T, n, d int, opts ...Option) (*Dataset, error) {
	return Dense[T]{Data: x, N: n, D: d}.dataset(argumentNames, opts, borrowDense)
}

// Dataset makes a dataset of the points. They are copied, and may change afterwards.
func (x Dense[T]) Dataset(opts ...Option) (*Dataset, error) {
	return x.dataset(fieldNames, opts, copyDense)
}

// Borrow makes a dataset of the points that uses them where they lie, as [BorrowDense] does.
func (x Dense[T]) Borrow(opts ...Option) (*Dataset, error) {
	return x.dataset(fieldNames, opts, borrowDense)
}

// copyDense makes a dataset that has a copy of the data.
func copyDense(out **C.bmo_dataset, shape C.bmo_dense, data unsafe.Pointer) C.bmo_status {
	return C.go_dataset_dense(out, &shape, data)
}

func (x Dense[T]) dataset(called names, opts []Option, create func(**C.bmo_dataset, C.bmo_dense, unsafe.Pointer) C.bmo_status) (*Dataset, error) {
	view, err := x.view(called)
	if err != nil {
		return nil, err
	}
	ds, err := newDataset(settings{}, opts, func(_ settings, out **C.bmo_dataset) error {
		return checkIn(called.words(called.data), func() C.bmo_status { return create(out, view.shape, view.data) })
	})
	if err == nil && ds.borrows {
		ds.handle.lent = func() error { return view.check(called) }
	}
	return ds, err
}

// check tells whether the points are still some that C takes.
func (view denseView) check(called names) error {
	return checkIn(called.words(called.data), func() C.bmo_status { return C.go_check_dense(&view.shape, view.data) })
}

func (Dense[T]) isThere() {}

func (x Dense[T]) search(ctx context.Context, s *Searcher, a *asked) error {
	view, err := x.view(queryNames)
	if err != nil {
		return err
	}
	return s.search(ctx, denseQueryWords, x.N, a, func(query *C.bmo_query, at *buffers) C.bmo_status {
		return C.go_search_dense(query, &view.shape, view.data, at.ask, at.maxDistance, at.labels, at.index, at.dist)
	})
}

// A denseView is what C is told of a Dense.
type denseView struct {
	shape C.bmo_dense
	data  unsafe.Pointer
}

// view checks that C will find every element within Data. All else is left to C.
func (x Dense[T]) view(called names) (denseView, error) {
	if err := x.checkLength(called); err != nil {
		return denseView{}, err
	}
	return denseView{
		shape: C.bmo_dense{
			struct_size:  C.sizeof_bmo_dense,
			dtype:        numberType[T](),
			n:            C.int64_t(x.N),
			d:            C.int64_t(x.D),
			point_stride: C.int64_t(x.PointStride),
			coord_stride: C.int64_t(x.CoordStride),
		},
		data: first(x.Data),
	}, nil
}

func (x Dense[T]) checkLength(called names) error {
	switch {
	case x.N < 0:
		return refuse(ErrInvalid, called.n, "%s is %d; expected 0 or more", called.n, x.N)
	case x.D < 1:
		return refuse(ErrInvalid, called.d, "%s is %d; expected 1 or more", called.d, x.D)
	case x.PointStride < 0:
		return refuse(ErrInvalid, called.pointStride, "%s is %d; expected 0 or more", called.pointStride, x.PointStride)
	case x.CoordStride < 0:
		return refuse(ErrInvalid, called.coordStride, "%s is %d; expected 0 or more", called.coordStride, x.CoordStride)
	}
	shape := fmt.Sprintf("%s is %d and %s is %d", called.n, x.N, called.d, x.D)
	needed, ok := x.extent()
	if !ok {
		return refuse(ErrOverflow, called.n, "%s: so many elements are beyond an int", shape)
	}
	if len(x.Data) < needed {
		return refuse(ErrInvalid, called.data, "%s has %d elements; expected %d: %s", called.data, len(x.Data), needed, shape)
	}
	if x.PointStride == 0 && x.CoordStride == 0 && len(x.Data) > needed {
		return refuse(ErrInvalid, called.data, "%s has %d elements; expected exactly %d: %s", called.data, len(x.Data), needed, shape)
	}
	return nil
}

// extent is how many elements there are from the first coordinate of the first point to the last of the last.
func (x Dense[T]) extent() (elements int, ok bool) {
	if x.N == 0 {
		return 0, true
	}
	coordStride := strideOf(x.CoordStride, x.D, 1)
	row, ok := product(x.D, coordStride)
	if !ok {
		return 0, false
	}
	points, ok := product(x.N-1, strideOf(x.PointStride, x.N, row))
	if !ok || points > maxInt-row {
		return 0, false
	}
	return points + row - coordStride + 1, true
}

// strideOf is the stride of an axis: what it is where there are no gaps, unless it is given and matters.
func strideOf(stride, length, contiguous int) int {
	if stride == 0 || length == 1 {
		return contiguous
	}
	return stride
}

const maxInt = int(^uint(0) >> 1)

// product is a * b of numbers that are not negative, where that is an int.
func product(a, b int) (int, bool) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	return int(low), high == 0 && low <= uint64(maxInt)
}

// numberType is the library's name of a type of numbers.
func numberType[T Number]() C.bmo_dtype {
	switch any(T(0)).(type) {
	case float32:
		return C.BMO_F32
	case float64:
		return C.BMO_F64
	case uint8:
		return C.BMO_U8
	case int8:
		return C.BMO_I8
	case int16:
		return C.BMO_I16
	case uint16:
		return C.BMO_U16
	case int32:
		return C.BMO_I32
	case uint32:
		return C.BMO_U32
	case Float16:
		return C.BMO_F16
	case BFloat16:
		return C.BMO_BF16
	default:
		return C.BMO_I64
	}
}

// first is where a slice begins; nil where it has no element.
func first[T any](x []T) unsafe.Pointer {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Pointer(&x[0])
}

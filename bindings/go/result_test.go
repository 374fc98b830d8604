package bmo

import (
	"errors"
	"math"
	"testing"
)

func TestRoom(t *testing.T) {
	for _, test := range []struct {
		rows, columns, bytesEach int
		kind                     error
	}{
		{0, 5, 8, nil},
		{3, 5, 8, nil},
		{1 << 20, 16, 8, nil}, // 128 MiB: asked for
		{1 << 40, 1, 8, ErrNoMemory},
		{1 << 21, 1 << 21, 16, ErrNoMemory},
		{math.MaxInt, 1, 1, ErrNoMemory},
		{math.MaxInt, 1, 8, ErrOverflow},
		{1 << 32, 1 << 32, 8, ErrOverflow},
	} {
		if err := checkRoom("k", test.rows, test.columns, test.bytesEach); !errors.Is(err, test.kind) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

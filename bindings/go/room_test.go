package bmo_test

import (
	"math"
	"testing"

	"bmo"
)

// Go cannot recover from memory that runs out: these calls must not come to that.
func TestAnswersBeyondMemory(t *testing.T) {
	const many, wide = 1000000, math.MaxInt32
	s := newSearcher(t, cleanly(t)(bmo.NewDense(make([]uint8, many), many, 1)))
	sparse := cleanly(t)(bmo.NewCSR[uint8]([]int{0, 0}, nil, nil, 1, wide))
	run(t, map[string]misuse{
		"graph": {func() error { return failOf(s.Graph(background, many-1)) }, bmo.ErrNoMemory, "1000000 rows of 999999 elements take 15999984000000 bytes"},
		"queries": {func() error {
			return failOf(s.KNN(background, bmo.Dense[uint8]{Data: make([]uint8, many), N: many, D: 1}, many))
		},
			bmo.ErrNoMemory, "more than memory can hold"},
		"rows":      {func() error { return failOf(sparse.Rows(make([]int64, 4000))) }, bmo.ErrNoMemory, "4000 rows of 2147483647 elements"},
		"more rows": {func() error { return failOf(sparse.Rows(make([]int64, 1<<20))) }, bmo.ErrNoMemory, "memory"},
	})
}

func TestArmsBeyondMemory(t *testing.T) {
	arms := randomLists(35, 5, 20).arms()
	run(t, map[string]misuse{
		"n and k": {func() error { return failOf(bmo.BestArms(background, arms, math.MaxInt64, 1<<42)) }, bmo.ErrInvalid, "n is 9223372036854775807; expected 1 to 2147483647"},
		"n":       {func() error { return failOf(bmo.BestArms(background, arms, 1<<31, 1)) }, bmo.ErrInvalid, "n is 2147483648"},
	})
}

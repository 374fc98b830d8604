package bmo_test

import (
	"testing"

	"bmo"
)

func TestDatasetsThatNobodyClosesDoNotPileUp(t *testing.T) {
	x := make([]float32, 4<<20) // 16 MB
	before, peak := resident(t), 0
	for i := 0; i < 100; i++ {
		if _, err := bmo.NewDense(x, 1<<10, 1<<12); err != nil {
			t.Fatal(err)
		}
		if now := resident(t); now > peak {
			peak = now
		}
	}
	if peak-before > 800<<20 { // all of them: 1600
		t.Errorf("100 datasets of 16 MB held %d MB", (peak-before)>>20)
	}
}

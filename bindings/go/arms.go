package bmo

// #include "calls.h"
import "C"

import (
	"context"
	"math"
	"runtime/cgo"
)

// Arms are arms of a bandit that are no points: each a distribution with a mean that can be sampled, and perhaps computed.
// The functions are called on the goroutine that calls [BestArms], one call after the other; their slices belong to the
// library, and are valid during the call only. An error, or a panic, ends BestArms with an error that is [ErrCallback]
// and wraps it. They must not call [runtime.Goexit], as FailNow of a test does: it ends the goroutine of BestArms, and
// what C held for that call stays.
type Arms struct {
	// Pull takes m new independent samples of each of the arms: sum[i] becomes the sum of those of arms[i], and sumsq[i]
	// that of their squares. Samples of two calls are independent of each other; those of one call may share random
	// numbers among the arms. stream is another number at every call, and the same for the same parameters: a seed, so
	// that a run can be repeated.
	Pull func(arms []int64, m int64, stream uint64, sum, sumsq []float64) error

	// Exact is the mean of an arm itself. nil: there is none, and every arm is sampled until the best are told apart, which
	// equal arms never are: give an epsilon or a limit of pulls then.
	Exact func(arm int64) (mean float64, err error)

	// ExactCost is how many samples an exact value is worth: an arm is computed rather than sampled further.
	ExactCost uint64

	// Maximize wants the arms of largest mean; else those of least mean are wanted.
	Maximize bool

	// Bounded says that no sample is outside of Lower to Upper, of which one may be infinite.
	Bounded      bool
	Lower, Upper float64
}

// Best is the answer of [BestArms]: the arms, best first, in the order of their means as far as those are known.
type Best struct {
	Arm       []int64
	Mean      []float64 // exact where it was computed, else that of the samples
	Halfwidth []float64 // the true mean is within this of Mean; 0 where it is exact; infinite where nothing bounds it
	Stats     Stats     // an operation is a sample; an exact value counts as ExactCost of them
}

// BestArms finds the k best of n arms, right with probability at least 1 - delta where Stats.Guarantee is
// [GuaranteeProven]. Of the options count those of delta, epsilon, the bandit, the confidence and their pulls, sigma, the
// method and the seed; those of points, such as the metric, are refused.
func BestArms(ctx context.Context, arms Arms, n, k int, opts ...Option) (Best, error) {
	if arms.Pull == nil {
		return Best{}, refuse(ErrInvalid, "arms", "arms.Pull is nil; expected a function that samples")
	}
	all, err := resolve(settings{}, opts)
	if err == nil {
		err = all.refusePoints()
	}
	if err == nil {
		err = checkUse(callsOfArms, nil, all.params)
	}
	if err != nil {
		return Best{}, err
	}
	best, err := newBest(n, k)
	if err != nil {
		return Best{}, err
	}
	ask := arms.ask(n, k)
	handle := cgo.NewHandle(arms)
	defer handle.Delete()
	err = withConfig(all, func(config *C.bmo_config) error {
		return interruptible(ctx, nil, nil, func(watch *C.go_watch) C.bmo_status {
			ask.watch = *watch
			return C.go_best_arms(C.uintptr_t(handle), &ask, config, (*C.int64_t)(first(best.Arm)),
				(*C.double)(first(best.Mean)), (*C.double)(first(best.Halfwidth)))
		})
	})
	if err != nil {
		return Best{}, err
	}
	best.Stats = statsOf(&ask.stats)
	return best, nil
}

// refusePoints refuses what says something of points, and is no parameter of the table.
func (s settings) refusePoints() error {
	const wrong = "BestArms takes no %s"
	switch {
	case s.rho != nil:
		return refuse(ErrInvalid, "Rho", wrong, "Rho")
	case len(s.weights) > 0:
		return refuse(ErrInvalid, "weights", wrong, "weights")
	}
	return nil
}

// ask is what C is told of the arms.
func (arms Arms) ask(n, k int) C.go_arms {
	ask := C.go_arms{k: C.int64_t(k), stats: C.bmo_stats{struct_size: C.sizeof_bmo_stats}}
	ask.arms = C.bmo_arms{
		struct_size: C.sizeof_bmo_arms,
		n:           C.int64_t(n),
		exact_cost:  C.uint64_t(arms.ExactCost),
		lower:       C.double(arms.Lower),
		upper:       C.double(arms.Upper),
	}
	if arms.Maximize {
		ask.arms.flags |= C.BMO_ARMS_MAXIMIZE
	}
	if arms.Bounded {
		ask.arms.flags |= C.BMO_ARMS_BOUNDED
	}
	if arms.Exact != nil {
		ask.has_exact = 1
	}
	return ask
}

// newBest has room for the answer; none where n or k is one that C refuses.
func newBest(n, k int) (Best, error) {
	if k < 1 || k > n || n > math.MaxInt32 {
		return Best{}, nil
	}
	const bytesEach = 24 // of an arm, its mean and its halfwidth
	if err := checkRoom("k", 1, k, bytesEach); err != nil {
		return Best{}, err
	}
	return Best{Arm: make([]int64, k), Mean: make([]float64, k), Halfwidth: make([]float64, k)}, nil
}

//export goPull
func goPull(handle C.uintptr_t, arms *C.int64_t, count, m C.int64_t, stream C.uint64_t, sum, sumsq *C.double) C.int32_t {
	return answer(func() error {
		pull, n := cgo.Handle(handle).Value().(Arms).Pull, int(count)
		return pull(sliceOf[int64](arms, n), int64(m), uint64(stream), sliceOf[float64](sum, n), sliceOf[float64](sumsq, n))
	})
}

//export goExact
func goExact(handle C.uintptr_t, arm C.int64_t, mean *C.double) C.int32_t {
	return answer(func() error {
		value, err := cgo.Handle(handle).Value().(Arms).Exact(int64(arm))
		*mean = C.double(value)
		return err
	})
}

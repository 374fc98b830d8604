package bmo

// #include "calls.h"
import "C"

import "time"

// A Result is the answer to a number of queries. The neighbors of a query ascend by distance, ties by index.
type Result struct {
	K        int       // neighbors of each query
	Index    []int64   // neighbor r of query i is the point Index[i*K + r]; -1 where there are no more
	Distance []float64 // and its distance Distance[i*K + r]; infinite where there is none
	Stats    Stats     // what the search did
}

// Len is the number of queries.
func (r Result) Len() int {
	if r.K < 1 {
		return 0
	}
	return len(r.Index) / r.K
}

// Row is the neighbors of query i, 0 <= i < r.Len(), and their distances: K, or fewer where WithMaxDistance or
// Candidates leave fewer. It shares memory with the result.
func (r Result) Row(i int) (index []int64, distance []float64) {
	begin, end := i*r.K, (i+1)*r.K
	for end > begin && r.Index[end-1] < 0 {
		end--
	}
	return r.Index[begin:end:end], r.Distance[begin:end:end]
}

// A RadiusResult is all neighbors within a distance of a number of queries. Those of a query ascend by distance, ties by index.
type RadiusResult struct {
	Offset   []int64 // the neighbors of query i are the points Index[Offset[i]:Offset[i+1]]
	Index    []int64
	Distance []float64 // and their distances Distance[Offset[i]:Offset[i+1]]
	Stats    Stats     // what the search did
}

// Len is the number of queries.
func (r RadiusResult) Len() int {
	if len(r.Offset) == 0 {
		return 0
	}
	return len(r.Offset) - 1
}

// Row is the neighbors of query i, 0 <= i < r.Len(), and their distances. It shares memory with the result.
func (r RadiusResult) Row(i int) (index []int64, distance []float64) {
	begin, end := r.Offset[i], r.Offset[i+1]
	return r.Index[begin:end:end], r.Distance[begin:end:end]
}

// A Guarantee is what was proved of an answer. Larger is stronger.
type Guarantee int

// The guarantees.
const (
	GuaranteeNone        Guarantee = C.BMO_GUARANTEE_NONE
	GuaranteeHeuristic   Guarantee = C.BMO_GUARANTEE_HEURISTIC   // usually right; delta is not a bound
	GuaranteeConditional Guarantee = C.BMO_GUARANTEE_CONDITIONAL // proven if Stats.Assumption holds
	GuaranteeProven      Guarantee = C.BMO_GUARANTEE_PROVEN      // right with probability at least 1 - delta
	GuaranteeExact       Guarantee = C.BMO_GUARANTEE_EXACT       // every distance was computed, or ruled out by a bound that cannot fail
)

// String is the guarantee in a word.
func (g Guarantee) String() string {
	return C.GoString(C.bmo_guarantee_name(C.bmo_guarantee(g)))
}

// Stats is what a search did.
type Stats struct {
	Guarantee                                 Guarantee
	Method, Box, Bandit, Confidence, Sampling string // as resolved from "auto"
	Threads                                   int
	Assumption                                string // of a conditional guarantee; else ""
	Reason                                    string // why "auto" chose so; "" where nothing was left to it

	Queries         uint64
	Arms            uint64 // candidates of one query
	Rounds          uint64 // of the bandit, over all queries
	CoordOpsSampled uint64 // coordinate operations spent on sampling
	ExactEvals      uint64 // distances computed in full
	CoordOps        uint64 // evaluations of a coordinate distance: CoordOpsSampled + CoordOpsExact
	CoordOpsExact   uint64 // those of the distances computed in full
	CoordOpsBrute   uint64 // what the full scan takes; of sparse points an operation is an entry that is read
	ProjectionOps   uint64 // operations on the queries themselves
	ArmsPruned      uint64 // candidates that bounds which cannot fail put out of question before a sample was read

	Neighbors uint64 // that were found

	Seed           int64
	Delta, Epsilon float64
	Wall           time.Duration // that C took
}

// Gain is how many times fewer coordinate operations the search took than a full scan; 0 where it took none, as
// for no queries.
func (s Stats) Gain() float64 {
	if s.CoordOps == 0 {
		return 0
	}
	return float64(s.CoordOpsBrute) / float64(s.CoordOps)
}

func statsOf(c *C.bmo_stats) Stats {
	return Stats{
		Guarantee:       Guarantee(c.guarantee),
		Method:          choiceName(C.BMO_PARAM_METHOD, c.method),
		Box:             choiceName(C.BMO_PARAM_BOX, c.box),
		Bandit:          choiceName(C.BMO_PARAM_BANDIT, c.bandit),
		Confidence:      choiceName(C.BMO_PARAM_CONFIDENCE, c.confidence),
		Sampling:        choiceName(C.BMO_PARAM_SAMPLING, c.sampling),
		Threads:         int(c.threads),
		Assumption:      C.GoString(c.assumption),
		Reason:          C.GoString(c.reason),
		Queries:         uint64(c.queries),
		Arms:            uint64(c.arms),
		Rounds:          uint64(c.rounds),
		CoordOpsSampled: uint64(c.coord_ops_sampled),
		ExactEvals:      uint64(c.exact_evals),
		CoordOps:        uint64(c.coord_ops),
		CoordOpsExact:   uint64(c.coord_ops_exact),
		CoordOpsBrute:   uint64(c.coord_ops_brute),
		ProjectionOps:   uint64(c.projection_ops),
		ArmsPruned:      uint64(c.arms_pruned),
		Neighbors:       uint64(c.neighbors),
		Seed:            int64(c.seed),
		Delta:           float64(c.delta),
		Epsilon:         float64(c.epsilon),
		Wall:            time.Duration(c.wall_ns),
	}
}

// What is smaller is not asked for: asking takes longer than making it.
const smallAnswer = 64 << 20

// checkRoom refuses an answer that memory cannot hold: Go would end the process.
func checkRoom(argument string, rows, columns, bytesEach int) error {
	places, ok := product(rows, columns)
	bytes, fits := product(places, bytesEach)
	if !ok || !fits {
		return refuse(ErrOverflow, argument, "%d rows of %d elements are beyond an int", rows, columns)
	}
	if bytes > smallAnswer && C.go_has_room(C.size_t(bytes)) == 0 {
		return refuse(ErrNoMemory, argument, "%d rows of %d elements take %d bytes, more than memory can hold", rows, columns, bytes)
	}
	return nil
}

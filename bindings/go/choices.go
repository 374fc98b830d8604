package bmo

// The types of the values of options: strings, so that texts of the user's serve as well. WithMetric("l1") is WithMetric(L1).
type (
	Metric     = string // for WithMetric
	Method     = string // for WithMethod
	Box        = string // for WithBox
	Bandit     = string // for WithBandit
	Confidence = string // for WithConfidence
	Sampling   = string // for WithSampling
	DeltaScope = string // for WithDeltaScope
)

// A LabelRule says which points are candidates of a query, by labels: see [Candidates].
type LabelRule = string

// The rules.
const (
	LabelsSame  LabelRule = "same"  // the points with the query's label
	LabelsOther LabelRule = "other" // the points with another label than the query's
)

// The metrics. [WithRho] has its own.
const (
	L2           Metric = "l2"            // sqrt(sum (a - b)^2)
	SqEuclidean  Metric = "sqeuclidean"   // sum (a - b)^2
	L1           Metric = "l1"            // sum |a - b|
	Lp           Metric = "lp"            // (sum |a - b|^p)^(1/p), with WithP
	Cosine       Metric = "cosine"        // 1 - <a,b> / (|a| |b|)
	InnerProduct Metric = "inner_product" // -<a,b>
)

// The methods.
const (
	MethodAuto    Method = "auto"    // the bandit, or the scan where that is expected to be faster
	MethodBandit  Method = "bandit"  // always samples
	MethodExact   Method = "exact"   // computes every distance, or rules it out for certain
	MethodUniform Method = "uniform" // the same number of samples of every arm; no promise
)

// The boxes: how a distance is sampled.
const (
	BoxAuto        Box = "auto"
	BoxDense       Box = "dense"
	BoxSparse      Box = "sparse"
	BoxSparseUnion Box = "sparse_union"
	BoxRotated     Box = "rotated"
	BoxProjected   Box = "projected"
	BoxSketch      Box = "sketch"
)

// The bandits: who is sampled next.
const (
	BanditAuto   Bandit = "auto"
	BanditRace   Bandit = "race"
	BanditUCB    Bandit = "ucb"
	BanditLUCB   Bandit = "lucb"
	BanditLUCBPP Bandit = "lucb++"
)

// The confidence rules: what bounds the mean of an arm.
const (
	ConfidenceAuto        Confidence = "auto"
	ConfidenceBetting     Confidence = "betting"
	ConfidenceBernstein   Confidence = "bernstein"
	ConfidenceBeta        Confidence = "beta"
	ConfidenceSubgaussian Confidence = "subgaussian"
	ConfidenceEmpirical   Confidence = "empirical"
	ConfidencePooled      Confidence = "pooled"
)

// The samplings: how coordinates are drawn.
const (
	SamplingAuto               Sampling = "auto"
	SamplingWithReplacement    Sampling = "with_replacement"
	SamplingWithoutReplacement Sampling = "without_replacement"
	SamplingImportance         Sampling = "importance"
)

// What delta bounds.
const (
	ScopeQuery DeltaScope = "query" // the error of each query
	ScopeCall  DeltaScope = "call"  // any error of a call
)

package bmo

// #include <stdlib.h>
// #include "calls.h"
import "C"

import (
	"errors"
	"strconv"
	"strings"
	"unsafe"
)

// An Option sets one parameter; [Params] has their values and defaults. Options of a [Dataset] hold for what is made
// from it, unless that sets the parameter again. A parameter is refused where it is given and does not count, as p without
// the metric "lp".
type Option func(*settings)

// A setting is a parameter and its value as text, as the library's own text setter takes them.
type setting struct {
	name, value string
}

type settings struct {
	params  []setting
	weights []float64
	rho     Rho
	rhoSet  bool // by the options at hand, not by those that they go on from
}

// find is the value that a parameter was set to last, "" where it was not.
func find(params []setting, name string) (value string) {
	for _, param := range params {
		if param.name == name {
			value = param.value
		}
	}
	return value
}

// without leaves out a parameter.
func without(params []setting, name string) (others []setting) {
	for _, param := range params {
		if param.name != name {
			others = append(others, param)
		}
	}
	return others
}

// WithParam sets any parameter by its name and its value as text: WithParam("delta", "1e-3").
func WithParam(name, value string) Option {
	return func(s *settings) { s.params = append(s.params, setting{name, value}) }
}

// WithMetric sets the distance: [L2], [SqEuclidean], [L1], [Lp], [Cosine], [InnerProduct], or "custom", which is that of [WithRho].
func WithMetric(name string) Option { return WithParam("metric", name) }

// WithMethod sets whether to sample ("bandit"), to scan every distance ("exact"), or what is cheaper ("auto"); "uniform"
// samples every arm alike, and promises nothing.
func WithMethod(name string) Option { return WithParam("method", name) }

// WithBox sets how a distance is sampled: "dense", "rotated", "projected", "sketch", "sparse", "sparse_union", or as the
// data are ("auto").
func WithBox(name string) Option { return WithParam("box", name) }

// WithBandit sets who is sampled next: "race", "ucb", "lucb" or "lucb++".
func WithBandit(name string) Option { return WithParam("bandit", name) }

// WithConfidence sets what bounds the mean of an arm: "betting", "bernstein", "subgaussian", "empirical",
// "pooled", or that of the sketch box ("beta").
func WithConfidence(name string) Option { return WithParam("confidence", name) }

// WithSampling sets how coordinates are drawn: without ("without_replacement") or with replacement ("with_replacement"), or
// without, in proportion to how far apart points are there ("importance").
func WithSampling(name string) Option { return WithParam("sampling", name) }

// WithP sets the exponent of the metric "lp".
func WithP(p float64) Option { return withReal("p", p) }

// WithDelta sets the probability that an answer is wrong.
func WithDelta(delta float64) Option { return withReal("delta", delta) }

// WithDeltaScope sets what delta bounds: the error of each "query", or that of a whole "call".
func WithDeltaScope(name string) Option { return WithParam("delta_scope", name) }

// WithEpsilon sets the excess of a distance that is no error, in units of the mean coordinate distance.
func WithEpsilon(epsilon float64) Option { return withReal("epsilon", epsilon) }

// WithSigma sets the standard deviation of the samples for the confidence "subgaussian", in units of a coordinate distance.
func WithSigma(sigma float64) Option { return withReal("sigma", sigma) }

// WithInitPulls sets the samples of every arm at first, of the bandits "ucb", "lucb" and "lucb++".
func WithInitPulls(pulls int64) Option { return withInteger("init_pulls", pulls) }

// WithArmsPerRound sets the arms that the bandit "ucb" samples in a round.
func WithArmsPerRound(arms int64) Option { return withInteger("arms_per_round", arms) }

// WithPullsPerRound sets the samples that each of the arms of a round takes.
func WithPullsPerRound(pulls int64) Option { return withInteger("pulls_per_round", pulls) }

// WithMaxPulls sets the samples after which an arm is computed in full. 0: as many as there are coordinates.
func WithMaxPulls(pulls int64) Option { return withInteger("max_pulls", pulls) }

// WithUniformPulls sets the samples of every arm, of the method "uniform".
func WithUniformPulls(pulls int64) Option { return withInteger("uniform_pulls", pulls) }

// WithSeed sets the random order. Same data, parameters and seed: the same answer.
func WithSeed(seed int64) Option { return withInteger("seed", seed) }

// WithThreads sets the threads of a call. 0: [ThreadsAvailable].
func WithThreads(threads int) Option { return withInteger("threads", int64(threads)) }

// WithExpectedQueries tells [Dataset.Prepare] with the box "auto" how many queries will come, so that it prepares what the
// fewest seconds are to be expected from, or nothing. 0: not known, and so many that preparing pays.
func WithExpectedQueries(queries int64) Option { return withInteger("expected_queries", queries) }

// WithWeights sets the weights of the d coordinates, for the metrics "l2", "sqeuclidean", "l1" and "lp": each finite and 0 or
// more, one at least above 0. They are copied. None clears them. A dataset keeps the weights that it is prepared with.
func WithWeights(weights []float64) Option {
	copied := append([]float64(nil), weights...)
	return func(s *settings) { s.weights = copied }
}

// WithRho sets the metric "custom", and its coordinate distance; the distance is its sum over the coordinates. It is refused
// beside a WithMetric of another metric; one that a dataset had before is replaced. A search calls it on its own goroutine,
// one call after the other; searches that run at once call it at once. nil clears it, and leaves the metric.
func WithRho(rho Rho) Option {
	return func(s *settings) { s.rho, s.rhoSet = rho, rho != nil }
}

func withInteger(name string, value int64) Option {
	return WithParam(name, strconv.FormatInt(value, 10))
}

func withReal(name string, value float64) Option {
	return WithParam(name, strconv.FormatFloat(value, 'g', -1, 64))
}

// resolve adds options to the settings that they go on from, and lets the library check all of them.
func resolve(base settings, opts []Option) (settings, error) {
	all := settings{params: append([]setting(nil), base.params...), weights: base.weights, rho: base.rho}
	for _, opt := range opts {
		if opt != nil {
			opt(&all)
		}
	}
	if err := all.useRho(all.params[len(base.params):]); err != nil {
		return all, err
	}
	return all, withConfig(all, func(*C.bmo_config) error { return nil })
}

// What options are for.
const (
	callsOfSearcher C.uint32_t = C.BMO_CALL_KNN | C.BMO_CALL_RADIUS | C.BMO_CALL_KMEANS | C.BMO_CALL_MEDOID
	callsOfDataset  C.uint32_t = callsOfSearcher | C.BMO_CALL_PREPARE
	callsOfArms     C.uint32_t = C.BMO_CALL_ARMS
)

// resolveFor is resolve that refuses an option which counts in none of these calls.
func resolveFor(calls C.uint32_t, base settings, opts []Option) (settings, error) {
	all, err := resolve(base, opts)
	if err != nil {
		return all, err
	}
	return all, checkUse(calls, base.params, all.params[len(base.params):])
}

// checkUse refuses a parameter that was given and does not count. One that the dataset had before may be for other calls.
func checkUse(calls C.uint32_t, before, given []setting) error {
	all := settings{params: append(append([]setting(nil), before...), given...)}
	err := withConfig(all, func(config *C.bmo_config) error {
		return check(func() C.bmo_status { return C.bmo_config_check(config, calls) })
	})
	var detail *Error
	if !errors.As(err, &detail) || find(given, detail.Argument) != "" || find(before, detail.Argument) == "" {
		return err
	}
	return checkUse(calls, without(before, detail.Argument), given)
}

// useRho sets the metric of a Rho that came with these parameters.
func (s *settings) useRho(beside []setting) error {
	metric := find(beside, "metric")
	switch {
	case !s.rhoSet || metric == "custom":
	case metric == "":
		s.params = append(s.params, setting{"metric", "custom"})
	default:
		return refuse(ErrInvalid, "metric", "metric is %q beside WithRho; expected custom, or none", metric)
	}
	return nil
}

// withConfig calls use with a config that has these settings, and frees it afterwards.
func withConfig(all settings, use func(config *C.bmo_config) error) error {
	var config *C.bmo_config
	if err := check(func() C.bmo_status { return C.bmo_config_create(&config) }); err != nil {
		return err
	}
	defer C.bmo_config_free(config)
	for _, param := range all.params {
		if err := setText(config, param); err != nil {
			return err
		}
	}
	err := check(func() C.bmo_status {
		return C.bmo_config_set_weights(config, (*C.double)(first(all.weights)), C.int64_t(len(all.weights)))
	})
	if err == nil && all.rho != nil {
		err = setRho(config, all.rho)
	}
	if err != nil {
		return err
	}
	return use(config)
}

func setText(config *C.bmo_config, param setting) error {
	name, err := cString("name", param.name)
	if err != nil {
		return err
	}
	defer C.free(unsafe.Pointer(name))
	value, err := cString(param.name, param.value)
	if err != nil {
		return err
	}
	defer C.free(unsafe.Pointer(value))
	err = check(func() C.bmo_status { return C.bmo_config_set_text(config, name, value) })
	var detail *Error
	if errors.As(err, &detail) && detail.Argument == "name" { // which no parameter has
		detail.Argument = param.name
	}
	return err
}

// cString is a copy of text for C, to be freed. C would take a NUL within it for its end.
func cString(argument, text string) (*C.char, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, refuse(ErrInvalid, argument, "%s is %q; expected a text without NUL", argument, text)
	}
	return C.CString(text), nil
}

package bmo

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
	"testing"
)

// The options by the parameter that each sets.
var (
	choiceOptions = map[string]func(string) Option{
		"metric":      WithMetric,
		"method":      WithMethod,
		"box":         WithBox,
		"bandit":      WithBandit,
		"confidence":  WithConfidence,
		"sampling":    WithSampling,
		"delta_scope": WithDeltaScope,
	}
	realOptions = map[string]func(float64) Option{
		"p":       WithP,
		"delta":   WithDelta,
		"epsilon": WithEpsilon,
		"sigma":   WithSigma,
	}
	integerOptions = map[string]func(int64) Option{
		"init_pulls":       WithInitPulls,
		"arms_per_round":   WithArmsPerRound,
		"pulls_per_round":  WithPullsPerRound,
		"max_pulls":        WithMaxPulls,
		"uniform_pulls":    WithUniformPulls,
		"seed":             WithSeed,
		"expected_queries": WithExpectedQueries,
		"threads":          func(threads int64) Option { return WithThreads(int(threads)) },
	}
)

// optionName is the name of a parameter's option.
func optionName(param string) string {
	name := "With"
	for _, word := range strings.Split(param, "_") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// declaredOptions are the functions of options.go that return an Option.
func declaredOptions(t *testing.T) map[string]bool {
	file, err := parser.ParseFile(token.NewFileSet(), "options.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || !function.Name.IsExported() || function.Type.Results == nil {
			continue
		}
		result, ok := function.Type.Results.List[0].Type.(*ast.Ident)
		if ok && result.Name == "Option" {
			names[function.Name.Name] = true
		}
	}
	return names
}

func TestOptionsAreTheTable(t *testing.T) {
	declared := declaredOptions(t)
	for _, other := range []string{"WithParam", "WithWeights", "WithRho"} { // of no parameter of the table
		delete(declared, other)
	}
	for _, param := range Params() {
		if !declared[optionName(param.Name)] {
			t.Errorf("parameter %s has no option %s", param.Name, optionName(param.Name))
		}
		delete(declared, optionName(param.Name))
	}
	for name := range declared {
		t.Errorf("%s sets no parameter of the table", name)
	}
}

func accepts(t *testing.T, param Param, opt Option) {
	t.Helper()
	all, err := resolve(settings{}, []Option{opt})
	if err != nil {
		t.Errorf("%s: %v", param.Name, err)
	} else if len(all.params) != 1 || all.params[0].name != param.Name {
		t.Errorf("the option of %s sets %v", param.Name, all.params)
	}
}

func refuses(t *testing.T, param Param, opt Option) {
	t.Helper()
	all, err := resolve(settings{}, []Option{opt})
	if err == nil {
		t.Errorf("%v: accepted; want it out of range", all.params)
	}
}

func TestRangesOfOptions(t *testing.T) {
	for _, param := range Params() {
		accepts(t, param, WithParam(param.Name, param.Default))
		switch param.Type {
		case Choice:
			checkChoice(t, param, choiceOptions[param.Name])
		case Real:
			checkReal(t, param, realOptions[param.Name])
		case Integer:
			checkInteger(t, param, integerOptions[param.Name])
		default:
			t.Errorf("%s has type %d", param.Name, param.Type)
		}
	}
}

func checkChoice(t *testing.T, param Param, option func(string) Option) {
	if option == nil {
		t.Fatalf("the choice %s has no option that takes a text", param.Name)
	}
	if len(param.Choices) < 2 {
		t.Errorf("%s has choices %v", param.Name, param.Choices)
	}
	for _, choice := range param.Choices {
		accepts(t, param, option(choice))
	}
	refuses(t, param, option("neither"))
}

func checkReal(t *testing.T, param Param, option func(float64) Option) {
	if option == nil {
		t.Fatalf("the real parameter %s has no option that takes a float64", param.Name)
	}
	if value, err := strconv.ParseFloat(param.Default, 64); err != nil || value < param.Lower || value > param.Upper {
		t.Errorf("%s is %s unless set; its range is %v to %v", param.Name, param.Default, param.Lower, param.Upper)
	}
	accepts(t, param, option(param.Lower))
	accepts(t, param, option(param.Upper))
	refuses(t, param, option(math.Nextafter(param.Lower, math.Inf(-1))))
	refuses(t, param, option(math.Nextafter(param.Upper, math.Inf(1))))
}

func checkInteger(t *testing.T, param Param, option func(int64) Option) {
	if option == nil {
		t.Fatalf("the integer %s has no option that takes an integer", param.Name)
	}
	accepts(t, param, option(param.Least))
	accepts(t, param, option(param.Largest))
	if param.Least > math.MinInt64 {
		refuses(t, param, option(param.Least-1))
	}
	if param.Largest < math.MaxInt64 {
		refuses(t, param, option(param.Largest+1))
	}
}

func TestOptionsOfADatasetGoOn(t *testing.T) {
	ds, err := NewDense([]float32{0, 0, 3, 4}, 2, 2, WithMetric("l1"), WithSeed(5))
	if err != nil {
		t.Fatal(err)
	}
	defer ds.Close()
	for _, test := range []struct {
		opts     []Option
		distance float64
	}{{nil, 7}, {[]Option{WithMetric("sqeuclidean")}, 25}} {
		s, err := NewSearcher(ds, test.opts...)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		result, err := s.Graph(context.Background(), 1)
		if err != nil || result.Distance[0] != test.distance || result.Stats.Seed != 5 {
			t.Errorf("%v of seed %d, %v; want %v of seed 5", result.Distance, result.Stats.Seed, err, test.distance)
		}
	}
}

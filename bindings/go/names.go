//go:build cgo

package bmo

import "strings"

// A dictionary has the names that a call of Go has for words of C: arguments, fields and functions.
type dictionary map[string]string

// everywhere has the names that are the same in every call.
var everywhere = dictionary{
	"bmo_config_set_rho()":    "WithRho",
	"bmo_dataset_prepare()":   "Prepare",
	"bmo_dataset_subset()":    "Subset",
	"rho":                     "Rho",
	"nrows":                   "len(rows)",
	"data":                    "dataset",
	"query":                   "dataset",
	"mean_distance":           "MeanDistance",
	"limits.max_distance":     "maxDistance",
	"limits.max_pairs":        "maxPairs",
	"out.limits.max_distance": "maxDistance",
	"out.limits.max_pairs":    "maxPairs",
	"out.k":                   "k",
	"candidates.rows":         "Rows",
	"candidates.mask":         "Mask",
	"arms.n":                  "n",
	"arms.exact":              "Exact",
	"arms.exact_cost":         "ExactCost",
	"arms.pull":               "Pull",
	"arms.lower":              "Lower",
	"arms.upper":              "Upper",
	"run.k":                   "k",
	"run.n_init":              "Starts",
	"run.max_iter":            "MaxIter",
	"run.tol":                 "Tol",
	"run.centers":             "Centers",
	"run.inertia":             "Inertia",
}

// name is what a word of C is called here. What has no name stays as it is.
func (own dictionary) name(word string) string {
	if name, known := own[word]; known {
		return name
	}
	if name, known := everywhere[word]; known {
		return name
	}
	return word
}

// C marks what languages say in their own way. Go counts from 0 as C does, so that only words change.
const (
	marks     = "\x01\x02\x04" // of a word, a position, and the remark that positions count from 0
	wordMark  = '\x01'
	endOfMark = "\x03"
)

// translate is a message of C with the names of Go.
func (own dictionary) translate(marked string) string {
	var said strings.Builder
	for {
		start := strings.IndexAny(marked, marks)
		if start < 0 {
			said.WriteString(marked)
			return said.String()
		}
		said.WriteString(marked[:start])
		inner, rest, _ := strings.Cut(marked[start+1:], endOfMark)
		if marked[start] == wordMark {
			inner = own.name(inner)
		}
		said.WriteString(inner)
		marked = rest
	}
}

// names are what C and the user of a call say for points and their parts.
type names struct {
	c                                   string
	data, n, d, indptr, indices, values string
	pointStride, coordStride            string
}

var (
	argumentNames = names{"data", "x", "n", "d", "indptr", "indices", "values", "", ""}
	fieldNames    = names{"data", "Data", "N", "D", "Indptr", "Indices", "Values", "PointStride", "CoordStride"}
	queryNames    = names{"queries", "queries.Data", "queries.N", "queries.D", "queries.Indptr", "queries.Indices", "queries.Values",
		"queries.PointStride", "queries.CoordStride"}
)

// Of queries, made once: every search has them at hand.
var (
	denseQueryWords   = queryNames.words(queryNames.data)
	sparseQueryWords  = queryNames.words(queryNames.values)
	datasetQueryWords = queryNames.words("queries")
)

// words are the names for what C says of the points; numbers is that of their values.
func (of names) words(numbers string) dictionary {
	return dictionary{
		of.c:                   numbers,
		of.c + ".data":         of.data,
		of.c + ".n":            of.n,
		of.c + ".d":            of.d,
		of.c + ".nnz":          of.indices,
		of.c + ".pointers":     of.indptr,
		of.c + ".indices":      of.indices,
		of.c + ".values":       of.values,
		of.c + ".point_stride": of.pointStride,
		of.c + ".coord_stride": of.coordStride,
	}
}

//go:build cgo

package bmo

import "strings"

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

// words turn what C says of the points into the names; numbers is that of their values.
func (of names) words(numbers string) dictionary {
	return strings.NewReplacer(append([]string{of.c + ": ", numbers + ": ", of.c + ".nnz", of.indices, of.c + ".n", of.n, of.c + ".d", of.d, of.c + ".pointers", of.indptr,
		of.c + ".indices", of.indices, ", the index base and nnz", ", the length of " + of.indices, ", the index base", ""}, limitNames...)...)
}

// Command overhead measures what the Go binding adds to a search: it lets the bmo command and the binding compute the
// same graph by turns, and prints the least time that each took, and how much of Go's is the library's own; then it makes
// a call for each point alone, and prints the median time of a call within the library, and the median of what the
// binding added to it.
//
//	go run ./internal/overhead -command ../../build/src/cli/bmo -data images.npy
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"time"

	"bmo"
)

var (
	command = flag.String("command", "bmo", "the bmo command")
	data    = flag.String("data", "", "a data file")
	k       = flag.Int("k", 5, "neighbors of each point")
	turns   = flag.Int("turns", 9, "times that each computes the graph")
)

func main() {
	flag.Parse()
	log.SetFlags(0)
	searcher, points, err := open()
	if err != nil {
		log.Fatal(err)
	}
	if err := compareGraphs(searcher); err != nil {
		log.Fatal(err)
	}
	if err := measureCalls(searcher, points); err != nil {
		log.Fatal(err)
	}
}

// open prepares the data, as the command does where there are many queries.
func open() (*bmo.Searcher, int, error) {
	points, err := bmo.OpenMapped(context.Background(), *data)
	if err != nil {
		return nil, 0, err
	}
	defer points.Close()
	info, err := points.Info()
	if err != nil {
		return nil, 0, err
	}
	prepared, err := points.Prepare(context.Background())
	if err != nil {
		return nil, 0, err
	}
	defer prepared.Close()
	fmt.Printf("%d points of %d %s, k = %d, %s\n", info.N, info.D, info.Type, *k, bmo.ISA())
	searcher, err := bmo.NewSearcher(prepared)
	return searcher, info.N, err
}

func compareGraphs(searcher *bmo.Searcher) error {
	const ever = time.Duration(1 << 62)
	byCommand, byGo, within := ever, ever, ever
	for turn := 0; turn < *turns; turn++ {
		took, err := commandGraph()
		if err != nil {
			return err
		}
		byCommand = least(byCommand, took)
		begin := time.Now()
		result, err := searcher.Graph(context.Background(), *k)
		if err != nil {
			return err
		}
		if took = time.Since(begin); took < byGo {
			byGo, within = took, result.Stats.Wall
		}
	}
	fmt.Printf("graph, least of %d: command %v, Go %v, of which C %v: %+.3f %%\n", *turns, round(byCommand), round(byGo), round(within), excess(byGo, within))
	return nil
}

// commandGraph is the time of the search alone, as the command tells it.
func commandGraph() (time.Duration, error) {
	directory, err := os.MkdirTemp("", "overhead")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(directory)
	report := filepath.Join(directory, "report.json")
	run := exec.Command(*command, "graph", *data, "-k", strconv.Itoa(*k), "--prepare", "yes", "--json", report)
	run.Stderr = os.Stderr
	if err := run.Run(); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return 0, err
	}
	var told struct {
		QueryMs float64 `json:"query_ms"`
	}
	if err := json.Unmarshal(text, &told); err != nil {
		return 0, err
	}
	return time.Duration(told.QueryMs * float64(time.Millisecond)), nil
}

func measureCalls(searcher *bmo.Searcher, points int) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var within, beside []time.Duration
	for row := 0; row < points; row++ {
		begin := time.Now()
		result, err := searcher.KNNRows(ctx, []int64{int64(row)}, *k)
		took := time.Since(begin)
		if err != nil {
			return err
		}
		within = append(within, result.Stats.Wall)
		beside = append(beside, took-result.Stats.Wall)
	}
	library, binding := median(within), median(beside)
	fmt.Printf("a call a point, medians of %d: C %v, Go beside it %v, %+.2f %%\n", points, library, binding, 100*float64(binding)/float64(library))
	return nil
}

func median(times []time.Duration) time.Duration {
	sort.Slice(times, func(a, b int) bool { return times[a] < times[b] })
	return times[len(times)/2]
}

func least(a, b time.Duration) time.Duration {
	if a < b {
		return a
	}
	return b
}

func round(took time.Duration) time.Duration {
	return took.Round(10 * time.Microsecond)
}

// excess is by how many percent a is longer than b.
func excess(a, b time.Duration) float64 {
	return 100 * (float64(a)/float64(b) - 1)
}

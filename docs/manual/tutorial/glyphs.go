package main

import (
	"context"
	"fmt"
	"log"

	"bmo"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	pictures := must(bmo.Open(ctx, "glyphs.npy.gz", bmo.WithMetric(bmo.L1)))
	defer pictures.Close()

	// A dataset that is prepared, and a searcher on it, serve any number of calls.
	prepared := must(pictures.Prepare(ctx))
	defer prepared.Close()
	searcher := must(bmo.NewSearcher(prepared))
	defer searcher.Close()

	// The first picture is that of the exclamation mark.
	const q, eight = 'Q' - '!', '8' - '!'
	found := must(searcher.KNNRows(ctx, []int64{q, eight}, 4))
	for i := 0; i < found.Len(); i++ {
		fmt.Println(found.Row(i))
	}
	fmt.Println(found.Stats.Guarantee)

	medoid := must(searcher.Medoid(ctx))
	fmt.Println("typical:", medoid.Index)
}

package bmo

import (
	"runtime"
	"sync/atomic"
)

// Memory of C, which Go's collector does not see: without a count of it, datasets that nobody closed pile up.

// made is how many bytes of C the datasets have that were made since the last collection and not closed.
var made int64

// A collection takes less time than C took to make so much.
const mostMade = 256 << 20

func countMade(bytes int64) {
	if atomic.AddInt64(&made, bytes) > mostMade {
		atomic.StoreInt64(&made, 0)
		runtime.GC()
	}
}

func countClosed(bytes int64) {
	for {
		before := atomic.LoadInt64(&made)
		after := before - bytes
		if after < 0 { // what was made before the last collection
			after = 0
		}
		if atomic.CompareAndSwapInt64(&made, before, after) {
			return
		}
	}
}

package bmo

// #include "calls.h"
import "C"

// Version is the version of the libbmo that runs, as in "0.1.0".
func Version() string {
	return C.GoString(C.bmo_version_string())
}

// ISA is the instruction set that the library uses: "avx512vnni", "avx512", "avx2", "sse4", "neon" or "scalar". The
// environment variable BMO_ISA lowers it.
func ISA() string {
	return C.GoString(C.bmo_isa())
}

// ThreadsAvailable is how many threads WithThreads(0) allows: what the processor affinity and the control group leave.
func ThreadsAvailable() int {
	return int(C.bmo_threads_available())
}

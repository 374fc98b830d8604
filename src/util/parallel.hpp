// Runs independent items on threads that end with the call.
#pragma once

#include <cstdint>
#include <functional>

#include "util/watch.hpp"

namespace bmo {

// Calls work(item, worker) once for every item in [0, items), on `threads` threads (the calling thread is worker 0), in
// any order; worker < threads names the workspace to use. Fewer threads run if items are few or the system refuses
// more. The first failure (of the lowest item that failed) stops the others and is thrown here. While it waits, the
// calling thread goes on polling the watch.
void parallel_for(int threads, std::int64_t items, Watch &watch,
                  const std::function<void(std::int64_t item, int worker)> &work);

// Processors that this thread may use: the least of its affinity mask and its control group's quota; at least 1.
int threads_available();

} // namespace bmo

// Memory of libbmo, which R's collector does not see: without a count of it, datasets that were dropped pile up.
#pragma once

#include <cstdint>

namespace rbmo {

// A dataset that R has a pointer to was made. Runs the collector where those made since it ran last hold much.
void count_made(uint64_t bytes);

// One was freed at once.
void count_freed(uint64_t bytes);

// So many bytes make the collector run. Gives how many it were before.
double collect_after(double bytes);

} // namespace rbmo

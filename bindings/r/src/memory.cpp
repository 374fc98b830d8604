#include "memory.h"

#include <algorithm>
#include <utility>

#include <unistd.h>

#include <Rinternals.h>

namespace rbmo {
namespace {

// A collection takes less time than libbmo took to make a gigabyte; a small machine has not so much to spare.
double most_memory() {
    constexpr double gigabyte = 1 << 30;
    const auto memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    return std::min(gigabyte, memory / 16);
}

double made = 0; // bytes since the last collection, without those freed at once
double most_made = most_memory();

} // namespace

void count_made(uint64_t bytes) {
    made += static_cast<double>(bytes);
    if (made <= most_made)
        return;
    made = 0;
    R_gc();
}

void count_freed(uint64_t bytes) {
    made -= std::min(made, static_cast<double>(bytes));
}

double collect_after(double bytes) {
    return std::exchange(most_made, bytes);
}

} // namespace rbmo

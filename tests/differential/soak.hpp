// Many calls in one process: neither its memory nor what it holds of it grows.
#pragma once

#include <cstdint>

// Runs cases until as many searches are made, and prints what memory is in use from time to time. 0 if it does not grow.
int soak(std::uint64_t seed, std::uint64_t calls);

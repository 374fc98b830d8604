// The order and the blocks of a preparation in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "boxes/order.hpp"
#include "data/files/sections.hpp"

namespace bmo {

SectionSource order_section(const Order &order);

// An order of so many coordinates: each once, and those of weight 0 last.
Order restore_order(const Sections &sections, std::int64_t count, const std::vector<double> *weights);

// How many blocks of n x 16 values of so many bytes the file has: as many as there are coordinates for, at most.
std::int64_t restored_blocks(const Sections &sections, std::int64_t n, std::size_t value_size,
                             std::int64_t coordinates);

} // namespace bmo

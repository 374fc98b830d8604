#include "boxes/saved_order.hpp"

#include <algorithm>

#include "simd/kernels.hpp"
#include "util/failure.hpp"

namespace bmo {

SectionSource order_section(const Order &order) {
    return {SectionKind::order, order.data(), static_cast<std::int64_t>(order.size() * sizeof(Order::value_type)),
            nullptr};
}

Order restore_order(const Sections &sections, std::int64_t count, const std::vector<double> *weights) {
    const auto *from = sections.values<std::int32_t>(SectionKind::order, count);
    Order order(from, from + count);
    std::vector<bool> seen(order.size());
    for (const std::int32_t coordinate : order) {
        if (coordinate < 0 || coordinate >= count || seen[static_cast<std::size_t>(coordinate)])
            sections.fail_format("the order of the coordinates is none; the file is damaged");
        seen[static_cast<std::size_t>(coordinate)] = true;
    }
    const auto counts = [&](std::int32_t coordinate) { return (*weights)[static_cast<std::size_t>(coordinate)] > 0; };
    if (weights && !std::is_partitioned(order.begin(), order.end(), counts))
        sections.fail_format("the order of the coordinates does not fit their weights; the file is damaged");
    return order;
}

std::int64_t restored_blocks(const Sections &sections, std::int64_t n, std::size_t value_size,
                             std::int64_t coordinates) {
    const std::int64_t bytes = sections.bytes(SectionKind::blocks);
    if (n == 0 && bytes == 0)
        return 0;
    const std::int64_t block = n * kBatch * static_cast<std::int64_t>(value_size);
    if (n == 0 || bytes % block != 0 || bytes / block > coordinates / kBatch)
        sections.fail_format(text("section ", static_cast<std::uint32_t>(SectionKind::blocks), " has ", bytes,
                                  " bytes; expected a multiple of ", block, "; the file is damaged"));
    return bytes / block;
}

} // namespace bmo

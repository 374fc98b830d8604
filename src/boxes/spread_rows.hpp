// Rows of a dataset that stand for all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "util/xoshiro.hpp"

namespace bmo {

// A random row of each of `count` equal parts, ascending; count <= n.
inline std::vector<std::int64_t> spread_rows(std::int64_t n, std::int64_t count, Xoshiro256pp &random) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t first = i * n / count, last = (i + 1) * n / count;
        rows[static_cast<std::size_t>(i)] =
            first + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(last - first)));
    }
    return rows;
}

} // namespace bmo

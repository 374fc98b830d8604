// What was prepared of some points, out of what was prepared of all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "boxes/norms.hpp"
#include "data/dataset.hpp"
#include "util/watch.hpp"

namespace bmo {

// Of blocks that have a row of so many bytes of each of n points, the chosen rows.
inline std::shared_ptr<void> chosen_blocks(const void *storage, std::int64_t blocks, std::int64_t n, std::size_t bytes,
                                           std::span<const std::int64_t> rows, Watch &watch) {
    const auto chosen = static_cast<std::int64_t>(rows.size());
    const std::shared_ptr<void> memory = allocate_dense(BMO_U8, blocks * chosen, static_cast<std::int64_t>(bytes));
    const auto *from = static_cast<const std::byte *>(storage);
    auto *to = static_cast<std::byte *>(memory.get());
    for (std::int64_t block = 0; block < blocks; ++block) {
        watch.poll();
        for (const std::int64_t row : rows) {
            std::memcpy(to, from + static_cast<std::size_t>(block * n + row) * bytes, bytes);
            to += bytes;
        }
    }
    return memory;
}

// Of rows of `width` numbers.
template <class Vector>
Vector chosen_values(const Vector &values, std::span<const std::int64_t> rows, std::int64_t width = 1) {
    Vector chosen;
    chosen.reserve(rows.size() * static_cast<std::size_t>(width));
    for (const std::int64_t row : rows)
        chosen.insert(chosen.end(), values.begin() + row * width, values.begin() + (row + 1) * width);
    return chosen;
}

inline std::shared_ptr<const Norms> chosen_norms(const std::shared_ptr<const Norms> &norms,
                                                 std::span<const std::int64_t> rows) {
    return norms ? std::make_shared<const Norms>(chosen_values(*norms, rows)) : nullptr;
}

} // namespace bmo

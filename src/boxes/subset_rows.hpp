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
    SmallSteps steps(watch);
    for (std::int64_t block = 0; block < blocks; ++block)
        for (const std::int64_t row : rows) {
            steps.step();
            std::memcpy(to, from + static_cast<std::size_t>(block * n + row) * bytes, bytes);
            to += bytes;
        }
    return memory;
}

// Of rows of `width` numbers, those from `first` on.
template <class Vector>
void add_chosen(const Vector &values, std::int64_t first, std::int64_t width, std::span<const std::int64_t> rows,
                Vector &chosen, Watch &watch) {
    SmallSteps steps(watch);
    chosen.reserve(chosen.size() + rows.size() * static_cast<std::size_t>(width));
    for (const std::int64_t row : rows) {
        steps.step();
        const auto from = values.begin() + first + row * width;
        chosen.insert(chosen.end(), from, from + width);
    }
}

inline std::shared_ptr<const Norms> chosen_norms(const std::shared_ptr<const Norms> &norms,
                                                 std::span<const std::int64_t> rows, Watch &watch) {
    if (!norms)
        return nullptr;
    const auto chosen = std::make_shared<Norms>();
    add_chosen(*norms, 0, 1, rows, *chosen, watch);
    return chosen;
}

} // namespace bmo

// The two axes of an array in the caller's memory: one rule for points that are read and results that are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bmo {

struct Axis {
    std::int64_t length = 0, stride = 0;
    std::string name; // of the stride, in messages: "data.point_stride"
};

struct Axes {
    Axis outer, inner;

    // 0 becomes contiguous: inner 1, outer the inner axis's length times its stride. So does the stride of an axis of
    // length 0 or 1, which says nothing.
    void resolve();
    // The number of elements from the first to the last, of so many bytes each; 0 if an axis is empty.
    std::int64_t extent(std::size_t bytes) const;
    // Whether two elements have the same place.
    bool overlap() const;
};

// Values of so many bytes cannot be used at an address that is no multiple of it.
void check_alignment(const void *memory, std::size_t bytes, const std::string &argument);

} // namespace bmo

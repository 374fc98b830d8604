// Whole points of data whose coordinates lie apart, read as rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/dense.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

// Some points, read together: of columns that takes a fraction of the time that one point after another takes.
class ReadRows {
public:
    // arms: ascending.
    void read(const DenseView &points, std::vector<std::int64_t> arms, Watch &watch);
    const void *find(std::int32_t arm) const; // null: it is not among them

private:
    std::vector<std::int64_t> arms_;
    std::size_t row_ = 0; // bytes
    AlignedVector<std::byte> rows_;
};

// For one thread.
class PointReader {
public:
    explicit PointReader(const DenseView &points) : points_(points) {}

    // Points that were read before are taken from these rows (null: none), which outlive their use.
    void read_from(const ReadRows *rows) { rows_ = rows; }

    // The d coordinates of a point, one after another. Until the next call.
    const void *point(std::int32_t arm);

private:
    const DenseView &points_;
    const ReadRows *rows_ = nullptr;
    AlignedVector<std::byte> room_;
};

} // namespace bmo

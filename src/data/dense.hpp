// Dense points in memory, of any supported type and strides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "bmo.h"
#include "util/failure.hpp"
#include "util/float16.hpp"
#include "util/watch.hpp"

namespace bmo {

// No more points, and no more coordinates, than this: positions are kept in 32 bits.
inline constexpr std::int64_t kLargestSide = 0x7fffffff;

inline void check_side(std::int64_t side, std::string_view argument, std::string_view name) {
    if (side > kLargestSide)
        fail(BMO_EOVERFLOW, argument, text(Word{name}, " is ", side, "; expected at most ", kLargestSide));
}

// Bytes of one value; 0 for what is no type.
constexpr std::size_t dtype_size(bmo_dtype dtype) {
    switch (dtype) {
    case BMO_U8:
    case BMO_I8: return 1;
    case BMO_I16:
    case BMO_U16:
    case BMO_F16:
    case BMO_BF16: return 2;
    case BMO_F32:
    case BMO_I32:
    case BMO_U32: return 4;
    case BMO_F64:
    case BMO_I64: return 8;
    default: return 0;
    }
}

inline constexpr std::string_view kDtypeNames =
    "BMO_F32, BMO_F64, BMO_U8, BMO_I32, BMO_I64, BMO_I8, BMO_I16, BMO_U16, BMO_U32, BMO_F16 or BMO_BF16";

constexpr bool is_stored(bmo_dtype dtype) {
    return dtype == BMO_F32 || dtype == BMO_F64 || dtype == BMO_U8 || dtype == BMO_I8 || dtype == BMO_F16 ||
           dtype == BMO_BF16;
}

// Calls visit with a null pointer of the element type, of those that a dataset stores.
template <class Visit>
decltype(auto) visit_stored(bmo_dtype dtype, Visit &&visit) {
    switch (dtype) {
    case BMO_F64: return visit(static_cast<const double *>(nullptr));
    case BMO_U8: return visit(static_cast<const std::uint8_t *>(nullptr));
    case BMO_I8: return visit(static_cast<const std::int8_t *>(nullptr));
    case BMO_F16: return visit(static_cast<const Float16 *>(nullptr));
    case BMO_BF16: return visit(static_cast<const BFloat16 *>(nullptr));
    default: return visit(static_cast<const float *>(nullptr));
    }
}

// The same, of those that callers have.
template <class Visit>
decltype(auto) visit_dtype(bmo_dtype dtype, Visit &&visit) {
    switch (dtype) {
    case BMO_F32: return visit(static_cast<const float *>(nullptr));
    case BMO_F64: return visit(static_cast<const double *>(nullptr));
    case BMO_U8: return visit(static_cast<const std::uint8_t *>(nullptr));
    case BMO_I32: return visit(static_cast<const std::int32_t *>(nullptr));
    case BMO_I8: return visit(static_cast<const std::int8_t *>(nullptr));
    case BMO_I16: return visit(static_cast<const std::int16_t *>(nullptr));
    case BMO_U16: return visit(static_cast<const std::uint16_t *>(nullptr));
    case BMO_U32: return visit(static_cast<const std::uint32_t *>(nullptr));
    case BMO_F16: return visit(static_cast<const Float16 *>(nullptr));
    case BMO_BF16: return visit(static_cast<const BFloat16 *>(nullptr));
    default: return visit(static_cast<const std::int64_t *>(nullptr));
    }
}

// Checked: sizes and strides are in range, and resolved (no stride is 0 if it matters).
struct DenseView {
    bmo_dtype dtype = BMO_F32;
    const void *data = nullptr;
    std::int64_t n = 0, d = 1;
    std::int64_t point_stride = 1, coord_stride = 1;

    // Whether points lie side by side, and their coordinates apart.
    bool in_columns() const { return coord_stride != 1 && point_stride == 1; }

    template <class T>
    const T *point(std::int64_t i) const {
        return static_cast<const T *>(data) + i * point_stride;
    }
};

inline DenseView row_major(bmo_dtype dtype, const void *data, std::int64_t n, std::int64_t d) {
    return {dtype, data, n, d, d, 1};
}

// The points [first, first + count) at the coordinates [from, from + width), as they are. to: room for rows that begin `row` values
// apart.
void copy_block(const DenseView &points, std::int64_t first, std::int64_t count, std::int64_t from, std::int64_t width,
                void *to, std::int64_t row);

// Some points, as they are, one after another.
void copy_points(const DenseView &points, std::span<const std::int64_t> rows, void *to, Watch &watch);

// The values of one point as double. Exact for every type (integers were checked to be within 2^53).
void load_point(const DenseView &points, std::int64_t row, double *out);

} // namespace bmo

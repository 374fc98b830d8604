// Points in columns, brought to rows.
#if defined(BMO_SIMD_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_TRANSPOSE_INL
#undef BMO_SIMD_TRANSPOSE_INL
#else
#define BMO_SIMD_TRANSPOSE_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/kernels.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kColumnsAtOnce = 4;

// Processors do not foresee what is read of the next columns, which lie pages apart.
template <class Value>
HWY_INLINE void prefetch_columns(const Value *from, std::int64_t columns, std::int64_t stride, std::int64_t points) {
    constexpr std::int64_t kLine = 64 / sizeof(Value);
    for (std::int64_t j = 0; j < columns; ++j)
        for (std::int64_t i = 0; i < points; i += kLine)
            hwy::Prefetch(from + j * stride + i);
}

// Of four columns, as many points as a vector has.
template <class Tag, class Value>
HWY_INLINE void turn_columns(Tag tag, const Value *from, std::int64_t stride, Value *to, std::int64_t row) {
    HWY_ALIGN Value turned[kColumnsAtOnce * hn::MaxLanes(Tag{})];
    hn::StoreInterleaved4(hn::LoadU(tag, from), hn::LoadU(tag, from + stride), hn::LoadU(tag, from + 2 * stride),
                          hn::LoadU(tag, from + 3 * stride), tag, turned);
    for (std::size_t i = 0; i < hn::Lanes(tag); ++i)
        std::memcpy(to + static_cast<std::int64_t>(i) * row, turned + i * kColumnsAtOnce,
                    kColumnsAtOnce * sizeof(Value));
}

// By as many columns as a cache line of a row holds, so that rows that fall on the same lines of a cache do no harm.
template <class Value>
void transpose(const void *columns, std::int64_t stride, std::int64_t points, std::int64_t width, void *rows,
               std::int64_t row) {
    const hn::ScalableTag<Value> tag;
    constexpr std::int64_t kLine = 64 / sizeof(Value);
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    const std::int64_t whole = points / lanes * lanes;
    const auto *from = static_cast<const Value *>(columns);
    auto *to = static_cast<Value *>(rows);
    prefetch_columns(from, std::min(kLine, width), stride, points);
    for (std::int64_t left = 0; left < width; left += kLine) {
        const std::int64_t right = std::min(left + kLine, width), four = right - (right - left) % kColumnsAtOnce;
        prefetch_columns(from + right * stride, std::min(kLine, width - right), stride, points);
        for (std::int64_t i = 0; i < whole; i += lanes)
            for (std::int64_t j = left; j < four; j += kColumnsAtOnce)
                turn_columns(tag, from + j * stride + i, stride, to + i * row + j, row);
        for (std::int64_t j = left; j < right; ++j)
            for (std::int64_t i = j < four ? whole : 0; i < points; ++i)
                std::memcpy(to + i * row + j, from + j * stride + i, sizeof(Value));
    }
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

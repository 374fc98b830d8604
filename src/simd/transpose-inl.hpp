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

// Processors do not foresee what is read of the next columns, which lie pages apart.
template <class Value>
HWY_INLINE void prefetch_columns(const Value *from, std::int64_t columns, std::int64_t stride, std::int64_t points) {
    constexpr std::int64_t kLine = 64 / sizeof(Value);
    for (std::int64_t j = 0; j < columns; ++j)
        for (std::int64_t i = 0; i < points; i += kLine)
            hwy::Prefetch(from + j * stride + i);
}

// A block of columns that is brought to rows at once.
template <class Value>
struct Block { // four columns, of as many points as a vector has
    using Tag = hn::ScalableTag<Value>;
    static constexpr std::int64_t kWide = 4, kPoints = hn::MaxLanes(Tag{});

    static HWY_INLINE void turn(const Value *from, std::int64_t stride, Value *to, std::int64_t row) {
        const Tag tag;
        HWY_ALIGN Value turned[kWide * kPoints];
        hn::StoreInterleaved4(hn::LoadU(tag, from), hn::LoadU(tag, from + stride), hn::LoadU(tag, from + 2 * stride),
                              hn::LoadU(tag, from + 3 * stride), tag, turned);
        for (std::int64_t i = 0; i < kPoints; ++i)
            std::memcpy(to + i * row, turned + i * kWide, kWide * sizeof(Value));
    }
};

template <>
struct Block<std::uint8_t> { // sixteen of each: four times, each half is interleaved with the other
    using Tag = hn::FixedTag<std::uint8_t, 16>;
    static constexpr std::int64_t kWide = 16, kPoints = 16;

    static HWY_INLINE void turn(const std::uint8_t *from, std::int64_t stride, std::uint8_t *to, std::int64_t row) {
        const Tag tag;
        constexpr std::size_t kHalf = kWide / 2;
        hn::Vec<Tag> columns[kWide], mixed[kWide];
        for (std::size_t j = 0; j < kWide; ++j)
            columns[j] = hn::LoadU(tag, from + static_cast<std::int64_t>(j) * stride);
        for (int time = 0; time < 4; ++time) {
            for (std::size_t j = 0; j < kHalf; ++j) {
                mixed[2 * j] = hn::InterleaveLower(tag, columns[j], columns[j + kHalf]);
                mixed[2 * j + 1] = hn::InterleaveUpper(tag, columns[j], columns[j + kHalf]);
            }
            std::copy_n(mixed, kWide, columns);
        }
        for (std::size_t i = 0; i < kPoints; ++i)
            hn::StoreU(columns[i], tag, to + static_cast<std::int64_t>(i) * row);
    }
};

// By as many columns as a cache line of a row holds, so that rows that fall on the same lines of a cache do no harm.
template <class Value>
void transpose(const void *columns, std::int64_t stride, std::int64_t points, std::int64_t width, void *rows,
               std::int64_t row) {
    constexpr std::int64_t kLine = 64 / sizeof(Value), kWide = Block<Value>::kWide, kPoints = Block<Value>::kPoints;
    const std::int64_t whole = points / kPoints * kPoints;
    const auto *from = static_cast<const Value *>(columns);
    auto *to = static_cast<Value *>(rows);
    prefetch_columns(from, std::min(kLine, width), stride, points);
    for (std::int64_t left = 0; left < width; left += kLine) {
        const std::int64_t right = std::min(left + kLine, width), blocks = right - (right - left) % kWide;
        prefetch_columns(from + right * stride, std::min(kLine, width - right), stride, points);
        for (std::int64_t i = 0; i < whole; i += kPoints)
            for (std::int64_t j = left; j < blocks; j += kWide)
                Block<Value>::turn(from + j * stride + i, stride, to + i * row + j, row);
        for (std::int64_t j = left; j < right; ++j)
            for (std::int64_t i = j < blocks ? whole : 0; i < points; ++i)
                std::memcpy(to + i * row + j, from + j * stride + i, sizeof(Value));
    }
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

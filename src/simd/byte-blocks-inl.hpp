// Bytes that lie in columns, compared with those of queries. They are brought to panels first: in a panel, the values of a point in a
// group of columns lie side by side, so that one instruction adds up their terms.
#if defined(BMO_SIMD_BYTE_BLOCKS_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_BYTE_BLOCKS_INL
#undef BMO_SIMD_BYTE_BLOCKS_INL
#else
#define BMO_SIMD_BYTE_BLOCKS_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <variant>

#include "simd/exact-inl.hpp"
#include "simd/kernels.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

using Int32 = hn::Repartition<std::int32_t, U8>;
using Int16 = hn::Repartition<std::int16_t, U8>;
using Piece = hn::FixedTag<std::uint8_t, 16>; // as many points as it has room for, in a group of columns
constexpr std::int64_t kPieceBytes = 16;

// The values of `size` columns, interleaved: each time, each half of the columns with the other.
template <std::int64_t size>
HWY_INLINE void interleave_columns(hn::Vec<Piece> (&columns)[size]) {
    constexpr std::size_t kHalf = size / 2;
    const Piece tag;
    for (std::int64_t times = size; times > 1; times /= 2) {
        hn::Vec<Piece> mixed[size];
        for (std::size_t j = 0; j < kHalf; ++j) {
            mixed[2 * j] = hn::InterleaveLower(tag, columns[j], columns[j + kHalf]);
            mixed[2 * j + 1] = hn::InterleaveUpper(tag, columns[j], columns[j + kHalf]);
        }
        std::copy_n(mixed, size, columns);
    }
}

// Each term: how many columns are a group, what their values and those of a query are in a vector, and how two sums of vectors are
// added to those of their points.
struct BlockDistances {
    using Query = std::uint8_t;
    using Values = hn::Vec<U8>;
    using Sum = hn::Vec<U64>;
    using Norms = std::monostate;
    static constexpr std::int64_t kGroup = 8, kQueries = 4,
                                  kVector = hn::MaxLanes(U8{}); // bytes of a vector in a panel

    static HWY_INLINE Sum zero() { return hn::Zero(U64{}); }
    static HWY_INLINE Values load(const std::uint8_t *from) { return hn::LoadU(U8{}, from); }
    static HWY_INLINE Values spread(const Query *values) {
        std::uint64_t group;
        std::memcpy(&group, values, sizeof group);
        return hn::BitCast(U8{}, hn::Set(U64{}, group));
    }
    static HWY_INLINE Sum add(Sum sum, Values x, Values y) { return hn::Add(sum, sum_distances(x, y)); }
    static HWY_INLINE Norms norms(const std::uint8_t *, const std::uint8_t *, std::int64_t) { return {}; }
    static HWY_INLINE void finish(Sum first, Sum second, Norms, std::int32_t *sums) {
        const Int32 integers;
        const auto more = hn::ConcatEven(integers, hn::BitCast(integers, second), hn::BitCast(integers, first));
        hn::StoreU(hn::Add(hn::LoadU(integers, sums), more), integers, sums);
    }
};

struct BlockSquares {
    using Query = std::int16_t;
    using Values = hn::Vec<Int16>;
    using Sum = hn::Vec<Int32>;
    struct Norms {
        Sum first, second;
    };
    static constexpr std::int64_t kGroup = 2, kQueries = 3, kVector = hn::MaxLanes(Int16{});

    static HWY_INLINE Sum zero() { return hn::Zero(Int32{}); }
    static HWY_INLINE Values load(const std::uint8_t *from) {
        return hn::PromoteTo(Int16{}, hn::LoadU(hn::Rebind<std::uint8_t, Int16>{}, from));
    }
    static HWY_INLINE Values spread(const Query *values) {
        std::int32_t group;
        std::memcpy(&group, values, sizeof group);
        return hn::BitCast(Int16{}, hn::Set(Int32{}, group));
    }
    static HWY_INLINE Sum add(Sum sum, Values x, Values y) { return hn::Add(sum, add_pairs(x, y)); }
    static HWY_INLINE Norms norms(const std::uint8_t *first, const std::uint8_t *second, std::int64_t groups) {
        Norms norms{zero(), zero()};
        for (std::int64_t g = 0; g < groups; ++g) {
            const auto x = load(first + g * kVector), other = load(second + g * kVector);
            norms.first = add(norms.first, x, x);
            norms.second = add(norms.second, other, other);
        }
        return norms;
    }
    static HWY_INLINE void finish(Sum first, Sum second, const Norms &norms, std::int32_t *sums) {
        add_to(sums, hn::Sub(norms.first, hn::Add(first, first)));
        add_to(sums + hn::Lanes(Int32{}), hn::Sub(norms.second, hn::Add(second, second)));
    }

private:
    static HWY_INLINE void add_to(std::int32_t *sums, Sum more) {
        hn::StoreU(hn::Add(hn::LoadU(Int32{}, sums), more), Int32{}, sums);
    }
};

// Where the panels of a block are: one vector of points after another, of each all groups of columns.
template <class Term>
struct Panels {
    static constexpr std::int64_t kGroup = Term::kGroup, kVector = Term::kVector, kPoints = kVector / kGroup;
    // Rows do not fall on the same lines of a cache.
    static constexpr std::int64_t kRow = kBlockColumns / kGroup * kVector + 2 * kVector;
    static_assert(kBlockPoints / kPoints * kRow <= kBlockPanels);

    static HWY_INLINE std::uint8_t *at(std::uint8_t *panels, std::int64_t point, std::int64_t group) {
        return panels + point / kPoints * kRow + group * kVector + point % kPoints * kGroup;
    }
};

template <class Term>
HWY_INLINE void store_piece(hn::Vec<Piece> piece, std::uint8_t *panels, std::int64_t point, std::int64_t group) {
    if constexpr (Term::kVector >= kPieceBytes) {
        hn::StoreU(piece, Piece{}, Panels<Term>::at(panels, point, group));
    } else { // of two vectors
        const hn::Half<Piece> half;
        hn::StoreU(hn::LowerHalf(half, piece), half, Panels<Term>::at(panels, point, group));
        hn::StoreU(hn::UpperHalf(half, piece), half, Panels<Term>::at(panels, point + Panels<Term>::kPoints, group));
    }
}

// 16 points from `point` on, of a column; what lies behind the last of either is 0.
HWY_INLINE hn::Vec<Piece> load_end(const ByteBlock &block, std::int64_t column, std::int64_t point) {
    HWY_ALIGN std::uint8_t last[kPieceBytes] = {};
    if (column < block.width)
        std::memcpy(last, block.columns + column * block.column_stride + point,
                    static_cast<std::size_t>(std::min(kPieceBytes, block.points - point)));
    return hn::Load(Piece{}, last);
}

// The group of columns from `from` on.
template <class Term>
HWY_INLINE void turn_points(const ByteBlock &block, std::int64_t from, std::int64_t point) {
    constexpr std::int64_t kGroup = Term::kGroup;
    const bool whole = from + kGroup <= block.width && point + kPieceBytes <= block.points;
    hn::Vec<Piece> columns[kGroup];
    if (whole)
        for (std::int64_t j = 0; j < kGroup; ++j)
            columns[j] = hn::LoadU(Piece{}, block.columns + (from + j) * block.column_stride + point);
    else
        for (std::int64_t j = 0; j < kGroup; ++j)
            columns[j] = load_end(block, from + j, point);
    interleave_columns(columns);
    for (std::int64_t i = 0; i < kGroup; ++i)
        store_piece<Term>(columns[i], block.panels, point + i * (kPieceBytes / kGroup), from / kGroup);
}

// Processors do not foresee what is read of the next columns, which lie pages apart.
template <class Term>
void turn_to_panels(const ByteBlock &block) {
    constexpr std::int64_t kGroup = Term::kGroup, kLine = 64, kAhead = 16;
    const std::int64_t last = block.width + block.behind;
    for (std::int64_t from = 0; from < block.width; from += kGroup) {
        for (std::int64_t j = from + kAhead; j < std::min(from + kAhead + kGroup, last); ++j)
            for (std::int64_t i = 0; i < block.points; i += kLine)
                hwy::Prefetch(block.columns + j * block.column_stride + i);
        for (std::int64_t point = 0; point < block.points; point += kPieceBytes)
            turn_points<Term>(block, from, point);
    }
}

// Two vectors of points, and some queries.
template <class Term, std::int64_t kQueries>
HWY_INLINE void sum_block(const ByteBlock &block, const std::uint8_t *first, const std::uint8_t *second,
                          const typename Term::Query *values, const typename Term::Norms &norms, std::int32_t *sums) {
    typename Term::Sum sum[kQueries][2];
    for (auto &pair : sum)
        pair[0] = pair[1] = Term::zero();
    for (std::int64_t j = 0; j < block.width; j += Term::kGroup) {
        const auto x = Term::load(first), other = Term::load(second);
        first += Term::kVector;
        second += Term::kVector;
        for (std::int64_t q = 0; q < kQueries; ++q) {
            const auto y = Term::spread(values + q * kBlockColumns + j);
            sum[q][0] = Term::add(sum[q][0], x, y);
            sum[q][1] = Term::add(sum[q][1], other, y);
        }
    }
    for (std::int64_t q = 0; q < kQueries; ++q)
        Term::finish(sum[q][0], sum[q][1], norms, sums + q * block.stride);
}

template <class Term>
void add_byte_block(const ByteBlock &block, const void *values, std::int32_t *sums) {
    constexpr std::int64_t kQueries = Term::kQueries;
    const auto *queries = static_cast<const typename Term::Query *>(values);
    const std::int64_t groups = (block.width + Term::kGroup - 1) / Term::kGroup;
    turn_to_panels<Term>(block);
    for (std::int64_t point = 0; point < block.points; point += 2 * Panels<Term>::kPoints) {
        const std::uint8_t *first = Panels<Term>::at(block.panels, point, 0), *second = first + Panels<Term>::kRow;
        const auto norms = Term::norms(first, second, groups);
        std::int64_t q = 0;
        for (; q + kQueries <= block.queries; q += kQueries)
            sum_block<Term, kQueries>(block, first, second, queries + q * kBlockColumns, norms,
                                      sums + q * block.stride + point);
        for (; q < block.queries; ++q)
            sum_block<Term, 1>(block, first, second, queries + q * kBlockColumns, norms,
                               sums + q * block.stride + point);
    }
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

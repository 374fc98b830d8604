// Columns, added to the sums of their points.
#if defined(BMO_SIMD_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_COLUMNS_INL
#undef BMO_SIMD_COLUMNS_INL
#else
#define BMO_SIMD_COLUMNS_INL
#endif

#include <hwy/cache_control.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/kernels.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

struct Product {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Mul(a, b);
    }
};

struct Lesser {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Min(a, b);
    }
};

template <class Function>
void add_column(const std::uint8_t *column, std::int64_t count, std::uint16_t value, std::uint16_t *sums) {
    const hn::CappedTag<std::uint16_t, kColumnStep> words;
    const hn::Rebind<std::uint8_t, decltype(words)> bytes;
    const auto values = hn::Set(words, value);
    for (std::int64_t i = 0; i < count; i += static_cast<std::int64_t>(hn::Lanes(words))) {
        const auto term = Function{}(hn::PromoteTo(words, hn::LoadU(bytes, column + i)), values);
        hn::StoreU(hn::Add(hn::LoadU(words, sums + i), term), words, sums + i);
    }
}

using Doubles = hn::Vec<F64>;

struct SquareTerm {
    static HWY_INLINE Doubles of(Doubles x, Doubles y) { return Squares{}(x, y); }
    static double of(double x, double y) { return Square{}(x, y); }
};
struct AbsoluteTerm {
    static HWY_INLINE Doubles of(Doubles x, Doubles y) { return Absolutes{}(x, y); }
    static double of(double x, double y) { return Absolute{}(x, y); }
};
struct ProductTerm {
    static HWY_INLINE Doubles of(Doubles x, Doubles y) { return hn::Mul(x, y); }
    static double of(double x, double y) { return x * y; }
};

// Processors do not foresee what is read of the next columns, which lie pages apart.
template <class Value>
HWY_INLINE void fetch_next(const ColumnTile &tile, std::int64_t first, std::int64_t points) {
    constexpr std::int64_t kLine = 64 / sizeof(Value);
    for (const void *column : tile.next)
        for (std::int64_t i = 0; i < points; i += kLine)
            hwy::Prefetch(static_cast<const Value *>(column) + first + i);
}

template <class Value, class Term>
void add_columns(const ColumnTile &tile, const double *values, double *sums) {
    const F64 doubles;
    const auto scale = hn::Set(doubles, tile.scale);
    const auto x = [&](int j) { return static_cast<const Value *>(tile.columns[static_cast<std::size_t>(j)]); };
    const auto add_vector = [&](std::int64_t i) HWY_ATTR {
        const auto x0 = hn::Mul(load_doubles(x(0) + i), scale), x1 = hn::Mul(load_doubles(x(1) + i), scale);
        const auto x2 = hn::Mul(load_doubles(x(2) + i), scale), x3 = hn::Mul(load_doubles(x(3) + i), scale);
        const double *y = values;
        double *sum = sums + i;
        for (std::int64_t q = 0; q < tile.queries; ++q, y += kColumns, sum += tile.stride) {
            const auto first = hn::Add(Term::of(x0, hn::Set(doubles, y[0])), Term::of(x1, hn::Set(doubles, y[1])));
            const auto second = hn::Add(Term::of(x2, hn::Set(doubles, y[2])), Term::of(x3, hn::Set(doubles, y[3])));
            hn::StoreU(hn::Add(hn::LoadU(doubles, sum), hn::Add(first, second)), doubles, sum);
        }
    };
    std::int64_t i = 0;
    for (; i + kBatch <= tile.points; i += kBatch) {
        fetch_next<Value>(tile, i, kBatch);
        for (std::int64_t v = 0; v < kBatch; v += static_cast<std::int64_t>(kDoubles))
            add_vector(i + v);
    }
    for (; i < tile.points; ++i) {
        const auto term = [&](int j, const double *y) {
            return Term::of(static_cast<double>(x(j)[i]) * tile.scale, y[j]);
        };
        for (std::int64_t q = 0; q < tile.queries; ++q) {
            const double *y = values + q * kColumns;
            sums[q * tile.stride + i] += (term(0, y) + term(1, y)) + (term(2, y) + term(3, y));
        }
    }
}

// A vector of points of a column, from its middle.
template <class Value>
HWY_INLINE hn::Vec<F32> load_shifted(const Value *from, double scale, double middle) {
    static_assert(2 * kDoubles == kFloats);
    const F64 doubles;
    const hn::Half<F32> half;
    const auto shifted = [&](std::size_t at) HWY_ATTR {
        const auto apart = hn::Sub(load_doubles(from + at), hn::Set(doubles, middle));
        return hn::DemoteTo(half, hn::Mul(apart, hn::Set(doubles, scale)));
    };
    return hn::Combine(F32{}, shifted(kDoubles), shifted(0));
}

// Two vectors of points at a time, by which a value that is spread serves twice.
template <class Value>
void add_float_columns(const ColumnTile &tile, const float *values, float *sums) {
    const F32 floats;
    constexpr auto kLanes = static_cast<std::int64_t>(kFloats);
    constexpr std::int64_t kStep = 2 * kLanes;
    const auto x = [&](std::size_t j) { return static_cast<const Value *>(tile.columns[j]); };
    std::int64_t i = 0;
    for (; i + kStep <= tile.points; i += kStep) {
        fetch_next<Value>(tile, i, kStep);
        hn::Vec<F32> point[2][kColumns];
        for (std::size_t j = 0; j < kColumns; ++j)
            for (std::int64_t v = 0; v < 2; ++v)
                point[v][j] = load_shifted(x(j) + i + v * kLanes, tile.scale, tile.middle[j]);
        const float *y = values;
        float *sum = sums + i;
        for (std::int64_t q = 0; q < tile.queries; ++q, y += kColumns, sum += tile.stride) {
            hn::Vec<F32> query[kColumns];
            for (int j = 0; j < kColumns; ++j)
                query[j] = hn::Set(floats, y[j]);
            for (std::int64_t v = 0; v < 2; ++v) {
                const auto term = [&](int j) HWY_ATTR { return Absolutes{}(point[v][j], query[j]); };
                const auto terms = hn::Add(hn::Add(term(0), term(1)), hn::Add(term(2), term(3)));
                hn::StoreU(hn::Add(hn::LoadU(floats, sum + v * kLanes), terms), floats, sum + v * kLanes);
            }
        }
    }
    for (; i < tile.points; ++i)
        for (std::int64_t q = 0; q < tile.queries; ++q) {
            const auto term = [&](std::size_t j) {
                const double apart = static_cast<double>(x(j)[i]) - tile.middle[j];
                return Absolute{}(static_cast<float>(apart * tile.scale),
                                  values[q * kColumns + static_cast<std::int64_t>(j)]);
            };
            sums[q * tile.stride + i] += (term(0) + term(1)) + (term(2) + term(3));
        }
}

struct ByteSquares {
    static HWY_INLINE hn::Vec<S32> of(hn::Vec<S16> apart) { return add_pairs(apart, apart); }
    static int of(int apart) { return apart * apart; }
};
struct ByteAbsolutes {
    static HWY_INLINE hn::Vec<S32> of(hn::Vec<S16> apart) { return add_pairs(hn::Abs(apart), hn::Set(S16{}, 1)); }
    static int of(int apart) { return std::abs(apart); }
};

// Two columns as pairs of 16 bits.
HWY_INLINE hn::Vec<S16> load_pairs(const void *first, const void *second, std::int64_t i) {
    const U32 words;
    const hn::Rebind<std::uint8_t, U32> bytes;
    const auto low = hn::PromoteTo(words, hn::LoadU(bytes, static_cast<const std::uint8_t *>(first) + i));
    const auto high = hn::PromoteTo(words, hn::LoadU(bytes, static_cast<const std::uint8_t *>(second) + i));
    return hn::BitCast(S16{}, hn::Or(low, hn::ShiftLeft<16>(high)));
}

HWY_INLINE hn::Vec<S16> spread_pair(const std::int16_t *values) {
    std::uint32_t pair;
    std::memcpy(&pair, values, sizeof pair);
    return hn::BitCast(S16{}, hn::Set(U32{}, pair));
}

template <class Term>
void add_byte_columns(const ColumnTile &tile, const std::int16_t *values, std::int32_t *sums) {
    constexpr auto kStep = static_cast<std::int64_t>(kFloats);
    constexpr std::int64_t kLine = 64;
    const S32 integers;
    std::int64_t i = 0;
    for (; i + kStep <= tile.points; i += kStep) {
        if (i % kLine == 0)
            fetch_next<std::uint8_t>(tile, i, kLine);
        const auto x01 = load_pairs(tile.columns[0], tile.columns[1], i);
        const auto x23 = load_pairs(tile.columns[2], tile.columns[3], i);
        const std::int16_t *y = values;
        std::int32_t *sum = sums + i;
        for (std::int64_t q = 0; q < tile.queries; ++q, y += kColumns, sum += tile.stride) {
            const auto terms =
                hn::Add(Term::of(hn::Sub(x01, spread_pair(y))), Term::of(hn::Sub(x23, spread_pair(y + 2))));
            hn::StoreU(hn::Add(hn::LoadU(integers, sum), terms), integers, sum);
        }
    }
    for (; i < tile.points; ++i)
        for (std::int64_t q = 0; q < tile.queries; ++q)
            for (std::size_t j = 0; j < kColumns; ++j) {
                const int x = static_cast<const std::uint8_t *>(tile.columns[j])[i];
                sums[q * tile.stride + i] += Term::of(x - values[q * kColumns + static_cast<std::int64_t>(j)]);
            }
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

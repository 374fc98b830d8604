// Tiles of an exact scan: sums over a chunk of coordinates, of every pair of some points and some queries. A square of
// pairs is kept in registers, so that each vector that is loaded serves several of them.
#if defined(BMO_SIMD_TILES_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_TILES_INL
#undef BMO_SIMD_TILES_INL
#else
#define BMO_SIMD_TILES_INL
#endif

#include <cstddef>
#include <cstdint>
#include <functional>

#include "simd/exact-inl.hpp"
#include "simd/fold.hpp"
#include "simd/kernels.hpp"
#include "simd/rows-inl.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

// Pairs along a side of the square: their sums and what is loaded for them fit in the registers.
template <class Pair>
constexpr std::int64_t side_of() {
    if constexpr (requires { Pair::kSide; })
        return Pair::kSide;
    else
        return HWY_MAX_BYTES == 64 || HWY_ARCH_ARM_A64 ? 5 : 3;
}

// Each kind of pair: what its elements, its sums in registers and the sums that it is added to are; add() and total().
struct FloatDifferences {
    using Element = float;
    using Sum = double;
    using Register = hn::Vec<F32>;
    static constexpr std::int64_t kStep = kFloats;
    static HWY_INLINE Register load(const float *from) { return hn::LoadU(F32{}, from); }
    static HWY_INLINE Register zero() { return hn::Zero(F32{}); }
    static HWY_INLINE Register add(Register sum, Register x, Register q) {
        return hn::Add(sum, hn::Abs(hn::Sub(x, q)));
    }
    static HWY_INLINE double total(Register sum) {
        return static_cast<double>(hn::GetLane(hn::SumOfLanes(F32{}, sum)));
    }
};

// The same bits on every instruction set: 16 lanes, folded in one order, and no multiply and add is fused.
struct LaneProducts {
    using Element = float;
    using Sum = double;
    struct Register {
        Samples lanes[kVectors];
    };
    static constexpr std::int64_t kSide = kVectors == 1 ? 5 : kVectors == 2 ? 2 : 1;
    static constexpr std::int64_t kStep = kBatch;
    static HWY_INLINE Register load(const float *from) {
        Register loaded;
        for (std::size_t v = 0; v < kVectors; ++v)
            loaded.lanes[v] = hn::LoadU(F32{}, from + v * kFloats);
        return loaded;
    }
    static HWY_INLINE Register zero() {
        Register zeros;
        for (auto &lanes : zeros.lanes)
            lanes = hn::Zero(F32{});
        return zeros;
    }
    static HWY_INLINE Register add(Register sum, const Register &x, const Register &q) {
        for (std::size_t v = 0; v < kVectors; ++v)
            sum.lanes[v] = hn::Add(sum.lanes[v], hn::Mul(x.lanes[v], q.lanes[v]));
        return sum;
    }
    static HWY_INLINE double total(const Register &sum) {
        HWY_ALIGN float lane[kBatch];
        for (std::size_t v = 0; v < kVectors; ++v)
            hn::Store(sum.lanes[v], F32{}, lane + v * kFloats);
        return static_cast<double>(fold_lanes(lane, std::plus<>()));
    }
};

struct ByteDifferences {
    using Element = std::uint8_t;
    using Sum = std::int64_t;
    using Register = hn::Vec<U64>;
    using Input = hn::Vec<U8>;
    static constexpr std::int64_t kStep = hn::MaxLanes(U8{});
    static HWY_INLINE Input load(const std::uint8_t *from) { return hn::LoadU(U8{}, from); }
    static HWY_INLINE Register zero() { return hn::Zero(U64{}); }
    static HWY_INLINE Register add(Register sum, Input x, Input q) { return hn::Add(sum, sum_distances(x, q)); }
    static HWY_INLINE std::int64_t total(Register sum) {
        return static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(U64{}, sum)));
    }
};

// A query's bytes are signed: 128 less. A lane takes at most 4 kTileChunk / 64 products of at most 255 * 128.
struct ByteProducts {
    using Element = std::uint8_t;
    using Sum = std::int64_t;
    using I32 = hn::ScalableTag<std::int32_t>;
    using Register = hn::Vec<I32>;
#if HWY_TARGET == HWY_AVX3_DL
    using Input = hn::Vec<U8>;
    static constexpr std::int64_t kStep = hn::MaxLanes(U8{});
    static HWY_INLINE Input load(const std::uint8_t *from) {
        return hn::LoadU(U8{}, from);
    }
    static HWY_INLINE Input load_query(const std::uint8_t *from) {
        return load(from);
    }
    static HWY_INLINE Register add(Register sum, Input x, Input q) {
        __asm__("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(x.raw), "v"(q.raw));
        return sum;
    }
#else
    using I16 = hn::ScalableTag<std::int16_t>;
    using Input = hn::Vec<I16>;
    static constexpr std::int64_t kStep = hn::MaxLanes(I16{});
    static HWY_INLINE Input load(const std::uint8_t *from) {
        return hn::PromoteTo(I16{}, hn::LoadU(hn::Rebind<std::uint8_t, I16>{}, from));
    }
    static HWY_INLINE Input load_query(const std::uint8_t *from) {
        const hn::Rebind<std::int8_t, I16> bytes;
        return hn::PromoteTo(I16{}, hn::BitCast(bytes, hn::LoadU(hn::Rebind<std::uint8_t, I16>{}, from)));
    }
    static HWY_INLINE Register add(Register sum, Input x, Input q) {
        auto other = hn::Zero(I32{});
        sum = hn::ReorderWidenMulAccumulate(I32{}, x, q, sum, other);
        return hn::Add(sum, other);
    }
#endif
    static HWY_INLINE Register zero() {
        return hn::Zero(I32{});
    }
    static HWY_INLINE std::int64_t total(Register sum) {
        return hn::GetLane(hn::SumOfLanes(I32{}, sum));
    }
};

template <class Pair, class Element>
HWY_INLINE auto load_query(const Element *from) {
    if constexpr (requires { Pair::load_query(from); })
        return Pair::load_query(from);
    else
        return Pair::load(from);
}

// The pairs of kRows points from p on and a side of queries from q on. Beyond the last query, it stands in.
template <class Pair, std::int64_t kRows>
HWY_INLINE void sum_pairs(const typename Pair::Element *points, const typename Pair::Element *queries, const Tile &tile,
                          std::int64_t p, std::int64_t q, typename Pair::Sum *sums) {
    constexpr std::int64_t kSide = side_of<Pair>();
    const typename Pair::Element *y[kSide];
    for (std::int64_t l = 0; l < kSide; ++l)
        y[l] = queries + (q + l < tile.queries ? q + l : tile.queries - 1) * tile.row;
    typename Pair::Register sum[kRows][kSide];
    for (auto &row : sum)
        for (auto &pair : row)
            pair = Pair::zero();
    for (std::int64_t j = 0; j < tile.width; j += Pair::kStep) {
        decltype(load_query<Pair>(y[0])) query[kSide];
        for (std::int64_t l = 0; l < kSide; ++l)
            query[l] = load_query<Pair>(y[l] + j);
        for (std::int64_t i = 0; i < kRows; ++i) {
            const auto point = Pair::load(points + (p + i) * tile.row + j);
            for (std::int64_t l = 0; l < kSide; ++l)
                sum[i][l] = Pair::add(sum[i][l], point, query[l]);
        }
    }
    for (std::int64_t i = 0; i < kRows; ++i)
        for (std::int64_t l = 0; l < kSide && q + l < tile.queries; ++l)
            sums[(p + i) * tile.stride + q + l] += Pair::total(sum[i][l]);
}

// A side of queries stays in the nearest cache while the points go by.
template <class Pair>
void sum_tile(const typename Pair::Element *points, const typename Pair::Element *queries, const Tile &tile,
              typename Pair::Sum *sums) {
    constexpr std::int64_t kSide = side_of<Pair>();
    for (std::int64_t q = 0; q < tile.queries; q += kSide) {
        std::int64_t p = 0;
        for (; p + kSide <= tile.points; p += kSide)
            sum_pairs<Pair, kSide>(points, queries, tile, p, q, sums);
        for (; p < tile.points; ++p)
            sum_pairs<Pair, 1>(points, queries, tile, p, q, sums);
    }
}

template <class Value, class Function>
double center(const void *from, const double *middle, double scale, std::int64_t count, float *to) {
    const auto *x = static_cast<const Value *>(from);
    const F64 doubles;
    const hn::Half<F32> half;
    constexpr std::size_t kSums = kBatch / kDoubles;
    const auto factor = hn::Set(doubles, scale);
    hn::Vec<F64> sums[kSums];
    for (auto &sum : sums)
        sum = hn::Zero(doubles);
    std::int64_t j = 0;
    for (; j + kBatch <= count; j += kBatch)
        for (std::size_t v = 0; v < kSums; ++v) {
            const auto at = static_cast<std::size_t>(j) + v * kDoubles;
            const auto apart = hn::Mul(hn::Sub(load_doubles(x + at), hn::LoadU(doubles, middle + at)), factor);
            hn::StoreU(hn::DemoteTo(half, apart), half, to + at);
            sums[v] = hn::Add(sums[v], Function::of(apart));
        }
    HWY_ALIGN double lane[kBatch];
    for (std::size_t v = 0; v < kSums; ++v)
        hn::Store(sums[v], doubles, lane + v * kDoubles);
    const hn::CappedTag<double, 1> one;
    for (std::int64_t at = j; at < count; ++at) {
        const double apart = (static_cast<double>(x[at]) - middle[at]) * scale;
        to[at] = static_cast<float>(apart);
        lane[at - j] += hn::GetLane(Function::of(hn::Set(one, apart)));
    }
    return fold_lanes(lane, std::plus<>());
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

// Panels of points against blocks of queries: a lane is a point, so that sums need not be folded, and each element of a query
// that is spread over a vector serves two of them.
#if defined(BMO_SIMD_PANELS_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_PANELS_INL
#undef BMO_SIMD_PANELS_INL
#else
#define BMO_SIMD_PANELS_INL
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

#include "simd/fold.hpp"
#include "simd/kernels.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

using Codes = hn::Repartition<std::uint8_t, U32>;

// Two vectors of points by so many queries: their sums, and what is loaded for them, fit in the registers.
constexpr std::int64_t kPanelVectors = 2;
constexpr std::int64_t kPanelLanes = kPanelVectors * static_cast<std::int64_t>(kFloats);
constexpr std::int64_t kQueriesAtOnce = HWY_MAX_BYTES == 64 || HWY_ARCH_ARM_A64 ? 12 : 6;
static_assert(kPanel % kPanelLanes == 0 && kPanelQueries % kQueriesAtOnce == 0);

struct FloatPanel {
    using Element = float;
    using Sum = float;
    using Register = hn::Vec<F32>;
    static HWY_INLINE Register zero() { return hn::Zero(F32{}); }
    static HWY_INLINE Register load(const float *from) { return hn::LoadU(F32{}, from); }
    static HWY_INLINE Register spread(const float *from) { return hn::Set(F32{}, *from); }
    static HWY_INLINE Register add(Register sum, Register x, Register q) { return hn::MulAdd(x, q, sum); }
    static HWY_INLINE void add_to(float *to, Register sum) {
        hn::StoreU(hn::Add(hn::LoadU(F32{}, to), sum), F32{}, to);
    }
};

// Four bytes of a point and a query in each lane of 32 bits.
struct BytePanel {
    using Element = std::uint32_t;
    using Sum = std::int32_t;
    using Register = hn::Vec<S32>;
    using Input = hn::Vec<U32>;
    static HWY_INLINE Register zero() { return hn::Zero(S32{}); }
    static HWY_INLINE Input load(const std::uint32_t *from) { return hn::LoadU(U32{}, from); }
    static HWY_INLINE Input spread(const std::uint32_t *from) { return hn::Set(U32{}, *from); }
    static HWY_INLINE void add_to(std::int32_t *to, Register sum) {
        hn::StoreU(hn::Add(hn::LoadU(S32{}, to), sum), S32{}, to);
    }
#if HWY_TARGET == HWY_AVX3_DL
    static constexpr int kLevels = 127;
    static constexpr bool kFast = true;
    static HWY_INLINE Register add(Register sum, Input x, Input q) {
        __asm__("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(x.raw), "v"(q.raw));
        return sum;
    }
#elif HWY_ARCH_X86
    // The sum of two products, of at most 255 * 64 each, is within 16 bits.
    static constexpr int kLevels = 64;
    static constexpr bool kFast = true;
    static HWY_INLINE Register add(Register sum, Input x, Input q) {
        const hn::Repartition<std::int16_t, S32> shorts;
#if HWY_TARGET == HWY_AVX3
        const hn::Vec<decltype(shorts)> pairs{_mm512_maddubs_epi16(x.raw, q.raw)};
        return hn::Add(sum, Register{_mm512_madd_epi16(pairs.raw, hn::Set(shorts, 1).raw)});
#elif HWY_TARGET == HWY_AVX2
        const hn::Vec<decltype(shorts)> pairs{_mm256_maddubs_epi16(x.raw, q.raw)};
        return hn::Add(sum, Register{_mm256_madd_epi16(pairs.raw, hn::Set(shorts, 1).raw)});
#else
        const hn::Vec<decltype(shorts)> pairs{_mm_maddubs_epi16(x.raw, q.raw)};
        return hn::Add(sum, Register{_mm_madd_epi16(pairs.raw, hn::Set(shorts, 1).raw)});
#endif
    }
#else
    static constexpr int kLevels = 127;
    static constexpr bool kFast = false;
    static HWY_INLINE Register add(Register sum, Input x, Input q) {
        const auto byte = hn::Set(U32{}, 0xff);
        const auto term = [&](Input of_x, Register of_q) {
            return hn::Mul(hn::BitCast(S32{}, hn::And(of_x, byte)), hn::ShiftRight<24>(of_q));
        };
        const auto signed_q = hn::BitCast(S32{}, q);
        sum = hn::Add(sum, term(x, hn::ShiftLeft<24>(signed_q)));
        sum = hn::Add(sum, term(hn::ShiftRight<8>(x), hn::ShiftLeft<16>(signed_q)));
        sum = hn::Add(sum, term(hn::ShiftRight<16>(x), hn::ShiftLeft<8>(signed_q)));
        return hn::Add(sum, term(hn::ShiftRight<24>(x), signed_q));
    }
#endif
};

template <class Pair, std::int64_t kQueries>
HWY_INLINE void sum_panel(const typename Pair::Element *points, const typename Pair::Element *queries,
                          std::int64_t width, std::int64_t stride, typename Pair::Sum *sums) {
    typename Pair::Register sum[kQueries][kPanelVectors];
    for (auto &of_query : sum)
        for (auto &lanes : of_query)
            lanes = Pair::zero();
    for (std::int64_t j = 0; j < width; ++j, points += kPanel, queries += kPanelQueries) {
        const auto first = Pair::load(points), second = Pair::load(points + kFloats);
        for (std::int64_t l = 0; l < kQueries; ++l) {
            const auto query = Pair::spread(queries + l);
            sum[l][0] = Pair::add(sum[l][0], first, query);
            sum[l][1] = Pair::add(sum[l][1], second, query);
        }
    }
    for (std::int64_t l = 0; l < kQueries; ++l)
        for (std::int64_t v = 0; v < kPanelVectors; ++v)
            Pair::add_to(sums + l * stride + v * static_cast<std::int64_t>(kFloats), sum[l][v]);
}

// So many queries, from the first of a block or behind others of it, against all panels: they stay in the nearest cache.
template <class Pair, std::int64_t kQueries>
void sum_panels(const typename Pair::Element *points, const typename Pair::Element *queries, const PanelTile &tile,
                typename Pair::Sum *sums) {
    for (std::int64_t panel = 0; panel < tile.panels; ++panel)
        for (std::int64_t lane = 0; lane < kPanel; lane += kPanelLanes)
            sum_panel<Pair, kQueries>(points + panel * tile.panel + lane, queries, tile.width, tile.stride,
                                      sums + panel * kPanel + lane);
}

template <class Pair>
void sum_blocks(const typename Pair::Element *points, const typename Pair::Element *queries, const PanelTile &tile,
                typename Pair::Sum *sums) {
    for (std::int64_t q = 0; q < tile.queries;) {
        const auto *block = queries + q / kPanelQueries * tile.block + q % kPanelQueries;
        const std::int64_t left = std::min(tile.queries - q, kQueriesAtOnce);
        const auto go = [&]<std::int64_t kQueries>() {
            sum_panels<Pair, kQueries>(points, block, tile, sums + q * tile.stride);
            q += kQueries;
        };
        if (left == kQueriesAtOnce)
            go.template operator()<kQueriesAtOnce>();
        else if (left >= 4)
            go.template operator()<4>();
        else if (left >= 2)
            go.template operator()<2>();
        else
            go.template operator()<1>();
    }
}

// Four rows at a time.
void interleave(const void *rows, std::int64_t row, std::int64_t width, void *to) {
    using Four = hn::CappedTag<std::uint32_t, 4>;
    const Four four;
    static_assert(hn::MaxLanes(Four{}) == 4);
    for (std::int64_t i = 0; i < kPanel; i += 4)
        for (std::int64_t j = 0; j < width; j += 4) {
            const auto *from = static_cast<const std::uint32_t *>(rows) + i * row + j;
            const auto a = hn::LoadU(four, from), b = hn::LoadU(four, from + row), c = hn::LoadU(four, from + 2 * row),
                       d = hn::LoadU(four, from + 3 * row);
            const hn::RepartitionToWide<Four> two;
            const auto ab_low = hn::BitCast(two, hn::InterleaveLower(four, a, b));
            const auto cd_low = hn::BitCast(two, hn::InterleaveLower(four, c, d));
            const auto ab_high = hn::BitCast(two, hn::InterleaveUpper(four, a, b));
            const auto cd_high = hn::BitCast(two, hn::InterleaveUpper(four, c, d));
            auto *out = static_cast<std::uint32_t *>(to) + j * kPanel + i;
            hn::StoreU(hn::BitCast(four, hn::InterleaveLower(two, ab_low, cd_low)), four, out);
            hn::StoreU(hn::BitCast(four, hn::InterleaveUpper(two, ab_low, cd_low)), four, out + kPanel);
            hn::StoreU(hn::BitCast(four, hn::InterleaveLower(two, ab_high, cd_high)), four, out + 2 * kPanel);
            hn::StoreU(hn::BitCast(four, hn::InterleaveUpper(two, ab_high, cd_high)), four, out + 3 * kPanel);
        }
}

HWY_INLINE hn::Vec<F64> load_sums(const float *from) {
    return load_doubles(from);
}
HWY_INLINE hn::Vec<F64> load_sums(const std::int32_t *from) {
    return hn::PromoteTo(F64{}, hn::LoadU(hn::Rebind<std::int32_t, F64>{}, from));
}

template <class Sum>
std::int64_t select(const Sum *sums, std::int64_t points, const PanelTerms &terms, const PanelThreshold &query,
                    std::int32_t *arms) {
    const F64 doubles;
    const auto factor = hn::Set(doubles, query.factor), by_spread = hn::Set(doubles, query.by_spread),
               by_size = hn::Set(doubles, query.by_size), threshold = hn::Set(doubles, query.threshold);
    std::int64_t found = 0;
    for (std::int64_t p = 0; p < points; p += static_cast<std::int64_t>(kDoubles)) {
        auto least = hn::NegMulAdd(hn::LoadU(doubles, terms.scale + p), hn::Mul(factor, load_sums(sums + p)),
                                   hn::LoadU(doubles, terms.base + p));
        least = hn::NegMulAdd(hn::LoadU(doubles, terms.spread + p), by_spread, least);
        least = hn::NegMulAdd(hn::LoadU(doubles, terms.size + p), by_size, least);
        const auto kept = hn::Le(least, threshold);
        if (hn::AllFalse(doubles, kept)) [[likely]]
            continue;
        HWY_ALIGN std::uint8_t bits[8] = {};
        hn::StoreMaskBits(doubles, kept, bits);
        for (unsigned left = bits[0]; left != 0; left &= left - 1)
            arms[found++] = static_cast<std::int32_t>(p + __builtin_ctz(left));
    }
    return found;
}

template <class Value>
Shifted shift(const void *from, const double *middle, double factor, std::int64_t count, float *to) {
    const auto *x = static_cast<const Value *>(from);
    const F64 doubles;
    const hn::Half<F32> half;
    constexpr std::size_t kSums = kBatch / kDoubles;
    const auto factors = hn::Set(doubles, factor);
    hn::Vec<F64> sums[kSums];
    for (auto &sum : sums)
        sum = hn::Zero(doubles);
    auto most = hn::Zero(half);
    std::int64_t j = 0;
    for (; j + kBatch <= count; j += kBatch)
        for (std::size_t v = 0; v < kSums; ++v) {
            const auto at = static_cast<std::size_t>(j) + v * kDoubles;
            const auto apart = hn::Sub(hn::Mul(load_doubles(x + at), factors), hn::LoadU(doubles, middle + at));
            const auto rounded = hn::DemoteTo(half, apart);
            hn::StoreU(rounded, half, to + at);
            most = hn::Max(most, hn::Abs(rounded));
            sums[v] = hn::Add(sums[v], hn::Mul(apart, apart));
        }
    float largest = hn::GetLane(hn::MaxOfLanes(half, most));
    HWY_ALIGN double lane[kBatch];
    for (std::size_t v = 0; v < kSums; ++v)
        hn::Store(sums[v], doubles, lane + v * kDoubles);
    for (std::int64_t at = j; at < count; ++at) {
        const double apart = static_cast<double>(x[at]) * factor - middle[at];
        to[at] = static_cast<float>(apart);
        largest = std::max(largest, std::abs(to[at]));
        lane[at - j] += apart * apart;
    }
    return {fold_lanes(lane, std::plus<>()), largest};
}

// A vector of points, of a few columns.
template <class Value, std::int64_t kWidth>
HWY_INLINE void shift_vector(const Value *x, const ColumnBlock &block, std::int64_t i, std::int64_t j, float *to,
                             double *squares, float *largest) {
    const F64 doubles;
    const hn::Half<F32> half;
    const auto factors = hn::LoadU(doubles, block.factors + i);
    auto sum = hn::LoadU(doubles, squares + i);
    auto most = hn::LoadU(half, largest + i);
    for (std::int64_t c = 0; c < kWidth; ++c) {
        const auto value = hn::Mul(load_doubles(x + (j + c) * block.stride + i), factors);
        const auto apart = hn::Sub(value, hn::Set(doubles, block.middle[j + c]));
        const auto rounded = hn::DemoteTo(half, apart);
        hn::StoreU(rounded, half, to + (j + c) * kPanel);
        most = hn::Max(most, hn::Abs(rounded));
        sum = hn::Add(sum, hn::Mul(apart, apart));
    }
    hn::StoreU(sum, doubles, squares + i);
    hn::StoreU(most, half, largest + i);
}

template <class Value>
void shift_columns(const ColumnBlock &block, float *panels, std::int64_t panel, double *squares, float *largest) {
    constexpr auto kLanes = static_cast<std::int64_t>(kDoubles);
    constexpr std::int64_t kWidth = 4, kAheadOf = 8, kLine = 64 / sizeof(Value);
    const auto *x = static_cast<const Value *>(block.columns);
    for (std::int64_t j = 0; j < block.width; j += kWidth) {
        for (std::int64_t c = j + kAheadOf; c < std::min(j + kAheadOf + kWidth, block.width); ++c)
            for (std::int64_t i = 0; i < block.points; i += kLine)
                hwy::Prefetch(x + c * block.stride + i);
        const bool whole = j + kWidth <= block.width;
        std::int64_t i = 0;
        for (; i + kLanes <= block.points; i += kLanes) {
            float *to = panels + i / kPanel * panel + i % kPanel;
            if (whole)
                shift_vector<Value, kWidth>(x, block, i, j, to, squares, largest);
            else
                for (std::int64_t c = j; c < block.width; ++c)
                    shift_vector<Value, 1>(x, block, i, c, to, squares, largest);
        }
        for (; i < block.points; ++i)
            for (std::int64_t c = j; c < std::min(j + kWidth, block.width); ++c) {
                const double apart = static_cast<double>(x[c * block.stride + i]) * block.factors[i] - block.middle[c];
                float &to = panels[i / kPanel * panel + c * kPanel + i % kPanel];
                to = static_cast<float>(apart);
                largest[i] = std::max(largest[i], std::abs(to));
                squares[i] += apart * apart;
            }
    }
}

void code(const float *values, std::int64_t count, const CodeScale &scale, std::uint8_t *to, CodeSums &sums) {
    const F32 floats;
    const S32 integers;
    const hn::Rebind<std::uint8_t, F32> bytes;
    const auto inverse = hn::Set(floats, scale.inverse), step = hn::Set(floats, scale.step);
    const auto most = hn::Set(integers, scale.levels), least = hn::Set(integers, -scale.levels),
               bias = hn::Set(integers, scale.bias), low_byte = hn::Set(integers, 0xff);
    auto squares = hn::Zero(integers), numbers = hn::Zero(integers);
    auto lost = hn::Zero(floats);
    std::int64_t j = 0;
    for (; j + static_cast<std::int64_t>(kFloats) <= count; j += static_cast<std::int64_t>(kFloats)) {
        const auto value = hn::LoadU(floats, values + j);
        const auto number = hn::Min(hn::Max(hn::NearestInt(hn::Mul(value, inverse)), least), most);
        const auto rest = hn::NegMulAdd(hn::ConvertTo(floats, number), step, value);
        lost = hn::MulAdd(rest, rest, lost);
        squares = hn::Add(squares, hn::Mul(number, number));
        numbers = hn::Add(numbers, number);
        hn::StoreU(hn::DemoteTo(bytes, hn::And(hn::Add(number, bias), low_byte)), bytes, to + j);
    }
    sums.squares += static_cast<double>(hn::GetLane(hn::SumOfLanes(integers, squares)));
    sums.numbers += hn::GetLane(hn::SumOfLanes(integers, numbers));
    sums.lost += static_cast<double>(hn::GetLane(hn::SumOfLanes(floats, lost)));
    if (j < count) {
        float rest[kBatch] = {};
        std::uint8_t coded[kBatch];
        std::memcpy(rest, values + j, static_cast<std::size_t>(count - j) * sizeof(float));
        CodeSums of_rest;
        code(rest, kFloats, scale, coded, of_rest);
        std::memcpy(to + j, coded, static_cast<std::size_t>(count - j));
        sums.squares += of_rest.squares;
        sums.numbers += of_rest.numbers;
        sums.lost += of_rest.lost;
    }
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

// What comes before and after the samples of a look, of a vector of arms: the same steps as prepare_units() and settle()
// (simd/look.hpp).
#if defined(BMO_SIMD_SETTLE_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_SETTLE_INL
#undef BMO_SIMD_SETTLE_INL
#else
#define BMO_SIMD_SETTLE_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "simd/look.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

// What the samples of a batch gave to a vector of arms.
struct Gains {
    HWY_ALIGN float unit[kFloats]; // what they stake goes by
    hn::Vec<F32> growth[kBets], sum;
};

// The lanes of a vector, of which a part stands for arms. What the others hold is never stored.
struct AllLanes {
    HWY_INLINE bool has(std::size_t) const { return true; }
    HWY_INLINE std::size_t one(std::size_t lane) const { return lane; }
    template <class D>
    HWY_INLINE hn::Vec<D> load(D d, const hn::TFromD<D> *from, std::size_t) const {
        return hn::LoadU(d, from);
    }
    template <class D>
    HWY_INLINE void store(hn::Vec<D> v, D d, hn::TFromD<D> *to, std::size_t) const {
        hn::StoreU(v, d, to);
    }
    HWY_INLINE void store_flags(hn::Mask<F32> flags, std::uint8_t *to) const { HWY_NAMESPACE::store_flags(flags, to); }
};

struct FirstLanes {
    static constexpr bool kMasked = kFloats >= 8; // the others' lanes of memory are not touched, as on narrower targets

    std::size_t count;

    HWY_INLINE bool has(std::size_t lane) const { return lane < count; }
    // The last stands in for those that there are not.
    HWY_INLINE std::size_t one(std::size_t lane) const { return std::min(lane, count - 1); }
    // How many there are from lane `first` on.
    HWY_INLINE std::size_t from(std::size_t first) const { return count > first ? count - first : 0; }
    template <class D>
    HWY_INLINE hn::Vec<D> load(D d, const hn::TFromD<D> *at, std::size_t first) const {
        if constexpr (kMasked)
            return hn::MaskedLoad(hn::FirstN(d, from(first)), d, at);
        hn::TFromD<D> lanes[hn::MaxLanes(d)] = {};
        std::copy_n(at, std::min(from(first), hn::MaxLanes(d)), lanes);
        return hn::LoadU(d, lanes);
    }
    template <class D>
    HWY_INLINE void store(hn::Vec<D> v, D d, hn::TFromD<D> *to, std::size_t first) const {
        if constexpr (kMasked)
            return hn::BlendedStore(v, hn::FirstN(d, from(first)), d, to);
        hn::TFromD<D> lanes[hn::MaxLanes(d)];
        hn::StoreU(v, d, lanes);
        std::copy_n(lanes, std::min(from(first), hn::MaxLanes(d)), to);
    }
    HWY_INLINE void store_flags(hn::Mask<F32> flags, std::uint8_t *to) const {
        std::uint8_t all[kFloats];
        HWY_NAMESPACE::store_flags(flags, all);
        std::copy_n(all, count, to);
    }
};

// Calls visit(i, lanes) for every vector of arms.
template <class Visit>
HWY_INLINE void for_vectors(std::int64_t count, Visit visit) {
    constexpr auto kStep = static_cast<std::int64_t>(kFloats);
    std::int64_t i = 0;
    for (; i + kStep <= count; i += kStep)
        visit(i, AllLanes{});
    if (i < count)
        visit(i, FirstLanes{static_cast<std::size_t>(count - i)});
}

HWY_INLINE hn::Vec<F64> sums_below(hn::Vec<F64> sums, const Look &look) {
    const F64 doubles;
    return hn::Sub(hn::Mul(sums, hn::Set(doubles, 1 - kSumRelativeError)), hn::Set(doubles, look.slack));
}

HWY_INLINE hn::Vec<hn::Half<F32>> half_of_means(hn::Vec<F64> sums, const Look &look, double per_unread) {
    const F64 doubles;
    const auto left = hn::Sub(hn::Set(doubles, look.target), sums_below(sums, look));
    return hn::DemoteTo(hn::Half<F32>{}, hn::Mul(left, hn::Set(doubles, per_unread)));
}

template <class Lanes>
HWY_INLINE void prepare_units(Lanes lanes, const double *sum, const Look &look, double per_unread, Gains &gains) {
    const F32 floats;
    const F64 doubles;
    const auto mean =
        hn::Combine(floats, half_of_means(lanes.load(doubles, sum + kDoubles, kDoubles), look, per_unread),
                    half_of_means(lanes.load(doubles, sum, 0), look, per_unread));
    const auto unit = hn::Div(hn::Set(floats, kUnitOfMean), mean);
    hn::Store(hn::IfThenElseZero(hn::Ge(mean, hn::Set(floats, kSmallestMean)), unit), floats, gains.unit);
}

// Returns the new sums.
template <class Lanes>
HWY_INLINE hn::Vec<F64> add_half(Lanes lanes, hn::Vec<hn::Half<F32>> gained, double *sum, std::size_t first) {
    const F64 doubles;
    const auto all = hn::Add(lanes.load(doubles, sum + first, first), hn::PromoteTo(doubles, gained));
    lanes.store(all, doubles, sum + first, first);
    return all;
}

template <class Lanes>
HWY_INLINE void add_to_sums(Lanes lanes, hn::Vec<F32> gained, double *sum) {
    const hn::Half<F32> half;
    add_half(lanes, hn::LowerHalf(half, gained), sum, 0);
    add_half(lanes, hn::UpperHalf(half, gained), sum, kDoubles);
}

// 1 for each sum that is above the target.
HWY_INLINE hn::Vec<hn::Half<F32>> exceeding(hn::Vec<F64> all, const Look &look) {
    const F64 doubles;
    const hn::Half<F32> half;
    const auto above = hn::Gt(look.target > 0 ? sums_below(all, look) : all, hn::Set(doubles, look.target));
    return hn::DemoteTo(half, hn::IfThenElseZero(above, hn::Set(doubles, 1.0)));
}

template <class Lanes>
HWY_INLINE hn::Mask<F32> add_sums_read(Lanes lanes, const Gains &gains, double *sum, const Look &look) {
    const F32 floats;
    const hn::Half<F32> half;
    const auto low = exceeding(add_half(lanes, hn::LowerHalf(half, gains.sum), sum, 0), look),
               high = exceeding(add_half(lanes, hn::UpperHalf(half, gains.sum), sum, kDoubles), look);
    return hn::Gt(hn::Combine(floats, high, low), hn::Zero(floats));
}

template <std::size_t kFirst, std::size_t kLast, class Lanes>
HWY_INLINE void settle(Lanes lanes, const Gains &gains, const Look &look, const ArmState &state, std::uint8_t *keep) {
    const F32 floats;
    auto total = hn::Zero(floats);
    for (std::size_t g = 0; g < kBets; ++g) {
        float *at = state.wealth + static_cast<std::int64_t>(g) * state.stride;
        auto wealth = lanes.load(floats, at, 0);
        if (g >= kFirst && g < kLast) {
            wealth = hn::Mul(wealth, hn::Min(hn::Set(floats, kLargestGrowth), gains.growth[g]));
            lanes.store(wealth, floats, at, 0);
        }
        total = hn::Add(total, hn::Mul(wealth, hn::Set(floats, kWeight[g])));
    }
    const auto exceeds = add_sums_read(lanes, gains, state.sum, look);
    const auto rejected = hn::Ge(total, hn::Set(floats, look.rejection));
    lanes.store_flags(hn::Not(hn::Or(rejected, exceeds)), keep);
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

// What comes before and after the samples of a look, of a vector of arms: the same steps as prepare_units() and settle()
// (simd/look.hpp).
#if defined(BMO_SIMD_SETTLE_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_SETTLE_INL
#undef BMO_SIMD_SETTLE_INL
#else
#define BMO_SIMD_SETTLE_INL
#endif

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

HWY_INLINE hn::Vec<F64> sums_below(hn::Vec<F64> sums, const Look &look) {
    const F64 doubles;
    return hn::Sub(hn::Mul(sums, hn::Set(doubles, 1 - kSumRelativeError)), hn::Set(doubles, look.slack));
}

HWY_INLINE hn::Vec<hn::Half<F32>> half_of_means(const double *sum, const Look &look, double per_unread) {
    const F64 doubles;
    const auto left = hn::Sub(hn::Set(doubles, look.target), sums_below(hn::LoadU(doubles, sum), look));
    return hn::DemoteTo(hn::Half<F32>{}, hn::Mul(left, hn::Set(doubles, per_unread)));
}

HWY_INLINE void prepare_units(const double *sum, const Look &look, double per_unread, Gains &gains) {
    const F32 floats;
    const auto mean =
        hn::Combine(floats, half_of_means(sum + kDoubles, look, per_unread), half_of_means(sum, look, per_unread));
    const auto unit = hn::Div(hn::Set(floats, kUnitOfMean), mean);
    hn::Store(hn::IfThenElseZero(hn::Ge(mean, hn::Set(floats, kSmallestMean)), unit), floats, gains.unit);
}

// Adds what was read, and tells by 1 which sums are above the target.
HWY_INLINE hn::Vec<hn::Half<F32>> add_half(hn::Vec<hn::Half<F32>> gained, double *sum, const Look &look) {
    const F64 doubles;
    const hn::Half<F32> half;
    const auto all = hn::Add(hn::LoadU(doubles, sum), hn::PromoteTo(doubles, gained));
    hn::StoreU(all, doubles, sum);
    const auto above = hn::Gt(look.target > 0 ? sums_below(all, look) : all, hn::Set(doubles, look.target));
    return hn::DemoteTo(half, hn::IfThenElseZero(above, hn::Set(doubles, 1.0)));
}

HWY_INLINE hn::Mask<F32> add_sums_read(const Gains &gains, double *sum, const Look &look) {
    const F32 floats;
    const hn::Half<F32> half;
    const auto low = add_half(hn::LowerHalf(half, gains.sum), sum, look),
               high = add_half(hn::UpperHalf(half, gains.sum), sum + kDoubles, look);
    return hn::Gt(hn::Combine(floats, high, low), hn::Zero(floats));
}

template <std::size_t kFirst>
HWY_INLINE void settle(const Gains &gains, const Look &look, const ArmState &state, std::uint8_t *keep) {
    const F32 floats;
    auto total = hn::Zero(floats);
    for (std::size_t g = 0; g < kBets; ++g) {
        float *at = state.wealth + static_cast<std::int64_t>(g) * state.stride;
        auto wealth = hn::LoadU(floats, at);
        if (g >= kFirst) {
            wealth = hn::Mul(wealth, hn::Min(hn::Set(floats, kLargestGrowth), gains.growth[g]));
            hn::StoreU(wealth, floats, at);
        }
        total = hn::Add(total, hn::Mul(wealth, hn::Set(floats, kWeight[g])));
    }
    const auto exceeds = add_sums_read(gains, state.sum, look);
    const auto rejected = hn::Ge(total, hn::Set(floats, look.rejection));
    store_flags(hn::Not(hn::Or(rejected, exceeds)), keep);
}

// Fewer arms than a vector has, with room for all of it.
class PartOfVector {
public:
    PartOfVector(const ArmState &state, std::int64_t count) : whole_(state), count_(count) {
        for (std::int64_t i = 0; i < count; ++i) {
            sum_[i] = state.sum[i];
            for (std::int64_t g = 0; g < kBets; ++g)
                wealth_[g][i] = state.wealth[g * state.stride + i];
        }
    }

    ArmState state() { return {sum_, wealth_[0], static_cast<std::int64_t>(kFloats)}; }
    std::uint8_t *keep() { return keep_; }

    void put_back(std::uint8_t *keep) const {
        for (std::int64_t i = 0; i < count_; ++i) {
            whole_.sum[i] = sum_[i];
            for (std::int64_t g = 0; g < kBets; ++g)
                whole_.wealth[g * whole_.stride + i] = wealth_[g][i];
            keep[i] = keep_[i];
        }
    }

private:
    const ArmState &whole_;
    std::int64_t count_;
    HWY_ALIGN double sum_[kFloats] = {};
    HWY_ALIGN float wealth_[kBets][kFloats] = {};
    std::uint8_t keep_[kFloats];
};

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

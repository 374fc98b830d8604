// The test by betting and the sums of batches, four arms at a time.
#if defined(BMO_SIMD_BETTING_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_BETTING_INL
#undef BMO_SIMD_BETTING_INL
#else
#define BMO_SIMD_BETTING_INL
#endif

#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "simd/look.hpp"
#include "simd/rows-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

// Four lanes: one of each of four arms.
using Four = hn::CappedTag<float, 4>;

// Vector v of by_place[c] has, in each quarter b of the batch that it holds, sample 4 b + c of four arms.
template <class Rows>
HWY_INLINE void read_four(const Rows &from, const std::int64_t *arms, Samples (*by_place)[kVectors]) {
    const F32 floats;
    Samples row[4][kVectors];
    for (std::size_t arm = 0; arm < 4; ++arm)
        from.read(arms[arm], row[arm]);
    for (std::size_t v = 0; v < kVectors; ++v) {
        const auto even_low = hn::InterleaveLower(floats, row[0][v], row[2][v]);
        const auto odd_low = hn::InterleaveLower(floats, row[1][v], row[3][v]);
        const auto even_high = hn::InterleaveUpper(floats, row[0][v], row[2][v]);
        const auto odd_high = hn::InterleaveUpper(floats, row[1][v], row[3][v]);
        by_place[0][v] = hn::InterleaveLower(floats, even_low, odd_low);
        by_place[1][v] = hn::InterleaveUpper(floats, even_low, odd_low);
        by_place[2][v] = hn::InterleaveLower(floats, even_high, odd_high);
        by_place[3][v] = hn::InterleaveUpper(floats, even_high, odd_high);
    }
}

// The four quarters of each arm as in fold_batch: 0 and 2, and 1 and 3, then both.
template <class Combine>
HWY_INLINE hn::Vec<Four> fold_quarters(const Samples *quarters, Combine combine) {
    if constexpr (kFloats == 16) {
        const hn::Half<F32> eight;
        const auto half = combine(hn::LowerHalf(eight, quarters[0]), hn::UpperHalf(eight, quarters[0]));
        return combine(hn::LowerHalf(Four{}, half), hn::UpperHalf(Four{}, half));
    } else if constexpr (kFloats == 8) {
        const auto half = combine(quarters[0], quarters[1]);
        return combine(hn::LowerHalf(Four{}, half), hn::UpperHalf(Four{}, half));
    } else {
        return combine(combine(quarters[0], quarters[2]), combine(quarters[1], quarters[3]));
    }
}

struct Add {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Add(a, b);
    }
};

struct Multiply {
    template <class V>
    HWY_INLINE V operator()(V a, V b) const {
        return hn::Mul(a, b);
    }
};

HWY_INLINE hn::Vec<Four> sum_four(const Samples (*by_place)[kVectors]) {
    const Add add;
    Samples quarters[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v)
        quarters[v] = add(add(add(by_place[0][v], by_place[1][v]), by_place[2][v]), by_place[3][v]);
    return fold_quarters(quarters, add);
}

// What the bets of bandit/betting.hpp stake and retain: the same of every sample.
struct FixedBets {
    HWY_INLINE float stake(std::size_t g) const { return 1 - kRetained[g]; }
    HWY_INLINE Samples retained(std::size_t g, std::size_t, std::size_t) const { return hn::Set(F32{}, kRetained[g]); }
};

// What foretold bets stake and retain, placed as read_four() places samples.
class PlacedBets {
public:
    explicit PlacedBets(const ForetoldBets &bets) : bets_(bets) {
        for (std::size_t g = 0; g < kBets; ++g)
            for (std::size_t c = 0; c < 4; ++c)
                for (std::size_t lane = 0; lane < kBatch; ++lane)
                    retained_[g][c][lane] = bets.retained[g][lane / 4 * 4 + c];
    }
    HWY_INLINE float stake(std::size_t g) const { return bets_.stake[g]; }
    HWY_INLINE Samples retained(std::size_t g, std::size_t c, std::size_t v) const {
        return hn::Load(F32{}, retained_[g][c] + v * kFloats);
    }

private:
    const ForetoldBets &bets_;
    HWY_ALIGN float retained_[kBets][4][kBatch];
};

// The product of bet g over the batch of four arms.
template <class Bets>
HWY_INLINE hn::Vec<Four> grow_four(const Samples (*by_place)[kVectors], const Bets &bets, std::size_t g, Samples unit) {
    const Multiply multiply;
    const auto stake = hn::Mul(hn::Set(F32{}, bets.stake(g)), unit);
    Samples quarters[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
        Samples factor[4];
        for (std::size_t c = 0; c < 4; ++c)
            factor[c] = hn::Add(hn::Mul(by_place[c][v], stake), bets.retained(g, c, v));
        quarters[v] = multiply(multiply(multiply(factor[0], factor[1]), factor[2]), factor[3]);
    }
    return fold_quarters(quarters, multiply);
}

// Reads four arms of `count`, from i on; the last stands in for missing ones.
template <class Rows, class Which>
HWY_INLINE void read_four_of(const Rows &from, std::int64_t i, std::int64_t count, const Which &which,
                             Samples (*by_place)[kVectors]) {
    constexpr std::int64_t kAhead = 16;
    std::int64_t arms[4];
    for (std::int64_t a = 0; a < 4; ++a) {
        arms[a] = which(i + a < count ? i + a : count - 1);
        if (i + a + kAhead < count)
            from.prefetch(which(i + a + kAhead));
    }
    read_four(from, arms, by_place);
}

// The growths of the bets from kFirst on, and the sums.
template <std::size_t kFirst, class Rows, class Which, class Bets>
HWY_INLINE void grow_some(const Rows &from, std::int64_t count, const Which &which, const Bets &bets, Batch &batch) {
    for (std::int64_t i = 0; i < count; i += 4) {
        Samples by_place[4][kVectors];
        read_four_of(from, i, count, which, by_place);
        const auto unit = hn::LoadDup128(F32{}, batch.unit + i);
        for (std::size_t g = kFirst; g < kBets; ++g)
            hn::Store(grow_four(by_place, bets, g, unit), Four{}, batch.growth[g] + i);
        hn::Store(sum_four(by_place), Four{}, batch.sum + i);
    }
}

template <class Rows, class Which, class Bets>
HWY_INLINE void bet_some(const Rows &from, std::int64_t count, const Which &which, const Look &look, const Bets &bets,
                         const ArmState &state, std::uint8_t *keep) {
    Batch batch;
    prepare_units(state.sum, count, look, batch);
    for (std::int64_t i = count; i < (count + 3) / 4 * 4; ++i)
        batch.unit[i] = 0;
    if (look.first_bet == 0)
        grow_some<0>(from, count, which, bets, batch);
    else
        grow_some<kLateBets>(from, count, which, bets, batch);
    settle(batch, count, look, state, keep);
}

template <class Rows, class Which>
HWY_INLINE void sum_some(const Rows &from, std::int64_t count, const Which &which, double *sum) {
    for (std::int64_t i = 0; i < count; i += 4) {
        Samples by_place[4][kVectors];
        read_four_of(from, i, count, which, by_place);
        HWY_ALIGN float four[4];
        hn::Store(sum_four(by_place), Four{}, four);
        for (std::int64_t a = 0; a < 4 && i + a < count; ++a)
            sum[i + a] += static_cast<double>(four[a]);
    }
}

struct Itself {
    HWY_INLINE std::int64_t operator()(std::int64_t i) const { return i; }
};

struct Named {
    const std::int32_t *arms;
    HWY_INLINE std::int64_t operator()(std::int64_t i) const { return arms[i]; }
};

HWY_INLINE std::int64_t part(std::int64_t count, std::int64_t at) {
    return kLookArms < count - at ? kLookArms : count - at;
}

void bet(const float *z, std::int64_t count, const Look &look, const ArmState &state, std::uint8_t *keep) {
    if (look.width != kBatch)
        return kScalarKernels.bet(z, count, look, state, keep);
    for (std::int64_t at = 0; at < count; at += kLookArms)
        bet_some(GivenSamples(z + at * kBatch), part(count, at), Itself{}, look, FixedBets{}, state.from(at),
                 keep + at);
}

void bet_foretold(const float *z, std::int64_t count, const Look &look, const ForetoldBets &bets, const ArmState &state,
                  std::uint8_t *keep) {
    if (look.width != kBatch)
        return kScalarKernels.bet_foretold(z, count, look, bets, state, keep);
    const PlacedBets placed(bets);
    for (std::int64_t at = 0; at < count; at += kLookArms)
        bet_some(GivenSamples(z + at * kBatch), part(count, at), Itself{}, look, placed, state.from(at), keep + at);
}

void add_sums(const float *z, std::int64_t count, double *sum) {
    sum_some(GivenSamples(z), count, Itself{}, sum);
}

template <class Rows>
void pull_bet(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query, const RhoScale &rho,
              const Look &look, const ArmState &state, std::uint8_t *keep) {
    const Rows from(rows, query, rho);
    for (std::int64_t at = 0; at < count; at += kLookArms)
        bet_some(from, part(count, at), Named{arms + at}, look, FixedBets{}, state.from(at), keep + at);
}

template <class Rows>
void pull_sums(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query, const RhoScale &rho,
               double *sum) {
    sum_some(Rows(rows, query, rho), count, Named{arms}, sum);
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

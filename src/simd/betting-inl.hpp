// The test by betting and the sums of batches, four arms at a time.
#if defined(BMO_SIMD_BETTING_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_BETTING_INL
#undef BMO_SIMD_BETTING_INL
#else
#define BMO_SIMD_BETTING_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "simd/look.hpp"
#include "simd/rows-inl.hpp"
#include "simd/settle-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

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

// What four arms' batches come to, in quarters: a vector of four lanes for each arm, or what is left of them if the
// vectors are narrower.
template <class Combine>
HWY_INLINE Samples join_quarters(const Samples *quarters, Combine combine) {
    if constexpr (kFloats == 16)
        return quarters[0];
    else if constexpr (kFloats == 8)
        return combine(quarters[0], quarters[1]);
    else
        return combine(combine(quarters[0], quarters[2]), combine(quarters[1], quarters[3]));
}

// Fours of arms that fill a vector.
constexpr std::size_t kFours = kFloats / 4;

// A lane for each arm: of its four quarters 0 and 2, and 1 and 3, then both, as in fold_batch.
template <class Combine>
HWY_INLINE Samples fold_fours(const Samples *four, Combine combine) {
    const F32 floats;
    if constexpr (kFloats == 16) {
        const auto even = combine(hn::ConcatLowerLower(floats, four[2], four[0]),
                                  hn::ConcatUpperUpper(floats, four[2], four[0])); // a02 a13 c02 c13
        const auto odd = combine(hn::ConcatLowerLower(floats, four[3], four[1]),
                                 hn::ConcatUpperUpper(floats, four[3], four[1])); // b02 b13 d02 d13
        return combine(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd), even),
                       hn::OddEvenBlocks(odd, hn::SwapAdjacentBlocks(even)));
    } else if constexpr (kFloats == 8) {
        return combine(hn::ConcatLowerLower(floats, four[1], four[0]), hn::ConcatUpperUpper(floats, four[1], four[0]));
    } else {
        return four[0];
    }
}

HWY_INLINE Samples sum_four(const Samples (*by_place)[kVectors]) {
    const Add add;
    Samples quarters[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v)
        quarters[v] = add(add(add(by_place[0][v], by_place[1][v]), by_place[2][v]), by_place[3][v]);
    return join_quarters(quarters, add);
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
HWY_INLINE Samples grow_four(const Samples (*by_place)[kVectors], const Bets &bets, std::size_t g, Samples unit) {
    const Multiply multiply;
    const auto stake = hn::Mul(hn::Set(F32{}, bets.stake(g)), unit);
    Samples quarters[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
        Samples factor[4];
        for (std::size_t c = 0; c < 4; ++c)
            factor[c] = hn::Add(hn::Mul(by_place[c][v], stake), bets.retained(g, c, v));
        quarters[v] = multiply(multiply(multiply(factor[0], factor[1]), factor[2]), factor[3]);
    }
    return join_quarters(quarters, multiply);
}

// Reads four arms, from lane `first` on, of a vector that begins at arm i of `count`.
template <class Lanes, class Rows, class Which>
HWY_INLINE void read_four_of(Lanes lanes, const Rows &from, std::int64_t i, std::size_t first, std::int64_t count,
                             const Which &which, Samples (*by_place)[kVectors]) {
    std::int64_t arms[4];
    for (std::size_t a = 0; a < 4; ++a) {
        const std::int64_t ahead = i + static_cast<std::int64_t>(first + a) + kAhead;
        arms[a] = which(i + static_cast<std::int64_t>(lanes.one(first + a)));
        if (ahead < count)
            from.prefetch(which(ahead));
    }
    read_four(from, arms, by_place);
}

// The growths of the bets from kFirst on, and the sums, of a vector of arms from i on.
template <std::size_t kFirst, std::size_t kLast, class Lanes, class Rows, class Which, class Bets>
HWY_INLINE void grow_some(Lanes lanes, const Rows &from, std::int64_t i, std::int64_t count, const Which &which,
                          const Bets &bets, Gains &gains) {
    Samples growth[kBets][kFours], sum[kFours];
    for (std::size_t f = 0; f < kFours; ++f) {
        if (!lanes.has(4 * f)) {
            for (std::size_t g = kFirst; g < kLast; ++g)
                growth[g][f] = hn::Zero(F32{});
            sum[f] = hn::Zero(F32{});
            continue;
        }
        Samples by_place[4][kVectors];
        read_four_of(lanes, from, i, 4 * f, count, which, by_place);
        const auto unit = hn::LoadDup128(F32{}, gains.unit + 4 * f);
        for (std::size_t g = kFirst; g < kLast; ++g)
            growth[g][f] = grow_four(by_place, bets, g, unit);
        sum[f] = sum_four(by_place);
    }
    for (std::size_t g = kFirst; g < kLast; ++g)
        gains.growth[g] = fold_fours(growth[g], Multiply{});
    gains.sum = fold_fours(sum, Add{});
}

template <std::size_t kFirst, std::size_t kLast, class Rows, class Which, class Bets>
HWY_INLINE void bet_some(const Rows &from, std::int64_t count, const Which &which, const Look &look, const Bets &bets,
                         const ArmState &state, std::uint8_t *keep) {
    const double per_unread = kRoundUp / look.unread;
    for_vectors(count, [&](std::int64_t i, auto lanes) HWY_ATTR {
        const ArmState of = state.from(i);
        Gains gains;
        prepare_units(lanes, of.sum, look, per_unread, gains);
        grow_some<kFirst, kLast>(lanes, from, i, count, which, bets, gains);
        settle<kFirst, kLast>(lanes, gains, look, of, keep + i);
    });
}

template <class Rows, class Which, class Bets>
HWY_INLINE void bet_all(const Rows &from, std::int64_t count, const Which &which, const Look &look, const Bets &bets,
                        const ArmState &state, std::uint8_t *keep) {
    if (look.first_bet != 0)
        bet_some<kLateBets, kBets>(from, count, which, look, bets, state, keep);
    else if (look.last_bet == kBets)
        bet_some<0, kBets>(from, count, which, look, bets, state, keep);
    else if (look.last_bet == 3)
        bet_some<0, 3>(from, count, which, look, bets, state, keep);
    else
        bet_some<0, 2>(from, count, which, look, bets, state, keep);
}

template <class Rows, class Which>
HWY_INLINE void sum_some(const Rows &from, std::int64_t count, const Which &which, double *sum) {
    for_vectors(count, [&](std::int64_t i, auto lanes) HWY_ATTR {
        Samples four[kFours];
        for (std::size_t f = 0; f < kFours; ++f) {
            if (!lanes.has(4 * f)) {
                four[f] = hn::Zero(F32{});
                continue;
            }
            Samples by_place[4][kVectors];
            read_four_of(lanes, from, i, 4 * f, count, which, by_place);
            four[f] = sum_four(by_place);
        }
        add_to_sums(lanes, fold_fours(four, Add{}), sum + i);
    });
}

struct Itself {
    HWY_INLINE std::int64_t operator()(std::int64_t i) const { return i; }
};

struct Named {
    const std::int32_t *arms;
    HWY_INLINE std::int64_t operator()(std::int64_t i) const { return arms[i]; }
};

HWY_NOINLINE void bet_batches(const float *z, std::int64_t count, const Look &look, const ArmState &state,
                              std::uint8_t *keep) {
    bet_all(GivenSamples(z), count, Itself{}, look, FixedBets{}, state, keep);
}

void bet(const float *z, std::int64_t count, const Look &look, const ArmState &state, std::uint8_t *keep) {
    if (look.width != kBatch)
        return kScalarKernels.bet(z, count, look, state, keep);
    bet_batches(z, count, look, state, keep);
}

void bet_foretold(const float *z, std::int64_t count, const Look &look, const ForetoldBets &bets, const ArmState &state,
                  std::uint8_t *keep) {
    if (look.width != kBatch)
        return kScalarKernels.bet_foretold(z, count, look, bets, state, keep);
    bet_all(GivenSamples(z), count, Itself{}, look, PlacedBets(bets), state, keep);
}

void add_sums(const float *z, std::int64_t count, double *sum) {
    sum_some(GivenSamples(z), count, Itself{}, sum);
}

// Reads and bets at once, in a loop of its own for these rows: it takes 20 KiB of code for each instruction set.
template <class Rows>
void pull_bet_fused(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query,
                    const RhoScale &rho, const Look &look, const ArmState &state, std::uint8_t *keep) {
    bet_all(Rows(rows, query, rho), count, Named{arms}, look, FixedBets{}, state, keep);
}

// Reads the samples of some arms, then bets on them in the loop that all such rows share.
template <class Rows>
void pull_bet(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query, const RhoScale &rho,
              const Look &look, const ArmState &state, std::uint8_t *keep) {
    HWY_ALIGN float z[kLookArms * kBatch];
    for (std::int64_t i = 0; i < count; i += kLookArms) {
        const std::int64_t some = std::min(kLookArms, count - i);
        pull<Rows>(rows, arms + i, some, query, rho, z);
        bet_batches(z, some, look, state.from(i), keep + i);
    }
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

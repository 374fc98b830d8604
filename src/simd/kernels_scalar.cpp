// Plain loops: the reference for every other instruction set, and what those use if a loop has no vector form.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <type_traits>

#include "simd/fold.hpp"
#include "simd/half.hpp"
#include "simd/look.hpp"

namespace bmo {
namespace {

template <class Real, class Value>
Real number(Value value) {
    if constexpr (std::is_same_v<Value, Half>)
        return static_cast<Real>(to_float(value));
    else
        return static_cast<Real>(value);
}

// A value as it is compared with the query's: those of a wide source (Real is double) are scaled.
template <class Real, class Number, class Value>
Number compared(Value value, const RhoScale &rho) {
    if constexpr (std::is_same_v<Real, double>)
        return number<double>(value) * rho.scale;
    else
        return number<Number>(value);
}

// Real is what a pull reads the query as: float for a narrow source, double for a wide one.
template <class Value, class Real, class Function>
void pull(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query, const RhoScale &rho,
          float *z) {
    using Number = std::conditional_t<Function::kInDouble, double, Real>;
    const auto *q = static_cast<const Real *>(query);
    const auto function = Function::with(rho.p);
    for (std::int64_t i = 0; i < count; ++i, z += kBatch) {
        const Value *row = static_cast<const Value *>(rows) + std::int64_t{arms[i]} * kRowOf<Value>;
        for (int j = 0; j < kBatch; ++j) {
            const Number sample = function(compared<Real, Number>(row[j], rho), static_cast<Number>(q[j]));
            z[j] = static_cast<float>(std::min(sample, static_cast<Number>(kSampleLimit)));
        }
    }
}

template <class Value, class Function>
double exact(const void *point, const double *query, std::int64_t d, const RhoScale &rho) {
    const auto *x = static_cast<const Value *>(point);
    const auto function = Function::with(rho.p);
    std::array<double, kBatch> lane{};
    for (std::int64_t j = 0; j < d; ++j)
        lane[static_cast<std::size_t>(j % kBatch)] += function(compared<double, double>(x[j], rho), query[j]);
    return fold_lanes(lane.data(), std::plus<>());
}

template <class Function>
std::int64_t exact_bytes(const std::uint8_t *point, const std::uint8_t *query, std::int64_t d) {
    std::int64_t sum = 0;
    for (std::int64_t j = 0; j < d; ++j)
        sum += Function{}(std::int64_t{point[j]}, std::int64_t{query[j]});
    return sum;
}

ForetoldBets fixed_bets() {
    ForetoldBets bets;
    for (std::size_t g = 0; g < kBets; ++g) {
        bets.stake[g] = 1 - kRetained[g];
        bets.retained[g].fill(kRetained[g]);
    }
    return bets;
}

// The samples of some arms, put on their state.
void bet_some(const float *z, std::int64_t count, const Look &look, const ForetoldBets &bets, const ArmState &state,
              std::uint8_t *keep) {
    Batch batch;
    prepare_units(state.sum, count, look, batch);
    for (std::int64_t i = 0; i < count; ++i, z += kBatch) {
        for (auto g = static_cast<std::size_t>(look.first_bet); g < static_cast<std::size_t>(look.last_bet); ++g) {
            const float stake = bets.stake[g] * batch.unit[i];
            std::array<float, kBatch> factor;
            factor.fill(1);
            for (std::size_t j = 0; j < static_cast<std::size_t>(look.width); ++j)
                factor[j] = z[j] * stake + bets.retained[g][j];
            batch.growth[g][i] = fold_batch(factor.data(), std::multiplies<>());
        }
        std::array<float, kBatch> samples{};
        std::copy_n(z, look.width, samples.begin());
        batch.sum[i] = fold_batch(samples.data(), std::plus<>());
    }
    settle(batch, count, look, state, keep);
}

// Calls visit(at, some) for every kLookArms of count.
template <class Visit>
void for_parts(std::int64_t count, Visit visit) {
    for (std::int64_t at = 0; at < count; at += kLookArms)
        visit(at, std::min(kLookArms, count - at));
}

void bet_foretold(const float *z, std::int64_t count, const Look &look, const ForetoldBets &bets, const ArmState &state,
                  std::uint8_t *keep) {
    for_parts(count, [&](std::int64_t at, std::int64_t some) {
        bet_some(z + at * kBatch, some, look, bets, state.from(at), keep + at);
    });
}

void bet(const float *z, std::int64_t count, const Look &look, const ArmState &state, std::uint8_t *keep) {
    bet_foretold(z, count, look, fixed_bets(), state, keep);
}

std::int64_t compact(const std::uint8_t *keep, std::int64_t at, std::int64_t count, std::int64_t kept,
                     std::int32_t *arms, const ArmState &state) {
    for (std::int64_t i = 0; i < count; ++i) { // no branch: who is kept is hard to foretell
        arms[kept] = arms[at + i];
        state.sum[kept] = state.sum[at + i];
        for (std::int64_t g = 0; state.wealth && g < kBets; ++g)
            state.wealth[g * state.stride + kept] = state.wealth[g * state.stride + at + i];
        kept += keep[i];
    }
    return kept;
}

// In float: each step is within 2^-24 of its value, and so are sums in float, or within 2^-150 if it is subnormal; the
// limit's 2^-20 and 2^-140 are more than all of them.
void bound(const std::int32_t *arms, std::int64_t count, const double *sums, const NormBounds &norms, double target,
           std::uint8_t *keep) {
    const float limit = bound_limit(target);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto sum = static_cast<float>(sums[i]);
        const float high = norms.high[arms[i]] * norms.scale, low = norms.low[arms[i]] * norms.scale;
        const float gap = std::max(std::max(norms.least - high, low - norms.most), 0.0F);
        keep[i] = sum + gap * gap <= limit ? 1 : 0;
    }
}

void guess(const float *leads, std::int64_t count, const float *query, const float *base, float *guesses) {
    for (std::int64_t i = 0; i < (count + kBatch - 1) / kBatch * kBatch; ++i) {
        const float *lead = leads + i / kBatch * kBatch * kBatch + i % kBatch;
        float even = 0, odd = 0;
        for (std::int64_t j = 0; j < kBatch; j += 2) {
            even += lead[j * kBatch] * query[j];
            odd += lead[(j + 1) * kBatch] * query[j + 1];
        }
        guesses[i] = base[i] - 2 * (even + odd);
    }
}

// In float: a guess is off by at most 2^-20 (base + square), and the six steps here by less than that again.
std::int64_t bound_guesses(const Guesses &guesses, std::int64_t count, const NormBounds &norms, double target,
                           std::int32_t *arms, double *sums) {
    const float limit = bound_limit(target), square = static_cast<float>(guesses.square);
    const float margin = square * kGuessMargin, scaled_margin = norms.scale * kGuessMargin;
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const float high = norms.high[i] * norms.scale, low = norms.low[i] * norms.scale;
        const float gap = std::max(std::max(norms.least - high, low - norms.most), 0.0F);
        const float off = guesses.base[i] * norms.scale * scaled_margin + margin;
        const float sum = guesses.guess[i] - high * high + square - off;
        arms[kept] = guesses.first + static_cast<std::int32_t>(i);
        sums[kept] = static_cast<double>(std::max(sum, 0.0F));
        kept += sum + gap * gap <= limit ? 1 : 0;
    }
    return kept;
}

void expand(const float *rows, std::int64_t blocks, const float *head, std::int64_t heads, float *to) {
    for (std::int64_t b = 0; b < blocks; ++b, rows += heads * kBatch, to += kBatch)
        for (std::int64_t i = 0; i < kBatch; ++i) {
            float chain[4] = {};
            for (std::int64_t h = 0; h < heads; ++h)
                chain[h % 4] += rows[h * kBatch + i] * head[h];
            to[i] = (chain[0] + chain[1]) + (chain[2] + chain[3]);
        }
}

void add_sums(const float *z, std::int64_t count, double *sum) {
    for (std::int64_t i = 0; i < count; ++i, z += kBatch)
        sum[i] += static_cast<double>(fold_batch(z, std::plus<>()));
}

template <class Value, class Real, class Function>
void pull_bet(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query, const RhoScale &rho,
              const Look &look, const ArmState &state, std::uint8_t *keep) {
    std::array<float, kLookArms * kBatch> z;
    const ForetoldBets bets = fixed_bets();
    for_parts(count, [&](std::int64_t at, std::int64_t some) {
        pull<Value, Real, Function>(rows, arms + at, some, query, rho, z.data());
        bet_some(z.data(), some, look, bets, state.from(at), keep + at);
    });
}

template <class Value, class Real, class Function>
void pull_sums(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query, const RhoScale &rho,
               double *sum) {
    std::array<float, kLookArms * kBatch> z;
    for_parts(count, [&](std::int64_t at, std::int64_t some) {
        pull<Value, Real, Function>(rows, arms + at, some, query, rho, z.data());
        add_sums(z.data(), some, sum + at);
    });
}

void hadamard(double *values, std::int64_t size) {
    for (std::int64_t half = 1; half < size; half *= 2)
        for (std::int64_t block = 0; block < size; block += 2 * half)
            for (std::int64_t j = block; j < block + half; ++j) {
                const double a = values[j], b = values[j + half];
                values[j] = a + b;
                values[j + half] = a - b;
            }
}

template <class Value>
double dot(const void *point, const double *query, std::int64_t d) {
    const auto *x = static_cast<const Value *>(point);
    std::array<double, kBatch> lane{};
    for (std::int64_t j = 0; j < d; ++j)
        lane[static_cast<std::size_t>(j % kBatch)] += static_cast<double>(x[j]) * query[j];
    return fold_lanes(lane.data(), std::plus<>());
}

// Calls visit(point, query, sum) for each pair of a tile.
template <class Element, class Sum, class Visit>
void for_pairs(const Element *points, const Element *queries, const Tile &tile, Sum *sums, Visit visit) {
    for (std::int64_t p = 0; p < tile.points; ++p)
        for (std::int64_t q = 0; q < tile.queries; ++q)
            visit(points + p * tile.row, queries + q * tile.row, sums[p * tile.stride + q]);
}

template <class Term>
void tile_floats(const float *points, const float *queries, const Tile &tile, double *sums) {
    for_pairs(points, queries, tile, sums, [&](const float *x, const float *y, double &sum) {
        std::array<float, kBatch> lane{};
        for (std::int64_t j = 0; j < tile.width; ++j)
            lane[static_cast<std::size_t>(j % kBatch)] += Term{}(x[j], y[j]);
        sum += static_cast<double>(fold_lanes(lane.data(), std::plus<>()));
    });
}

template <class Term>
void tile_bytes(const std::uint8_t *points, const std::uint8_t *queries, const Tile &tile, std::int64_t *sums) {
    for_pairs(points, queries, tile, sums, [&](const std::uint8_t *x, const std::uint8_t *y, std::int64_t &sum) {
        for (std::int64_t j = 0; j < tile.width; ++j)
            sum += Term{}(x[j], y[j]);
    });
}

struct ByteProduct {
    std::int64_t operator()(std::uint8_t x, std::uint8_t y) const {
        return std::int64_t{x} * static_cast<std::int8_t>(y);
    }
};

struct Apart {
    float operator()(float x, float y) const { return std::abs(x - y); }
    std::int64_t operator()(std::uint8_t x, std::uint8_t y) const { return std::abs(int{x} - int{y}); }
};

template <bool product>
void add_column(const std::uint8_t *column, std::int64_t count, std::uint16_t value, std::uint16_t *sums) {
    for (std::int64_t i = 0; i < count; ++i) {
        const int term = product ? column[i] * value : std::min<int>(column[i], value);
        sums[i] = static_cast<std::uint16_t>(sums[i] + term);
    }
}

// Calls visit(sum, values of the query, i) for each pair of a point and a query.
template <class Value, class Sum, class Visit>
void for_column_sums(const ColumnTile &tile, const Value *values, Sum *sums, Visit visit) {
    for (std::int64_t q = 0; q < tile.queries; ++q)
        for (std::int64_t i = 0; i < tile.points; ++i)
            visit(sums[q * tile.stride + i], values + q * kColumns, i);
}

template <class Value, class Term>
void add_columns(const ColumnTile &tile, const double *values, double *sums) {
    for_column_sums(tile, values, sums, [&](double &sum, const double *y, std::int64_t i) {
        const auto term = [&](std::size_t j) {
            return Term{}(static_cast<double>(static_cast<const Value *>(tile.columns[j])[i]) * tile.scale, y[j]);
        };
        sum += (term(0) + term(1)) + (term(2) + term(3));
    });
}

template <class Term>
void add_byte_columns(const ColumnTile &tile, const std::int16_t *values, std::int32_t *sums) {
    for_column_sums(tile, values, sums, [&](std::int32_t &sum, const std::int16_t *y, std::int64_t i) {
        for (std::size_t j = 0; j < kColumns; ++j)
            sum += Term{}(int{static_cast<const std::uint8_t *>(tile.columns[j])[i]}, int{y[j]});
    });
}

template <class Value, class Term>
void add_byte_block(const ByteBlock &block, const void *values, std::int32_t *sums) {
    for (std::int64_t q = 0; q < block.queries; ++q)
        for (std::int64_t j = 0; j < block.width; ++j) {
            const int y = static_cast<const Value *>(values)[q * kBlockColumns + j];
            for (std::int64_t i = 0; i < block.points; ++i)
                sums[q * block.stride + i] += Term{}(int{block.columns[j * block.column_stride + i]}, y);
        }
}

struct SquareButOne { // without the square of y
    int operator()(int x, int y) const { return x * (x - 2 * y); }
};

template <class Value>
void add_float_columns(const ColumnTile &tile, const float *values, float *sums) {
    for_column_sums(tile, values, sums, [&](float &sum, const float *y, std::int64_t i) {
        const auto term = [&](std::size_t j) {
            const double apart = static_cast<double>(static_cast<const Value *>(tile.columns[j])[i]) - tile.middle[j];
            return Absolute{}(static_cast<float>(apart * tile.scale), y[j]);
        };
        sum += (term(0) + term(1)) + (term(2) + term(3));
    });
}

template <class Value>
constexpr std::array<ColumnsKernel, kColumnTerms> kColumnsOf = {
    add_columns<Value, Square>, add_columns<Value, Absolute>, add_columns<Value, std::multiplies<>>};

template <class Value, class Function>
double center(const void *from, const double *middle, double scale, std::int64_t count, float *to) {
    const auto *x = static_cast<const Value *>(from);
    std::array<double, kBatch> lane{};
    for (std::int64_t j = 0; j < count; ++j) {
        const double apart = (static_cast<double>(x[j]) - middle[j]) * scale;
        to[j] = static_cast<float>(apart);
        lane[static_cast<std::size_t>(j % kBatch)] += Function::of(apart);
    }
    return fold_lanes(lane.data(), std::plus<>());
}

template <class Value>
constexpr std::array<CenterKernel, 2> kCenters = {center<Value, Square>, center<Value, Absolute>};

template <class Element, class Sum, class Product>
void sum_panels(const Element *points, const Element *queries, const PanelTile &tile, Sum *sums, Product product) {
    for (std::int64_t q = 0; q < tile.queries; ++q)
        for (std::int64_t p = 0; p < tile.panels * kPanel; ++p) {
            const Element *x = points + p / kPanel * tile.panel + p % kPanel;
            const Element *y = queries + q / kPanelQueries * tile.block + q % kPanelQueries;
            Sum sum = 0;
            for (std::int64_t j = 0; j < tile.width; ++j)
                sum += product(x[j * kPanel], y[j * kPanelQueries]);
            sums[q * tile.stride + p] += sum;
        }
}

void panel_floats(const float *points, const float *queries, const PanelTile &tile, float *sums) {
    sum_panels(points, queries, tile, sums, std::multiplies<>());
}

void panel_bytes(const std::uint32_t *points, const std::uint32_t *queries, const PanelTile &tile, std::int32_t *sums) {
    sum_panels(points, queries, tile, sums, [](std::uint32_t x, std::uint32_t y) {
        std::int32_t sum = 0;
        for (int bits = 0; bits < 32; bits += 8)
            sum += static_cast<std::uint8_t>(x >> bits) * static_cast<std::int8_t>(y >> bits);
        return sum;
    });
}

void interleave(const void *rows, std::int64_t row, std::int64_t width, void *to) {
    constexpr std::int64_t kElement = 4; // bytes
    for (std::int64_t j = 0; j < width; ++j)
        for (std::int64_t i = 0; i < kPanel; ++i)
            std::memcpy(static_cast<std::byte *>(to) + (j * kPanel + i) * kElement,
                        static_cast<const std::byte *>(rows) + (i * row + j) * kElement, kElement);
}

template <class Value>
void transpose(const void *columns, std::int64_t stride, std::int64_t points, std::int64_t width, void *rows,
               std::int64_t row) {
    for (std::int64_t j = 0; j < width; ++j)
        for (std::int64_t i = 0; i < points; ++i)
            std::memcpy(static_cast<Value *>(rows) + i * row + j, static_cast<const Value *>(columns) + j * stride + i,
                        sizeof(Value));
}

template <class Sum>
std::int64_t select(const Sum *sums, std::int64_t points, const PanelTerms &terms, const PanelThreshold &query,
                    std::int32_t *arms) {
    std::int64_t found = 0;
    for (std::int64_t p = 0; p < points; ++p) {
        const double least = terms.base[p] - terms.scale[p] * (query.factor * static_cast<double>(sums[p])) -
                             terms.spread[p] * query.by_spread - terms.size[p] * query.by_size;
        if (least <= query.threshold)
            arms[found++] = static_cast<std::int32_t>(p);
    }
    return found;
}

template <class Value>
void shift_columns(const ColumnBlock &block, float *panels, std::int64_t panel, double *squares, float *largest) {
    for (std::int64_t i = 0; i < block.points; ++i)
        for (std::int64_t j = 0; j < block.width; ++j) {
            const Value value = static_cast<const Value *>(block.columns)[j * block.stride + i];
            const double apart = static_cast<double>(value) * block.factors[i] - block.middle[j];
            float &to = panels[i / kPanel * panel + j * kPanel + i % kPanel];
            to = static_cast<float>(apart);
            largest[i] = std::max(largest[i], std::abs(to));
            squares[i] += apart * apart;
        }
}

template <class Value>
Shifted shift(const void *from, const double *middle, double factor, std::int64_t count, float *to) {
    const auto *x = static_cast<const Value *>(from);
    std::array<double, kBatch> lane{};
    float largest = 0;
    for (std::int64_t j = 0; j < count; ++j) {
        const double apart = static_cast<double>(x[j]) * factor - middle[j];
        to[j] = static_cast<float>(apart);
        lane[static_cast<std::size_t>(j % kBatch)] += apart * apart;
        largest = std::max(largest, std::abs(to[j]));
    }
    return {fold_lanes(lane.data(), std::plus<>()), largest};
}

void code(const float *values, std::int64_t count, const CodeScale &scale, std::uint8_t *to, CodeSums &sums) {
    for (std::int64_t j = 0; j < count; ++j) {
        const int number =
            std::clamp(static_cast<int>(std::lrint(values[j] * scale.inverse)), -scale.levels, scale.levels);
        const double rest = static_cast<double>(values[j]) - double{scale.step} * number;
        sums.squares += number * number;
        sums.numbers += number;
        sums.lost += rest * rest;
        to[j] = static_cast<std::uint8_t>(number + scale.bias);
    }
}

template <class Function>
constexpr ExactBytesKernel exact_bytes_kernel() {
    if constexpr (Function::kTraits.tiles != Tiles::none)
        return exact_bytes<Function>;
    else
        return nullptr;
}

// The kernels of each coordinate distance.
template <class List>
struct OfRhos;
template <class... All>
struct OfRhos<RhoList<All...>> {
    template <class Value, class Real>
    static constexpr std::array<PullKernel, kRhos> kPulls = {pull<Value, Real, All>...};
    template <class Value, class Real>
    static constexpr std::array<PullBetKernel, kRhos> kPullBets = {pull_bet<Value, Real, All>...};
    template <class Value, class Real>
    static constexpr std::array<PullSumsKernel, kRhos> kPullSums = {pull_sums<Value, Real, All>...};
    template <class Value>
    static constexpr std::array<ExactKernel, kRhos> kExacts = {exact<Value, All>...};
    static constexpr std::array<ExactBytesKernel, kRhos> kExactBytes = {exact_bytes_kernel<All>()...};
    static constexpr bool kInOrder = [] {
        int at = 0;
        return ((static_cast<int>(All::kRho) == at++) && ...);
    }();
};
using Of = OfRhos<Rhos>;
static_assert(Of::kInOrder);

} // namespace

const Kernels kScalarKernels = {
    .name = "scalar",
    .pull = {Of::kPulls<float, float>, Of::kPulls<std::uint8_t, float>, Of::kPulls<std::int8_t, float>,
             Of::kPulls<Float16, float>, Of::kPulls<BFloat16, float>, Of::kPulls<float, double>,
             Of::kPulls<std::uint8_t, double>, Of::kPulls<std::int8_t, double>, Of::kPulls<Float16, double>,
             Of::kPulls<BFloat16, double>, Of::kPulls<double, double>, Of::kPulls<Half, float>,
             Of::kPulls<Half, double>},
    .exact = {Of::kExacts<float>, Of::kExacts<std::uint8_t>, Of::kExacts<std::int8_t>, Of::kExacts<Float16>,
              Of::kExacts<BFloat16>, Of::kExacts<float>, Of::kExacts<std::uint8_t>, Of::kExacts<std::int8_t>,
              Of::kExacts<Float16>, Of::kExacts<BFloat16>, Of::kExacts<double>},
    .dot = {dot<float>, dot<std::uint8_t>, dot<std::int8_t>, dot<Float16>, dot<BFloat16>, dot<float>, dot<std::uint8_t>,
            dot<std::int8_t>, dot<Float16>, dot<BFloat16>, dot<double>},
    .exact_bytes = Of::kExactBytes,
    .bet = bet,
    .bet_foretold = bet_foretold,
    .compact = compact,
    .bound = bound,
    .guess = guess,
    .bound_guesses = bound_guesses,
    .expand = expand,
    .add_sums = add_sums,
    .pull_bet = {Of::kPullBets<float, float>, Of::kPullBets<std::uint8_t, float>, Of::kPullBets<std::int8_t, float>,
                 Of::kPullBets<Float16, float>, Of::kPullBets<BFloat16, float>, Of::kPullBets<float, double>,
                 Of::kPullBets<std::uint8_t, double>, Of::kPullBets<std::int8_t, double>,
                 Of::kPullBets<Float16, double>, Of::kPullBets<BFloat16, double>, Of::kPullBets<double, double>,
                 Of::kPullBets<Half, float>, Of::kPullBets<Half, double>},
    .pull_sums = {Of::kPullSums<float, float>, Of::kPullSums<std::uint8_t, float>, Of::kPullSums<std::int8_t, float>,
                  Of::kPullSums<Float16, float>, Of::kPullSums<BFloat16, float>, Of::kPullSums<float, double>,
                  Of::kPullSums<std::uint8_t, double>, Of::kPullSums<std::int8_t, double>,
                  Of::kPullSums<Float16, double>, Of::kPullSums<BFloat16, double>, Of::kPullSums<double, double>,
                  Of::kPullSums<Half, float>, Of::kPullSums<Half, double>},
    .hadamard = hadamard,
    .tile_differences = tile_floats<Apart>,
    .tile_products = tile_floats<std::multiplies<>>,
    .tile_bytes = {tile_bytes<ByteProduct>, tile_bytes<Apart>},
    .add_column = {add_column<true>, add_column<false>},
    .add_columns = {kColumnsOf<float>, kColumnsOf<std::uint8_t>, kColumnsOf<std::int8_t>, kColumnsOf<Float16>,
                    kColumnsOf<BFloat16>, kColumnsOf<float>, kColumnsOf<std::uint8_t>, kColumnsOf<std::int8_t>,
                    kColumnsOf<Float16>, kColumnsOf<BFloat16>, kColumnsOf<double>},
    .add_float_columns = {add_float_columns<float>, add_float_columns<std::uint8_t>, add_float_columns<std::int8_t>,
                          add_float_columns<Float16>, add_float_columns<BFloat16>, add_float_columns<float>,
                          add_float_columns<std::uint8_t>, add_float_columns<std::int8_t>, add_float_columns<Float16>,
                          add_float_columns<BFloat16>, add_float_columns<double>},
    .add_byte_columns = {add_byte_columns<Square>, add_byte_columns<Absolute>},
    .add_byte_block = {add_byte_block<std::int16_t, SquareButOne>, add_byte_block<std::uint8_t, Absolute>},
    .center = {kCenters<float>, kCenters<std::uint8_t>, kCenters<std::int8_t>, kCenters<Float16>, kCenters<BFloat16>,
               kCenters<float>, kCenters<std::uint8_t>, kCenters<std::int8_t>, kCenters<Float16>, kCenters<BFloat16>,
               kCenters<double>},
    .panel_floats = panel_floats,
    .panel_bytes = panel_bytes,
    .byte_levels = 127,
    .bytes_are_fast = false,
    .interleave = interleave,
    .transpose = {transpose<std::uint8_t>, transpose<std::uint16_t>, transpose<std::uint32_t>,
                  transpose<std::uint64_t>},
    .select_floats = select<float>,
    .select_bytes = select<std::int32_t>,
    .shift = {shift<float>, shift<std::uint8_t>, shift<std::int8_t>, shift<Float16>, shift<BFloat16>, shift<float>,
              shift<std::uint8_t>, shift<std::int8_t>, shift<Float16>, shift<BFloat16>, shift<double>},
    .shift_columns = {shift_columns<float>, shift_columns<std::uint8_t>, shift_columns<std::int8_t>,
                      shift_columns<Float16>, shift_columns<BFloat16>, shift_columns<float>,
                      shift_columns<std::uint8_t>, shift_columns<std::int8_t>, shift_columns<Float16>,
                      shift_columns<BFloat16>, shift_columns<double>},
    .code = code,
};

} // namespace bmo

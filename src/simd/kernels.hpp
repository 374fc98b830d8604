// The inner loops, compiled once per instruction set and chosen once: one table of plain function pointers.
//
// Every kernel gives the same bits on every instruction set, but for tile_differences, panel_floats, and what code() says is
// lost: sums and products are formed in the orders of fold.hpp, and no multiply and add is fused. What the others find is
// summed again if it matters.
#pragma once

#include <array>
#include <cstdint>

#include "simd/rho.hpp"
#include "util/float16.hpp"

namespace bmo {

inline constexpr int kBatch = 16; // samples that one pull of an arm takes at once

// What a pull reads. Narrow sources are compared in float (for powers, in double); wide ones in double,
// after scaling.
enum class ValueType { f32, u8, i8, f16, bf16, f32_wide, u8_wide, i8_wide, f16_wide, bf16_wide, f64, half, half_wide };
inline constexpr int kValueTypes = 13;

// A number of 16 bits, as Float16 has them, which the library has rounded itself. They lie in rows of two batches, a line of
// memory, of which a pull reads one.
struct Half {
    std::uint16_t bits;
};
template <class Value>
inline constexpr std::int64_t kRowOf = kBatch; // values from one arm to the next
template <>
inline constexpr std::int64_t kRowOf<Half> = std::int64_t{2} * kBatch;

struct RhoScale {
    double scale = 1; // a wide source: rho(scale * a, scale * b); the query is scaled already
    double p = 2;     // of powers
};

// No sample is above this, so that the sum of a batch stays finite. Lowering a sample is sound: it only weakens a test.
inline constexpr float kSampleLimit = 2e37F;

// Samples z[16 i + j] = rho(query[j], rows[16 arms[i] + j]), j < 16, each within 2^-22 of its value, relatively. The
// query is float for a narrow source and double for a wide one.
using PullKernel = void (*)(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query,
                            const RhoScale &rho, float *z);

// The whole sum over d contiguous coordinates of one point, in double; lane j takes the coordinates j modulo 16.
using ExactKernel = double (*)(const void *point, const double *query, std::int64_t d, const RhoScale &rho);

// The sum of their products: within (d / 16 + 6) 2^-53 of its value, in units of the sum of the absolute values of its terms.
using DotKernel = double (*)(const void *point, const double *query, std::int64_t d);

// The same as an ExactKernel if query and point are bytes: an exact integer.
using ExactBytesKernel = std::int64_t (*)(const std::uint8_t *point, const std::uint8_t *query, std::int64_t d);

// One look of the test by betting: see bandit/betting.hpp, which says why it is sound.
inline constexpr int kBets = 4;
inline constexpr int kLateBets = 2; // the first bets, of small stakes, which may join later
struct Look {
    double target = 0;    // at least the sum of an arm at the threshold, over the whole population
    double unread = 1;    // samples that are left before this batch
    double slack = 0;     // at least the absolute error of the sum read so far
    float rejection = 0;  // an arm is dropped when its wealth reaches this; NaN: none does
    int width = kBatch;   // samples of this batch: 1 to 16
    int first_bet = 0;    // the bets before it are idle in this batch: 0 or kLateBets
    int last_bet = kBets; // and so are this and those behind it: kBets, or, if first_bet is 0, 2 or 3
};
// What the arms of a race have read and won so far; bet g of arm i has wealth[g * stride + i].
struct ArmState {
    double *sum;
    float *wealth;
    std::int64_t stride;

    // The state of the arms behind the first `arms`.
    ArmState from(std::int64_t arms) const { return {sum + arms, wealth + arms, stride}; }
};
// Puts a batch of samples on the state of each arm, and sets keep[i] to 0 if the arm is dropped, else 1. Arm i has the
// samples z + 16 i.
using BetKernel = void (*)(const float *z, std::int64_t count, const Look &look, const ArmState &state,
                           std::uint8_t *keep);
// Bets on a batch whose samples are partly foretold: sample j multiplies the wealth of bet g by
// stake[g] z_j / m + retained[g][j], where bandit/betting.hpp has c_g z_j / m + 1 - c_g.
struct ForetoldBets {
    std::array<float, kBets> stake{};
    std::array<std::array<float, kBatch>, kBets> retained{};
};
using ForetoldBetKernel = void (*)(const float *z, std::int64_t count, const Look &look, const ForetoldBets &bets,
                                   const ArmState &state, std::uint8_t *keep);
// The same as a BetKernel with the samples of a PullKernel, all 16 of a batch, without storing them.
using PullBetKernel = void (*)(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query,
                               const RhoScale &rho, const Look &look, const ArmState &state, std::uint8_t *keep);

// What bounds of norms say of sums: with gap = max(0, least - high * scale, low * scale - most), and low and high those of
// arms[i], keep[i] = 0 if sums[i] + gap^2 is above the target beyond any rounding, else 1.
struct NormBounds {
    const float *low, *high; // of every arm
    float scale;
    float least, most; // of the query
};
using BoundKernel = void (*)(const std::int32_t *arms, std::int64_t count, const double *sums, const NormBounds &norms,
                             double target, std::uint8_t *keep);

// The same of arms one after another, whose sums |a - q|^2 over 16 coordinates come from products: guess[i] = base[i] - 2 a.q,
// where base[i] is |a|^2 + (high * scale)^2. Row j of a block of 16 arms is their coordinate j. `count` is rounded up to whole
// blocks; leads, base and guess have room for them.
using GuessKernel = void (*)(const float *leads, std::int64_t count, const float *query, const float *base,
                             float *guess);
// With square = |q|^2 and every rounding of guess and base within 2^-20 (base * scale^2 + square), |a - q|^2 = guess[i] -
// (high * scale)^2 + square is known but for that. Writes the arms first + i in which it is not, with gap^2, above the target
// beyond any rounding, each with its least |a - q|^2, not below 0, and returns their number. An infinite guess is above it. arms
// and sums have room for `count`.
struct Guesses {
    const float *guess, *base;
    double square;
    std::int32_t first;
};
using GuessBoundKernel = std::int64_t (*)(const Guesses &guesses, std::int64_t count, const NormBounds &norms,
                                          double target, std::int32_t *arms, double *sums);
// to[i] = the sum over h < heads of head[h] * rows[h * 16 + i], for i < 16, and so on for the blocks of heads x 16 that follow:
// within (heads / 4 + 6) 2^-24 of its value, in units of the sum of the absolute values of its terms. heads is a multiple of 4.
using ExpandKernel = void (*)(const float *rows, std::int64_t blocks, const float *head, std::int64_t heads, float *to);

// Moves those of the arms [at, at + count) that are kept behind the first `kept`, with their state (which starts at arm 0);
// returns the new number. kept <= at. What lies between the new number and at + count is lost. Without wealth (null) sums
// are all the state there is.
using CompactKernel = std::int64_t (*)(const std::uint8_t *keep, std::int64_t at, std::int64_t count, std::int64_t kept,
                                       std::int32_t *arms, const ArmState &state);

// sum[i] += the 16 samples of z + 16 i, as BetKernel adds them.
using AddSumsKernel = void (*)(const float *z, std::int64_t count, double *sum);
// The same with the samples of a PullKernel.
using PullSumsKernel = void (*)(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query,
                                const RhoScale &rho, double *sum);

// The Walsh-Hadamard transform, without its factor of size^(-1/2): level by level, half = 1, 2, 4, ..., (a, b) at a
// distance of half become (a + b, a - b). size is a power of two, at least 16.
using HadamardKernel = void (*)(double *values, std::int64_t size);

// Sums over a chunk of coordinates, of every pair of a point and a query: rows of `row` elements, of which the first
// `width` are read, a whole number of kTileStep; the sum of point p and query q is added to sums[p * stride + q].
inline constexpr int kTileStep = 64;
inline constexpr int kTileChunk = 1 << 14; // no wider: integer sums of 32 bits do not overflow
struct Tile {
    std::int64_t points, queries, row, width, stride;
};
// Absolute differences, or products, in float: each sum is within (width / 4 + 8) 2^-24 of its value, in units of the sum
// of the absolute values of its terms. Multiply and add may be fused: who uses it allows for the error.
using FloatTileKernel = void (*)(const float *points, const float *queries, const Tile &tile, double *sums);
// The same in integers, exactly. Of products, a query has its bytes xor 128: they are read as signed, 128 less.
using ByteTileKernel = void (*)(const std::uint8_t *points, const std::uint8_t *queries, const Tile &tile,
                                std::int64_t *sums);
// to[j] = (from[j] - middle[j]) * scale, rounded to float; returns the sum of rho(., 0) of what was rounded, within 2^-22 of
// its value, relatively.
using CenterKernel = double (*)(const void *from, const double *middle, double scale, std::int64_t count, float *to);

// Panels: points whose elements of four bytes (a float, or four bytes) lie side by side. Row j of a panel has element j of
// kPanel points; row j of a block of queries has element j of kPanelQueries of them.
inline constexpr int kPanel = 32, kPanelQueries = 12;
struct PanelTile {
    std::int64_t panels,
        queries;               // as many blocks as the queries take; what is behind the last query is not read as one
    std::int64_t width;        // rows
    std::int64_t panel, block; // elements from a panel, and from a block of queries, to the next
    std::int64_t stride;       // of sums: those of query q start at sums + q * stride
};
// sums[q * stride + p] += the products of point p and query q. Of floats each is added up in one go, row after row, and may be
// fused: within (width + 1) 2^-24 / (1 - (width + 1) 2^-24) of its value, in units of the sum of the terms' absolute values, and
// one rounding of the sum that it is added to. Of bytes it is exact: those of points are unsigned, those of queries signed and
// within Kernels::byte_levels.
using FloatPanelKernel = void (*)(const float *points, const float *queries, const PanelTile &tile, float *sums);
using BytePanelKernel = void (*)(const std::uint32_t *points, const std::uint32_t *queries, const PanelTile &tile,
                                 std::int32_t *sums);
// Rows of elements as a panel: to[j * kPanel + i] = rows[i * row + j] for i < kPanel and j < width, a multiple of 4.
using InterleaveKernel = void (*)(const void *rows, std::int64_t row, std::int64_t width, void *to);

// Columns as rows: rows[i * row + j] = columns[j * stride + i] for i < points and j < width.
using TransposeKernel = void (*)(const void *columns, std::int64_t stride, std::int64_t points, std::int64_t width,
                                 void *rows, std::int64_t row);

// What of sums cannot be told to be above a threshold: writes the p < points, a multiple of kPanel, with
// base[p] - scale[p] * (factor * sums[p]) - spread[p] * by_spread - size[p] * by_size <= threshold, in double, and returns their
// number. arms has room for all.
struct PanelTerms {
    const double *base, *scale, *spread, *size;
};
struct PanelThreshold {
    double factor, by_spread, by_size, threshold;
};
using FloatSelectKernel = std::int64_t (*)(const float *sums, std::int64_t points, const PanelTerms &terms,
                                           const PanelThreshold &query, std::int32_t *arms);
using ByteSelectKernel = std::int64_t (*)(const std::int32_t *sums, std::int64_t points, const PanelTerms &terms,
                                          const PanelThreshold &query, std::int32_t *arms);

// to[j] = from[j] * factor - middle[j], in double, rounded to float. Returns the sum of the squares of what was rounded, within
// 2^-22 of its value, relatively, and the largest |to[j]|.
struct Shifted {
    double squares;
    float largest;
};
using ShiftKernel = Shifted (*)(const void *from, const double *middle, double factor, std::int64_t count, float *to);
// The same of columns, as panels that begin `panel` elements apart: row j of a panel has columns[j * stride + i] * factors[i] -
// middle[j]. What is squared is added to squares[i], and largest[i] is raised, for i < points and j < width.
struct ColumnBlock {
    const void *columns;
    std::int64_t stride, points, width;
    const double *factors, *middle;
};
using ShiftColumnsKernel = void (*)(const ColumnBlock &block, float *panels, std::int64_t panel, double *squares,
                                    float *largest);
// to[j] = values[j] / step, rounded to a whole number of at most `levels` in size, + bias; count is a multiple of 4, no larger
// than kCodeChunk. Adds to `squares` those of the whole numbers, and to `lost` those of values[j] - step * number, within 2^-15
// of its value, relatively, and d 2^-22 of values^2.
inline constexpr int kCodeChunk = 1024;
struct CodeSums {
    double squares = 0, lost = 0;
    std::int64_t numbers = 0; // added up
};
struct CodeScale {
    float step, inverse;
    int levels, bias;
};
using CodeKernel = void (*)(const float *values, std::int64_t count, const CodeScale &scale, std::uint8_t *to,
                            CodeSums &sums);

// Columns of points, added to the sums of all queries: sums[q * stride + i] += (t_0 + t_1) + (t_2 + t_3) for i < points and
// q < queries, where t_j is a term of scale * columns[j][i] and values[q * kColumns + j].
inline constexpr int kColumns = 4;
enum class ColumnTerm { square, absolute, product }; // of the difference, or the product
inline constexpr int kColumnTerms = 3;
struct ColumnTile {
    std::array<const void *, kColumns> columns, next; // those that are read after these: fetched
    std::int64_t points, queries, stride;
    double scale;
    std::array<double, kColumns> middle; // of the columns: for floats alone
};
using ColumnsKernel = void (*)(const ColumnTile &tile, const double *values, double *sums);
// The same of absolute differences in float: of scale * (columns[j][i] - middle[j]), computed in double and rounded to float.
using FloatColumnsKernel = void (*)(const ColumnTile &tile, const float *values, float *sums);
// The same of bytes, exactly: terms of columns[j][i] and values from 0 to 255; square or absolute. No sum leaves 32 bits.
using ByteColumnsKernel = void (*)(const ColumnTile &tile, const std::int16_t *values, std::int32_t *sums);

// Bytes of many columns at once, exactly: sums[q * stride + i] += the absolute differences of point i and query q in these columns, or
// their squares without the query's own, x^2 - 2 x q. values: of a query kBlockColumns numbers after those of another, 0 behind the
// last column; bytes, or integers of 16 bits for squares. Sums behind the last point change, up to a whole number of kBlockStep
// points. No sum leaves 32 bits.
inline constexpr int kBlockColumns = 128, kBlockPoints = 256, kBlockStep = 32;
struct ByteBlock {
    const std::uint8_t *columns;
    std::int64_t column_stride;
    std::int64_t points, width; // at most kBlockPoints and kBlockColumns
    std::int64_t behind;        // columns that follow, and are read next
    std::int64_t queries, stride;
    std::uint8_t *panels; // room for kBlockPanels bytes
};
inline constexpr int kBlockPanels = (kBlockColumns + 16) * kBlockPoints;
using ByteBlockKernel = void (*)(const ByteBlock &block, const void *values, std::int32_t *sums);

// sums[i] += column[i] * value, or the lesser of the two, for i < count, a whole number of kColumnStep. No sum leaves 16
// bits.
inline constexpr int kColumnStep = 64;
using AddColumnKernel = void (*)(const std::uint8_t *column, std::int64_t count, std::uint16_t value,
                                 std::uint16_t *sums);

struct Kernels {
    const char *name;
    std::array<std::array<PullKernel, kRhos>, kValueTypes> pull;
    std::array<std::array<ExactKernel, kRhos>, kValueTypes> exact; // none of halves
    std::array<DotKernel, kValueTypes> dot;                        // none of halves
    std::array<ExactBytesKernel, kRhos> exact_bytes;               // null: Tiles::none
    BetKernel bet;
    ForetoldBetKernel bet_foretold;
    CompactKernel compact;
    BoundKernel bound;
    GuessKernel guess;
    GuessBoundKernel bound_guesses;
    ExpandKernel expand;
    AddSumsKernel add_sums;
    std::array<std::array<PullBetKernel, kRhos>, kValueTypes> pull_bet;
    std::array<std::array<PullSumsKernel, kRhos>, kValueTypes> pull_sums;
    HadamardKernel hadamard;
    FloatTileKernel tile_differences; // absolute ones
    FloatTileKernel tile_products;    // the same bits on every instruction set: within (width / 16 + 6) 2^-24
    std::array<ByteTileKernel, 2> tile_bytes;
    std::array<AddColumnKernel, 2> add_column;                                    // products, lesser ones
    std::array<std::array<ColumnsKernel, kColumnTerms>, kValueTypes> add_columns; // none of halves
    std::array<FloatColumnsKernel, kValueTypes> add_float_columns;                // none of halves
    std::array<ByteColumnsKernel, 2> add_byte_columns;
    std::array<ByteBlockKernel, 2> add_byte_block;               // squares, absolute
    std::array<std::array<CenterKernel, 2>, kValueTypes> center; // square, absolute; none of halves
    FloatPanelKernel panel_floats;
    BytePanelKernel panel_bytes;
    int byte_levels;     // 127, or 64 if the sum of two products is kept in 16 bits
    bool bytes_are_fast; // panels of bytes take less time than panels of floats
    InterleaveKernel interleave;
    std::array<TransposeKernel, 4> transpose; // of values of 1, 2, 4 and 8 bytes
    FloatSelectKernel select_floats;
    ByteSelectKernel select_bytes;
    std::array<ShiftKernel, kValueTypes> shift;                // none of halves
    std::array<ShiftColumnsKernel, kValueTypes> shift_columns; // of those that data are stored as
    CodeKernel code;

    template <class Table>
    static auto entry(const Table &table, ValueType source, Rho rho) {
        return table[static_cast<std::size_t>(source)][static_cast<std::size_t>(rho)];
    }
    PullKernel pull_for(ValueType source, Rho rho) const { return entry(pull, source, rho); }
    PullBetKernel pull_bet_for(ValueType source, Rho rho) const { return entry(pull_bet, source, rho); }
    PullSumsKernel pull_sums_for(ValueType source, Rho rho) const { return entry(pull_sums, source, rho); }
    ExactKernel exact_for(ValueType source, Rho rho) const { return entry(exact, source, rho); }
    ExactBytesKernel exact_bytes_for(Rho rho) const { return exact_bytes[static_cast<std::size_t>(rho)]; }
};

// The best that this processor runs, or what the environment variable BMO_ISA lowers it to. Read once.
const Kernels &kernels();
const char *isa_name();

// The table of a name ("scalar", "avx2", ...), null if it is unknown, or the processor lacks it: for tests.
const Kernels *kernels_named(const char *name);
extern const Kernels kScalarKernels;

} // namespace bmo

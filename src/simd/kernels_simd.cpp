// The vector loops, compiled once per instruction set by Highway's repeated inclusion of this file. Only the
// header-only part of Highway is used: libhwy looks at the processor as it is loaded, and its choice is global to the
// process.
#define HWY_WANT_AVX3_DL
#if defined(BMO_TARGET_ALONE) // one of several compilations, as in the package of R
#define HWY_DISABLED_TARGETS ~(BMO_TARGET_ALONE | HWY_SCALAR)
#elif defined(BMO_AVX2_ALONE)
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#endif
#if defined(__aarch64__)
// NEON alone, as every ARMv8 processor has it. Otherwise Highway asks for the AES instructions too, and adds SVE, whose
// vectors no struct or array can hold. It offers this switch for systems that cannot tell what the processor has.
#define TOOLCHAIN_MISS_SYS_AUXV_H
#endif
#define HWY_BROKEN_EMU128 1 // kernels_scalar.cpp serves if no target does
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/kernels_simd.cpp"
#include <hwy/foreach_target.h>

#include <cstddef>
#include <cstdint>

#include "simd/betting-inl.hpp"
#include "simd/bound-inl.hpp"
#include "simd/byte-blocks-inl.hpp"
#include "simd/columns-inl.hpp"
#include "simd/compact-inl.hpp"
#include "simd/exact-inl.hpp"
#include "simd/hadamard-inl.hpp"
#include "simd/kernels.hpp"
#include "simd/panels-inl.hpp"
#include "simd/rows-inl.hpp"
#include "simd/targets.hpp"
#include "simd/tiles-inl.hpp"
#include "simd/transpose-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

template <class Rows>
void set_pulls(Kernels &table, ValueType source, Rho rho) {
    const auto s = static_cast<std::size_t>(source), r = static_cast<std::size_t>(rho);
    table.pull[s][r] = pull<Rows>;
    table.pull_bet[s][r] = pull_bet<Rows>;
    table.pull_sums[s][r] = pull_sums<Rows>;
}

template <class Rows>
void fuse(Kernels &table, ValueType source, Rho rho) {
    table.pull_bet[static_cast<std::size_t>(source)][static_cast<std::size_t>(rho)] = pull_bet_fused<Rows>;
}

template <class Value, template <class, class> class Rows, class Function>
void set_rho(Kernels &table, ValueType source) {
    set_pulls<Rows<Value, Function>>(table, source, Function::kRho);
    table.exact[static_cast<std::size_t>(source)][static_cast<std::size_t>(Function::kRho)] = exact<Value, Function>;
}

template <class Value, template <class, class> class Rows>
void set_source(Kernels &table, ValueType source) {
    set_rho<Value, Rows, Squares>(table, source);
    set_rho<Value, Rows, Absolutes>(table, source);
    table.center[static_cast<std::size_t>(source)] = {center<Value, Squares>, center<Value, Absolutes>};
    table.shift[static_cast<std::size_t>(source)] = shift<Value>;
    table.shift_columns[static_cast<std::size_t>(source)] = shift_columns<Value>;
    table.add_columns[static_cast<std::size_t>(source)] = {
        add_columns<Value, SquareTerm>, add_columns<Value, AbsoluteTerm>, add_columns<Value, ProductTerm>};
    table.dot[static_cast<std::size_t>(source)] = dot<Value>;
    table.add_float_columns[static_cast<std::size_t>(source)] = add_float_columns<Value>;
}

} // namespace

Kernels make_kernels() {
    Kernels table = kScalarKernels;
    set_source<float, NarrowRows>(table, ValueType::f32);
    set_source<std::uint8_t, NarrowRows>(table, ValueType::u8);
    set_source<std::int8_t, NarrowRows>(table, ValueType::i8);
    set_source<Float16, NarrowRows>(table, ValueType::f16);
    set_source<BFloat16, NarrowRows>(table, ValueType::bf16);
    set_source<float, WideRows>(table, ValueType::f32_wide);
    set_source<std::uint8_t, WideRows>(table, ValueType::u8_wide);
    set_source<std::int8_t, WideRows>(table, ValueType::i8_wide);
    set_source<Float16, WideRows>(table, ValueType::f16_wide);
    set_source<BFloat16, WideRows>(table, ValueType::bf16_wide);
    set_source<double, WideRows>(table, ValueType::f64);
    set_pulls<NarrowRows<Half, Squares>>(table, ValueType::half, Rho::square);
    set_pulls<WideRows<Half, Squares>>(table, ValueType::half_wide, Rho::square);
    fuse<NarrowRows<float, Squares>>(table, ValueType::f32, Rho::square);
    fuse<NarrowRows<float, Absolutes>>(table, ValueType::f32, Rho::absolute);
    fuse<NarrowRows<std::uint8_t, Squares>>(table, ValueType::u8, Rho::square);
    fuse<NarrowRows<std::uint8_t, Absolutes>>(table, ValueType::u8, Rho::absolute);
    fuse<NarrowRows<Half, Squares>>(table, ValueType::half, Rho::square);
    table.exact_bytes[static_cast<std::size_t>(Rho::square)] = exact_bytes_square;
    table.exact_bytes[static_cast<std::size_t>(Rho::absolute)] = exact_bytes_absolute;
    table.bet = bet;
    table.bet_foretold = bet_foretold;
    table.compact = compact;
    table.bound = bound;
    table.guess = guess;
    table.bound_guesses = bound_guesses;
    table.expand = expand;
    table.add_sums = add_sums;
    table.hadamard = hadamard;
    table.tile_differences = sum_tile<FloatDifferences>;
    table.tile_products = sum_tile<LaneProducts>;
    table.tile_bytes = {sum_tile<ByteProducts>, sum_tile<ByteDifferences>};
    table.add_column = {add_column<Product>, add_column<Lesser>};
    table.add_byte_block = {add_byte_block<BlockSquares>, add_byte_block<BlockDistances>};
    table.add_byte_columns = {add_byte_columns<ByteSquares>, add_byte_columns<ByteAbsolutes>};
    table.panel_floats = sum_blocks<FloatPanel>;
    table.panel_bytes = sum_blocks<BytePanel>;
    table.byte_levels = BytePanel::kLevels;
    table.bytes_are_fast = BytePanel::kFast;
    table.interleave = interleave;
    table.transpose = {transpose<std::uint8_t>, transpose<std::uint16_t>, transpose<std::uint32_t>,
                       transpose<std::uint64_t>};
    table.select_floats = select<float>;
    table.select_bytes = select<std::int32_t>;
    table.code = code;
    return table;
}

} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

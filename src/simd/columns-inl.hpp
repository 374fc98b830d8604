// Columns of bytes, added to the sums of their points.
#if defined(BMO_SIMD_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_COLUMNS_INL
#undef BMO_SIMD_COLUMNS_INL
#else
#define BMO_SIMD_COLUMNS_INL
#endif

#include <cstdint>

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

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

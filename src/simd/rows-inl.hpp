// Samples: the coordinate distances of a batch.
#if defined(BMO_SIMD_ROWS_INL) == defined(HWY_TARGET_TOGGLE) // once for each instruction set
#ifdef BMO_SIMD_ROWS_INL
#undef BMO_SIMD_ROWS_INL
#else
#define BMO_SIMD_ROWS_INL
#endif

#include <hwy/cache_control.h>

#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "simd/vectors-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace bmo::HWY_NAMESPACE {
namespace {

constexpr std::size_t kVectors = kBatch / kFloats; // of one batch of samples
using Samples = hn::Vec<F32>;

// Where the samples of an arm come from: read(arm, sample) gives its batch.
template <class Value, class Function>
class NarrowRows {
public:
    NarrowRows(const void *rows, const void *query, const RhoScale &)
        : rows_(static_cast<const Value *>(rows)), query_(static_cast<const float *>(query)) {}

    HWY_INLINE void read(std::int64_t arm, Samples *sample) const {
        const Value *row = rows_ + arm * kRowOf<Value>;
        for (std::size_t v = 0; v < kVectors; ++v) {
            const auto value = Function{}(load_floats(row + v * kFloats), hn::LoadU(F32{}, query_ + v * kFloats));
            sample[v] = hn::Min(value, hn::Set(F32{}, kSampleLimit));
        }
    }
    HWY_INLINE void prefetch(std::int64_t arm) const { hwy::Prefetch(rows_ + arm * kRowOf<Value>); }

private:
    const Value *rows_;
    const float *query_;
};

template <class Value, class Function>
class WideRows {
public:
    WideRows(const void *rows, const void *query, const RhoScale &rho)
        : rows_(static_cast<const Value *>(rows)), query_(static_cast<const double *>(query)), scale_(rho.scale) {}

    HWY_INLINE void read(std::int64_t arm, Samples *sample) const {
        const Value *row = rows_ + arm * kRowOf<Value>;
        for (std::size_t v = 0; v < kVectors; ++v)
            sample[v] = hn::Combine(F32{}, half(row, v * kFloats + kDoubles), half(row, v * kFloats));
    }
    HWY_INLINE void prefetch(std::int64_t arm) const {
        hwy::Prefetch(rows_ + arm * kRowOf<Value>);
        hwy::Prefetch(rows_ + arm * kRowOf<Value> + kBatch / 2);
    }

private:
    static_assert(2 * kDoubles == kFloats);

    HWY_INLINE hn::Vec<hn::Half<F32>> half(const Value *row, std::size_t at) const {
        const F64 doubles;
        const auto x = hn::Mul(load_doubles(row + at), hn::Set(doubles, scale_));
        const auto sample = Function{}(x, hn::LoadU(doubles, query_ + at));
        const auto limit = hn::Set(doubles, static_cast<double>(kSampleLimit));
        return hn::DemoteTo(hn::Half<F32>{}, hn::Min(sample, limit));
    }

    const Value *rows_;
    const double *query_;
    double scale_;
};

class GivenSamples {
public:
    explicit GivenSamples(const float *z) : z_(z) {}
    HWY_INLINE void read(std::int64_t arm, Samples *sample) const {
        for (std::size_t v = 0; v < kVectors; ++v)
            sample[v] = hn::LoadU(F32{}, z_ + arm * kBatch + static_cast<std::int64_t>(v * kFloats));
    }
    HWY_INLINE void prefetch(std::int64_t) const {}

private:
    const float *z_;
};

constexpr std::int64_t kAhead = 16; // arms from one whose row is read to the one whose row is fetched

template <class Rows>
void pull(const void *rows, const std::int32_t *arms, std::int64_t count, const void *query, const RhoScale &rho,
          float *z) {
    const Rows from(rows, query, rho);
    for (std::int64_t i = 0; i < count; ++i, z += kBatch) {
        if (i + kAhead < count)
            from.prefetch(arms[i + kAhead]);
        Samples sample[kVectors];
        from.read(arms[i], sample);
        for (std::size_t v = 0; v < kVectors; ++v)
            hn::StoreU(sample[v], F32{}, z + v * kFloats);
    }
}

} // namespace
} // namespace bmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

// Sparse points in memory: the coordinates that are not zero, point by point.
#pragma once

#include <cstdint>

#include "bmo.h"

namespace bmo {

// Entries of point i: indices[k] and values[k] for first(i) <= k < first(i + 1). The indices of a point ascend strictly,
// and no value is 0.
struct SparseView {
    bmo_dtype dtype = BMO_F32; // of the values: BMO_F32 or BMO_F64
    bmo_dtype pointer_dtype = BMO_I64;
    std::int64_t n = 0, d = 1;
    const void *pointers = nullptr; // n + 1, from 0; may be null if n is 0
    const std::int32_t *indices = nullptr;
    const void *values = nullptr;

    std::int64_t first(std::int64_t i) const {
        return pointer_dtype == BMO_I64 ? static_cast<const std::int64_t *>(pointers)[i]
                                        : std::int64_t{static_cast<const std::int32_t *>(pointers)[i]};
    }
    std::int64_t entries(std::int64_t i) const { return first(i + 1) - first(i); }
    std::int64_t nnz() const { return n == 0 ? 0 : first(n); }

    template <class T>
    const T *typed_values() const {
        return static_cast<const T *>(values);
    }
    double value(std::int64_t k) const {
        return dtype == BMO_F32 ? static_cast<double>(typed_values<float>()[k]) : typed_values<double>()[k];
    }
};

// Calls visit with a null pointer of the values' type.
template <class Visit>
decltype(auto) visit_values(const SparseView &points, Visit &&visit) {
    if (points.dtype == BMO_F32)
        return visit(static_cast<const float *>(nullptr));
    return visit(static_cast<const double *>(nullptr));
}

} // namespace bmo

// The leading part of the shared order, in blocks of 16 coordinates: block b has row i of all points, one after
// another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "boxes/norms.hpp"
#include "boxes/order.hpp"
#include "data/dataset.hpp"
#include "data/settings.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

struct DensePrepared : Preparation {
    Order order;
    std::int64_t blocks = 0;
    AlignedVector<std::byte> storage;   // blocks x n x 16 values of the dataset's type
    std::shared_ptr<const Norms> norms; // of the points; null unless it was prepared for a metric that needs them

    const void *block(std::int64_t b, std::int64_t n, bmo_dtype dtype) const {
        return storage.data() + static_cast<std::size_t>(b * n * kBatch) * dtype_size(dtype);
    }
};

std::shared_ptr<const Preparation> prepare_dense(const Dataset &source, const Settings &settings, int threads,
                                                 Watch &watch);

} // namespace bmo

// The leading part of the shared order, in blocks of 16 coordinates: block b has row i of all points, one after
// another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "boxes/norms.hpp"
#include "boxes/order.hpp"
#include "data/dataset.hpp"
#include "data/files/sections.hpp"
#include "data/settings.hpp"
#include "simd/kernels.hpp"

namespace bmo {

struct DensePrepared : Preparation {
    Order order;
    std::int64_t blocks = 0;
    Memory storage; // blocks x n x 16 values of the dataset's type
    std::int64_t storage_bytes = 0;
    std::shared_ptr<const Norms> norms; // of the points; null unless it was prepared for a metric that needs them

    const void *block(std::int64_t b, std::int64_t n, bmo_dtype dtype) const {
        return static_cast<const std::byte *>(storage.get()) +
               static_cast<std::size_t>(b * n * kBatch) * dtype_size(dtype);
    }
    std::vector<SectionSource> sections() const override;

    // All but the storage.
    std::uint64_t own_bytes() const {
        return order.size() * sizeof(Order::value_type) + (norms ? norms->size() * sizeof(Norm) : 0);
    }
};

std::shared_ptr<const Preparation> prepare_dense(const Dataset &source, const Settings &settings, int threads,
                                                 Watch &watch);

// What of it serves some of the points.
void subset_dense(const DensePrepared &whole, std::span<const std::int64_t> rows, std::int64_t n, bmo_dtype dtype,
                  DensePrepared &chosen, Watch &watch);

// From a file. settings: what it was prepared with.
std::shared_ptr<const Preparation> restore_dense(const Dataset &source, const Settings &settings,
                                                 const Sections &sections, Watch &watch);

} // namespace bmo

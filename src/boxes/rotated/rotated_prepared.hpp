// Rotated points: the leading part of a random order of the rotated coordinates, in blocks of 16 as in DensePrepared.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "boxes/norms.hpp"
#include "boxes/order.hpp"
#include "boxes/rotated/rotation.hpp"
#include "data/dataset.hpp"
#include "data/files/sections.hpp"
#include "data/settings.hpp"
#include "simd/kernels.hpp"

namespace bmo {

struct RotatedPrepared : Preparation {
    explicit RotatedPrepared(Rotation of) : rotation(std::move(of)) {}

    Rotation rotation;
    Order order;
    std::int64_t blocks = 0;
    Memory storage; // blocks x n x 16 floats
    std::int64_t storage_bytes = 0;
    // Of the points, if these were normalized before they were rotated; else null.
    std::shared_ptr<const Norms> norms;

    const float *block(std::int64_t b, std::int64_t n) const {
        return static_cast<const float *>(storage.get()) + b * n * kBatch;
    }
    // All that is stored of a point, in the order of the samples.
    void copy_row(std::int64_t row, std::int64_t n, float *out) const;
    std::vector<SectionSource> sections() const override;
};

std::shared_ptr<const Preparation> prepare_rotated(const Dataset &source, const Settings &settings, int threads,
                                                   Watch &watch);

// Of some of the points, in the same rotation. Null if a rotation of these points alone is scaled otherwise.
std::shared_ptr<const Preparation> subset_rotated(const Dataset &whole, std::span<const std::int64_t> rows,
                                                  const Dataset &chosen, Watch &watch);

// From a file. settings: what it was prepared with.
std::shared_ptr<const Preparation> restore_rotated(const Dataset &source, const Settings &settings,
                                                   const Sections &sections, Watch &watch);

} // namespace bmo

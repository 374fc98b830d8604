// Rotated points: the leading part of a random order of the rotated coordinates, in blocks of 16 as in DensePrepared.
#pragma once

#include <cstdint>
#include <memory>

#include "boxes/norms.hpp"
#include "boxes/order.hpp"
#include "boxes/rotation.hpp"
#include "data/dataset.hpp"
#include "data/settings.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

struct RotatedPrepared : Preparation {
    explicit RotatedPrepared(Rotation of) : rotation(std::move(of)) {}

    Rotation rotation;
    Order order;
    std::int64_t blocks = 0;
    AlignedVector<float> storage; // blocks x n x 16
    std::shared_ptr<const Norms>
        norms; // of the points, where these were normalised before they were rotated; else null

    const float *block(std::int64_t b, std::int64_t n) const { return storage.data() + b * n * kBatch; }
    // All that is stored of a point, in the order of the samples.
    void copy_row(std::int64_t row, std::int64_t n, float *out) const;
};

std::shared_ptr<const Preparation> prepare_rotated(const Dataset &source, const Settings &settings, int threads,
                                                   Watch &watch);

} // namespace bmo

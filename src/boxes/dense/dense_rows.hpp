// Where boxes over dense data read 16 coordinates of many points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boxes/order.hpp"
#include "data/dataset.hpp"
#include "util/aligned.hpp"

namespace bmo {

struct DensePrepared;

// For one thread.
class DenseRows {
public:
    // order: the order of the preparation, if there is one (else null). All outlive the rows.
    DenseRows(const Dataset &data, const Order &order, const DensePrepared *prepared)
        : points_(data.dense), order_(order), prepared_(prepared) {}

    // Values of the dataset's type: 16 for each arm, those of arms[i] in row arms[i] of this batch.
    struct Batch {
        const void *rows;
        const std::int32_t *arms;
    };
    // The coordinates [first, first + width) of the order, then zeros. first is a multiple of 16. Until the next call.
    Batch batch(std::int64_t first, int width, std::span<const std::int32_t> arms);

private:
    const DenseView &points_;
    const Order &order_;
    const DensePrepared *prepared_;
    AlignedVector<std::byte> gathered_;
    std::vector<std::int32_t> numbers_; // 0, 1, 2, ...
};

} // namespace bmo

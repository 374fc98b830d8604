// The orders in which many become one: the same on every instruction set.
#pragma once

#include <cstddef>

namespace bmo {

// The 16 lanes of an exact sum: (i, i + 8), (i, i + 4), (0, 2) and (1, 3), then the two that are left.
template <class T, class Combine>
T fold_lanes(const T *lane, Combine combine) {
    T four[4];
    for (std::size_t i = 0; i < 4; ++i)
        four[i] = combine(combine(lane[i], lane[i + 8]), combine(lane[i + 4], lane[i + 12]));
    return combine(combine(four[0], four[2]), combine(four[1], four[3]));
}

// The 16 samples of a batch: in each quarter one after another, then the quarters 0 and 2, and 1 and 3, then both.
template <class T, class Combine>
T fold_batch(const T *sample, Combine combine) {
    T quarter[4];
    for (std::size_t i = 0; i < 4; ++i)
        quarter[i] = combine(combine(combine(sample[4 * i], sample[4 * i + 1]), sample[4 * i + 2]), sample[4 * i + 3]);
    return combine(combine(quarter[0], quarter[2]), combine(quarter[1], quarter[3]));
}

} // namespace bmo

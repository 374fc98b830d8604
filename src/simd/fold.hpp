// The one order in which 16 lanes become one: (i, i + 8), (i, i + 4), (0, 2) and (1, 3), then the two that are left.
#pragma once

namespace bmo {

template <class T, class Combine>
T fold_lanes(const T *lane, Combine combine) {
    T four[4];
    for (int i = 0; i < 4; ++i)
        four[i] = combine(combine(lane[i], lane[i + 8]), combine(lane[i + 4], lane[i + 12]));
    return combine(combine(four[0], four[2]), combine(four[1], four[3]));
}

} // namespace bmo

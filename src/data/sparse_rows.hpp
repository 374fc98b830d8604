// Sparse points in memory of the library's own, on their way to a dataset.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "data/dataset.hpp"
#include "util/aligned.hpp"

namespace bmo {

// Entries in any order within their row; an entry may be there more than once, and be zero. T: float or double.
template <class T>
struct SparseRows {
    std::int64_t n = 0, d = 1;
    AlignedVector<std::int64_t> pointers; // n + 1
    AlignedVector<std::int32_t> indices;
    AlignedVector<T> values;
};

// What their matrix means, as a dataset: sorted, repeated entries summed (in double), zeros dropped. The values were
// checked; sums are. integers: of values that are integers, sums have to be within 2^53. narrow: double values that are
// all floats become float. `argument` names the data in messages.
std::shared_ptr<const Dataset> adopt_sparse(SparseRows<float> rows, const std::string &argument, Watch &watch);
std::shared_ptr<const Dataset> adopt_sparse(SparseRows<double> rows, bool integers, bool narrow,
                                            const std::string &argument, Watch &watch);

} // namespace bmo

// A dense matrix of numbers that were read as text.
#pragma once

#include <memory>
#include <vector>

#include "data/dataset.hpp"

namespace bmo {

struct TextLayout {
    std::int64_t n, d, point_stride, coord_stride;
};

// F32 if that is exact for every value, else F64.
std::shared_ptr<const Dataset> dense_of_text(std::vector<double> values, const TextLayout &layout, Watch &watch);

} // namespace bmo

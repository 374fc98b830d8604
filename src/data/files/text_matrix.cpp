#include "data/files/text_matrix.hpp"

#include <algorithm>

#include "data/check.hpp"

namespace bmo {

std::shared_ptr<const Dataset> dense_of_text(std::vector<double> values, const TextLayout &layout, Watch &watch) {
    const auto copy = [&](bmo_dtype dtype, const void *from) {
        return make_dense({dtype, from, layout.n, layout.d, layout.point_stride, layout.coord_stride}, false, nullptr,
                          watch);
    };
    if (!std::all_of(values.begin(), values.end(), is_float))
        return copy(BMO_F64, values.data());
    std::vector<float> floats(values.size());
    std::transform(values.begin(), values.end(), floats.begin(),
                   [](double value) { return static_cast<float>(value); });
    return copy(BMO_F32, floats.data());
}

} // namespace bmo

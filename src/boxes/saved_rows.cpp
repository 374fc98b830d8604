#include "boxes/saved_rows.hpp"

#include <algorithm>
#include <cmath>

#include "util/failure.hpp"

namespace bmo {

std::vector<std::int64_t> rows_to_compare(std::int64_t n, std::int64_t operations) {
    constexpr std::int64_t kOperations = std::int64_t{1} << 24, kLeast = 8;
    const std::int64_t count = std::min(n, std::max(kLeast, kOperations / std::max<std::int64_t>(1, operations)));
    std::vector<std::int64_t> rows(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) // the first and the last among them
        rows[static_cast<std::size_t>(i)] = count == 1 ? 0 : i * (n - 1) / (count - 1);
    return rows;
}

void fail_foreign(const Sections &sections, const char *part, std::int64_t row) {
    sections.fail_format(text("the ", part, " of point ", Position{row}, kCountedFrom0,
                              " do not belong to its coordinates; the file is damaged or made up"));
}

void compare_norms(const Sections &sections, const PointsView &points, const Norms &norms, Watch &watch) {
    ScaledVector vector;
    std::vector<std::int32_t> coordinates;
    const double rounding = (static_cast<double>(points.d()) + 64) * 0x1p-100;
    for (const std::int64_t row : rows_to_compare(points.n(), 4 * points.d())) {
        watch.poll();
        vector.load_entries(points, row, coordinates);
        const Norm &norm = norms[static_cast<std::size_t>(row)];
        const DoubleDouble apart = norm.squares - vector.norm.squares;
        if (norm.exponent != vector.norm.exponent || !(std::abs(apart.high) <= rounding * vector.norm.squares.high))
            fail_foreign(sections, "norm and its square", row);
    }
}

} // namespace bmo

// Whether what a file says of its points is theirs: as it is opened, some rows of a preparation are made again and compared.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/norms.hpp"
#include "data/files/sections.hpp"
#include "data/points.hpp"
#include "util/watch.hpp"

namespace bmo {

// Rows to compare, each of which takes so many operations: all of a small file, a few milliseconds' worth of a large one.
std::vector<std::int64_t> rows_to_compare(std::int64_t n, std::int64_t operations);

// part: "norm", "values in blocks", ...
[[noreturn]] void fail_foreign(const Sections &sections, const char *part, std::int64_t row);

void compare_norms(const Sections &sections, const PointsView &points, const Norms &norms, Watch &watch);

} // namespace bmo

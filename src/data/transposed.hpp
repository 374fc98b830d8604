// A dataset whose points are the coordinates of another one.
#pragma once

#include <memory>
#include <string>

#include "data/dataset.hpp"

namespace bmo {

// borrow: dense values stay where they are, and are held; otherwise they are copied row-major. What was prepared is left
// out. Fails with BMO_EFORMAT if there is no point, for a point has one coordinate or more; path names the file.
std::shared_ptr<const Dataset> transposed(std::shared_ptr<const Dataset> data, const std::string &path, bool borrow,
                                          Watch &watch);

} // namespace bmo

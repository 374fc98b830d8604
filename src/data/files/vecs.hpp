// .fvecs, .bvecs and .ivecs files: vectors of float, bytes or int32, each behind its length as int32.
#pragma once

#include <memory>
#include <string_view>

#include "data/dataset.hpp"
#include "data/files/source.hpp"

namespace bmo {

// These files have no mark of their own: their name tells.
bool is_vecs(std::string_view path);

// Memory grows with what the file holds.
std::shared_ptr<const Dataset> read_vecs(Source &source, bool borrow, Watch &watch);

} // namespace bmo

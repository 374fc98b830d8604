// .fbin, .u8bin and .i8bin files: the numbers of points and coordinates as uint32, then floats, bytes or int8 row by row.
#pragma once

#include <memory>
#include <string_view>

#include "data/dataset.hpp"
#include "data/files/source.hpp"

namespace bmo {

// These files have no mark of their own: their name tells.
bool is_bin(std::string_view path);

// borrow: maps the file if the values can be used as they lie there; otherwise they are read.
std::shared_ptr<const Dataset> read_bin(Source &source, bool borrow, Watch &watch);

} // namespace bmo

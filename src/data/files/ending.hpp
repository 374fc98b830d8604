// The endings of names of files, for formats that have no mark of their own.
#pragma once

#include <string_view>

namespace bmo {

// Whether in small letters or capitals, and whether .gz is behind it or not.
bool has_ending(std::string_view path, std::string_view ending);

} // namespace bmo

// The endings of names of files, for formats that have no mark of their own.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "bmo.h"

namespace bmo {

// Whether in small letters or capitals, and whether .gz is behind it or not.
bool has_ending(std::string_view path, std::string_view ending);

// An ending that tells the type of the values.
struct TypedEnding {
    std::string_view text;
    bmo_dtype dtype;
};

// Null if the path has none of these.
inline const TypedEnding *ending_of(std::string_view path, std::span<const TypedEnding> endings) {
    const auto found =
        std::ranges::find_if(endings, [&](const TypedEnding &ending) { return has_ending(path, ending.text); });
    return found == endings.end() ? nullptr : &*found;
}

} // namespace bmo

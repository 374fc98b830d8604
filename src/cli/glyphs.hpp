// The demo's data: pictures of characters, and what the characters are called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "library.hpp"

namespace bmo_command {

constexpr std::int64_t glyph_side = 64; // pixels

struct Glyph {
    char32_t code;
    std::string name;
    std::vector<char32_t> twins; // other characters with the very same picture
};

struct Glyphs {
    Dataset data; // one point a glyph
    std::vector<Glyph> glyphs;

    // The row that shows a character; a failure if there is none.
    std::int64_t row_of(char32_t code) const;
    // The gray levels of a row.
    std::vector<double> pixels(std::int64_t row) const;
};

// From the directory, or, if that is empty, from where the command was built or installed.
Glyphs load_glyphs(const std::string &directory, const bmo_monitor &monitor);

// "U+0041"
std::string code_text(char32_t code);

} // namespace bmo_command

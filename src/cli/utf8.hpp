// Code points and their bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bmo_command {

std::string encode_utf8(char32_t code);

// A usage failure if the text is not UTF-8.
std::vector<char32_t> decode_utf8(std::string_view text);

} // namespace bmo_command

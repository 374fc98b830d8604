// Text that is safe to show: one line of valid UTF-8 without control characters. The library and the command share it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bmo {

// The first character of a text that is not empty.
struct Character {
    char32_t code = 0;
    std::size_t bytes = 0; // 0: the text does not begin as UTF-8
};
Character first_character(std::string_view text) noexcept;

// Copies the text and ends it with '\0'. A control character, or a byte that is no UTF-8, becomes '?'. A text of more
// than size - 1 bytes is cut between two characters and ends in "...". Control characters that are `kept` stay.
void copy_plain(char *to, std::size_t size, std::string_view from, bool (*kept)(char) = nullptr) noexcept;

// The same, of any length.
std::string plain(std::string_view text);

} // namespace bmo

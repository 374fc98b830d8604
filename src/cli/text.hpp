// Texts joined of parts, and numbers as text, the same in every locale.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace bmo_command {

inline void append_part(std::string &text, std::string_view part) {
    text += part;
}
void append_part(std::string &text, std::integral auto part) {
    text += std::to_string(part);
}

// text("-k is ", k, "; expected at least 1")
template <class... Parts>
std::string text(const Parts &...parts) {
    std::string joined;
    (append_part(joined, parts), ...);
    return joined;
}

// Spaces before the text, up to so many characters.
std::string right_aligned(std::string text, std::size_t width);

// The shortest text that reads back as the same number.
std::string shortest(double value);

// Six significant digits, for people.
std::string rounded(double value);

// So many digits after the point: "3.20".
std::string fixed(double value, int digits);

// "1,234,567", for people.
std::string grouped(std::uint64_t value);
inline std::string grouped(std::int64_t value) {
    return grouped(static_cast<std::uint64_t>(value));
}

// "1 point", "1,234 points".
std::string counted(std::uint64_t count, std::string_view thing);
inline std::string counted(std::int64_t count, std::string_view thing) {
    return counted(static_cast<std::uint64_t>(count), thing);
}

// "1.2 GB", for people.
std::string bytes_text(std::uint64_t bytes);

// A whole number that fills all of text; false otherwise.
bool parse_whole(const std::string &text, std::int64_t &value);
// As much for a number of any kind, infinite or not a number too.
bool parse_real(const std::string &text, double &value);

} // namespace bmo_command

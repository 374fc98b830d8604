#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace bmo_command {

std::string right_aligned(std::string text, std::size_t width) {
    return text.insert(0, width - std::min(width, text.size()), ' ');
}

std::string shortest(double value) {
    char buffer[40];
    return {buffer, std::to_chars(buffer, std::end(buffer), value).ptr};
}

std::string rounded(double value) {
    char buffer[40];
    return {buffer, std::to_chars(buffer, std::end(buffer), value, std::chars_format::general, 6).ptr};
}

std::string fixed(double value, int digits) {
    char buffer[400]; // the largest double has 309 digits before the point
    return {buffer, std::to_chars(buffer, std::end(buffer), value, std::chars_format::fixed, digits).ptr};
}

std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t place = digits.size(); place > 3;) {
        place -= 3;
        digits.insert(place, 1, ',');
    }
    return digits;
}

std::string counted(std::uint64_t count, std::string_view thing) {
    return text(grouped(count), " ", thing, count == 1 ? "" : "s");
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr const char *units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1000)
        return text(bytes, " bytes");
    double size = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    for (; size >= 1000; ++unit)
        size /= 1000;
    return text(fixed(size, 1), " ", units[unit]);
}

namespace {

template <class Number>
bool parse_all(const std::string &text, Number &value) {
    const char *end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && rest == end;
}

} // namespace

bool parse_whole(const std::string &text, std::int64_t &value) {
    return parse_all(text, value);
}

bool parse_real(const std::string &text, double &value) {
    return parse_all(text, value);
}

} // namespace bmo_command

#include "data/files/text_lines.hpp"

#include <algorithm>
#include <charconv>

#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr std::size_t kPiece = 1 << 16;
constexpr std::string_view kBlank = " \t\r\v\f";

template <class Number>
Parsed parse_number(std::string_view word, Number &number) {
    if (word.starts_with('+') && !word.starts_with("+-"))
        word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc::invalid_argument || end != word.data() + word.size())
        return Parsed::none;
    return error == std::errc() ? Parsed::number : Parsed::beyond;
}

// Of the first digit that is not 0, in a word that is a number.
std::int64_t power_of_ten(std::string_view word) {
    const std::size_t e = std::min(word.find_first_of("eE"), word.size());
    const std::string_view digits = word.substr(0, e);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = digits.find_first_of("123456789");
    const auto places = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - (first < point ? 1 : 0);
    std::int64_t exponent = 0;
    constexpr std::int64_t beyond_any_line = std::int64_t{1} << 62;
    if (e < word.size() && parse_number(word.substr(e + 1), exponent) == Parsed::beyond)
        exponent = word[e + 1] == '-' ? -beyond_any_line : beyond_any_line;
    return places + exponent;
}

} // namespace

bool TextLines::next_whole(std::string_view &line) {
    std::size_t end = buffer_.find('\n', at_);
    while (end == std::string::npos && !ended_) {
        watch_.poll();
        buffer_.erase(0, at_);
        at_ = 0;
        const std::size_t held = buffer_.size();
        if (held > longest_)
            fail_here(BMO_EFORMAT, text("a line is longer than ", longest_, " bytes"));
        buffer_.resize(held + kPiece);
        const std::size_t got = source_.read(buffer_.data() + held, kPiece);
        buffer_.resize(held + got);
        ended_ = got < kPiece;
        end = buffer_.find('\n', held);
    }
    if (end == std::string::npos && at_ == buffer_.size())
        return false;
    const std::size_t length = std::min(end, buffer_.size()) - at_;
    line = std::string_view(buffer_).substr(at_, length);
    at_ = std::min(at_ + length + 1, buffer_.size());
    bytes_ += static_cast<std::int64_t>(length) + 1;
    ++number_;
    return true;
}

bool TextLines::next(std::string_view &line, bool comments_too) {
    while (next_whole(line)) {
        const std::size_t first = line.find_first_not_of(kBlank);
        if (first == std::string_view::npos || (!comments_too && line[first] == '%'))
            continue;
        line = line.substr(first, line.find_last_not_of(kBlank) + 1 - first);
        return true;
    }
    return false;
}

void TextLines::fail_here(bmo_status status, const std::string &what, std::int64_t row, std::int64_t col) const {
    fail(status, "path", text(path(), ", line ", number_, ": ", what), row, col);
}

std::string_view Words::next() {
    const std::size_t first = left_.find_first_not_of(kBlank);
    if (first == std::string_view::npos)
        return left_ = {};
    const std::size_t end = std::min(left_.find_first_of(kBlank, first), left_.size());
    const std::string_view word = left_.substr(first, end - first);
    left_.remove_prefix(end);
    return word;
}

std::string lower(std::string_view word) {
    std::string out(word);
    for (char &letter : out)
        letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    return out;
}

Parsed parse(std::string_view word, std::int64_t &number) {
    return parse_number(word, number);
}

Parsed parse(std::string_view word, double &number) {
    const Parsed parsed = parse_number(word, number);
    if (parsed != Parsed::beyond || power_of_ten(word) > 0)
        return parsed;
    number = 0; // too small for a double
    return Parsed::number;
}

} // namespace bmo

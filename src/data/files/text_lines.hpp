// The lines of a source of text, and the numbers in them. The decimal separator is "." in every locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/files/source.hpp"
#include "util/watch.hpp"

namespace bmo {

class TextLines {
public:
    TextLines(Source &source, Watch &watch, std::size_t longest = std::size_t{1} << 16)
        : source_(source), watch_(watch), longest_(longest) {}

    // The next line that is neither blank nor, if asked, a comment, without its end (LF or CRLF); false at the end. It
    // is valid until the next call.
    bool next(std::string_view &line, bool comments_too = false);
    // The next line as it is, without its LF.
    bool next_whole(std::string_view &line);

    std::int64_t bytes_read() const { return bytes_; }
    // The most bytes that the lines to come have.
    std::int64_t most_left() const { return source_.most() + static_cast<std::int64_t>(buffer_.size() - at_); }
    const std::string &path() const { return source_.path(); }
    // Fails with a message that names the file and the last line read.
    [[noreturn]] void fail_here(bmo_status status, const std::string &what, std::int64_t row = -1,
                                std::int64_t col = -1) const;

private:
    Source &source_;
    Watch &watch_;
    std::size_t longest_; // a line of more bytes is refused
    std::string buffer_;
    std::size_t at_ = 0;
    bool ended_ = false;
    std::int64_t bytes_ = 0, number_ = 0;
};

// The words of a line, which spaces and tabs part.
class Words {
public:
    explicit Words(std::string_view line) : left_(line) {}
    // The next word; empty at the end.
    std::string_view next();

private:
    std::string_view left_;
};

// In small letters; only those of ASCII are others in capitals.
std::string lower(std::string_view word);

enum class Parsed { number, none, beyond };

// A whole word as a number. beyond: it is one, but its type cannot hold it.
Parsed parse(std::string_view word, std::int64_t &number);
Parsed parse(std::string_view word, double &number);

} // namespace bmo

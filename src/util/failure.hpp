// The one way in which the library reports that a call cannot go on: an exception that the ABI turns into a status.
#pragma once

#include <charconv>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "bmo.h"

namespace bmo {

struct Failure : std::exception {
    bmo_status status = BMO_EINTERNAL;
    std::string argument; // the argument, field or parameter at fault
    std::string message;
    std::int64_t row = -1, col = -1;
    std::int32_t callback_result = 0;

    Failure() = default;
    Failure(bmo_status code, std::string_view fault, std::string reason, std::int64_t at_row = -1,
            std::int64_t at_col = -1, std::int32_t result = 0)
        : status(code), argument(fault), message(std::move(reason)), row(at_row), col(at_col), callback_result(result) {
    }

    const char *what() const noexcept override { return message.c_str(); }
};

inline void append_text(std::string &out, std::string_view part) {
    out += part;
}

// Shortest text that reads back as the same number, in every locale.
template <class Number>
requires std::is_arithmetic_v<Number>
void append_text(std::string &out, Number value) {
    char buffer[40];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

// A message marks what a binding says in its own way (bmo_error.marked):

// a word of C: an argument, a field, a function, a constant
struct Word {
    std::string_view of_c;
};

// a position counted from 0
struct Position {
    std::int64_t from_0;
};

// the remark that positions count from 0
struct CountedFrom0 {};
inline constexpr CountedFrom0 kCountedFrom0;

namespace mark {
inline constexpr char word = '\1', position = '\2', end = '\3', remark = '\4';
}
constexpr bool is_mark(char character) noexcept {
    return character >= mark::word && character <= mark::remark;
}

inline void append_text(std::string &out, Word word) {
    out += mark::word;
    out += word.of_c;
    out += mark::end;
}

inline void append_text(std::string &out, Position position) {
    out += mark::position;
    append_text(out, position.from_0);
    out += mark::end;
}

inline void append_text(std::string &out, CountedFrom0) {
    out += mark::remark;
    out += " (counted from 0)";
    out += mark::end;
}

// Joins texts, numbers and marks: text(Word{"k"}, " is ", k, "; expected 1 to ", n).
template <class... Parts>
std::string text(const Parts &...parts) {
    std::string out;
    (append_text(out, parts), ...);
    return out;
}

[[noreturn]] inline void fail(bmo_status status, std::string_view argument, std::string message, std::int64_t row = -1,
                              std::int64_t col = -1) {
    throw Failure(status, argument, std::move(message), row, col);
}

// "ARGUMENT is VALUE; expected EXPECTED...".
template <class Value, class... Expected>
[[noreturn]] void refuse(std::string_view argument, const Value &value, const Expected &...expected) {
    fail(BMO_EINVAL, argument, text(Word{argument}, " is ", value, "; expected ", expected...));
}

} // namespace bmo

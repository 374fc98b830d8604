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

// Joins texts and numbers: text("k is ", k, "; expected 1 to ", n).
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

} // namespace bmo

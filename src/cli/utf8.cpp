#include "utf8.hpp"

#include "failure.hpp"
#include "util/plain_text.hpp"

namespace bmo_command {

std::string encode_utf8(char32_t code) {
    const auto follower = [code](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80)
        return {static_cast<char>(code)};
    if (code < 0x800)
        return {static_cast<char>(0xc0 | (code >> 6)), follower(0)};
    if (code < 0x10000)
        return {static_cast<char>(0xe0 | (code >> 12)), follower(6), follower(0)};
    return {static_cast<char>(0xf0 | (code >> 18)), follower(12), follower(6), follower(0)};
}

std::vector<char32_t> decode_utf8(std::string_view text) {
    std::vector<char32_t> codes;
    while (!text.empty()) {
        const bmo::Character next = bmo::first_character(text);
        if (next.bytes == 0)
            fail_usage("the characters are not UTF-8 text");
        codes.push_back(next.code);
        text.remove_prefix(next.bytes);
    }
    return codes;
}

} // namespace bmo_command

#include "utf8.hpp"

#include "failure.hpp"

namespace bmo_command {

namespace {

constexpr char32_t past_last = 0x110000;

// How many bytes follow the first byte of a character; -1 where it is none.
int followers(unsigned char first) {
    if (first < 0x80)
        return 0;
    if (first >= 0xc2 && first < 0xe0)
        return 1;
    if (first >= 0xe0 && first < 0xf0)
        return 2;
    return first >= 0xf0 && first < 0xf5 ? 3 : -1;
}

} // namespace

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
        const auto first = static_cast<unsigned char>(text[0]);
        const int rest = followers(first);
        if (rest < 0 || text.size() <= static_cast<std::size_t>(rest))
            fail_usage("the characters are not UTF-8 text");
        char32_t code = rest == 0 ? first : first & (0x3fU >> rest);
        for (int i = 1; i <= rest; ++i)
            code = code << 6 | (static_cast<unsigned char>(text[static_cast<std::size_t>(i)]) & 0x3f);
        if (code >= past_last)
            fail_usage("the characters are not UTF-8 text");
        codes.push_back(code);
        text.remove_prefix(static_cast<std::size_t>(rest) + 1);
    }
    return codes;
}

} // namespace bmo_command

#include "util/plain_text.hpp"

#include <algorithm>
#include <cstring>

namespace bmo {
namespace {

bool is_control(char32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0); // C0, delete, C1
}

} // namespace

Character first_character(std::string_view text) noexcept {
    const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const std::size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes)
        return {};
    char32_t code = first & (0x7fU >> bytes);
    for (std::size_t at = 1; at < bytes; ++at) {
        if ((byte(at) & 0xc0U) != 0x80U)
            return {};
        code = code << 6 | (byte(at) & 0x3fU);
    }
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000}, past_last = 0x110000;
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[bytes] || code >= past_last || surrogate ? Character{} : Character{code, bytes};
}

void copy_plain(char *to, std::size_t size, std::string_view from, bool (*kept)(char)) noexcept {
    static constexpr std::string_view cut = "...";
    const char *const last = to + size - 1;
    char *end = to, *cut_at = to;
    while (!from.empty()) {
        const Character next = first_character(from);
        const bool shown = next.bytes > 0 && (!is_control(next.code) || (kept && kept(from.front())));
        const std::string_view bytes = shown ? from.substr(0, next.bytes) : "?";
        if (bytes.size() > static_cast<std::size_t>(last - end)) {
            end = std::copy(cut.begin(), cut.end(), cut_at);
            break;
        }
        end = std::copy(bytes.begin(), bytes.end(), end);
        if (cut.size() <= static_cast<std::size_t>(last - end))
            cut_at = end;
        from.remove_prefix(std::max<std::size_t>(next.bytes, 1));
    }
    *end = '\0';
}

std::string plain(std::string_view text) {
    std::string shown(text.size() + 1, '\0');
    copy_plain(shown.data(), shown.size(), text);
    shown.resize(std::strlen(shown.c_str()));
    return shown;
}

} // namespace bmo

#include "json.hpp"

#include <cmath>

#include "text.hpp"

namespace bmo_command {

namespace {

std::string as_string(std::string_view value) {
    constexpr char hex[] = "0123456789abcdef";
    std::string json = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\')
            json += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            json += "\\u00";
            json += hex[c >> 4];
            json += hex[c & 15];
        } else {
            json += c;
        }
    }
    return json += '"';
}

} // namespace

void JsonObject::text(std::string_view name, std::string_view value) {
    member(name, as_string(value));
}

void JsonObject::number(std::string_view name, double value) {
    member(name, std::isfinite(value) ? shortest(value) : "null");
}

void JsonObject::member(std::string_view name, std::string_view value) {
    if (!members_.empty())
        members_ += ",\n";
    members_ += bmo_command::text("  ", as_string(name), ": ", value);
}

} // namespace bmo_command

// One JSON object, built member by member.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text.hpp"

namespace bmo_command {

class JsonObject {
public:
    void text(std::string_view name, std::string_view value);
    void number(std::string_view name, double value); // null if it is not finite
    void number(std::string_view name, std::uint64_t value) { member(name, std::to_string(value)); }
    void number(std::string_view name, std::int64_t value) { member(name, std::to_string(value)); }

    std::string str() const { return bmo_command::text("{\n", members_, "\n}\n"); }

private:
    void member(std::string_view name, std::string_view value);

    std::string members_;
};

} // namespace bmo_command

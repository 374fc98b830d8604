// "1 point", "3 points".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bmo {

inline std::string counted(std::int64_t count, std::string_view thing) {
    std::string words = std::to_string(count);
    words += ' ';
    words += thing;
    return count == 1 ? words : words + 's';
}

} // namespace bmo

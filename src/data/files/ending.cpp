#include "data/files/ending.hpp"

#include "data/files/text_lines.hpp"

namespace bmo {
namespace {

bool ends_with(std::string_view path, std::string_view ending) {
    return path.size() >= ending.size() && lower(path.substr(path.size() - ending.size())) == ending;
}

} // namespace

bool has_ending(std::string_view path, std::string_view ending) {
    constexpr std::string_view compressed = ".gz";
    if (ends_with(path, compressed))
        path.remove_suffix(compressed.size());
    return ends_with(path, ending);
}

} // namespace bmo

#include "input_path.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace bmo_command {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view hdf5_endings[] = {".h5", ".hdf5", ".h5ad"};

std::string in_lower_case(std::string name) {
    std::ranges::transform(name, name.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return name;
}

// Behind the ending of a file that has parts, where the last such ending is.
std::size_t end_of_file(const std::string &given) {
    const std::string path = in_lower_case(given);
    std::size_t end = 0;
    const auto look_for = [&](std::string_view ending) {
        const std::size_t at = path.rfind(std::string(ending) + ':');
        if (at != std::string::npos)
            end = std::max(end, at + ending.size());
    };
    look_for(".npz");
    std::ranges::for_each(hdf5_endings, look_for);
    return end;
}

} // namespace

InputPath input_path(const std::string &given) {
    const std::size_t end = end_of_file(given);
    std::error_code failed;
    if (end == 0 || fs::exists(given, failed))
        return {given, ""};
    return {given.substr(0, end), given.substr(end + 1)};
}

bool is_hdf5(const std::string &file) {
    const std::string name = in_lower_case(file);
    if (std::ranges::any_of(hdf5_endings, [&](std::string_view ending) { return name.ends_with(ending); }))
        return true;
    std::error_code failed;
    if (!fs::is_regular_file(file, failed)) // bytes of a pipe are there once only
        return false;
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    char first[signature.size()] = {};
    std::ifstream(file, std::ios::binary).read(first, sizeof first);
    return std::string_view(first, sizeof first) == signature;
}

} // namespace bmo_command

#include "names.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <system_error>
#include <zlib.h>

#include "failure.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

std::string read_whole(const std::string &path) {
    errno = 0;
    const std::unique_ptr<gzFile_s, decltype(&gzclose)> file(gzopen(path.c_str(), "rbe"), gzclose);
    if (!file)
        fail(text(path, ": cannot be opened: ", std::generic_category().message(errno == 0 ? ENOMEM : errno)));
    std::string content;
    char bytes[1 << 16];
    int got;
    while ((got = gzread(file.get(), bytes, sizeof bytes)) > 0)
        content.append(bytes, static_cast<std::size_t>(got));
    int error = Z_OK;
    const char *reason = gzerror(file.get(), &error);
    if (got < 0 || error != Z_OK)
        fail(text(path, ": cannot be read: ", error == Z_ERRNO ? std::generic_category().message(errno) : reason));
    return content;
}

} // namespace

std::vector<std::string> read_names(const std::string &path) {
    const std::string content = read_whole(path);
    std::vector<std::string> names;
    for (std::string_view rest = content; !rest.empty();) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        names.emplace_back(line.substr(0, line.find_first_of("\t\r")));
    }
    return names;
}

Option names_option() {
    return {"names", "FILE",
            "names of the points, one a line, up to a tab: shown, and written to .csv and .tsv, beside their numbers; "
            "without "
            "it those that an HDF5 file has"};
}

std::vector<std::string> names_of(const Arguments &arguments, std::int64_t points, std::vector<std::string> in_file) {
    if (!arguments.has("names"))
        return in_file;
    std::vector<std::string> names = read_names(arguments.get("names"));
    if (static_cast<std::int64_t>(names.size()) != points)
        fail(text("--names ", arguments.get("names"), " has ", counted(names.size(), "name"), ", but DATA has ",
                  counted(points, "point"), "; expected a line for each"));
    return names;
}

} // namespace bmo_command

#include "glyphs.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "failure.hpp"
#include "text.hpp"
#include "utf8.hpp"
#include "util/plain_text.hpp"

namespace bmo_command {

namespace {

namespace fs = std::filesystem;

constexpr const char *points_file = "glyphs.npy.gz", *names_file = "glyphs.tsv";

fs::path find_directory() {
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    const fs::path candidates[] = {program, program.parent_path() / "share" / "bmo", BMO_DATA_DIRECTORY};
    for (const fs::path &candidate : candidates)
        if (fs::exists(candidate / points_file, unknown))
            return candidate;
    fail("the demo's data are not installed; give their directory with --data (in the source tree: share/demo)");
}

char32_t parse_code(std::string_view name) {
    std::uint32_t code = 0;
    if (name.starts_with("U+"))
        std::from_chars(name.data() + 2, name.data() + name.size(), code, 16);
    return code;
}

std::string_view take_until(std::string_view &rest, char end) {
    const std::string_view part = rest.substr(0, rest.find(end));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    return part;
}

std::vector<Glyph> read_glyphs(const fs::path &path) {
    std::ifstream file(path);
    std::vector<Glyph> glyphs;
    for (std::string line; std::getline(file, line);) {
        std::string_view rest = line;
        Glyph &glyph = glyphs.emplace_back();
        glyph.code = parse_code(take_until(rest, '\t'));
        glyph.name = bmo::plain(take_until(rest, '\t'));
        while (!rest.empty())
            glyph.twins.push_back(parse_code(take_until(rest, ' ')));
    }
    return glyphs;
}

} // namespace

std::int64_t Glyphs::row_of(char32_t code) const {
    const auto shows = [code](const Glyph &glyph) {
        return glyph.code == code || std::find(glyph.twins.begin(), glyph.twins.end(), code) != glyph.twins.end();
    };
    const auto found = std::find_if(glyphs.begin(), glyphs.end(), shows);
    if (found == glyphs.end())
        fail(text("the demo's font does not draw ", encode_utf8(code), " (", code_text(code),
                  "); try another character"));
    return found - glyphs.begin();
}

std::vector<double> Glyphs::pixels(std::int64_t row) const {
    std::vector<double> levels(static_cast<std::size_t>(glyph_side * glyph_side));
    check(bmo_dataset_copy_rows(data.get(), &row, 1, levels.data()));
    return levels;
}

Glyphs load_glyphs(const std::string &directory, const bmo_monitor &monitor) {
    const fs::path source = directory.empty() ? find_directory() : fs::path(directory);
    Glyphs loaded{open_dataset((source / points_file).string(), monitor), read_glyphs(source / names_file)};
    const bmo_dataset_info info = describe(loaded.data.get());
    if (info.n != static_cast<std::int64_t>(loaded.glyphs.size()) || info.d != glyph_side * glyph_side)
        fail(text((source / names_file).string(), " does not fit ", points_file,
                  "; make both anew with scripts/make-demo-data"));
    return loaded;
}

std::string code_text(char32_t code) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "U+%04X", static_cast<unsigned>(code));
    return digits;
}

} // namespace bmo_command

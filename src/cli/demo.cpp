// bmo demo: characters that look alike, found with and without the bandit.
#include <algorithm>
#include <clocale>
#include <cmath>
#include <langinfo.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

#include "failure.hpp"
#include "glyphs.hpp"
#include "help.hpp"
#include "picture.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "subcommands.hpp"
#include "text.hpp"
#include "typical.hpp"
#include "utf8.hpp"

namespace bmo_command {

namespace {

constexpr std::int64_t usual_k = 5;
constexpr const char *usual_characters = "ж☺AOl18В∑♥≠ß";
constexpr std::size_t most_pictures = 3; // of the characters, those shown as pictures
constexpr std::size_t row_step = 20;     // every so many glyphs is a query too, for the measurement

// Block characters and the glyphs themselves need UTF-8. A locale that names no character set at all ("C") is no reason
// to leave them out.
bool shows_unicode() {
    std::setlocale(LC_CTYPE, "");
    const std::string_view set = nl_langinfo(CODESET);
    return set == "UTF-8" || set == "ANSI_X3.4-1968";
}

std::int64_t screen_columns() {
    winsize size = {};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

struct Screen {
    bool unicode = shows_unicode();
    std::int64_t columns = screen_columns();

    std::string glyph(const Glyph &glyph, char32_t code) const {
        if (!unicode)
            return "";
        const bool combines = glyph.name.find("COMBINING") != std::string::npos;
        return text(combines ? encode_utf8(0x25cc) : "", encode_utf8(code), "  ");
    }
};

struct Found {
    const Glyphs &glyphs;
    const Search &search; // of rows whose first ones are the characters
    const Screen &screen;

    std::size_t at(std::size_t query, std::int64_t rank) const {
        return query * static_cast<std::size_t>(search.answers.k) + static_cast<std::size_t>(rank);
    }
    std::int64_t neighbor(std::size_t query, std::int64_t rank) const { return search.answers.index[at(query, rank)]; }
    const Glyph &glyph(std::int64_t row) const { return glyphs.glyphs[static_cast<std::size_t>(row)]; }

    std::string heading(char32_t code, std::int64_t row) const {
        const Glyph &shown = glyph(row);
        const std::string start = text(screen.glyph(shown, code), code_text(code), "  ");
        if (code == shown.code)
            return text(start, shown.name, "\n");
        return text(start, "drawn exactly like ", code_text(shown.code), " ", shown.name, "\n");
    }

    std::string neighbors(std::size_t query) const {
        std::string lines;
        for (std::int64_t rank = 0; rank < search.answers.k; ++rank) {
            const Glyph &near = glyph(neighbor(query, rank));
            lines += text(right_aligned(fixed(search.answers.distance[at(query, rank)], 1), 12), "  ",
                          screen.glyph(near, near.code), code_text(near.code), "  ", near.name, "\n");
        }
        return lines;
    }

    // The character and, as far as the screen is wide enough, its neighbors.
    std::string pictures(std::int64_t row, std::size_t query) const {
        const std::int64_t shown =
            std::min(search.answers.k, std::max<std::int64_t>(1, screen.columns / picture_columns - 1));
        std::vector<std::vector<std::string>> drawn{draw_picture(glyphs.pixels(row), glyph_side, screen.unicode)};
        for (std::int64_t rank = 0; rank < shown; ++rank)
            drawn.push_back(draw_picture(glyphs.pixels(neighbor(query, rank)), glyph_side, screen.unicode));
        return side_by_side(drawn);
    }
};

std::vector<std::int64_t> query_rows(const Glyphs &glyphs, const std::vector<char32_t> &characters) {
    std::vector<std::int64_t> rows;
    for (const char32_t code : characters)
        rows.push_back(glyphs.row_of(code));
    for (std::size_t row = 0; row < glyphs.glyphs.size(); row += row_step)
        rows.push_back(static_cast<std::int64_t>(row));
    return rows;
}

std::size_t same_answers(const Answers &ones, const Answers &others) {
    std::size_t same = 0;
    const auto k = static_cast<std::ptrdiff_t>(ones.k);
    auto other = others.distance.begin();
    for (auto one = ones.distance.begin(); one != ones.distance.end(); one += k, other += k)
        same += std::equal(one, one + k, other);
    return same;
}

constexpr const char *few_bytes =
    "\nBy the clock the scan is ahead here: bytes, many queries at once, and all in the cache. Left to itself (method "
    "auto)\nbmo takes it. Fewer operations win when each costs more: single queries, floats, more points and "
    "coordinates,\nmetrics of your own.\n";

std::string measurement(const Search &bandit, const Search &exact, double prepare_ms) {
    const auto seconds = [](double ms) { return text(fixed(ms / 1000, 3), " s"); };
    const double total_ms = prepare_ms + bandit.query_ms;
    const std::uint64_t queries = exact.stats.queries, same = same_answers(bandit.answers, exact.answers);
    return text("The same ", grouped(queries), " searches, both ways:\n\n",
                columns({{"", "coordinate operations", "time"},
                         {"full scan", grouped(exact.stats.coord_ops), seconds(exact.query_ms)},
                         {"bmo", grouped(bandit.stats.coord_ops),
                          text(seconds(total_ms), ", of which ", seconds(prepare_ms), " to rearrange the data")},
                         {"gain", text(gain_text(bandit.stats), " times fewer"),
                          text(fixed(exact.query_ms / total_ms, 1), " times as fast")}},
                        "  "),
                total_ms > exact.query_ms ? few_bytes : "", "\nDistances: the same in ", grouped(same), " of ",
                grouped(queries), " searches.\nGuarantee: ", bmo_guarantee_name(bandit.stats.guarantee), "; ",
                guarantee_meaning(bandit.stats), ".\n");
}

// Seconds of one core, of both ways to the same answer.
std::string clock_text(const Glyphs &glyphs, const Typical &typical, const Screen &screen) {
    const Glyph &shown = glyphs.glyphs[static_cast<std::size_t>(typical.row)];
    const auto seconds = [](double ms) { return text(fixed(ms / 1000, 3), " s"); };
    return text(
        "\nAnd by the clock: which character is the most typical?\n\n"
        "It is the one whose mean distance to all others is least. A scan computes the distance of every character "
        "to\nevery other. bmo compares them with a few, and rules out nearly all of them.\n\n",
        screen.glyph(shown, shown.code), code_text(shown.code), "  ", shown.name, "\n",
        side_by_side({draw_picture(glyphs.pixels(typical.row), glyph_side, screen.unicode)}), "\n",
        columns({{"full scan", seconds(typical.scan_ms)},
                 {"bmo", text(seconds(typical.bandit_ms), ", ", typical.same ? "the same" : "another", " answer")},
                 {"gain", text(fixed(typical.scan_ms / typical.bandit_ms, 1), " times as fast")}},
                "  "));
}

std::string introduction(const Glyphs &glyphs, const Config &config, std::size_t queries, std::int64_t k) {
    return text("Which characters look alike?\n\n"
                "The font DejaVu Sans draws ",
                grouped(std::uint64_t{glyphs.glyphs.size()}),
                " different characters. Each is a picture of 64 x 64 gray levels from 0 to\n"
                "255: a point in 4,096 dimensions. For ",
                grouped(std::uint64_t{queries}), " of them bmo finds the ", k, " nearest of all others (metric ",
                parameter_text(config, "metric"), ").\n\n");
}

int run_demo(const Arguments &arguments) {
    const std::int64_t k = arguments.count("k", usual_k);
    const Config config = config_of(arguments, BMO_CALL_KNN | BMO_CALL_PREPARE), scan = copy_of(config);
    std::int64_t method = 0;
    check(bmo_config_get_i64(config.get(), BMO_PARAM_METHOD, &method));
    if (method == BMO_METHOD_AUTO) // which may take the scan, and leave nothing to show
        check(bmo_config_set_i64(config.get(), BMO_PARAM_METHOD, BMO_METHOD_BANDIT));
    check(bmo_config_set_i64(scan.get(), BMO_PARAM_METHOD, BMO_METHOD_EXACT));
    const auto characters = decode_utf8(arguments.operands.empty() ? usual_characters : arguments.operands[0]);
    if (characters.empty())
        fail_usage("CHARACTERS is empty; expected one or more, or none to take a dozen");

    Progress progress;
    Glyphs glyphs = load_glyphs(arguments.get("data"), progress.monitor());
    const std::vector<std::int64_t> rows = query_rows(glyphs, characters);
    const bool by_the_clock = arguments.operands.empty();
    const Typical typical = by_the_clock ? find_typical(glyphs.data, progress.monitor()) : Typical();
    const Search exact = search_rows(glyphs.data, scan, rows, k, progress.monitor());
    const double prepare_ms =
        prepare(glyphs.data, config, Prepare::automatic, static_cast<std::int64_t>(rows.size()), progress.monitor());
    const Search bandit = search_rows(glyphs.data, config, rows, k, progress.monitor());
    progress.clear();

    const Screen screen;
    const Found found{glyphs, bandit, screen};
    std::string lines = introduction(glyphs, config, rows.size(), k);
    for (std::size_t i = 0; i < characters.size(); ++i)
        lines += text(found.heading(characters[i], rows[i]), i < most_pictures ? found.pictures(rows[i], i) : "",
                      found.neighbors(i), "\n");
    print(text(lines, measurement(bandit, exact, prepare_ms), by_the_clock ? clock_text(glyphs, typical, screen) : ""));
    return exit_done;
}

} // namespace

Subcommand demo_subcommand() {
    return {
        "demo",
        "[CHARACTERS]",
        "characters that look alike, found with and without the bandit",
        "Finds the characters that look most like those given (a dozen without any), among the pictures of all "
        "characters\n"
        "of a font, and compares the operations and the time with those of the full scan. Without CHARACTERS it also "
        "finds\n"
        "the most typical character of all, both ways, by the clock: some 10 seconds.\n"
        "\n"
        "    bmo demo 'ß&€'\n",
        {{"k", "N", "look-alikes of each character [5]"},
         {"data", "DIR", "the directory of glyphs.npy.gz and glyphs.tsv"}},
        parameter_names(),
        0,
        1,
        run_demo};
}

} // namespace bmo_command

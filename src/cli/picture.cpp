#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bmo_command {

namespace {

constexpr std::int64_t picture_lines = picture_columns / 2; // a character is about twice as high as wide

// The mean of the pixels under one of columns x lines samples, from 0 to 1.
double sample(const std::vector<double> &pixels, std::int64_t side, std::int64_t column, std::int64_t columns,
              std::int64_t line, std::int64_t lines) {
    const std::int64_t left = column * side / columns, right = std::max(left + 1, (column + 1) * side / columns);
    const std::int64_t top = line * side / lines, bottom = std::max(top + 1, (line + 1) * side / lines);
    double sum = 0;
    for (std::int64_t y = top; y < bottom; ++y)
        for (std::int64_t x = left; x < right; ++x)
            sum += pixels[static_cast<std::size_t>(y * side + x)];
    return sum / (255.0 * static_cast<double>((right - left) * (bottom - top)));
}

std::string block_line(const std::vector<double> &pixels, std::int64_t side, std::int64_t line) {
    // By the bits of the quarters: 1 top left, 2 top right, 4 bottom left, 8 bottom right.
    static constexpr const char *blocks[] = {" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
                                             "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};
    constexpr double inked = 0.4;
    std::string drawn;
    for (std::int64_t column = 0; column < picture_columns; ++column) {
        std::size_t quarters = 0;
        for (std::int64_t quarter = 0; quarter < 4; ++quarter)
            if (sample(pixels, side, 2 * column + quarter % 2, 2 * picture_columns, 2 * line + quarter / 2,
                       2 * picture_lines) > inked)
                quarters |= std::size_t{1} << quarter;
        drawn += blocks[quarters];
    }
    return drawn;
}

std::string ascii_line(const std::vector<double> &pixels, std::int64_t side, std::int64_t line) {
    static constexpr char shades[] = " .:+*#";
    constexpr double darkest = sizeof shades - 2;
    std::string drawn;
    for (std::int64_t column = 0; column < picture_columns; ++column)
        drawn += shades[std::lround(darkest * sample(pixels, side, column, picture_columns, line, picture_lines))];
    return drawn;
}

bool is_blank(const std::string &line) {
    return line.find_first_not_of(' ') == std::string::npos;
}

} // namespace

std::vector<std::string> draw_picture(const std::vector<double> &pixels, std::int64_t side, bool blocks) {
    std::vector<std::string> lines;
    for (std::int64_t line = 0; line < picture_lines; ++line)
        lines.push_back(blocks ? block_line(pixels, side, line) : ascii_line(pixels, side, line));
    return lines;
}

std::string side_by_side(const std::vector<std::vector<std::string>> &pictures) {
    std::string lines;
    for (std::size_t line = 0; line < static_cast<std::size_t>(picture_lines); ++line) {
        if (std::all_of(pictures.begin(), pictures.end(),
                        [line](const auto &picture) { return is_blank(picture[line]); }))
            continue;
        for (const auto &picture : pictures)
            lines += picture[line];
        lines.erase(lines.find_last_not_of(' ') + 1);
        lines += '\n';
    }
    return lines;
}

} // namespace bmo_command

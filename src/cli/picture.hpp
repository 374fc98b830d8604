// Grey pictures drawn with characters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bmo_command {

constexpr std::int64_t picture_columns = 20; // of characters that a picture takes on the screen

// The lines of a square picture of side x side gray levels from 0 to 255, all picture_columns wide. blocks: drawn with
// quarter blocks (Unicode), two samples a character each way; otherwise with ASCII.
std::vector<std::string> draw_picture(const std::vector<double> &pixels, std::int64_t side, bool blocks);

// Pictures next to each other, without the lines that are blank in all.
std::string side_by_side(const std::vector<std::vector<std::string>> &pictures);

} // namespace bmo_command

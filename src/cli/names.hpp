// Names of points or coordinates, one a line, as barcodes.tsv has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace bmo_command {

// The first field of each line, up to a tab. The file may be compressed with gzip.
std::vector<std::string> read_names(const std::string &path);

// --names: how the points of DATA are called.
Option names_option();
// The names that --names gives so many points; without it those of the file, which may be none.
std::vector<std::string> names_of(const Arguments &arguments, std::int64_t points, std::vector<std::string> in_file);

} // namespace bmo_command

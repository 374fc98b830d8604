// The texts of --help and of `bmo params`.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"

namespace bmo_command {

std::string overview_text(const std::vector<Subcommand> &subcommands);

std::string help_text(const Subcommand &subcommand);

// A parameter's values: "l2|sqeuclidean|l1|lp", "0 to 1024".
std::string values_text(const bmo_param_info &info);

// Lines of cells, in columns as wide as their widest cell.
std::string columns(const std::vector<std::vector<std::string>> &rows, const std::string &indent);

} // namespace bmo_command

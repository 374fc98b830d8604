// Names that an HDF5 file has for the rows or columns of its matrices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/hdf5/file.hpp"

namespace bmo_command {

// Those of the points that read_matrix() makes of this object; none if the file has not one for each.
std::vector<std::string> axis_names(const Hdf5File &file, const std::string &object, bool transpose,
                                    std::int64_t points);

} // namespace bmo_command

// Texts in HDF5 files, of fixed and of any length.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/hdf5/id.hpp"

namespace bmo_command {

// Texts of this type that `read(type, to)` puts into memory of this shape; none if they are no texts, or cannot be read.
std::optional<std::vector<std::string>> read_strings(hid_t type, hid_t space, std::size_t count,
                                                     const std::function<bool(hid_t type, void *to)> &read);

// Those of a dataset of one dimension.
std::optional<std::vector<std::string>> read_strings(hid_t dataset);

} // namespace bmo_command

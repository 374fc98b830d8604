// Attributes of objects in an HDF5 file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/hdf5/id.hpp"

namespace bmo_command {

// A single text; none if the object has no such attribute, or it is no text.
std::optional<std::string> text_attribute(hid_t object, const char *name);

// Two whole numbers; none if the attribute is not there, or holds something else.
std::optional<std::array<std::int64_t, 2>> pair_attribute(hid_t object, const char *name);

} // namespace bmo_command

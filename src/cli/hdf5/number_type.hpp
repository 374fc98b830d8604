// Types of numbers in HDF5 files, as libbmo has them.
#pragma once

#include <string>

#include "bmo.h"
#include "cli/hdf5/id.hpp"

namespace bmo_command {

// What values of a type are kept as; 0 if libbmo has no such numbers. uint64 are kept as int64, which holds all that may be.
bmo_dtype number_type(hid_t type);

// The type in memory that values are read as.
Hdf5Id memory_type(bmo_dtype dtype);

bool is_uint64(hid_t type);

std::size_t bytes_of_number(bmo_dtype dtype);

// "text", "compound": for messages.
std::string type_text(hid_t type);

} // namespace bmo_command

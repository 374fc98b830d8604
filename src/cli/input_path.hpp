// What names an input: a file, or a part of one.
#pragma once

#include <string>

namespace bmo_command {

// "FILE.npz:ARRAY" or "FILE.h5:PATH", in parts. Any other path, and one of a file that is there, is a file alone.
struct InputPath {
    std::string file, part;
};
InputPath input_path(const std::string &given);

// By its name, or by its first bytes.
bool is_hdf5(const std::string &file);

} // namespace bmo_command

// Matrices in HDF5 files: datasets of two dimensions, and groups that hold a sparse matrix.
#pragma once

#include <string>

#include "cli/hdf5/file.hpp"
#include "cli/library.hpp"
#include "cli/progress.hpp"

namespace bmo_command {

// The points of a matrix: its rows, or, transposed, its columns.
Dataset read_matrix(const Hdf5File &file, const std::string &object, bool transpose, Progress &progress);

// Whether read_matrix() may take it.
bool is_matrix(hid_t object);

} // namespace bmo_command

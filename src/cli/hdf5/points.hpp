// Points of HDF5 files, AnnData's and 10x Genomics' among them. A build without HDF5 says so.
#pragma once

#include <string>
#include <vector>

#include "cli/library.hpp"
#include "cli/progress.hpp"

namespace bmo_command {

struct Hdf5Points {
    Dataset data;
    std::vector<std::string> names; // of the points; empty: the file has none
    bool columns_are_cells = false; // the matrix is one of 10x Genomics
};

// The points of "FILE.h5:PATH": rows, or, transposed, columns. Without a path, X of AnnData, or the only matrix that is there.
Hdf5Points read_hdf5(const std::string &path, bool transpose, Progress &progress);

} // namespace bmo_command

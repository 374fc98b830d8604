// The files that a subcommand reads.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "library.hpp"
#include "progress.hpp"

namespace bmo_command {

// --transpose: how all of them are read.
Option transpose_option();

struct Input {
    Dataset data;
    std::vector<std::string> names; // that the file has for the points; empty: it has none
    bool is_mapped;                 // what the dataset borrows is mapped from the file, and no memory of the command's
    bool columns_are_cells;         // it is a matrix of 10x Genomics
};

// DATA, and the file of --queries. "-" is the standard input.
Input open_data(const Arguments &arguments, Progress &progress);
Input open_queries(const Arguments &arguments, Progress &progress);

} // namespace bmo_command

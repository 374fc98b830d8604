// The files that a subcommand reads.
#pragma once

#include "arguments.hpp"
#include "library.hpp"
#include "progress.hpp"

namespace bmo_command {

// --transpose: how all of them are read.
Option transpose_option();

// DATA, and the file of --queries. "-" is the standard input.
Dataset open_data(const Arguments &arguments, Progress &progress);
Dataset open_queries(const Arguments &arguments, Progress &progress);

} // namespace bmo_command

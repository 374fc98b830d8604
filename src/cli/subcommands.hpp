// The commands that `bmo` has: one file each.
#pragma once

#include "arguments.hpp"

namespace bmo_command {

Subcommand knn_subcommand();
Subcommand graph_subcommand();
Subcommand prepare_subcommand();
Subcommand kmeans_subcommand();
Subcommand medoid_subcommand();
Subcommand info_subcommand();
Subcommand params_subcommand();
Subcommand demo_subcommand();

} // namespace bmo_command

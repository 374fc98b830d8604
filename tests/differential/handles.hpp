// Handles of the library that free themselves.
#pragma once

#include <memory>

#include "bmo.h"

struct Free {
    void operator()(bmo_dataset *dataset) const { bmo_dataset_free(dataset); }
    void operator()(bmo_config *config) const { bmo_config_free(config); }
    void operator()(bmo_query *query) const { bmo_query_free(query); }
};

using DatasetHandle = std::unique_ptr<bmo_dataset, Free>;
using ConfigHandle = std::unique_ptr<bmo_config, Free>;
using QueryHandle = std::unique_ptr<bmo_query, Free>;

// A struct of the interface, empty but for its size.
template <class Struct>
Struct sized() {
    Struct made{};
    made.struct_size = sizeof made;
    return made;
}

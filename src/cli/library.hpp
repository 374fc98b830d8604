// libbmo's handles as owners, its statuses as exceptions, and its table of parameters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bmo.h"

namespace bmo_command {

template <auto Free>
struct Freed {
    template <class Handle>
    void operator()(Handle *handle) const {
        Free(handle);
    }
};
using Dataset = std::unique_ptr<bmo_dataset, Freed<bmo_dataset_free>>;
using Config = std::unique_ptr<bmo_config, Freed<bmo_config_free>>;
using Query = std::unique_ptr<bmo_query, Freed<bmo_query_free>>;

// Throws the library's message as a Failure with this exit code.
void check(bmo_status status, int exit_code);
void check(bmo_status status);

// A struct of the public header, as it is to be handed over.
template <class Struct>
Struct sized() {
    Struct value = {};
    value.struct_size = sizeof value;
    return value;
}

// The rows of the parameter table.
std::vector<bmo_param_info> parameters();

// Their names.
std::vector<std::string> parameter_names();

// The metric of a callback.
inline constexpr const char *no_metric = "custom";

// What the command takes for a choice: all but that metric.
std::vector<std::string> choices_of(const bmo_param_info &info);

Config make_config();

Config copy_of(const Config &config);

// A parameter's value as text.
std::string parameter_text(const Config &config, const char *name);

// The text of a choice's value: "l2" for BMO_METRIC_L2 of BMO_PARAM_METRIC.
std::string choice_text(bmo_param param, std::int64_t value);

// transpose: the columns of the file are the points.
Dataset open_dataset(const std::string &path, const bmo_monitor &monitor, bool transpose = false);

bmo_dataset_info describe(const bmo_dataset *dataset);

} // namespace bmo_command

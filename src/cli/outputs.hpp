// The files that a subcommand was asked to write, opened before its long work begins.
#pragma once

#include <optional>
#include <string>

#include "arguments.hpp"
#include "output_file.hpp"

namespace bmo_command {

// A usage failure if the file that an option names is one of those that are read.
void refuse_to_replace_inputs(const Arguments &arguments, const char *option);

// --out and --json.
class Outputs {
public:
    explicit Outputs(const Arguments &arguments);

    // Null if it was not asked for.
    OutputFile *out() { return out_ ? &*out_ : nullptr; }
    // `report` is what --json gets, `shown` goes to the standard output. Files get their names when all this is
    // written, and not if a signal came.
    void commit(const std::string &report, const std::string &shown);

private:
    void commit_json();

    std::optional<OutputFile> out_, json_;
};

} // namespace bmo_command

// The words of a command line: operands, and options with their values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "library.hpp"

namespace bmo_command {

struct Option {
    const char *name;    // "queries": --queries VALUE; of one letter "k": -k VALUE
    const char *value;   // what help calls the value; "": it takes none, and is "yes" if it is there
    const char *summary; // one line
};

struct Arguments {
    std::vector<std::string> operands;
    std::map<std::string, std::string> options; // by name, parameters of the library included

    bool has(const char *name) const { return options.contains(name); }
    std::string get(const char *name, const std::string &otherwise = "") const;
    // A whole number of at least 1; a usage failure otherwise.
    std::int64_t count(const char *name, std::int64_t otherwise) const;
};

struct Subcommand {
    const char *name;
    const char *operands; // as usage shows them
    const char *summary;  // one line
    const char *details;  // for its help: whole lines
    std::vector<Option> options;
    std::vector<std::string> parameters; // of the library, which are options too
    std::size_t least_operands, most_operands;
    int (*run)(const Arguments &arguments);
};

// A usage failure if a word is no option of the subcommand, a value is missing or operands are too few or many.
Arguments parse_arguments(const Subcommand &subcommand, const std::vector<std::string> &words);

// A config of the parameters among the options; a usage failure if a value is out of range, or does not count in these calls
// (BMO_CALL_*).
Config config_of(const Arguments &arguments, std::uint32_t calls);

// "delta-scope" for delta_scope.
std::string dashed(std::string name);

// "--queries", "-k"
std::string option_text(const std::string &name);

} // namespace bmo_command

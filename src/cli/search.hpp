// Searches as the subcommands run them: prepared if that pays, answers in memory, times taken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "answers.hpp"
#include "candidates.hpp"
#include "library.hpp"

namespace bmo_command {

enum class Prepare { no, yes, automatic };

// Of the option --prepare; a usage failure if the value is none of yes, no and auto.
Prepare parse_prepare(const std::string &value);

// Puts a prepared dataset in the place of the dataset, if that is asked for or, automatically, pays for so many
// queries. Returns the milliseconds that it took, 0 if it was left out.
double prepare(Dataset &dataset, const Config &config, Prepare choice, std::int64_t queries,
               const bmo_monitor &monitor);

struct Search {
    Answers answers;
    bmo_stats stats = sized<bmo_stats>();
    double query_ms = 0;
};

// Which neighbors count: those that are candidates, and not farther than max_distance, if it is there.
struct Wanted {
    std::int64_t k = 0;
    std::optional<double> max_distance = std::nullopt;
    ChosenCandidates candidates = {};
};

// The k nearest of the dataset's points for each point of `queries`, or, if that is null, for each of its own.
Search search_all(const Dataset &dataset, const Config &config, const bmo_dataset *queries, const Wanted &wanted,
                  const bmo_monitor &monitor);

// The same for the dataset's own points rows[0..count).
Search search_rows(const Dataset &dataset, const Config &config, const std::vector<std::int64_t> &rows, std::int64_t k,
                   const bmo_monitor &monitor);

} // namespace bmo_command

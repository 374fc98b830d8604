// What a search did, for people and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "json.hpp"
#include "search.hpp"

namespace bmo_command {

struct Times {
    double read_ms = 0, prepare_ms = 0, query_ms = 0;
};

// An object that a subcommand may add to.
JsonObject json_report(const bmo_stats &stats, const Times &times);

// "1,000 queries against 9,999 points in 1.20 s; gain in operations ...; guarantee: proven (...)"
std::string summary_line(const bmo_stats &stats, const Times &times);

// The operations of the full scan for each one that was done: "12.3", or "-" if none was.
std::string gain_text(const bmo_stats &stats);

// What the guarantee means for the answers: "each answer is right with probability at least 0.99".
std::string guarantee_meaning(const bmo_stats &stats);

// A point's number, and its name if points have names.
std::string point_text(std::int64_t point, const std::vector<std::string> &names);

// The first answers, for reading.
std::string answers_table(const Answers &answers);

} // namespace bmo_command

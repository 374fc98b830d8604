// What a search found, and the file formats that hold it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output_file.hpp"

namespace bmo_command {

struct Answers {
    std::int64_t points = 0; // that could be neighbors
    std::int64_t queries = 0, k = 0;
    std::vector<std::int64_t> index; // queries x k, 0-based; -1 behind the last neighbor of a query
    std::vector<double> distance;    // queries x k; then infinite
    std::vector<std::string> names;  // of the points; empty: they have none

    bool has(std::size_t at) const { return index[at] >= 0; }
};

struct OutputFormat {
    const char *ending; // of the path
    void (*write)(const Answers &answers, OutputFile &file);
    std::uint64_t most_bytes; // of values; 0: any number
};

// By the ending of the path; a usage failure if it is of no format.
const OutputFormat &output_format_for(const std::string &path);

// A usage failure if so many answers are more than the format holds.
void check_room(const OutputFormat &format, std::int64_t queries, std::int64_t k);

// The endings of the formats: ".npz, .csv, .tsv or .mtx".
std::string output_endings();

// NumPy's archive of two arrays, `index` (int64) and `distance` (float64).
void write_npz(const Answers &answers, OutputFile &file);

// A header and one line a neighbor, with its name if points have names.
void write_csv(const Answers &answers, OutputFile &file);
void write_tsv(const Answers &answers, OutputFile &file);

// A MatrixMarket matrix, queries by points: the distances of the neighbors, by query and rank, counted from 1.
void write_mtx(const Answers &answers, OutputFile &file);

} // namespace bmo_command

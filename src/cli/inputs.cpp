#include "inputs.hpp"

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "failure.hpp"
#include "hdf5/points.hpp"
#include "input_path.hpp"
#include "names.hpp"
#include "standard_input.hpp"
#include "text.hpp"
#include "util/plain_text.hpp"

namespace bmo_command {

namespace {

namespace fs = std::filesystem;

constexpr const char *standard_input = "-";

// What bmo prepare writes has its points in rows.
bool is_transposed(const Arguments &arguments, const std::string &path) {
    return arguments.has("transpose") && !path.ends_with(".bmo");
}

void tell(Progress &progress, const std::string &note) {
    progress.clear();
    std::fprintf(stderr, "bmo: note: %s\n", note.c_str());
}

Input open_path(const std::string &path, bool transpose, Progress &progress) {
    if (!is_hdf5(input_path(path).file))
        return {open_dataset(path, progress.monitor(), transpose), {}, true, false};
    Hdf5Points points = read_hdf5(path, transpose, progress);
    return {std::move(points.data), std::move(points.names), false, points.columns_are_cells};
}

// Failures speak of the standard input, not of where it is kept.
Input open_standard_input(bool transpose, Progress &progress) {
    const StandardInput input;
    try {
        return open_path(input.path(), transpose, progress);
    } catch (const Failure &failure) {
        std::string message = failure.what();
        const std::size_t at = message.find(input.path());
        if (at != std::string::npos)
            message.replace(at, input.path().size(), "the standard input");
        throw Failure(failure.exit_code, message);
    }
}

// The file beside a MatrixMarket file that names its columns, as 10x Genomics and STAR write them: one name for each.
std::optional<fs::path> names_of_columns(const std::string &path, const bmo_dataset_info &info) {
    if (!path.ends_with(".mtx") && !path.ends_with(".mtx.gz"))
        return {};
    for (const char *name : {"barcodes.tsv", "barcodes.tsv.gz"}) {
        fs::path beside = fs::path(path).parent_path() / name;
        std::error_code failed;
        if (!fs::is_regular_file(beside, failed))
            continue;
        try {
            const auto names = static_cast<std::int64_t>(read_names(beside.string()).size());
            if (names == info.d && names != info.n)
                return beside;
        } catch (const Failure &) { // it is not asked for
        }
    }
    return {};
}

// Rows are the points of either kind of file by 10x Genomics.
void tell_of_columns(const std::string &path, const Input &input, Progress &progress) {
    constexpr const char *rows_are_genes =
        "rows, which are the points here, are genes or the like; with --transpose the ";
    if (input.columns_are_cells)
        tell(progress,
             text("in ", bmo::plain(path), " columns are cells: its ", rows_are_genes, "cells are the points"));
    else if (const auto names = names_of_columns(path, describe(input.data.get())))
        tell(progress, text(bmo::plain(names->string()), " names the columns of ", bmo::plain(path), ": its ",
                            rows_are_genes, "columns are the points"));
}

Input open_input(const Arguments &arguments, const std::string &path, Progress &progress) {
    const bool transpose = is_transposed(arguments, path), is_standard_input = path == standard_input;
    Input input = is_standard_input ? open_standard_input(transpose, progress) : open_path(path, transpose, progress);
    if (!transpose)
        tell_of_columns(is_standard_input ? "the standard input" : path, input, progress);
    return input;
}

} // namespace

Option transpose_option() {
    return {"transpose", "", "the columns of the files are the points, not their rows (but of .bmo)"};
}

Input open_data(const Arguments &arguments, Progress &progress) {
    return open_input(arguments, arguments.operands[0], progress);
}

Input open_queries(const Arguments &arguments, Progress &progress) {
    const std::string path = arguments.get("queries");
    if (path == standard_input && arguments.operands[0] == standard_input)
        fail_usage("DATA and --queries are both the standard input; give one of them as a file");
    return open_input(arguments, path, progress);
}

} // namespace bmo_command

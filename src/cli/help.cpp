#include "help.hpp"

#include <algorithm>
#include <limits>

#include "text.hpp"

namespace bmo_command {

namespace {

std::string usage_line(const Subcommand &subcommand) {
    const bool options = !subcommand.parameters.empty() || !subcommand.options.empty();
    return text("bmo ", subcommand.name, *subcommand.operands ? " " : "", subcommand.operands,
                options ? " [options]" : "");
}

std::string parameters_text(const Subcommand &subcommand) {
    std::vector<std::vector<std::string>> rows;
    for (const bmo_param_info &info : parameters())
        if (std::find(subcommand.parameters.begin(), subcommand.parameters.end(), info.name) !=
            subcommand.parameters.end())
            rows.push_back(
                {text("--", dashed(info.name), " ", values_text(info)), text("[", info.initial, "]"), info.summary});
    return columns(rows, "  ");
}

} // namespace

std::string columns(const std::vector<std::vector<std::string>> &rows, const std::string &indent) {
    std::vector<std::size_t> widths;
    for (const auto &row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) {
            widths.resize(std::max(widths.size(), c + 1));
            widths[c] = std::max(widths[c], row[c].size());
        }
    std::string lines;
    for (const auto &row : rows) {
        lines += indent;
        for (std::size_t c = 0; c < row.size(); ++c)
            lines += c + 1 == row.size() ? row[c] : text(row[c], std::string(widths[c] - row[c].size() + 2, ' '));
        lines += '\n';
    }
    return lines;
}

namespace {

// Without what no command line can give.
std::string choices_text(const bmo_param_info &info) {
    std::string choices;
    for (const std::string &name : choices_of(info))
        choices += choices.empty() ? name : text("|", name);
    return choices;
}

} // namespace

std::string values_text(const bmo_param_info &info) {
    const bool any_real = info.upper_f64 >= std::numeric_limits<double>::max();
    const bool any_integer = info.lower_i64 == std::numeric_limits<std::int64_t>::min();
    switch (info.type) {
    case BMO_PARAM_TYPE_CHOICE: return choices_text(info);
    case BMO_PARAM_TYPE_F64:
        return any_real ? text("from ", shortest(info.lower_f64))
                        : text(shortest(info.lower_f64), " to ", shortest(info.upper_f64));
    default: return any_integer ? "any whole number" : text(info.lower_i64, " to ", info.upper_i64);
    }
}

std::string overview_text(const std::vector<Subcommand> &subcommands) {
    std::vector<std::vector<std::string>> rows;
    for (const Subcommand &subcommand : subcommands)
        rows.push_back({usage_line(subcommand), subcommand.summary});
    rows.push_back({"bmo --version", "the versions of the command and of the library"});
    return text(
        "bmo finds the exact nearest neighbors of points in thousands of dimensions, without computing every "
        "distance.\n\n",
        columns(rows, "  "),
        "\nDATA is a .npy file (points by coordinates), a MatrixMarket .mtx file (a row a point), a .csv, .tsv, "
        ".fvecs,\n"
        ".bvecs, .ivecs, .fbin, .u8bin or .i8bin file, one of these compressed with gzip, a .npz file (FILE.npz:ARRAY "
        "if it\n"
        "has several arrays; or what scipy.sparse.save_npz wrote), an HDF5 file, a .bmo file, which bmo prepare "
        "writes, "
        "or - for\n"
        "the standard input, of the formats that their first bytes tell. bmo COMMAND --help tells more.\n"
        "Of an HDF5 file, FILE.h5:PATH is a dataset or a sparse matrix, FILE.h5 the only one, and FILE.h5ad is X of "
        "AnnData.\n"
        "In the files of 10x Genomics columns are cells: with --transpose they are the points.\n"
        "Exit codes: 0 done, 1 bad data or failure, 2 bad usage, 130 interrupted.\n");
}

std::string help_text(const Subcommand &subcommand) {
    std::string help = text("usage: ", usage_line(subcommand), "\n\n", subcommand.details);
    std::vector<std::vector<std::string>> rows;
    for (const Option &option : subcommand.options)
        rows.push_back({text(option_text(option.name), *option.value ? " " : "", option.value), option.summary});
    if (!rows.empty())
        help += text("\nOptions:\n", columns(rows, "  "));
    if (!subcommand.parameters.empty())
        help += text("\nParameters of the search, with their defaults:\n", parameters_text(subcommand));
    return help;
}

} // namespace bmo_command

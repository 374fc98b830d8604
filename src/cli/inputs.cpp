#include "inputs.hpp"

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

#include "failure.hpp"
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

// Failures speak of the standard input, not of where it is kept.
Dataset open_standard_input(bool transpose, const bmo_monitor &monitor) {
    const StandardInput input;
    try {
        return open_dataset(input.path(), monitor, transpose);
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

void tell_of_columns(const std::string &path, const Dataset &data, Progress &progress) {
    const auto names = names_of_columns(path, describe(data.get()));
    if (!names)
        return;
    progress.clear();
    std::fprintf(stderr,
                 "bmo: note: %s names the columns of %s: its rows, which are the points here, are genes or the like; "
                 "with --transpose the columns are the points\n",
                 bmo::plain(names->string()).c_str(), bmo::plain(path).c_str());
}

Dataset open_input(const Arguments &arguments, const std::string &path, Progress &progress) {
    const bool transpose = is_transposed(arguments, path);
    if (path == standard_input)
        return open_standard_input(transpose, progress.monitor());
    Dataset data = open_dataset(path, progress.monitor(), transpose);
    if (!transpose)
        tell_of_columns(path, data, progress);
    return data;
}

} // namespace

Option transpose_option() {
    return {"transpose", "", "the columns of the files are the points, not their rows (but of .bmo)"};
}

Dataset open_data(const Arguments &arguments, Progress &progress) {
    return open_input(arguments, arguments.operands[0], progress);
}

Dataset open_queries(const Arguments &arguments, Progress &progress) {
    const std::string path = arguments.get("queries");
    if (path == standard_input && arguments.operands[0] == standard_input)
        fail_usage("DATA and --queries are both the standard input; give one of them as a file");
    return open_input(arguments, path, progress);
}

} // namespace bmo_command

#include "answers.hpp"

#include <iterator>

#include "failure.hpp"
#include "npz.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

constexpr OutputFormat formats[] = {
    {".npz", write_npz, npz_limit}, {".csv", write_csv, 0}, {".tsv", write_tsv, 0}, {".mtx", write_mtx, 0}};

} // namespace

const OutputFormat &output_format_for(const std::string &path) {
    for (const OutputFormat &format : formats)
        if (path.ends_with(format.ending))
            return format;
    fail_usage(text("--out ", path, ": the ending is of no known format; expected ", output_endings()));
}

void check_room(const OutputFormat &format, std::int64_t queries, std::int64_t k) {
    constexpr std::uint64_t bytes_a_neighbor = sizeof(std::int64_t) + sizeof(double);
    const std::uint64_t neighbors = static_cast<std::uint64_t>(queries) * static_cast<std::uint64_t>(k);
    if (format.most_bytes != 0 && neighbors > format.most_bytes / bytes_a_neighbor)
        fail_usage(text("the answers are more than the 4 GiB that ", format.ending,
                        " holds; write .csv, .tsv or .mtx, or ask for a smaller k"));
}

std::string output_endings() {
    std::string endings;
    for (const OutputFormat &format : formats) {
        if (!endings.empty())
            endings += &format == std::end(formats) - 1 ? " or " : ", ";
        endings += format.ending;
    }
    return endings;
}

} // namespace bmo_command

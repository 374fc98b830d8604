// Answers as text: a head, then one line a neighbor.
#include <algorithm>
#include <cstddef>
#include <string_view>

#include "answers.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

// In quotes if the name would be read as something else.
std::string as_field(const std::string &name) {
    if (name.find_first_of(",\"") == std::string::npos)
        return name;
    std::string all = "\"";
    for (const char letter : name)
        all += letter == '"' ? "\"\"" : std::string(1, letter);
    return all + '"';
}

// Names have no tabs.
std::string name_field(const Answers &answers, std::size_t at, std::string_view comma) {
    if (answers.names.empty())
        return "";
    const std::string &name = answers.names[static_cast<std::size_t>(answers.index[at])];
    return text(comma, comma == "," ? as_field(name) : name);
}

void write_delimited(const Answers &answers, std::string_view comma, OutputFile &file) {
    file.write(text("query", comma, "rank", comma, "index", comma, "distance",
                    answers.names.empty() ? "" : text(comma, "name"), "\n"));
    std::size_t at = 0;
    for (std::int64_t query = 0; query < answers.queries; ++query)
        for (std::int64_t rank = 1; rank <= answers.k; ++rank, ++at) {
            if (!answers.has(at))
                continue;
            file.write(text(query, comma, rank, comma, answers.index[at], comma, shortest(answers.distance[at]),
                            name_field(answers, at, comma), "\n"));
        }
}

} // namespace

void write_csv(const Answers &answers, OutputFile &file) {
    write_delimited(answers, ",", file);
}

void write_tsv(const Answers &answers, OutputFile &file) {
    write_delimited(answers, "\t", file);
}

void write_mtx(const Answers &answers, OutputFile &file) {
    const auto neighbors =
        std::count_if(answers.index.begin(), answers.index.end(), [](auto index) { return index >= 0; });
    file.write(text("%%MatrixMarket matrix coordinate real general\n", answers.queries, " ", answers.points, " ",
                    neighbors, "\n"));
    for (std::size_t at = 0; at < answers.index.size(); ++at) {
        if (!answers.has(at))
            continue;
        file.write(text(static_cast<std::int64_t>(at) / answers.k + 1, " ", answers.index[at] + 1, " ",
                        shortest(answers.distance[at]), "\n"));
    }
}

} // namespace bmo_command

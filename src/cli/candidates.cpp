#include "candidates.hpp"

#include <charconv>
#include <unordered_map>

#include "failure.hpp"
#include "names.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

// Texts as numbers: the same for the same text.
class Labels {
public:
    // A label a line, for each of so many `of`.
    std::vector<std::int32_t> read(const Arguments &arguments, const char *option, std::int64_t count, const char *of) {
        const std::string &path = arguments.get(option);
        const std::vector<std::string> lines = read_names(path);
        if (static_cast<std::int64_t>(lines.size()) != count)
            fail(text(option_text(option), " ", path, " has ", counted(lines.size(), "label"), ", but there are ",
                      counted(count, of), "; expected a line for each"));
        std::vector<std::int32_t> numbers;
        numbers.reserve(lines.size());
        for (const std::string &line : lines)
            numbers.push_back(numbers_.try_emplace(line, static_cast<std::int32_t>(numbers_.size())).first->second);
        return numbers;
    }

private:
    std::unordered_map<std::string, std::int32_t> numbers_;
};

std::vector<std::int64_t> read_rows(const std::string &path, std::int64_t points) {
    std::vector<std::int64_t> rows;
    for (const std::string &line : read_names(path)) {
        std::int64_t row = -1;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), row);
        if (error != std::errc() || end != line.data() + line.size() || row < 0 || row >= points)
            fail(text("--candidates ", path, ": line ", rows.size() + 1, " is '", line,
                      "'; expected the number of a point of DATA, 0 to ", points - 1));
        rows.push_back(row);
    }
    if (rows.empty())
        fail(text("--candidates ", path, " is empty; expected the number of a point a line"));
    return rows;
}

bmo_label_rule rule_of(const std::string &value) {
    if (value == "same")
        return BMO_LABELS_SAME;
    if (value == "other")
        return BMO_LABELS_OTHER;
    fail_usage(text("--label-rule is '", value, "'; expected same or other"));
}

} // namespace

std::vector<Option> candidate_options() {
    return {{"candidates", "FILE", "only these points are neighbors: their numbers, from 0, one a line"},
            {"labels", "FILE", "labels of the points, one a line: with --label-rule"},
            {"label_rule", "same|other", "neighbors have the same label as the query, or another one"}};
}

Option query_labels_option() {
    return {"query_labels", "FILE", "labels of the queries, one a line"};
}

ChosenCandidates candidates_of(const Arguments &arguments, std::int64_t points, std::int64_t queries) {
    ChosenCandidates chosen;
    if (arguments.has("candidates"))
        chosen.rows = read_rows(arguments.get("candidates"), points);
    if (arguments.has("labels") != arguments.has("label_rule"))
        fail_usage(arguments.has("labels") ? "--labels is set, but not --label-rule; expected both or none"
                                           : "--label-rule is set, but not --labels; expected both or none");
    const bool needed = arguments.has("labels") && arguments.has("queries");
    if (arguments.has("query_labels") != needed)
        fail_usage(needed ? "--labels and --queries are set, but not --query-labels"
                          : "--query-labels is set; expected it with --labels and --queries alone");
    if (!arguments.has("labels"))
        return chosen;
    chosen.rule = rule_of(arguments.get("label_rule"));
    Labels labels;
    chosen.labels = labels.read(arguments, "labels", points, "point");
    if (needed)
        chosen.query_labels = labels.read(arguments, "query_labels", queries, "query");
    return chosen;
}

} // namespace bmo_command

#include "data/files/csv.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data/files/ending.hpp"
#include "data/files/text_lines.hpp"
#include "data/files/text_matrix.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 28;
constexpr std::int64_t kRowsAPoll = 64;
constexpr std::string_view kMarkOfUtf8 = "\xef\xbb\xbf";

// The fields of a line. A field in quotes may hold the separator; what it holds is not looked at but as a number.
class Fields {
public:
    Fields(const TextLines &lines, std::string_view line, char separator)
        : lines_(lines), left_(line), separator_(separator) {}

    // False if there is none left.
    bool next(std::string_view &field) {
        if (done_)
            return false;
        const std::size_t start = left_.find_first_not_of(' ');
        const bool quoted = start < left_.size() && left_[start] == '"';
        const std::size_t end = left_.find(separator_, quoted ? end_of_quote(start) : 0);
        field = left_.substr(0, end);
        done_ = end == std::string_view::npos;
        left_.remove_prefix(done_ ? left_.size() : end + 1);
        return true;
    }

    std::int64_t count() {
        std::int64_t fields = 0;
        for (std::string_view field; next(field);)
            ++fields;
        return fields;
    }

private:
    // Behind the quote that closes: one that is written twice stands for itself.
    std::size_t end_of_quote(std::size_t start) const {
        std::size_t at = start + 1;
        while ((at = left_.find('"', at)) != std::string_view::npos) {
            if (at + 1 == left_.size() || left_[at + 1] != '"')
                return at + 1;
            at += 2;
        }
        lines_.fail_here(BMO_EFORMAT, "a quote is not closed on its line");
    }

    const TextLines &lines_;
    std::string_view left_;
    char separator_;
    bool done_ = false;
};

// Without blanks around it, and without quotes.
std::string_view bare(std::string_view field) {
    const std::size_t first = field.find_first_not_of(' ');
    if (first == std::string_view::npos)
        return {};
    field = field.substr(first, field.find_last_not_of(' ') + 1 - first);
    const bool quoted = field.size() >= 2 && field.front() == '"' && field.back() == '"';
    return quoted ? field.substr(1, field.size() - 2) : field;
}

// As missing values are written: numbers of a column of numbers, not names.
bool is_missing(std::string_view word) {
    const std::string small = lower(word);
    return small.empty() || small == "na" || small == "n/a" || small == "null";
}

bool is_number(std::string_view word) {
    double value = 0;
    return parse(word, value) != Parsed::none;
}

class Reader {
public:
    Reader(Source &source, Watch &watch) : lines_(source, watch, kLongestLine), watch_(watch), total_(source.most()) {}

    std::shared_ptr<const Dataset> read() {
        std::string_view line;
        if (!next_line(line))
            fail(BMO_EFORMAT, "path", text(lines_.path(), ": the file has no lines"));
        if (line.starts_with(kMarkOfUtf8))
            line.remove_prefix(kMarkOfUtf8.size());
        separator_ = separator_of(line);
        const std::string first(line);
        if (!is_head(first))
            begin(first, false, 0);
        else if (!next_line(line))
            lines_.fail_here(BMO_EFORMAT, "no points follow the head");
        else
            begin(std::string(line), bare_first(first).empty(), Fields(lines_, first, separator_).count());
        watch_.begin(BMO_PHASE_READ, total_);
        add(first_);
        while (next_line(line))
            add(line);
        watch_.finish();
        return dense_of_text(std::move(values_), {n_, d_, d_, 1}, watch_);
    }

private:
    char separator_of(std::string_view line) const {
        if (has_ending(lines_.path(), ".tsv"))
            return '\t';
        const bool semicolons = line.find(',') == std::string_view::npos && line.find(';') != std::string_view::npos;
        return semicolons ? ';' : ',';
    }

    bool next_line(std::string_view &line) {
        while (lines_.next_whole(line))
            if (line.find_first_not_of(" \r") != std::string_view::npos) {
                if (line.ends_with('\r'))
                    line.remove_suffix(1);
                return true;
            }
        return false;
    }

    std::string_view bare_first(std::string_view line) const {
        std::string_view field;
        Fields(lines_, line, separator_).next(field);
        return bare(field);
    }

    // A line of points has numbers, but for a name in its first field.
    bool is_head(std::string_view line) const {
        Fields fields(lines_, line, separator_);
        std::string_view field;
        fields.next(field);
        const bool lone = !fields.next(field);
        if (lone)
            return !is_number(bare_first(line));
        do {
            if (const std::string_view word = bare(field); !is_number(word) && !is_missing(word))
                return true;
        } while (fields.next(field));
        return bare_first(line).empty();
    }

    // From the first line of points, and a head of so many fields.
    void begin(std::string line, bool names_have_no_head, std::int64_t head) {
        const std::int64_t fields = Fields(lines_, line, separator_).count();
        const std::string_view first = bare_first(line);
        const bool head_is_short = head != 0 && head + 1 == fields;
        named_ = names_have_no_head || head_is_short || (!is_number(first) && !is_missing(first));
        if (head != 0 && head != fields && !head_is_short)
            lines_.fail_here(BMO_EFORMAT, text("the line has ", fields, " fields, but the head has ", head));
        d_ = fields - (named_ ? 1 : 0);
        if (d_ == 0)
            lines_.fail_here(BMO_EFORMAT, "the line has a name and no numbers; a point has one coordinate or more");
        first_ = std::move(line);
    }

    void add(std::string_view line) {
        if (n_ % kRowsAPoll == 0)
            watch_.poll();
        check_side(n_ + 1, "path", text(lines_.path(), ": the number of points"));
        Fields fields(lines_, line, separator_);
        std::string_view field;
        if (named_)
            fields.next(field);
        std::int64_t j = 0;
        for (; fields.next(field); ++j)
            if (j < d_)
                values_.push_back(number(bare(field), j));
        if (j != d_)
            lines_.fail_here(BMO_EFORMAT, text("the line has ", j, " numbers; expected ", d_, " as those before"));
        ++n_;
        watch_.advance(static_cast<std::int64_t>(line.size()) + 1);
    }

    double number(std::string_view word, std::int64_t col) const {
        double value = 0;
        const Parsed parsed = parse(word, value);
        if (is_missing(word) || parsed == Parsed::beyond || (parsed == Parsed::number && !std::isfinite(value)))
            lines_.fail_here(BMO_ENONFINITE,
                             text("the value of coordinate ", Position{col}, kCountedFrom0, " is \"", word,
                                  "\"; expected finite values"),
                             n_, col);
        if (parsed == Parsed::none)
            lines_.fail_here(BMO_EFORMAT,
                             text("the value of coordinate ", Position{col}, kCountedFrom0, " is \"",
                                  word.substr(0, 60), "\"; expected a number"),
                             n_, col);
        return value;
    }

    TextLines lines_;
    Watch &watch_;
    std::int64_t total_;
    char separator_ = ',';
    std::string first_; // line of points
    bool named_ = false;
    std::int64_t n_ = 0, d_ = 0;
    std::vector<double> values_;
};

} // namespace

bool is_csv(std::string_view path) {
    return has_ending(path, ".csv") || has_ending(path, ".tsv");
}

std::shared_ptr<const Dataset> read_csv(Source &source, bool, Watch &watch) {
    return Reader(source, watch).read();
}

} // namespace bmo

#include "data/files/mtx.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "data/files/text_lines.hpp"
#include "data/files/text_matrix.hpp"
#include "data/sparse_rows.hpp"
#include "util/checked.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr std::int64_t kLeastPointsAllowed = 1 << 20, kPointsAByte = 1;
constexpr std::int64_t kLinesAPoll = 1024;

// Some writers leave out one of its two %, or begin with blanks.
bool is_banner(std::string_view word) {
    return lower(word) == "%%matrixmarket" || lower(word) == "%matrixmarket";
}

void parse_banner(TextLines &lines, MtxHeader &header) {
    std::string_view line;
    lines.next(line, true);
    Words words(line);
    if (!is_banner(words.next()))
        lines.fail_here(BMO_EFORMAT, "expected \"%%MatrixMarket matrix\" and what the matrix is like");
    const std::string object = lower(words.next()), format = lower(words.next()), field = lower(words.next()),
                      symmetry = lower(words.next());
    const auto unsupported = [&](std::string_view what, std::string_view value, std::string_view expected) {
        lines.fail_here(BMO_EUNSUPPORTED, text(what, " \"", value, "\" is not supported; expected ", expected));
    };
    if (object != "matrix")
        unsupported("the object", object, "matrix");
    if (format != "coordinate" && format != "array")
        unsupported("the format", format, "coordinate or array");
    const bool real = field == "real" || field == "double" || field == "float";
    header.integer = field == "integer" || field == "unsigned-integer" || field == "unsigned";
    header.pattern = field == "pattern";
    if (!real && !header.integer && !header.pattern)
        unsupported("the field", field, "real, integer, unsigned-integer or pattern");
    if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
        unsupported("the symmetry", symmetry, "general, symmetric or skew-symmetric");
    header.coordinate = format == "coordinate";
    header.symmetry = symmetry == "general"     ? MtxSymmetry::general
                      : symmetry == "symmetric" ? MtxSymmetry::symmetric
                                                : MtxSymmetry::skew;
    if (header.pattern && (!header.coordinate || header.symmetry == MtxSymmetry::skew))
        lines.fail_here(BMO_EFORMAT, "a pattern has coordinates, and no sign: it is neither array nor skew-symmetric");
}

std::int64_t parse_size(TextLines &lines, Words &words, std::string_view what) {
    std::int64_t size = 0;
    const std::string_view word = words.next();
    const Parsed parsed = parse(word, size);
    if (parsed == Parsed::beyond)
        lines.fail_here(BMO_EOVERFLOW, text("the number of ", what, " is ", word, "; expected less than 2^63"));
    if (parsed == Parsed::none || size < 0)
        lines.fail_here(BMO_EFORMAT, text("the number of ", what, " is \"", word, "\"; expected a whole number"));
    return size;
}

// Entries of a triangle of n x n, with its diagonal or without.
std::int64_t triangle(std::int64_t n, MtxSymmetry symmetry) {
    return symmetry == MtxSymmetry::skew ? n * (n - 1) / 2 : n * (n + 1) / 2;
}

void parse_sizes(TextLines &lines, MtxHeader &header) {
    std::string_view line;
    if (!lines.next(line))
        lines.fail_here(BMO_EFORMAT, "the file ends before its sizes");
    Words words(line);
    header.n = parse_size(lines, words, "rows");
    header.d = parse_size(lines, words, "columns");
    check_side(header.n, "path", text(lines.path(), ": the number of rows"));
    check_side(header.d, "path", text(lines.path(), ": the number of columns"));
    if (header.d == 0)
        lines.fail_here(BMO_EFORMAT, "the matrix has no columns; a point has one coordinate or more");
    const bool general = header.symmetry == MtxSymmetry::general;
    if (!general && header.n != header.d)
        lines.fail_here(BMO_EFORMAT, text("a symmetric matrix of ", header.n, " rows and ", header.d, " columns"));
    header.entries = header.coordinate ? parse_size(lines, words, "entries")
                     : general         ? header.n * header.d
                                       : triangle(header.n, header.symmetry);
    if (!words.next().empty())
        lines.fail_here(BMO_EFORMAT, "more follows the sizes on their line");
    const std::int64_t least = !header.coordinate ? 2 : header.pattern ? 4 : 6; // bytes an entry, with the line's end
    if (header.entries > (lines.most_left() + 1) / least)
        lines.fail_here(BMO_EFORMAT, text("the file announces ", header.entries, " entries, but at most ",
                                          lines.most_left(), " bytes follow; it seems to be cut short"));
}

double parse_value(TextLines &lines, std::string_view word, bool integer, std::int64_t row, std::int64_t col) {
    double value = 0;
    std::int64_t whole = 0;
    const Parsed parsed = integer ? parse(word, whole) : parse(word, value);
    if (parsed == Parsed::none)
        lines.fail_here(BMO_EFORMAT, text("\"", word, "\" is no ", integer ? "integer" : "number"));
    const auto most = static_cast<std::int64_t>(exact_in_f64);
    if (integer && (parsed == Parsed::beyond || whole > most || whole < -most))
        lines.fail_here(BMO_EINVAL, text("the value is ", word, "; expected integers from -2^53 to 2^53"), row, col);
    if (!integer && (parsed == Parsed::beyond || !std::isfinite(value)))
        lines.fail_here(BMO_ENONFINITE, text("the value is ", word, "; expected finite values"), row, col);
    return integer ? static_cast<double>(whole) : value;
}

// One line of the entries; fails if there is none.
std::string_view entry_line(TextLines &lines, const MtxHeader &header, std::int64_t done, Watch &watch) {
    std::string_view line;
    if (!lines.next(line))
        lines.fail_here(BMO_EFORMAT, text("the file ends after ", done, " of ", header.entries,
                                          " entries; it seems to be cut short"));
    if (done % kLinesAPoll == 0)
        watch.poll();
    watch.advance(1);
    return line;
}

void expect_end(TextLines &lines, Words words) {
    if (!words.next().empty())
        lines.fail_here(BMO_EFORMAT, "more follows the entry on its line");
}

void expect_no_more(TextLines &lines, const MtxHeader &header) {
    std::string_view line;
    if (lines.next(line))
        lines.fail_here(BMO_EFORMAT, text("more follows the ", header.entries, " entries that the file announces"));
}

struct Entry {
    std::int32_t row, col;
    double value;
};

std::int32_t parse_position(TextLines &lines, std::string_view word, std::int64_t side, std::string_view what) {
    std::int64_t position = 0;
    if (parse(word, position) != Parsed::number || position < 1 || position > side)
        lines.fail_here(BMO_EFORMAT, text("the ", what, " is \"", word, "\"; expected 1 to ", side));
    return static_cast<std::int32_t>(position - 1);
}

std::vector<Entry> read_entries(TextLines &lines, const MtxHeader &header, Watch &watch) {
    std::vector<Entry> entries;
    for (std::int64_t done = 0; done < header.entries; ++done) {
        Words words(entry_line(lines, header, done, watch));
        Entry entry{};
        entry.row = parse_position(lines, words.next(), header.n, "row");
        entry.col = parse_position(lines, words.next(), header.d, "column");
        entry.value = header.pattern ? 1 : parse_value(lines, words.next(), header.integer, entry.row, entry.col);
        expect_end(lines, words);
        const bool diagonal = entry.row == entry.col;
        if (header.symmetry == MtxSymmetry::skew && diagonal && entry.value != 0)
            lines.fail_here(BMO_EFORMAT, "a skew-symmetric matrix has zeros on its diagonal", entry.row, entry.col);
        entries.push_back(entry);
        if (header.symmetry != MtxSymmetry::general && !diagonal)
            entries.push_back(
                {entry.col, entry.row, header.symmetry == MtxSymmetry::skew ? -entry.value : entry.value});
    }
    return entries;
}

SparseRows<double> rows_of(const std::vector<Entry> &entries, const MtxHeader &header, Watch &watch) {
    SparseRows<double> rows;
    rows.n = header.n;
    rows.d = header.d;
    rows.pointers.assign(static_cast<std::size_t>(header.n) + 1, 0);
    for (const Entry &entry : entries)
        ++rows.pointers[static_cast<std::size_t>(entry.row) + 1];
    watch.poll();
    for (std::size_t i = 0; i < static_cast<std::size_t>(header.n); ++i)
        rows.pointers[i + 1] += rows.pointers[i];
    AlignedVector<std::int64_t> next(rows.pointers);
    rows.indices.resize(entries.size());
    rows.values.resize(entries.size());
    for (const Entry &entry : entries) {
        const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(entry.row)]++);
        rows.indices[to] = entry.col;
        rows.values[to] = entry.value;
    }
    return rows;
}

std::shared_ptr<const Dataset> read_coordinates(TextLines &lines, const MtxHeader &header, Watch &watch) {
    std::vector<Entry> entries = read_entries(lines, header, watch);
    expect_no_more(lines, header);
    watch.finish();
    const std::int64_t most = kLeastPointsAllowed + kPointsAByte * lines.bytes_read();
    if (header.n > most)
        fail(BMO_EFORMAT, "path",
             text(lines.path(), ": the file announces ", header.n, " points in ", lines.bytes_read(),
                  " bytes; expected at most ", most));
    SparseRows<double> rows = rows_of(entries, header, watch);
    std::vector<Entry>().swap(entries);
    return adopt_sparse(std::move(rows), header.integer || header.pattern, true, "data", watch);
}

// Both triangles of what was read of one.
std::vector<double> whole_of(const std::vector<double> &triangle, const MtxHeader &header) {
    const bool skew = header.symmetry == MtxSymmetry::skew;
    const auto n = static_cast<std::size_t>(header.n);
    std::vector<double> whole(n * n, 0);
    std::size_t next = 0;
    for (std::size_t col = 0; col < n; ++col)
        for (std::size_t row = skew ? col + 1 : col; row < n; ++row, ++next) {
            whole[col * n + row] = triangle[next];
            whole[row * n + col] = skew ? -triangle[next] : triangle[next];
        }
    return whole;
}

// By column, those of a triangle from the diagonal down.
std::shared_ptr<const Dataset> read_array(TextLines &lines, const MtxHeader &header, Watch &watch) {
    std::vector<double> read;
    std::int64_t col = 0;
    const bool general = header.symmetry == MtxSymmetry::general;
    const auto first_row = [&] { return general ? 0 : header.symmetry == MtxSymmetry::skew ? col + 1 : col; };
    std::int64_t row = first_row();
    for (std::int64_t done = 0; done < header.entries; ++done) {
        Words words(entry_line(lines, header, done, watch));
        read.push_back(parse_value(lines, words.next(), header.integer, row, col));
        expect_end(lines, words);
        if (++row == header.n) {
            ++col;
            row = first_row();
        }
    }
    expect_no_more(lines, header);
    watch.finish();
    return dense_of_text(general ? std::move(read) : whole_of(read, header),
                         {header.n, header.d, 1, std::max<std::int64_t>(1, header.n)}, watch);
}

} // namespace

bool is_mtx(std::string_view first_bytes) {
    const std::size_t first = std::min(first_bytes.find_first_not_of(" \t\r\n"), first_bytes.size());
    return is_banner(Words(first_bytes.substr(first)).next());
}

std::shared_ptr<const Dataset> read_mtx(Source &source, bool, Watch &watch) {
    TextLines lines(source, watch);
    MtxHeader header;
    parse_banner(lines, header);
    parse_sizes(lines, header);
    watch.begin(BMO_PHASE_READ, header.entries);
    return header.coordinate ? read_coordinates(lines, header, watch) : read_array(lines, header, watch);
}

} // namespace bmo

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "data/files/npy.hpp"
#include "util/failure.hpp"

namespace bmo {

namespace {

struct Type {
    std::string_view name;
    bmo_dtype dtype;
};

constexpr Type types[] = {{"f4", BMO_F32}, {"f8", BMO_F64}, {"u1", BMO_U8},  {"i4", BMO_I32},
                          {"i8", BMO_I64}, {"b1", BMO_U8},  {"f2", BMO_F16}, {"i1", BMO_I8},
                          {"i2", BMO_I16}, {"u2", BMO_U16}, {"u4", BMO_U32}};

// '<f4' without its mark of the order of bytes, which writers leave out or replace by that of any order.
std::string_view type_of(std::string_view descr) {
    return descr.substr(std::min(descr.find_first_not_of("<>=|"), descr.size()));
}

[[noreturn]] void unsupported(const std::string &path, const std::string &what) {
    fail(BMO_EUNSUPPORTED, "path", text(path, ": ", what));
}

// Reads the one Python expression that a header is. Spaces may stand between any two tokens.
class Parser {
public:
    Parser(std::string_view dictionary, const std::string &path) : rest_(dictionary), path_(path) {}

    NpyHeader parse() {
        expect('{');
        while (!accept('}')) {
            entry();
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skip_spaces();
        if (!rest_.empty())
            malformed("more text follows the dictionary");
        if (!type_ || !by_column_ || !shape_)
            malformed("expected the keys 'descr', 'fortran_order' and 'shape'");
        return {*type_, *by_column_, *shape_};
    }

private:
    [[noreturn]] void malformed(std::string_view what) const {
        fail(BMO_EFORMAT, "path", text(path_, ": the .npy header is malformed: ", what));
    }

    void skip_spaces() {
        const std::size_t first = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
    }

    bool accept(char token) {
        skip_spaces();
        if (rest_.empty() || rest_.front() != token)
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    void expect(char token) {
        if (!accept(token))
            malformed(text("expected '", std::string_view(&token, 1), "'"));
    }

    std::string_view string() {
        const char quote = accept('"') ? '"' : '\'';
        if (quote == '\'')
            expect('\'');
        const std::size_t end = rest_.find(quote);
        if (end == std::string_view::npos)
            malformed("a quote is not closed");
        const std::string_view value = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return value;
    }

    void entry() {
        const std::string_view key = string();
        expect(':');
        if (key == "descr" && !type_)
            type_ = descr();
        else if (key == "fortran_order" && !by_column_)
            by_column_ = boolean();
        else if (key == "shape" && !shape_)
            shape_ = tuple();
        else
            malformed(text("unexpected or repeated key '", key.substr(0, 40), "'"));
    }

    std::string descr() {
        skip_spaces();
        if (rest_.starts_with('[') || rest_.starts_with('('))
            unsupported(path_, text("records of several fields (descr ", rest_.substr(0, 60),
                                    ") are not supported; save one array of numbers"));
        return std::string(string());
    }

    bool boolean() {
        skip_spaces();
        for (const auto &[word, value] : {std::pair{std::string_view("True"), true}, {"False", false}})
            if (rest_.starts_with(word)) {
                rest_.remove_prefix(word.size());
                return value;
            }
        malformed("expected True or False");
    }

    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> sizes;
        expect('(');
        while (!accept(')')) {
            sizes.push_back(size());
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return sizes;
    }

    std::int64_t size() {
        skip_spaces();
        if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9')
            malformed("expected a size in the shape");
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc())
            fail(BMO_EOVERFLOW, "path", text(path_, ": a size in the .npy header is beyond 64 bits"));
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        if (rest_.starts_with('L')) // as Python 2 wrote it
            rest_.remove_prefix(1);
        return value;
    }

    std::string_view rest_;
    const std::string &path_;
    std::optional<std::string> type_;
    std::optional<bool> by_column_;
    std::optional<std::vector<std::int64_t>> shape_;
};

// Of a type that one of these holds: every value is as good there, or as near as can be.
std::string advice(std::string_view descr) {
    const std::string_view name = type_of(descr);
    const char *type = name == "u8" ? "<i8" : name == "f12" || name == "f16" ? "<f8" : nullptr;
    return type ? text(" (in NumPy: save x.astype(\"", type, "\"))") : "";
}

} // namespace

NpyType npy_type(const NpyHeader &header, const std::string &path) {
    const std::string_view name = type_of(header.type);
    const bool one_mark = header.type.size() <= name.size() + 1;
    for (const Type &type : types)
        if (type.name == name && one_mark)
            return {type.dtype, header.type.starts_with('>')};
    unsupported(path, text("values of type '", header.type.substr(0, 40),
                           "' are not supported; expected f2, f4, f8, i1, i2, i4, i8, u1, u2, u4 or b1",
                           advice(header.type)));
}

StoredMatrix npy_matrix(const NpyHeader &header, const std::string &path) {
    const NpyType type = npy_type(header, path);
    const std::vector<std::int64_t> &shape = header.shape;
    if (shape.size() != 1 && shape.size() != 2)
        unsupported(path, text("the array has ", shape.size(),
                               " dimensions; expected 2, points by coordinates (in NumPy: x.reshape(len(x), -1))"));
    if (shape.back() == 0)
        unsupported(path, "the points have no coordinates; expected at least 1");
    return {type.dtype, header.by_column, type.big_endian, shape.size() == 1 ? 1 : shape.front(), shape.back()};
}

NpyHeader parse_npy_header(std::string_view dictionary, const std::string &path) {
    return Parser(dictionary, path).parse();
}

} // namespace bmo

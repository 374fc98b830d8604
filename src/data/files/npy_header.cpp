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

constexpr Type types[] = {{"f4", BMO_F32}, {"f8", BMO_F64}, {"u1", BMO_U8},
                          {"i4", BMO_I32}, {"i8", BMO_I64}, {"b1", BMO_U8}};

// '<f4' without its mark of the order of bytes, which writers leave out or replace by that of any order.
std::string_view type_of(std::string_view descr) {
    return descr.substr(std::min(descr.find_first_not_of("<>=|"), descr.size()));
}

bool is_big_endian(std::string_view descr) {
    return descr.starts_with('>') && !descr.ends_with('1');
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
        if (!dtype_ || !by_column_ || !shape_)
            malformed("expected the keys 'descr', 'fortran_order' and 'shape'");
        const auto [n, d] = points_of(*shape_);
        return {*dtype_, *by_column_, n, d};
    }

private:
    [[noreturn]] void malformed(std::string_view what) const {
        fail(BMO_EFORMAT, "path", text(path_, ": the .npy header is malformed: ", what));
    }
    [[noreturn]] void unsupported(const std::string &what) const {
        fail(BMO_EUNSUPPORTED, "path", text(path_, ": ", what));
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
        if (key == "descr" && !dtype_)
            dtype_ = descr();
        else if (key == "fortran_order" && !by_column_)
            by_column_ = boolean();
        else if (key == "shape" && !shape_)
            shape_ = tuple();
        else
            malformed(text("unexpected or repeated key '", key.substr(0, 40), "'"));
    }

    bmo_dtype descr() {
        skip_spaces();
        if (rest_.starts_with('[') || rest_.starts_with('('))
            unsupported(text("records of several fields (descr ", rest_.substr(0, 60),
                             ") are not supported; save one array of numbers"));
        const std::string_view name = string();
        const bool one_mark = name.size() <= type_of(name).size() + 1;
        for (const Type &type : types)
            if (type.name == type_of(name) && one_mark && !is_big_endian(name))
                return type.dtype;
        unsupported(text("values of type '", name.substr(0, 40),
                         "' are not supported; expected <f4, <f8, |u1, <i4, <i8 ", "or |b1", advice(name)));
    }

    // Of a type that one of these holds: every value is as good there, or as near as can be.
    static std::string advice(std::string_view descr) {
        const std::string_view name = type_of(descr);
        if (name.size() < 2 || std::string_view("fiu").find(name[0]) == std::string_view::npos)
            return "";
        const std::string_view size = name.substr(1);
        const bool wide = size == "8" || size == "16", middle = size == "4";
        const char *type = name[0] == 'f' ? (wide ? "<f8" : "<f4") : (wide || middle ? "<i8" : "<i4");
        return text(" (in NumPy: save x.astype(\"", type, "\"))");
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

    std::pair<std::int64_t, std::int64_t> points_of(const std::vector<std::int64_t> &shape) const {
        if (shape.size() != 1 && shape.size() != 2)
            unsupported(text("the array has ", shape.size(),
                             " dimensions; expected 2, points by coordinates (in NumPy: x.reshape(len(x), -1))"));
        if (shape.back() == 0)
            unsupported("the points have no coordinates; expected at least 1");
        return {shape.size() == 1 ? 1 : shape.front(), shape.back()};
    }

    std::string_view rest_;
    const std::string &path_;
    std::optional<bmo_dtype> dtype_;
    std::optional<bool> by_column_;
    std::optional<std::vector<std::int64_t>> shape_;
};

} // namespace

NpyHeader parse_npy_header(std::string_view dictionary, const std::string &path) {
    return Parser(dictionary, path).parse();
}

} // namespace bmo

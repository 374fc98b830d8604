#include "data/files/npz.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

#include "data/files/npy.hpp"
#include "data/files/text_lines.hpp"
#include "data/files/zip.hpp"
#include "data/sparse_input.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr std::string_view kEnding = ".npy";

std::string_view array_name(std::string_view entry) {
    return entry.ends_with(kEnding) ? entry.substr(0, entry.size() - kEnding.size()) : entry;
}

class Archive {
public:
    Archive(Source &archive, Watch &watch) : zip_(archive, watch), path_(archive.path()), watch_(watch) {}

    std::shared_ptr<const Dataset> read(std::string_view array) {
        if (array.empty() && find("format") && find("shape") && find("data"))
            return read_sparse();
        return read_npy(*open(array.empty() ? only() : wanted(array)), false, watch_);
    }

private:
    // An array of scipy's, in memory.
    struct Array {
        bmo_dtype dtype = 0;
        std::int64_t count = 0;
        std::shared_ptr<void> values;
    };

    const Zip::Entry *find(std::string_view array) const {
        const auto &entries = zip_.entries();
        const auto found = std::ranges::find_if(
            entries, [&](const Zip::Entry &entry) { return entry.name == array || array_name(entry.name) == array; });
        return found == entries.end() ? nullptr : &*found;
    }

    std::unique_ptr<Source> open(const Zip::Entry &entry) { return zip_.open(entry); }

    std::string names() const {
        constexpr std::size_t most = 10;
        std::string all;
        for (std::size_t i = 0; i < std::min(most, zip_.entries().size()); ++i)
            all += text(i == 0 ? "" : ", ", array_name(zip_.entries()[i].name));
        return zip_.entries().size() > most ? all + ", ..." : all;
    }

    const Zip::Entry &only() const {
        const auto &entries = zip_.entries();
        if (entries.empty())
            fail(BMO_EFORMAT, "path", text(path_, ": the archive has no arrays"));
        if (entries.size() > 1)
            fail(BMO_EFORMAT, "path",
                 text(path_, ": the archive has ", entries.size(), " arrays: ", names(), "; name one: ", path_, ":",
                      array_name(entries.front().name)));
        return entries.front();
    }

    const Zip::Entry &wanted(std::string_view array) const {
        const Zip::Entry *entry = find(array);
        if (!entry)
            fail(BMO_EFORMAT, "path",
                 text(path_, ": the archive has no array \"", array, "\"; it has ",
                      zip_.entries().empty() ? "none" : names()));
        return *entry;
    }

    [[noreturn]] void fail_sparse(bmo_status status, const std::string &what) const {
        fail(status, "path", text(path_, ": the sparse matrix ", what));
    }

    Array read_array(std::string_view name) {
        const std::unique_ptr<Source> source = open(wanted(name));
        const NpyHeader header = read_npy_header(*source);
        const NpyType type = npy_type(header, source->path());
        if (header.shape.size() != 1)
            fail_sparse(BMO_EFORMAT,
                        text("has the array ", name, " of ", header.shape.size(), " dimensions; expected 1"));
        Array array{type.dtype, header.shape.front(), nullptr};
        const auto size = static_cast<std::int64_t>(dtype_size(type.dtype));
        if (array.count > source->most() / size)
            fail(BMO_EFORMAT, "path",
                 text(source->path(), ": the header announces ", array.count, " values of ", size,
                      " bytes, but at most ", source->most(), " bytes follow; it seems to be cut short"));
        array.values = allocate_dense(array.dtype, array.count, 1);
        source->read_all(array.values.get(), array.count * size, watch_);
        source->expect_end();
        if (type.big_endian)
            swap_bytes(array.values.get(), array.count, dtype_size(type.dtype), watch_);
        return array;
    }

    // An array that is a single text of bytes, '|S3', or of code points, '<U3'.
    std::string read_format() {
        const std::unique_ptr<Source> source = open(wanted("format"));
        const NpyHeader header = read_npy_header(*source);
        constexpr std::size_t longest = 64;
        std::string bytes(longest, '\0');
        bytes.resize(source->read(bytes.data(), longest));
        if (!header.shape.empty() || (header.type.find('S') > 1 && header.type.find('U') > 1))
            fail_sparse(BMO_EFORMAT, text("has a format of type '", header.type.substr(0, 40), "'; expected one text"));
        std::erase(bytes, '\0');
        return bytes;
    }

    std::pair<std::int64_t, std::int64_t> read_shape() {
        const Array shape = read_array("shape");
        if (shape.count != 2)
            fail_sparse(BMO_EFORMAT, text("has ", shape.count, " dimensions; expected 2"));
        double sizes[2];
        load_point(row_major(shape.dtype, shape.values.get(), 1, 2), 0, sizes);
        for (const double size : sizes)
            if (!(size >= 0))
                fail_sparse(BMO_EFORMAT, text("has a shape of ", sizes[0], " x ", sizes[1]));
            else if (size > static_cast<double>(kLargestSide))
                fail_sparse(BMO_EOVERFLOW,
                            text("has a shape of ", sizes[0], " x ", sizes[1], "; expected at most ", kLargestSide));
        if (sizes[1] < 1)
            fail_sparse(BMO_EFORMAT, "has no columns; a point has one coordinate or more");
        return {static_cast<std::int64_t>(sizes[0]), static_cast<std::int64_t>(sizes[1])};
    }

    std::shared_ptr<const Dataset> read_sparse() {
        const std::string format = read_format();
        if (format != "csr" && format != "csc")
            fail_sparse(BMO_EUNSUPPORTED,
                        text("has the format \"", format, "\"; expected csr or csc (in SciPy: save x.tocsr())"));
        SparseInput input;
        input.by_coordinate = format == "csc";
        std::tie(input.n, input.d) = read_shape();
        const auto arrays = read_arrays();
        for (const auto &[array, name] : {std::pair{&arrays->pointers, "indptr"}, {&arrays->indices, "indices"}})
            if (array->dtype != BMO_I32 && array->dtype != BMO_I64)
                fail_sparse(BMO_EUNSUPPORTED, text("has an array ", name, " of another type; expected int32 or int64"));
        input.nnz = arrays->values.count;
        if (arrays->pointers.count != input.lines() + 1)
            fail_sparse(BMO_EFORMAT,
                        text("has ", arrays->pointers.count, " elements in indptr; expected ", input.lines() + 1));
        if (arrays->indices.count != input.nnz)
            fail_sparse(BMO_EFORMAT,
                        text("has ", arrays->indices.count, " elements in indices, but ", input.nnz, " in data"));
        input.pointer_dtype = arrays->pointers.dtype;
        input.index_dtype = arrays->indices.dtype;
        input.value_dtype = arrays->values.dtype;
        input.pointers = arrays->pointers.values.get();
        input.indices = arrays->indices.values.get();
        input.values = arrays->values.values.get();
        return adopted(input, arrays);
    }

    struct Arrays {
        Array pointers, indices, values;
    };

    std::shared_ptr<const Arrays> read_arrays() {
        std::int64_t bytes = 0;
        for (const std::string_view name : {"indptr", "indices", "data"})
            bytes += std::min(wanted(name).unpacked, std::numeric_limits<std::int64_t>::max() / 4);
        watch_.begin(BMO_PHASE_READ, bytes);
        const auto arrays =
            std::make_shared<Arrays>(Arrays{read_array("indptr"), read_array("indices"), read_array("data")});
        watch_.finish();
        return arrays;
    }

    // Pointers and indices that do not fit are damage of the file.
    std::shared_ptr<const Dataset> adopted(const SparseInput &input, const std::shared_ptr<const Arrays> &arrays) {
        constexpr const char *argument = "data";
        try {
            return owned(make_sparse(input, true, arrays, argument, watch_));
        } catch (Failure &failure) {
            if (failure.status == BMO_EINVAL && failure.argument != argument)
                failure.status = BMO_EFORMAT;
            throw;
        }
    }

    // What is borrowed is the library's own memory.
    static std::shared_ptr<const Dataset> owned(const std::shared_ptr<const Dataset> &made) {
        auto dataset = std::make_shared<Dataset>(*made);
        dataset->bytes_owned += std::exchange(dataset->bytes_borrowed, 0);
        return dataset;
    }

    Zip zip_;
    const std::string &path_;
    Watch &watch_;
};

} // namespace

NpzPath npz_path(const std::string &path) {
    constexpr std::string_view mark = ".npz:";
    const std::size_t at = lower(path).rfind(mark);
    if (at == std::string::npos || access(path.c_str(), F_OK) == 0)
        return {path, ""};
    return {path.substr(0, at + mark.size() - 1), path.substr(at + mark.size())};
}

std::shared_ptr<const Dataset> read_npz(Source &archive, std::string_view array, Watch &watch) {
    return Archive(archive, watch).read(array);
}

} // namespace bmo

// Which reader a file needs.
#include <string_view>

#include "data/dataset.hpp"
#include "data/files/bin.hpp"
#include "data/files/csv.hpp"
#include "data/files/file.hpp"
#include "data/files/gzip.hpp"
#include "data/files/mtx.hpp"
#include "data/files/npy.hpp"
#include "data/files/npz.hpp"
#include "data/files/vecs.hpp"
#include "data/files/zip.hpp"
#include "util/failure.hpp"

namespace bmo {

namespace {

struct Format {
    bool (*matches)(std::string_view first_bytes, std::string_view path);
    std::shared_ptr<const Dataset> (*read)(Source &source, bool borrow, Watch &watch);
};

template <bool (*tell)(std::string_view)>
bool by_first_bytes(std::string_view first_bytes, std::string_view) {
    return tell(first_bytes);
}

template <bool (*tell)(std::string_view)>
bool by_name(std::string_view, std::string_view path) {
    return tell(path);
}

constexpr Format formats[] = {{by_first_bytes<is_npy>, read_npy},
                              {by_first_bytes<is_mtx>, read_mtx},
                              {by_name<is_vecs>, read_vecs},
                              {by_name<is_bin>, read_bin},
                              {by_name<is_csv>, read_csv}};
constexpr std::size_t bytes_that_tell = 64; // with the blanks that text may begin with

std::shared_ptr<const Dataset> read_any(Source &source, bool borrow, Watch &watch) {
    const std::string first_bytes(source.peek(bytes_that_tell));
    if (first_bytes.empty())
        fail(BMO_EFORMAT, "path", text(source.path(), ": the file is empty"));
    for (const Format &format : formats)
        if (format.matches(first_bytes, source.path()))
            return format.read(source, borrow, watch);
    fail(BMO_EFORMAT, "path",
         text(source.path(), ": the first bytes are of no known format; expected .npy, MatrixMarket (.mtx) or "
                             "a name that ends in .csv, .tsv, .fvecs, .bvecs, .ivecs, .fbin, .u8bin or .i8bin, each as "
                             "it is or with gzip, or .npz or .bmo"));
}

// In place of "data" of a value, and of "data." of an array.
void name_file(Failure &failure, const std::string &path) {
    const std::string data = text(Word{"data"}), array = data.substr(0, data.size() - 1) + '.';
    if (failure.message.starts_with(data))
        failure.message = text(path, failure.message.substr(data.size()));
    else if (failure.message.starts_with(array))
        failure.message = text(path, ": ", std::string(1, mark::word), failure.message.substr(array.size()));
    else
        return;
    failure.argument = "path";
}

} // namespace

std::shared_ptr<const Dataset> open_dataset(const std::string &path, bool borrow, Watch &watch) {
    const NpzPath place = npz_path(path);
    File file(place.file);
    try {
        const std::string first_bytes(file.peek(bytes_that_tell));
        if (is_zip(first_bytes))
            return read_npz(file, place.array, watch);
        if (!place.array.empty())
            fail(BMO_EFORMAT, "path", text(path, ": the file is no archive, and has no array of a name"));
        if (!is_gzip(first_bytes))
            return read_any(file, borrow, watch);
        Gunzip content(file, watch);
        return read_any(content, borrow, watch);
    } catch (Failure &failure) {
        name_file(failure, path);
        throw;
    }
}

} // namespace bmo

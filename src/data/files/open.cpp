// Which reader a file needs.
#include <string_view>

#include "data/dataset.hpp"
#include "data/files/file.hpp"
#include "data/files/gzip.hpp"
#include "data/files/mtx.hpp"
#include "data/files/npy.hpp"
#include "data/files/vecs.hpp"
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

constexpr Format formats[] = {{by_first_bytes<is_npy>, read_npy},
                              {by_first_bytes<is_mtx>, read_mtx},
                              {[](std::string_view, std::string_view path) { return is_vecs(path); }, read_vecs}};
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
                             "a name that ends in .fvecs, .bvecs or .ivecs, each as it is or with gzip, or .bmo"));
}

} // namespace

std::shared_ptr<const Dataset> open_dataset(const std::string &path, bool borrow, Watch &watch) {
    File file(path);
    try {
        if (!is_gzip(file.peek(bytes_that_tell)))
            return read_any(file, borrow, watch);
        Gunzip content(file, watch);
        return read_any(content, borrow, watch);
    } catch (Failure &failure) {
        constexpr std::string_view of_data = "data: "; // of a value, which names no file
        if (failure.message.starts_with(of_data)) {
            failure.argument = "path";
            failure.message = text(path, ": ", failure.message.substr(of_data.size()));
        }
        throw;
    }
}

} // namespace bmo

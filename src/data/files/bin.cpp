#include "data/files/bin.hpp"

#include <cstring>

#include "data/files/ending.hpp"
#include "data/files/matrix.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr TypedEnding endings[] = {{".fbin", BMO_F32}, {".u8bin", BMO_U8}, {".i8bin", BMO_I8}};

} // namespace

bool is_bin(std::string_view path) {
    return ending_of(path, endings) != nullptr;
}

std::shared_ptr<const Dataset> read_bin(Source &source, bool borrow, Watch &watch) {
    std::uint32_t sizes[2];
    if (source.read(sizes, sizeof sizes) < sizeof sizes)
        fail(BMO_EFORMAT, "path",
             text(source.path(), ": the file ends within the numbers of points and coordinates, its first ",
                  sizeof sizes, " bytes"));
    const auto [n, d] = sizes;
    if (d == 0)
        fail(BMO_EFORMAT, "path", text(source.path(), ": the number of coordinates is 0; expected 1 or more"));
    return read_matrix(source, {.dtype = ending_of(source.path(), endings)->dtype, .n = n, .d = d}, borrow, watch);
}

} // namespace bmo

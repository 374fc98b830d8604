#include "data/files/bin.hpp"

#include <algorithm>
#include <cstring>

#include "data/files/ending.hpp"
#include "data/files/matrix.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

struct Ending {
    std::string_view text;
    bmo_dtype dtype;
};
constexpr Ending endings[] = {{".fbin", BMO_F32}, {".u8bin", BMO_U8}, {".i8bin", BMO_I8}};

const Ending *ending_of(std::string_view path) {
    const auto *found =
        std::ranges::find_if(endings, [&](const Ending &ending) { return has_ending(path, ending.text); });
    return found == std::end(endings) ? nullptr : found;
}

} // namespace

bool is_bin(std::string_view path) {
    return ending_of(path) != nullptr;
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
    return read_matrix(source, {.dtype = ending_of(source.path())->dtype, .n = n, .d = d}, borrow, watch);
}

} // namespace bmo

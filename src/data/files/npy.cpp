#include "data/files/npy.hpp"

#include "util/failure.hpp"

namespace bmo {

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

std::string take(Source &source, std::size_t size) {
    std::string bytes(size, '\0');
    if (source.read(bytes.data(), size) < size)
        fail(BMO_EFORMAT, "path", text(source.path(), ": the file ends within its .npy header"));
    return bytes;
}

std::string take_dictionary(Source &source) {
    constexpr std::uint64_t longest = 1 << 20;
    const std::string start = take(source, magic.size() + 2);
    const int version = static_cast<unsigned char>(start[magic.size()]);
    if (version < 1 || version > 3 || start.back() != 0)
        fail(BMO_EUNSUPPORTED, "path",
             text(source.path(), ": version ", version, ".", static_cast<unsigned char>(start.back()),
                  " of the .npy format is not supported; expected 1.0 to 3.0"));
    const std::uint64_t length = little_endian(take(source, version == 1 ? 2 : 4));
    if (length > longest)
        fail(BMO_EFORMAT, "path",
             text(source.path(), ": the .npy header claims ", length, " bytes; expected at most ", longest));
    return take(source, static_cast<std::size_t>(length));
}

} // namespace

bool is_npy(std::string_view first_bytes) {
    return first_bytes.starts_with(magic);
}

NpyHeader read_npy_header(Source &source) {
    return parse_npy_header(take_dictionary(source), source.path());
}

std::shared_ptr<const Dataset> read_npy(Source &source, bool borrow, Watch &watch) {
    const StoredMatrix matrix = npy_matrix(read_npy_header(source), source.path());
    return read_matrix(source, matrix, borrow, watch);
}

} // namespace bmo

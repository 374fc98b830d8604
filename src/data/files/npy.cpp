#include "data/files/npy.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "util/failure.hpp"

namespace bmo {

static_assert(std::endian::native == std::endian::little, "the values of a file are used as they are");

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

std::int64_t bytes_of(const NpyHeader &header, const Source &source) {
    const auto size = static_cast<std::int64_t>(dtype_size(header.dtype));
    check_side(header.n, "path", text(source.path(), ": the number of points"));
    check_side(header.d, "path", text(source.path(), ": the number of coordinates"));
    std::int64_t values, bytes;
    if (__builtin_mul_overflow(header.n, header.d, &values) || __builtin_mul_overflow(values, size, &bytes))
        fail(BMO_EOVERFLOW, "path",
             text(source.path(), ": ", header.n, " points of ", header.d,
                  " coordinates are more bytes than 64 bits count"));
    if (bytes > source.most())
        fail(BMO_EFORMAT, "path",
             text(source.path(), ": the header announces ", header.n, " points of ", header.d, " coordinates, ", bytes,
                  " bytes, but the file has at most ", source.most(), "; it seems to be cut short"));
    return bytes;
}

DenseView view_of(const NpyHeader &header, const void *values) {
    if (header.by_column)
        return {header.dtype, values, header.n, header.d, 1, header.n};
    return row_major(header.dtype, values, header.n, header.d);
}

// Values of the file's columns in pieces of a size that caches: of several whole columns, so that what they write of a
// row lies together, or of a part of one if columns are long.
template <class T>
void read_columns(Source &source, const NpyHeader &header, T *out, Watch &watch) {
    constexpr std::int64_t most = (1 << 25) / sizeof(T), cache_line = 64 / sizeof(T);
    const std::int64_t width = std::clamp<std::int64_t>(most / header.n, 1, std::min(cache_line, header.d));
    const std::int64_t height = std::min(header.n, most);
    const auto piece = std::make_unique<T[]>(static_cast<std::size_t>(width * height));
    for (std::int64_t left = 0; left < header.d; left += width)
        for (std::int64_t top = 0; top < header.n; top += height) {
            const std::int64_t cols = std::min(width, header.d - left), rows = std::min(height, header.n - top);
            source.read_all(piece.get(), rows * cols * static_cast<std::int64_t>(sizeof(T)), watch);
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < cols; ++j)
                    out[(top + i) * header.d + left + j] = piece[static_cast<std::size_t>(j * rows + i)];
        }
}

std::shared_ptr<const Dataset> read_values(Source &source, const NpyHeader &header, std::int64_t bytes, Watch &watch) {
    const std::shared_ptr<void> memory = allocate_dense(header.dtype, header.n, header.d);
    watch.begin(BMO_PHASE_READ, bytes);
    if (header.by_column && bytes > 0)
        visit_dtype(header.dtype,
                    [&]<class T>(const T *) { read_columns(source, header, static_cast<T *>(memory.get()), watch); });
    else
        source.read_all(memory.get(), bytes, watch);
    source.expect_end();
    watch.finish();
    return adopt_dense(row_major(header.dtype, memory.get(), header.n, header.d), memory, watch);
}

} // namespace

bool is_npy(std::string_view first_bytes) {
    return first_bytes.starts_with(magic);
}

std::shared_ptr<const Dataset> read_npy(Source &source, bool borrow, Watch &watch) {
    const NpyHeader header = parse_npy_header(take_dictionary(source), source.path());
    const std::int64_t bytes = bytes_of(header, source);
    // With bytes left over, reading fails as it should.
    Memory mapped = borrow && bytes > 0 && bytes == source.most() ? source.map() : nullptr;
    const bool aligned = visit_dtype(header.dtype, [&]<class T>(const T *) {
        return reinterpret_cast<std::uintptr_t>(mapped.get()) % alignof(T) == 0;
    });
    if (!mapped || !aligned)
        return read_values(source, header, bytes, watch);
    const DenseView values = view_of(header, mapped.get());
    return make_dense(values, true, std::move(mapped), watch);
}

} // namespace bmo

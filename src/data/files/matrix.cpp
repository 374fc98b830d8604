#include "data/files/matrix.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "util/failure.hpp"

namespace bmo {

static_assert(std::endian::native == std::endian::little, "the values of a file are used as they are");

namespace {

std::int64_t bytes_of(const StoredMatrix &matrix, const Source &source) {
    const auto size = static_cast<std::int64_t>(dtype_size(matrix.dtype));
    check_side(matrix.n, "path", text(source.path(), ": the number of points"));
    check_side(matrix.d, "path", text(source.path(), ": the number of coordinates"));
    std::int64_t values, bytes;
    if (__builtin_mul_overflow(matrix.n, matrix.d, &values) || __builtin_mul_overflow(values, size, &bytes))
        fail(BMO_EOVERFLOW, "path",
             text(source.path(), ": ", matrix.n, " points of ", matrix.d,
                  " coordinates are more bytes than 64 bits count"));
    if (bytes > source.most())
        fail(BMO_EFORMAT, "path",
             text(source.path(), ": the header announces ", matrix.n, " points of ", matrix.d, " coordinates, ", bytes,
                  " bytes, but the file has at most ", source.most(), "; it seems to be cut short"));
    return bytes;
}

DenseView view_of(const StoredMatrix &matrix, const void *values) {
    if (matrix.by_column)
        return {matrix.dtype, values, matrix.n, matrix.d, 1, matrix.n};
    return row_major(matrix.dtype, values, matrix.n, matrix.d);
}

// Values of the file's columns in pieces of a size that caches: of several whole columns, so that what they write of a
// row lies together, or of a part of one if columns are long.
template <class T>
void read_columns(Source &source, const StoredMatrix &matrix, T *out, Watch &watch) {
    constexpr std::int64_t most = (1 << 25) / sizeof(T), cache_line = 64 / sizeof(T);
    const std::int64_t width = std::clamp<std::int64_t>(most / matrix.n, 1, std::min(cache_line, matrix.d));
    const std::int64_t height = std::min(matrix.n, most);
    const auto piece = std::make_unique<T[]>(static_cast<std::size_t>(width * height));
    for (std::int64_t left = 0; left < matrix.d; left += width)
        for (std::int64_t top = 0; top < matrix.n; top += height) {
            const std::int64_t cols = std::min(width, matrix.d - left), rows = std::min(height, matrix.n - top);
            source.read_all(piece.get(), rows * cols * static_cast<std::int64_t>(sizeof(T)), watch);
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < cols; ++j)
                    out[(top + i) * matrix.d + left + j] = piece[static_cast<std::size_t>(j * rows + i)];
        }
}

std::shared_ptr<const Dataset> read_values(Source &source, const StoredMatrix &matrix, std::int64_t bytes,
                                           Watch &watch) {
    const std::shared_ptr<void> memory = allocate_dense(matrix.dtype, matrix.n, matrix.d);
    watch.begin(BMO_PHASE_READ, bytes);
    if (matrix.by_column && bytes > 0)
        visit_dtype(matrix.dtype,
                    [&]<class T>(const T *) { read_columns(source, matrix, static_cast<T *>(memory.get()), watch); });
    else
        source.read_all(memory.get(), bytes, watch);
    source.expect_end();
    if (matrix.big_endian)
        swap_bytes(memory.get(), matrix.n * matrix.d, dtype_size(matrix.dtype), watch);
    watch.finish();
    return adopt_dense(row_major(matrix.dtype, memory.get(), matrix.n, matrix.d), memory, watch);
}

} // namespace

void swap_bytes(void *values, std::int64_t count, std::size_t size, Watch &watch) {
    constexpr std::int64_t kValuesAPoll = 1 << 16;
    auto *bytes = static_cast<char *>(values);
    for (std::int64_t i = 0; i < count && size > 1; ++i, bytes += size) {
        if (i % kValuesAPoll == 0)
            watch.poll();
        std::reverse(bytes, bytes + size);
    }
}

std::shared_ptr<const Dataset> read_matrix(Source &source, const StoredMatrix &matrix, bool borrow, Watch &watch) {
    const std::int64_t bytes = bytes_of(matrix, source);
    // With bytes left over, reading fails as it should.
    Memory mapped = borrow && !matrix.big_endian && bytes > 0 && bytes == source.most() ? source.map() : nullptr;
    if (!mapped || reinterpret_cast<std::uintptr_t>(mapped.get()) % dtype_size(matrix.dtype) != 0)
        return read_values(source, matrix, bytes, watch);
    const DenseView values = view_of(matrix, mapped.get());
    return make_dense(values, true, std::move(mapped), watch);
}

} // namespace bmo

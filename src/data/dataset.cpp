#include "data/dataset.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "data/check.hpp"
#include "data/files/sections.hpp"
#include "util/aligned.hpp"
#include "util/checked.hpp"
#include "util/failure.hpp"

namespace bmo {

namespace {

constexpr const char *kData = "data"; // the argument of sizes, and of values unless it has another name

std::int64_t bytes_of(bmo_dtype dtype, std::int64_t n, std::int64_t d) {
    return checked_mul(checked_mul(n, d, kData), static_cast<std::int64_t>(dtype_size(dtype)), kData);
}

template <class From, class To>
void copy_typed(const DenseView &from, std::int64_t first, std::int64_t last, To *to) {
    for (std::int64_t i = first; i < last; ++i)
        std::transform(from.point<From>(i), from.point<From>(i) + from.d, to + i * from.d,
                       [](From value) { return static_cast<To>(value); });
}

// The same of columns. block: memory for a part of the rows as they are, if they are converted.
template <class From, class To>
void copy_columns(const DenseView &from, std::int64_t first, std::int64_t last, To *to,
                  AlignedVector<std::byte> &block) {
    if constexpr (std::is_same_v<From, To>)
        return copy_block(from, first, last - first, 0, from.d, to + first * from.d, from.d);
    const std::int64_t most = std::min<std::int64_t>(512, from.d);
    block.resize(std::max(block.size(), static_cast<std::size_t>((last - first) * most) * sizeof(From)));
    const From *rows = reinterpret_cast<const From *>(block.data());
    for (std::int64_t left = 0; left < from.d; left += most) {
        const std::int64_t width = std::min(most, from.d - left);
        copy_block(from, first, last - first, left, width, block.data(), width);
        for (std::int64_t i = first; i < last; ++i)
            std::transform(rows + (i - first) * width, rows + (i - first + 1) * width, to + i * from.d + left,
                           [](From value) { return static_cast<To>(value); });
    }
}

// Rows first to last (excluded) of a view, to the same rows of a row-major array.
void copy_rows(const DenseView &from, std::int64_t first, std::int64_t last, bmo_dtype dtype, void *to,
               AlignedVector<std::byte> &block) {
    visit_dtype(from.dtype, [&]<class From>(const From *) {
        const auto copy = [&]<class To>(To *rows) {
            if (from.coord_stride == 1)
                copy_typed<From>(from, first, last, rows);
            else
                copy_columns<From>(from, first, last, rows, block);
        };
        if (dtype == from.dtype)
            copy(static_cast<From *>(to));
        else if (dtype == BMO_F32)
            copy(static_cast<float *>(to));
        else if (dtype == BMO_U8)
            copy(static_cast<std::uint8_t *>(to));
        else
            copy(static_cast<double *>(to));
    });
}

// Rows of one step of a copy: what fits the cache; of columns, enough to use the memory that is read for it, if that is not too much
// between two polls.
std::int64_t band_of(const DenseView &points) {
    constexpr std::int64_t bytes = 1 << 18, values = 1 << 23, least = 16, of_a_column = 512;
    const std::int64_t rows = bytes / (points.d * static_cast<std::int64_t>(sizeof(double)));
    if (points.coord_stride == 1)
        return std::max<std::int64_t>(rows, 1);
    const std::int64_t most = of_a_column / static_cast<std::int64_t>(dtype_size(points.dtype));
    return std::max(rows, std::clamp(values / points.d, least, most));
}

// After each band, after(block, first row) may look at it while it is in the cache.
template <class After>
std::shared_ptr<Dataset> copy_of(const DenseView &points, bmo_dtype dtype, Watch &watch, After after) {
    auto copy = std::make_shared<Dataset>();
    const std::shared_ptr<void> memory = allocate_dense(dtype, points.n, points.d);
    copy->dense = row_major(dtype, memory.get(), points.n, points.d);
    copy->memory = memory;
    copy->bytes_owned = static_cast<std::uint64_t>(bytes_of(dtype, points.n, points.d));
    const std::int64_t band = band_of(points);
    AlignedVector<std::byte> block;
    for (std::int64_t row = 0; row < points.n; row += band) {
        const std::int64_t end = std::min(row + band, points.n);
        copy_rows(points, row, end, dtype, memory.get(), block);
        after(row_major(dtype, static_cast<char *>(memory.get()) + bytes_of(dtype, row, points.d), end - row, points.d),
              row);
        watch.poll();
    }
    return copy;
}

std::shared_ptr<const Dataset> checked_copy(const DenseView &points, const char *argument, Watch &watch) {
    double max_abs = 0;
    watch.begin(BMO_PHASE_CHECK, points.n);
    auto copy = copy_of(points, points.dtype, watch, [&](const DenseView &block, std::int64_t row) {
        max_abs = std::max(max_abs, check_block(block, row, 0, argument));
        watch.advance(block.n);
    });
    watch.finish();
    copy->max_abs = max_abs;
    return copy;
}

std::shared_ptr<const Dataset> convert_integers(const DenseView &points, const char *argument, Watch &watch) {
    const double max_abs = check_values(points, argument, watch);
    auto copy =
        copy_of(points, max_abs <= exact_in_f32 ? BMO_F32 : BMO_F64, watch, [](const DenseView &, std::int64_t) {});
    copy->max_abs = max_abs;
    return copy;
}

// The narrowest type that holds all values, of columns: a coordinate of all points is together.
bmo_dtype narrowest_dtype(const DenseView &points, Watch &watch) {
    bool bytes = true, floats = true;
    visit_stored(points.dtype, [&]<class T>(const T *) {
        for (std::int64_t j = 0; j < points.d && floats; ++j) {
            watch.poll();
            watch.advance(1);
            for (std::int64_t i = 0; i < points.n; ++i) {
                const auto value = static_cast<double>(points.point<T>(i)[j * points.coord_stride]);
                bytes = bytes && is_byte(value);
                floats = floats && is_float(value);
            }
        }
    });
    return bytes ? BMO_U8 : floats ? BMO_F32 : BMO_F64;
}

bool rows_are_bytes(const DenseView &points, Watch &watch) {
    bool bytes = true;
    visit_stored(points.dtype, [&]<class T>(const T *) {
        for (std::int64_t i = 0; i < points.n && bytes; ++i) {
            watch.poll();
            watch.advance(1);
            const T *row = points.point<T>(i);
            std::int64_t others = 0; // a sum: compilers make vectors of it
            for (std::int64_t j = 0; j < points.d; ++j)
                others += is_byte(arithmetic(row[j])) ? 0 : 1;
            bytes = others == 0;
        }
    });
    return bytes;
}

std::shared_ptr<Dataset> hold(const DenseView &points, Memory memory, const char *argument, Watch &watch) {
    auto dataset = std::make_shared<Dataset>();
    dataset->max_abs = check_values(points, argument, watch);
    dataset->dense = points;
    dataset->memory = std::move(memory);
    return dataset;
}

} // namespace

std::vector<SectionSource> Preparation::sections() const {
    return {};
}

std::shared_ptr<void> allocate_dense(bmo_dtype dtype, std::int64_t n, std::int64_t d) {
    const auto bytes = static_cast<std::size_t>(bytes_of(dtype, n, d));
    return {allocate_aligned(bytes), [bytes](void *memory) { free_aligned(memory, bytes); }};
}

std::shared_ptr<const Dataset> make_dense(const DenseView &points, bool borrow, Memory owner, Watch &watch,
                                          const char *argument) {
    if (!is_stored(points.dtype))
        return convert_integers(points, argument, watch);
    if (!borrow)
        return checked_copy(points, argument, watch);
    auto dataset = hold(points, std::move(owner), argument, watch);
    dataset->bytes_borrowed = static_cast<std::uint64_t>(bytes_of(points.dtype, points.n, points.d));
    return dataset;
}

std::shared_ptr<const Dataset> in_rows(const Dataset &data, Watch &watch) {
    if (data.kind == Kind::sparse || data.dense.coord_stride == 1 || data.d() == 1 || data.prepared)
        return nullptr;
    const auto copy = copy_of(data.dense, data.dense.dtype, watch, [](const DenseView &, std::int64_t) {});
    copy->max_abs = data.max_abs;
    return copy;
}

std::shared_ptr<const Dataset> narrow_rows(const Dataset &data, Watch &watch) {
    if (data.kind != Kind::dense || data.dense.dtype == BMO_U8 || data.dense.n == 0)
        return nullptr;
    const bool rows = data.dense.coord_stride == 1;
    watch.begin(BMO_PHASE_CHECK, rows ? data.dense.n : data.dense.d);
    bmo_dtype narrow = BMO_U8;
    if (!rows)
        narrow = narrowest_dtype(data.dense, watch);
    else if (!rows_are_bytes(data.dense, watch))
        narrow = data.dense.dtype;
    watch.finish();
    const bool other_bytes = narrow == BMO_U8 && data.dense.dtype == BMO_I8; // for which there are no loops of integers
    if (!other_bytes && 2 * dtype_size(narrow) > dtype_size(data.dense.dtype))
        return nullptr;
    const auto copy = copy_of(data.dense, narrow, watch, [](const DenseView &, std::int64_t) {});
    copy->max_abs = data.max_abs;
    return copy;
}

std::shared_ptr<const Dataset> adopt_dense(const DenseView &points, Memory memory, Watch &watch) {
    if (!is_stored(points.dtype))
        return convert_integers(points, kData, watch);
    auto dataset = hold(points, std::move(memory), kData, watch);
    dataset->bytes_owned = static_cast<std::uint64_t>(bytes_of(points.dtype, points.n, points.d));
    return dataset;
}

} // namespace bmo

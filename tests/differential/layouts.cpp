#include "layouts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "handles.hpp"

namespace {

std::size_t size_of(bmo_dtype dtype) {
    return dtype == BMO_U8 ? 1 : dtype == BMO_F32 || dtype == BMO_I32 ? 4 : 8;
}

struct SparseEntry {
    std::int64_t line, index;
    double value;
};

// The halves of a value that add up to it, whatever its type.
bool has_parts(double value, bmo_dtype dtype) {
    if (dtype == BMO_F32 || dtype == BMO_F64)
        return std::abs(value) > 1e-30 && std::abs(value) < 1e30;
    return value >= 2 && std::fmod(value, 2) == 0;
}

void add_entry(std::vector<SparseEntry> &entries, SparseEntry entry, bmo_dtype dtype, bool split) {
    if (split && has_parts(entry.value, dtype)) {
        entry.value /= 2;
        entries.push_back(entry);
    }
    entries.push_back(entry);
}

std::vector<SparseEntry> entries_of(const Points &points, bool by_coordinate, bool plain, Random &random) {
    std::vector<SparseEntry> entries;
    const std::int64_t lines = by_coordinate ? points.d : points.n, length = by_coordinate ? points.n : points.d;
    for (std::int64_t line = 0; line < lines; ++line) {
        const auto first = static_cast<std::ptrdiff_t>(entries.size());
        for (std::int64_t index = 0; index < length; ++index) {
            const double value = by_coordinate ? points.row(index)[static_cast<std::size_t>(line)]
                                               : points.row(line)[static_cast<std::size_t>(index)];
            if (value != 0 || (!plain && random.chance(0.02)))
                add_entry(entries, {line, index, value}, points.dtype, !plain && random.chance(0.05));
        }
        if (!plain && random.chance(0.3))
            std::reverse(entries.begin() + first, entries.end());
    }
    return entries;
}

} // namespace

Array::Array(bmo_dtype dtype, std::int64_t count)
    : dtype_(dtype), bytes_(new std::byte[static_cast<std::size_t>(count + 1) * size_of(dtype)]) {}

void Array::set(std::int64_t i, double value) {
    switch (dtype_) {
    case BMO_F32: reinterpret_cast<float *>(bytes_.get())[i] = static_cast<float>(value); break;
    case BMO_F64: reinterpret_cast<double *>(bytes_.get())[i] = value; break;
    case BMO_U8: reinterpret_cast<std::uint8_t *>(bytes_.get())[i] = static_cast<std::uint8_t>(value); break;
    case BMO_I32: reinterpret_cast<std::int32_t *>(bytes_.get())[i] = static_cast<std::int32_t>(value); break;
    default: reinterpret_cast<std::int64_t *>(bytes_.get())[i] = static_cast<std::int64_t>(value);
    }
}

DenseLayout::DenseLayout(const Points &points, Random &random) : view_(sized<bmo_dense>()) {
    std::int64_t inner = 1, outer = points.d;
    const double choice = random.uniform();
    if (choice < 0.2) { // columns
        inner = points.n + random.below(2);
        outer = 1;
    } else if (choice < 0.4) {
        inner = random.between(std::int64_t{1}, std::int64_t{3});
        outer = points.d * inner + random.below(3);
    }
    const std::int64_t extent = (points.n - 1) * outer + (points.d - 1) * inner + 1;
    values_ = Array(points.dtype, extent);
    const bool real = points.dtype == BMO_F32 || points.dtype == BMO_F64;
    for (std::int64_t i = 0; i < extent; ++i)
        values_.set(i, real ? std::numeric_limits<double>::quiet_NaN() : 77);
    for (std::int64_t i = 0; i < points.n; ++i)
        for (std::int64_t j = 0; j < points.d; ++j)
            values_.set(i * outer + j * inner, points.row(i)[static_cast<std::size_t>(j)]);
    view_.dtype = points.dtype;
    view_.data = values_.data();
    view_.n = points.n;
    view_.d = points.d;
    const bool is_plain = inner == 1 && outer == points.d && random.chance(0.7);
    view_.point_stride = is_plain ? 0 : outer;
    view_.coord_stride = is_plain ? 0 : inner;
}

SparseLayout::SparseLayout(const Points &points, Random &random) : view_(sized<bmo_sparse>()) {
    const bool by_coordinate = random.chance(0.3), plain = random.chance(0.4);
    const std::int64_t base = random.below(2), lines = by_coordinate ? points.d : points.n;
    const std::vector<SparseEntry> entries = entries_of(points, by_coordinate, plain, random);
    const auto nnz = static_cast<std::int64_t>(entries.size());
    pointers_ = Array(random.pick<bmo_dtype>({BMO_I32, BMO_I64}), lines + 1);
    indices_ = Array(random.pick<bmo_dtype>({BMO_I32, BMO_I64}), nnz);
    values_ = Array(points.dtype, nnz);
    std::int64_t at = 0;
    for (std::int64_t line = 0; line <= lines; ++line) {
        pointers_.set(line, static_cast<double>(at + base));
        while (at < nnz && entries[static_cast<std::size_t>(at)].line == line)
            ++at;
    }
    for (std::int64_t i = 0; i < nnz; ++i) {
        indices_.set(i, static_cast<double>(entries[static_cast<std::size_t>(i)].index + base));
        values_.set(i, entries[static_cast<std::size_t>(i)].value);
    }
    view_.orientation = by_coordinate ? BMO_COORDS_COMPRESSED : BMO_POINTS_COMPRESSED;
    view_.index_base = static_cast<std::int32_t>(base);
    view_.pointer_dtype = pointers_.dtype();
    view_.index_dtype = indices_.dtype();
    view_.n = points.n;
    view_.d = points.d;
    view_.nnz = nnz;
    view_.pointers = pointers_.data();
    view_.indices = indices_.data();
    const bool all_one = std::ranges::all_of(entries, [](const SparseEntry &entry) { return entry.value == 1; });
    view_.values = all_one && random.chance(0.5) ? nullptr : values_.data();
    view_.value_dtype = view_.values ? points.dtype : 0;
}

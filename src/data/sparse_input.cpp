#include "data/sparse_input.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstring>
#include <utility>
#include <vector>

#include "data/sparse_rows.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr std::int64_t kEntriesAPoll = 1 << 16;

// The values of a caller who gave none.
struct Ones {
    std::int8_t operator[](std::int64_t) const { return 1; }
};

// Calls visit(indices, values) with typed pointers, or Ones.
template <class Visit>
decltype(auto) visit_arrays(const SparseInput &points, Visit &&visit) {
    const auto with_values = [&](const auto *indices) {
        if (!points.values)
            return visit(indices, Ones{});
        return visit_dtype(points.value_dtype, [&]<class Value>(const Value *) {
            return visit(indices, static_cast<const Value *>(points.values));
        });
    };
    if (points.index_dtype == BMO_I32)
        return with_values(static_cast<const std::int32_t *>(points.indices));
    return with_values(static_cast<const std::int64_t *>(points.indices));
}

// Point and coordinate of a place in the arrays; -1 for what is not known.
struct Place {
    std::int64_t row, col;
};

Place place_of(const SparseInput &points, std::int64_t line, std::int64_t within) {
    return points.by_coordinate ? Place{within, line} : Place{line, within};
}

std::string line_name(const SparseInput &points, std::int64_t line) {
    return text(points.by_coordinate ? "coordinate " : "point ", Position{line});
}

template <class Pointer>
std::vector<std::int64_t> checked_starts(const SparseInput &points, const Pointer *pointers,
                                         const std::string &argument) {
    const auto refuse = [&](std::int64_t line, std::int64_t got, const std::string &expected) {
        const Place place = place_of(points, line, -1);
        fail(BMO_EINVAL, argument + ".pointers",
             text(Word{argument + ".pointers"}, "[", Position{line}, "] is ", got, "; expected ", expected), place.row,
             place.col);
    };
    std::vector<std::int64_t> starts(static_cast<std::size_t>(points.lines()) + 1, 0);
    if (points.lines() == 0 && !pointers)
        return starts;
    const std::int64_t base = points.index_base, last = base + points.nnz;
    if (pointers[0] != base)
        refuse(0, pointers[0], text(base, ", where the first entry begins"));
    for (std::int64_t line = 1; line <= points.lines(); ++line) {
        if (pointers[line] < pointers[line - 1] || pointers[line] > last)
            refuse(line, pointers[line], text(std::int64_t{pointers[line - 1]}, " to ", last));
        starts[static_cast<std::size_t>(line)] = pointers[line] - base;
    }
    if (pointers[points.lines()] != last)
        refuse(points.lines(), pointers[points.lines()], text(last, ", where the last entry ends"));
    return starts;
}

// What the entries of a whole input are like.
struct Nature {
    bool tidy = true; // each line ascends strictly, and no value is 0
    double max_abs = 0;
};

template <class Value>
void check_value(Value given, Place place, const std::string &argument) {
    const auto value = arithmetic(given);
    const auto where = [&] {
        return text(Word{argument}, ": the value of point ", Position{place.row}, ", coordinate ", Position{place.col},
                    kCountedFrom0, " is ", value);
    };
    if constexpr (std::floating_point<decltype(arithmetic(given))>) {
        if (!std::isfinite(value))
            fail(BMO_ENONFINITE, argument, where() + "; expected finite values", place.row, place.col);
    } else if constexpr (sizeof(Value) == 8) {
        if (value < -static_cast<Value>(exact_in_f64) || value > static_cast<Value>(exact_in_f64))
            fail(BMO_EINVAL, argument, where() + "; expected integers from -2^53 to 2^53", place.row, place.col);
    }
}

// Calls visit(line, k) for every entry, and polls.
template <class Visit>
void for_entries(const SparseInput &points, const std::vector<std::int64_t> &starts, Watch &watch, Visit visit) {
    for (std::int64_t line = 0; line < points.lines(); ++line) {
        const std::int64_t first = starts[static_cast<std::size_t>(line)];
        const std::int64_t last = starts[static_cast<std::size_t>(line) + 1];
        for (std::int64_t k = first; k < last; ++k) {
            if (k % kEntriesAPoll == 0)
                watch.poll();
            visit(line, k);
        }
    }
}

template <class Index, class Values>
Nature check_entries(const SparseInput &points, const std::vector<std::int64_t> &starts, const Index *indices,
                     Values values, const std::string &argument, Watch &watch) {
    const std::int64_t base = points.index_base, length = points.line_length();
    Nature nature;
    for_entries(points, starts, watch, [&](std::int64_t line, std::int64_t k) {
        const std::int64_t index = indices[k];
        if (index < base || index >= base + length) {
            const Place place = place_of(points, line, index < base ? -1 : index - base);
            fail(BMO_EINVAL, argument + ".indices",
                 text(Word{argument + ".indices"}, "[", Position{k}, "], of ", line_name(points, line), ", is ", index,
                      "; expected ", base, " to ", base + length - 1),
                 place.row, place.col);
        }
        const auto value = arithmetic(values[k]);
        check_value(value, place_of(points, line, index - base), argument);
        nature.tidy =
            nature.tidy && value != 0 && (k == starts[static_cast<std::size_t>(line)] || indices[k - 1] < indices[k]);
        nature.max_abs = std::max(nature.max_abs, std::abs(static_cast<double>(value)));
    });
    return nature;
}

// Entries with their points as rows, in the order in which they were given.
template <class T, class Index, class Values>
SparseRows<T> rows_of(const SparseInput &points, std::vector<std::int64_t> starts, const Index *indices, Values values,
                      Watch &watch) {
    SparseRows<T> rows;
    rows.n = points.n;
    rows.d = points.d;
    rows.indices.resize(static_cast<std::size_t>(points.nnz));
    rows.values.resize(static_cast<std::size_t>(points.nnz));
    const auto put = [&](std::int64_t at, std::int64_t index, std::int64_t k) {
        rows.indices[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(index);
        rows.values[static_cast<std::size_t>(at)] = static_cast<T>(values[k]);
    };
    const auto within = [&](std::int64_t k) { return std::int64_t{indices[k]} - points.index_base; };
    if (!points.by_coordinate) {
        for_entries(points, starts, watch, [&](std::int64_t, std::int64_t k) { put(k, within(k), k); });
        rows.pointers.assign(starts.begin(), starts.end());
        return rows;
    }
    rows.pointers.assign(static_cast<std::size_t>(points.n) + 1, 0);
    for (std::int64_t k = 0; k < points.nnz; ++k)
        ++rows.pointers[static_cast<std::size_t>(within(k)) + 1];
    for (std::size_t i = 0; i < static_cast<std::size_t>(points.n); ++i)
        rows.pointers[i + 1] += rows.pointers[i];
    AlignedVector<std::int64_t> next(rows.pointers);
    for_entries(points, starts, watch,
                [&](std::int64_t line, std::int64_t k) { put(next[static_cast<std::size_t>(within(k))]++, line, k); });
    return rows;
}

std::shared_ptr<const Dataset> borrowed(const SparseInput &points, double max_abs, Memory owner) {
    auto dataset = std::make_shared<Dataset>();
    dataset->kind = Kind::sparse;
    dataset->sparse = {.dtype = points.value_dtype,
                       .pointer_dtype = points.pointer_dtype,
                       .n = points.n,
                       .d = points.d,
                       .pointers = points.pointers,
                       .indices = static_cast<const std::int32_t *>(points.indices),
                       .values = points.values};
    const auto entry = sizeof(std::int32_t) + dtype_size(points.value_dtype);
    dataset->bytes_borrowed = static_cast<std::uint64_t>(points.n + 1) * dtype_size(points.pointer_dtype) +
                              static_cast<std::uint64_t>(points.nnz) * entry;
    dataset->max_abs = max_abs;
    dataset->memory = std::move(owner);
    return dataset;
}

bool could_be_borrowed(const SparseInput &points) {
    return !points.by_coordinate && points.index_base == 0 && points.index_dtype == BMO_I32 && points.pointers &&
           points.values && (points.value_dtype == BMO_F32 || points.value_dtype == BMO_F64);
}

} // namespace

std::shared_ptr<const Dataset> make_sparse(const SparseInput &points, bool borrow, Memory owner,
                                           const std::string &argument, Watch &watch) {
    std::vector<std::int64_t> starts =
        points.pointer_dtype == BMO_I32
            ? checked_starts(points, static_cast<const std::int32_t *>(points.pointers), argument)
            : checked_starts(points, static_cast<const std::int64_t *>(points.pointers), argument);
    return visit_arrays(points, [&](const auto *indices, auto values) -> std::shared_ptr<const Dataset> {
        watch.begin(BMO_PHASE_CHECK, points.n);
        const Nature nature = check_entries(points, starts, indices, values, argument, watch);
        if (borrow && nature.tidy && could_be_borrowed(points)) {
            watch.finish();
            return borrowed(points, nature.max_abs, std::move(owner));
        }
        if constexpr (std::same_as<decltype(arithmetic(values[0])), float>) {
            return adopt_sparse(rows_of<float>(points, std::move(starts), indices, values, watch), argument, watch);
        } else {
            constexpr bool doubles = std::same_as<decltype(values), const double *>;
            return adopt_sparse(rows_of<double>(points, std::move(starts), indices, values, watch), !doubles, !doubles,
                                argument, watch);
        }
    });
}

} // namespace bmo

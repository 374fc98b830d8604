#include "data/sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "data/check.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr std::int64_t kRowsAPoll = 256;

template <class T>
void sort_row(std::int32_t *indices, T *values, std::int64_t count, std::vector<std::pair<std::int32_t, T>> &scratch) {
    if (std::is_sorted(indices, indices + count))
        return;
    scratch.clear();
    for (std::int64_t k = 0; k < count; ++k)
        scratch.emplace_back(indices[k], values[k]);
    std::ranges::stable_sort(scratch, {}, &std::pair<std::int32_t, T>::first); // sums do not depend on the algorithm
    for (std::int64_t k = 0; k < count; ++k) {
        indices[k] = scratch[static_cast<std::size_t>(k)].first;
        values[k] = scratch[static_cast<std::size_t>(k)].second;
    }
}

// Integers are added as such: in double a sum beyond 2^53 may round to 2^53.
double add(double sum, double value, bool integers) {
    if (!integers)
        return sum + value;
    const std::int64_t exact = static_cast<std::int64_t>(sum) + static_cast<std::int64_t>(value);
    return std::abs(exact) <= static_cast<std::int64_t>(exact_in_f64) ? static_cast<double>(exact) : 2 * exact_in_f64;
}

template <class T>
void check_sum(double sum, bool integers, std::int64_t row, std::int32_t col, const std::string &argument) {
    const auto where = [&] {
        return text(Word{argument}, ": the entries of point ", Position{row}, ", coordinate ", Position{col},
                    kCountedFrom0, " add up to ");
    };
    if (integers && std::abs(sum) > exact_in_f64)
        fail(BMO_EINVAL, argument, where() + "more than 2^53; expected integers from -2^53 to 2^53", row, col);
    if (!(std::abs(sum) <= static_cast<double>(std::numeric_limits<T>::max())))
        fail(BMO_ENONFINITE, argument, where() + "a value beyond their type; expected finite sums", row, col);
}

// Sorts, sums and drops within the memory of the rows. Returns the largest |value|.
template <class T>
double tidy(SparseRows<T> &rows, bool integers, const std::string &argument, Watch &watch) {
    std::vector<std::pair<std::int32_t, T>> scratch;
    std::int32_t *indices = rows.indices.data();
    T *values = rows.values.data();
    double peak = 0;
    std::int64_t out = 0, from = 0;
    watch.begin(BMO_PHASE_CHECK, rows.n);
    for (std::int64_t i = 0; i < rows.n; ++i) {
        if (i % kRowsAPoll == 0)
            watch.poll();
        const std::int64_t end = rows.pointers[static_cast<std::size_t>(i) + 1];
        sort_row(indices + from, values + from, end - from, scratch);
        while (from < end) {
            const std::int32_t col = indices[from];
            auto sum = static_cast<double>(values[from++]);
            for (; from < end && indices[from] == col; ++from) {
                sum = add(sum, static_cast<double>(values[from]), integers);
                check_sum<T>(sum, integers, i, col, argument);
            }
            indices[out] = col;
            values[out] = static_cast<T>(sum);
            peak = std::max(peak, std::abs(static_cast<double>(values[out])));
            out += values[out] != 0;
        }
        rows.pointers[static_cast<std::size_t>(i) + 1] = out;
        watch.advance(1);
    }
    watch.finish();
    rows.indices.resize(static_cast<std::size_t>(out));
    rows.values.resize(static_cast<std::size_t>(out));
    rows.indices.shrink_to_fit();
    rows.values.shrink_to_fit();
    return peak;
}

template <class T>
std::shared_ptr<const Dataset> dataset_of(SparseRows<T> rows, double max_abs) {
    auto held = std::make_shared<const SparseRows<T>>(std::move(rows));
    auto dataset = std::make_shared<Dataset>();
    dataset->kind = Kind::sparse;
    dataset->sparse = {.dtype = sizeof(T) == sizeof(float) ? BMO_F32 : BMO_F64,
                       .pointer_dtype = BMO_I64,
                       .n = held->n,
                       .d = held->d,
                       .pointers = held->pointers.data(),
                       .indices = held->indices.data(),
                       .values = held->values.data()};
    dataset->bytes_owned = held->pointers.size() * sizeof(std::int64_t) + held->indices.size() * sizeof(std::int32_t) +
                           held->values.size() * sizeof(T);
    dataset->max_abs = max_abs;
    dataset->memory = std::move(held);
    return dataset;
}

} // namespace

std::shared_ptr<const Dataset> adopt_sparse(SparseRows<float> rows, const std::string &argument, Watch &watch) {
    const double max_abs = tidy(rows, false, argument, watch);
    return dataset_of(std::move(rows), max_abs);
}

std::shared_ptr<const Dataset> adopt_sparse(SparseRows<double> rows, bool integers, bool narrow,
                                            const std::string &argument, Watch &watch) {
    const double max_abs = tidy(rows, integers, argument, watch);
    if (!narrow || !std::all_of(rows.values.begin(), rows.values.end(), is_float))
        return dataset_of(std::move(rows), max_abs);
    SparseRows<float> floats{rows.n, rows.d, std::move(rows.pointers), std::move(rows.indices), {}};
    floats.values.resize(rows.values.size());
    std::transform(rows.values.begin(), rows.values.end(), floats.values.begin(),
                   [](double value) { return static_cast<float>(value); });
    return dataset_of(std::move(floats), max_abs);
}

} // namespace bmo

#include "boxes/norms.hpp"

#include <algorithm>
#include <array>

#include "data/check.hpp"
#include "simd/kernels.hpp"
#include "util/parallel.hpp"

namespace bmo {
namespace {

template <bool kExact>
DoubleDouble product_of(double a, double b) {
    if constexpr (kExact)
        return {a * b, 0};
    else
        return two_product(a, b);
}

// Over 16 lanes, each with the rounding errors of its sum beside it.
template <bool kExactProducts, class Value>
DoubleDouble sum_products(const Value *values, double factor, std::span<const double> other) {
    std::array<double, kBatch> sum{}, lost{};
    const auto add = [&](std::size_t lane, std::size_t j) {
        const DoubleDouble product = product_of<kExactProducts>(static_cast<double>(values[j]) * factor, other[j]);
        const DoubleDouble next = two_sum(sum[lane], product.high);
        sum[lane] = next.high;
        lost[lane] += next.low + product.low;
    };
    std::size_t j = 0;
    for (; j + kBatch <= other.size(); j += kBatch)
        for (std::size_t lane = 0; lane < kBatch; ++lane)
            add(lane, j + lane);
    for (std::size_t lane = 0; j < other.size(); ++lane, ++j)
        add(lane, j);
    DoubleDouble total;
    for (std::size_t lane = 0; lane < kBatch; ++lane)
        total = total + two_sum(sum[lane], lost[lane]);
    return total;
}

} // namespace

void divide_by_power(std::vector<double> &values, int exponent) {
    constexpr int kLeast = -1000;
    const double factor = std::ldexp(1.0, -std::max(exponent, kLeast));
    const double rest = std::ldexp(1.0, kLeast - std::min(exponent, kLeast));
    for (double &value : values)
        value = value * factor * rest;
}

void ScaledVector::load(const PointsView &points, std::int64_t row) {
    values.resize(static_cast<std::size_t>(points.d()));
    load_point(points, row, values.data());
    scale();
}

void ScaledVector::load_entries(const PointsView &points, std::int64_t row, std::vector<std::int32_t> &coordinates) {
    values.clear();
    coordinates.clear();
    const auto add = [&](std::int64_t coordinate, double value) {
        values.push_back(value);
        coordinates.push_back(static_cast<std::int32_t>(coordinate));
    };
    for_entries(points, row, add);
    scale();
}

void ScaledVector::scale() {
    const auto zeros = [this] { return std::count(values.begin(), values.end(), 0.0); };
    const auto zeros_before = zeros();
    double largest = 0;
    for (const double value : values)
        largest = std::max(largest, std::abs(value));
    norm = {};
    if (largest > 0) {
        norm.exponent = std::ilogb(largest);
        divide_by_power(values, norm.exponent);
    }
    is_short = zeros() == zeros_before && std::all_of(values.begin(), values.end(), is_float);
    norm.squares =
        is_short ? sum_products<true>(values.data(), 1, values) : sum_products<false>(values.data(), 1, values);
}

DoubleDouble dot_product(const void *values, bmo_dtype dtype, double factor, std::span<const double> other,
                         bool is_short) {
    return visit_stored(dtype, [&]<class Value>(const Value *) {
        const auto *typed = static_cast<const Value *>(values);
        if (sizeof(Value) <= sizeof(float) && is_short)
            return sum_products<true>(typed, factor, other);
        return sum_products<false>(typed, factor, other);
    });
}

std::shared_ptr<const Norms> norms_of(const PointsView &points, int threads, Watch &watch) {
    constexpr std::int64_t kRows = 64; // of one item
    auto norms = std::make_shared<Norms>(static_cast<std::size_t>(points.n()));
    std::vector<ScaledVector> vectors(static_cast<std::size_t>(threads));
    std::vector<std::vector<std::int32_t>> coordinates(vectors.size());
    parallel_for(threads, (points.n() + kRows - 1) / kRows, watch, [&](std::int64_t item, int thread) {
        ScaledVector &vector = vectors[static_cast<std::size_t>(thread)];
        for (std::int64_t row = item * kRows; row < std::min((item + 1) * kRows, points.n()); ++row) {
            watch.poll();
            if (points.kind == Kind::sparse)
                vector.load_entries(points, row, coordinates[static_cast<std::size_t>(thread)]);
            else
                vector.load(points, row);
            (*norms)[static_cast<std::size_t>(row)] = vector.norm;
        }
    });
    return norms;
}

SectionSource norms_section(const Norms &norms) {
    std::vector<double> numbers;
    numbers.reserve(3 * norms.size());
    for (const Norm &norm : norms)
        numbers.insert(numbers.end(), {norm.squares.high, norm.squares.low, static_cast<double>(norm.exponent)});
    return SectionSource::of(SectionKind::norms, std::move(numbers));
}

std::shared_ptr<const Norms> restore_norms(const Sections &sections, std::int64_t n) {
    const auto *numbers = sections.values<double>(SectionKind::norms, 3 * n);
    auto norms = std::make_shared<Norms>(static_cast<std::size_t>(n));
    for (Norm &norm : *norms) {
        const double high = *numbers++, low = *numbers++, exponent = *numbers++;
        if (!(high >= 0 && std::isfinite(high) && std::abs(low) <= high && std::abs(exponent) <= 1100))
            sections.fail_format("a norm is out of range; the file is damaged");
        norm = {{high, low}, static_cast<int>(exponent)};
    }
    return norms;
}

} // namespace bmo

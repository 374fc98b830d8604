// Sums of points in columns: the kernels against plain loops, and bounds against sums in long double.
#include "cmocka.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "boxes/metric.hpp"
#include "boxes/tiles/column_sums.hpp"
#include "kernel_tables.hpp"
#include "util/xoshiro.hpp"

namespace column_sums_test {

using bmo::ColumnSums;
using bmo::ColumnTerm;

constexpr bmo_dtype kStored[] = {BMO_F32, BMO_F64, BMO_U8, BMO_I8, BMO_F16, BMO_BF16};
constexpr ColumnTerm kTerms[] = {ColumnTerm::square, ColumnTerm::absolute, ColumnTerm::product};

double unit(bmo::Xoshiro256pp &random) {
    return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

// Values that the type holds: signed ones too, but for bytes.
std::vector<std::byte> drawn(bmo_dtype dtype, std::size_t count, bmo::Xoshiro256pp &random) {
    std::vector<std::byte> bytes(count * bmo::dtype_size(dtype));
    bmo::visit_stored(dtype, [&]<class T>(const T *) {
        T *values = reinterpret_cast<T *>(bytes.data());
        for (std::size_t i = 0; i < count; ++i) {
            const double value = unit(random) * 200 - 100;
            if constexpr (std::is_same_v<T, bmo::Float16>)
                values[i] = {static_cast<std::uint16_t>(0x3c00 + random.below(4096))};
            else if constexpr (std::is_same_v<T, bmo::BFloat16>)
                values[i] = {upper_half(static_cast<float>(value))};
            else if constexpr (std::is_same_v<T, std::uint8_t>)
                values[i] = static_cast<T>(random.below(256));
            else
                values[i] = static_cast<T>(value);
        }
    });
    return bytes;
}

std::array<const void *, bmo::kColumns> columns_at(const std::vector<std::byte> &bytes, bmo_dtype dtype,
                                                   std::int64_t stride, std::int64_t from) {
    std::array<const void *, bmo::kColumns> columns{};
    for (std::size_t j = 0; j < columns.size(); ++j)
        columns[j] = bytes.data() +
                     (static_cast<std::size_t>(from) + j) * static_cast<std::size_t>(stride) * bmo::dtype_size(dtype);
    return columns;
}

template <class Kernel, class Value, class Sum>
void check_same(Kernel kernel, Kernel plain, const bmo::ColumnTile &tile, const std::vector<Value> &values,
                const std::vector<Sum> &before) {
    std::vector<Sum> sums = before, expected = before;
    kernel(tile, values.data(), sums.data());
    plain(tile, values.data(), expected.data());
    for (std::size_t i = 0; i < sums.size(); ++i)
        assert_true(sums[i] == expected[i]);
}

void kernels_give_the_bits_of_plain_loops(void **) {
    constexpr std::int64_t kStride = 150, kQueries = 3;
    bmo::Xoshiro256pp random(1);
    for (const bmo_dtype dtype : kStored) {
        const std::vector<std::byte> bytes = drawn(dtype, 2 * bmo::kColumns * kStride, random);
        const auto source = static_cast<std::size_t>(bmo::value_type_of(dtype));
        for (const std::int64_t points : {1, 15, 16, 33, 130}) {
            const bmo::ColumnTile tile{columns_at(bytes, dtype, kStride, 0),
                                       columns_at(bytes, dtype, kStride, 4),
                                       points,
                                       kQueries,
                                       kStride,
                                       0.5,
                                       {3, -1, 0.25, 100}};
            std::vector<double> values(kQueries * bmo::kColumns), sums(kQueries * kStride);
            std::vector<float> floats(values.size()), float_sums(sums.size());
            std::vector<std::int16_t> whole(values.size());
            std::vector<std::int32_t> whole_sums(sums.size());
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] = unit(random) * 100 - 50;
                floats[i] = static_cast<float>(values[i]);
                whole[i] = static_cast<std::int16_t>(random.below(256));
            }
            for (std::size_t i = 0; i < sums.size(); ++i) {
                sums[i] = unit(random);
                float_sums[i] = static_cast<float>(sums[i]);
                whole_sums[i] = static_cast<std::int32_t>(random.below(1000));
            }
            for (const Kernels *table : tables()) {
                for (std::size_t term = 0; term < bmo::kColumnTerms; ++term)
                    check_same(table->add_columns[source][term], bmo::kScalarKernels.add_columns[source][term], tile,
                               values, sums);
                check_same(table->add_float_columns[source], bmo::kScalarKernels.add_float_columns[source], tile,
                           floats, float_sums);
                for (std::size_t term = 0; dtype == BMO_U8 && term < 2; ++term)
                    check_same(table->add_byte_columns[term], bmo::kScalarKernels.add_byte_columns[term], tile, whole,
                               whole_sums);
            }
        }
    }
}

// Panels of columns have the bits of single points that a ShiftKernel brings.
void columns_are_shifted_as_points(void **) {
    constexpr std::int64_t kStride = 80, kWidth = 30, kPanelSize = bmo::kPanel * 32;
    bmo::Xoshiro256pp random(2);
    for (const bmo_dtype dtype : kStored) {
        const auto source = static_cast<std::size_t>(bmo::value_type_of(dtype));
        const std::vector<std::byte> bytes = drawn(dtype, kWidth * kStride, random);
        std::vector<double> factors(kStride), middle(kWidth);
        for (double &value : factors)
            value = 0.5 + unit(random);
        for (double &value : middle)
            value = unit(random) * 10;
        for (const Kernels *table : tables())
            for (const std::int64_t points : {1, 16, 31, 64, 77})
                for (const std::int64_t width : {1, 4, 7, 30}) {
                    const bmo::ColumnBlock block{bytes.data(), kStride, points, width, factors.data(), middle.data()};
                    std::vector<float> panels(3 * kPanelSize, 7), largest(kStride, 1);
                    std::vector<double> squares(kStride, 2);
                    table->shift_columns[source](block, panels.data(), kPanelSize, squares.data(), largest.data());
                    for (std::int64_t i = 0; i < points; ++i) {
                        double sum = 2;
                        float most = 1;
                        for (std::int64_t j = 0; j < width; ++j) {
                            const double value = bmo::visit_stored(dtype, [&]<class T>(const T *) {
                                return static_cast<double>(reinterpret_cast<const T *>(bytes.data())[j * kStride + i]);
                            });
                            const double apart =
                                value * factors[static_cast<std::size_t>(i)] - middle[static_cast<std::size_t>(j)];
                            const auto at = i / bmo::kPanel * kPanelSize + j * bmo::kPanel + i % bmo::kPanel;
                            assert_true(panels[static_cast<std::size_t>(at)] == static_cast<float>(apart));
                            most = std::max(most, std::abs(static_cast<float>(apart)));
                            sum += apart * apart;
                        }
                        assert_true(largest[static_cast<std::size_t>(i)] == most);
                        assert_true(squares[static_cast<std::size_t>(i)] == sum);
                    }
                    assert_true(panels[static_cast<std::size_t>(width * bmo::kPanel)] == 7); // what is behind stays
                    if (points < kStride)
                        assert_true(squares[static_cast<std::size_t>(points)] == 2);
                }
    }
}

struct Cloud {
    std::int64_t n, d, queries;
    double scale, offset; // of the values
};

std::vector<double> values_of(const Cloud &cloud, std::int64_t count, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    std::vector<double> values(static_cast<std::size_t>(count * cloud.d));
    for (double &value : values)
        value = (2 * unit(random) - 1) * cloud.scale + cloud.offset;
    return values;
}

long double term_of(ColumnTerm term, double x, double y) {
    const long double apart = static_cast<long double>(x) - static_cast<long double>(y);
    return term == ColumnTerm::square     ? apart * apart
           : term == ColumnTerm::absolute ? std::abs(apart)
                                          : static_cast<long double>(x) * static_cast<long double>(y);
}

ColumnSums::LoadQuery loading(const std::vector<double> &asked, std::int64_t d) {
    return [&asked, d](std::int64_t query, std::span<double> values) {
        std::copy_n(asked.begin() + query * d, d, values.begin());
    };
}

// points: those of the columns. Calls take(query, point of those added up, sum, truth, sum of sizes) for each pair.
template <class Take>
void for_sums(ColumnSums &sums, const Cloud &cloud, ColumnTerm term, const std::vector<double> &points,
              const std::vector<double> &asked, Take take) {
    bmo::Watch watch;
    for (std::int64_t first = 0; first < cloud.n; first += sums.block_points()) {
        sums.add_up(first, watch);
        for (std::int64_t q = 0; q < cloud.queries; ++q) {
            const std::span<const double> of_query = sums.sums(q);
            assert_int_equal(of_query.size(), std::min(sums.block_points(), cloud.n - first));
            for (std::size_t p = 0; p < of_query.size(); ++p) {
                long double truth = 0, sizes = 0;
                for (std::int64_t j = 0; j < cloud.d; ++j) {
                    const long double value = term_of(term, points[static_cast<std::size_t>(j * cloud.n + first) + p],
                                                      asked[static_cast<std::size_t>(q * cloud.d + j)]);
                    truth += value;
                    sizes += std::abs(value);
                }
                take(q, p, of_query[p], truth, sizes);
            }
        }
    }
}

// Far from zero, too.
void sums_are_within_their_error(void **) {
    for (const Cloud &cloud : {Cloud{5, 1, 1, 1, 0}, Cloud{600, 7, 2, 1, 100}, Cloud{2100, 6, 1, 0x1p-10, 0},
                               Cloud{520, 70, 5, 0x1p20, 1e6}, Cloud{40, 1025, 20, 1, 1e12}}) {
        const std::vector<double> points = values_of(cloud, cloud.n, 1), asked = values_of(cloud, cloud.queries, 2);
        const std::vector<float> floats(points.begin(), points.end());
        const std::vector<double> rounded(floats.begin(), floats.end());
        const bmo::DenseView wide{BMO_F64, points.data(), cloud.n, cloud.d, 1, cloud.n},
            narrow{BMO_F32, floats.data(), cloud.n, cloud.d, 1, cloud.n};
        for (const ColumnTerm term : kTerms)
            for (const bmo::DenseView &view : {wide, narrow}) {
                const std::vector<double> &stored = view.dtype == BMO_F64 ? points : rounded;
                ColumnSums sums(view, term);
                const double scale = term == ColumnTerm::product ? 1 : 0.5;
                const long double unit = term == ColumnTerm::square ? 4 : term == ColumnTerm::absolute ? 2 : 1;
                double widest = 0;
                const auto load = loading(asked, cloud.d);
                const auto check = [&](std::int64_t q, std::size_t p, double sum, long double truth,
                                       long double sizes) {
                    const long double apart = std::abs(static_cast<long double>(sum) - truth / unit);
                    const double blur = sums.blur(q, p);
                    const long double size = std::max(sizes / unit, std::abs(static_cast<long double>(sum)));
                    assert_true(apart <= size * static_cast<long double>(sums.error()) +
                                             static_cast<long double>(sums.lost() + blur));
                    widest = std::max(widest, blur / static_cast<double>(sizes));
                };
                sums.take_doubles(cloud.queries, load, scale);
                for_sums(sums, cloud, term, stored, asked, check);
                assert_true(widest == 0 && sums.error() < 1e-13);
                if (term != ColumnTerm::absolute)
                    continue;
                sums.take_floats(cloud.queries, load, scale);
                for_sums(sums, cloud, term, stored, asked, check);
                assert_true(sums.error() < 1e-4 && (widest < 1e-3 || cloud.d <= 7));
            }
    }
}

// More coordinates than are added up in 32 bits at once.
void sums_of_bytes_are_exact(void **) {
    for (const Cloud &cloud : {Cloud{3, 2 * bmo::kTileChunk + 5, 2, 1, 0}, Cloud{700, 33, 3, 1, 0}}) {
        bmo::Xoshiro256pp random(3);
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(cloud.n * cloud.d));
        for (auto &value : bytes)
            value = random.below(3) == 0 ? 255 : 0;
        std::vector<double> asked(static_cast<std::size_t>(cloud.queries * cloud.d));
        for (double &value : asked)
            value = static_cast<double>(random.below(2) * 255);
        const std::vector<double> points(bytes.begin(), bytes.end());
        const bmo::DenseView view{BMO_U8, bytes.data(), cloud.n, cloud.d, 1, cloud.n};
        for (const ColumnTerm term : {ColumnTerm::square, ColumnTerm::absolute}) {
            ColumnSums sums(view, term);
            sums.take_bytes(cloud.queries, loading(asked, cloud.d));
            for_sums(sums, cloud, term, points, asked,
                     [](std::int64_t, std::size_t, double sum, long double truth, long double) {
                         assert_true(static_cast<long double>(sum) == truth);
                     });
        }
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(kernels_give_the_bits_of_plain_loops),
        cmocka_unit_test(columns_are_shifted_as_points),
        cmocka_unit_test(sums_are_within_their_error),
        cmocka_unit_test(sums_of_bytes_are_exact),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace column_sums_test

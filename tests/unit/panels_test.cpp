// The kernels of panels, on every instruction set, against plain sums: integers exactly, floats within the stated error.
#include "cmocka.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernel_tables.hpp"

namespace panels_test {

using bmo::kPanel;
using bmo::kPanelQueries;
using bmo::PanelTile;

constexpr std::int64_t kPanels = 3, kPoints = kPanels * kPanel, kStride = kPoints + 5;
constexpr std::int64_t kWidths[] = {1, 2, 7, 64, 256, 1000};
// Every remainder of what is taken at once.
constexpr std::int64_t kQueryCounts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 25, 31};

std::int64_t blocks(std::int64_t queries) {
    return (queries + kPanelQueries - 1) / kPanelQueries;
}

PanelTile tile_of(std::int64_t width, std::int64_t queries) {
    return {kPanels, queries, width, kPanel * width + 64, kPanelQueries * width + 24, kStride};
}

std::size_t of_point(const PanelTile &tile, std::int64_t p, std::int64_t j) {
    return static_cast<std::size_t>(p / kPanel * tile.panel + j * kPanel + p % kPanel);
}
std::size_t of_query(const PanelTile &tile, std::int64_t q, std::int64_t j) {
    return static_cast<std::size_t>(q / kPanelQueries * tile.block + j * kPanelQueries + q % kPanelQueries);
}

// Numbers from -levels to levels, the ends among them.
int drawn(bmo::Xoshiro256pp &random, int levels) {
    const auto draw = random.below(8);
    if (draw < 2)
        return draw == 0 ? levels : -levels;
    return static_cast<int>(random.below(static_cast<std::uint64_t>(2 * levels + 1))) - levels;
}

std::uint32_t word(const std::vector<int> &bytes, std::size_t at) {
    std::uint8_t four[4];
    for (std::size_t b = 0; b < 4; ++b)
        four[b] = static_cast<std::uint8_t>(bytes[4 * at + b]);
    std::uint32_t made;
    std::memcpy(&made, four, 4);
    return made;
}

void check_bytes(const Kernels &table, std::int64_t width, std::int64_t queries) {
    const PanelTile tile = tile_of(width, queries);
    bmo::Xoshiro256pp random(static_cast<std::uint64_t>(width * 100 + queries));
    std::vector<int> x(static_cast<std::size_t>(4 * kPanels * tile.panel)),
        y(static_cast<std::size_t>(4 * blocks(queries) * tile.block));
    for (int &value : x)
        value = drawn(random, 127) + 128;
    for (int &value : y)
        value = drawn(random, table.byte_levels);
    std::vector<std::uint32_t> points(x.size() / 4), asked(y.size() / 4);
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = word(x, i);
    for (std::size_t i = 0; i < asked.size(); ++i)
        asked[i] = word(y, i);
    std::vector<std::int32_t> sums(static_cast<std::size_t>((queries + 1) * kStride), 1000);
    table.panel_bytes(points.data(), asked.data(), tile, sums.data());
    for (std::int64_t q = 0; q <= queries; ++q)
        for (std::int64_t p = 0; p < kStride; ++p) {
            std::int64_t expected = 1000; // what was there is added to, and nothing else is touched
            for (std::int64_t j = 0; j < width && q < queries && p < kPoints; ++j)
                for (std::size_t b = 0; b < 4; ++b)
                    expected += x[4 * of_point(tile, p, j) + b] * y[4 * of_query(tile, q, j) + b];
            assert_int_equal(sums[static_cast<std::size_t>(q * kStride + p)], expected);
        }
}

void products_of_bytes_are_integers(void **) {
    for (const Kernels *table : tables()) {
        assert_true(table->byte_levels == 64 || table->byte_levels == 127);
        for (const std::int64_t queries : kQueryCounts)
            check_bytes(*table, 7, queries);
        for (const std::int64_t width : kWidths)
            check_bytes(*table, width, 13);
    }
}

// All at their ends, as wide as sums of 32 bits allow.
void the_largest_products_do_not_overflow(void **) {
    const std::int64_t width = 1 << 14;
    const PanelTile tile{1, 2, width, kPanel * width, kPanelQueries * width, kPanel};
    const std::vector<std::uint32_t> points(static_cast<std::size_t>(tile.panel), 0xffffffff);
    for (const Kernels *table : tables()) {
        std::vector<std::uint32_t> asked(static_cast<std::size_t>(tile.block));
        for (std::int64_t j = 0; j < width; ++j) {
            const auto least = static_cast<std::uint32_t>(static_cast<std::uint8_t>(-table->byte_levels));
            asked[of_query(tile, 0, j)] = 0x01010101U * static_cast<std::uint32_t>(table->byte_levels);
            asked[of_query(tile, 1, j)] = 0x01010101U * least;
        }
        std::vector<std::int32_t> sums(2 * kPanel);
        table->panel_bytes(points.data(), asked.data(), tile, sums.data());
        for (std::size_t p = 0; p < kPanel; ++p) {
            assert_int_equal(sums[p], 255 * 4 * width * table->byte_levels);
            assert_int_equal(sums[kPanel + p], -255 * 4 * width * table->byte_levels);
        }
    }
}

void check_floats(const Kernels &table, std::int64_t width, std::int64_t queries) {
    const PanelTile tile = tile_of(width, queries);
    bmo::Xoshiro256pp random(static_cast<std::uint64_t>(width * 100 + queries));
    const auto draw = [&] { return static_cast<float>(static_cast<double>(random.next() >> 40) * 0x1p-23 - 1); };
    std::vector<float> points(static_cast<std::size_t>(kPanels * tile.panel)),
        asked(static_cast<std::size_t>(blocks(queries) * tile.block));
    for (float &value : points)
        value = draw();
    for (float &value : asked)
        value = draw();
    std::vector<float> sums(static_cast<std::size_t>((queries + 1) * kStride), 0.5F);
    table.panel_floats(points.data(), asked.data(), tile, sums.data());
    const double rounded = static_cast<double>(width + 1) * 0x1p-24;
    for (std::int64_t q = 0; q <= queries; ++q)
        for (std::int64_t p = 0; p < kStride; ++p) {
            double expected = 0, sizes = 0;
            for (std::int64_t j = 0; j < width && q < queries && p < kPoints; ++j) {
                const double product = static_cast<double>(points[of_point(tile, p, j)]) *
                                       static_cast<double>(asked[of_query(tile, q, j)]);
                expected += product;
                sizes += std::abs(product);
            }
            const double found = static_cast<double>(sums[static_cast<std::size_t>(q * kStride + p)]) - 0.5;
            assert_true(std::abs(found - expected) <= (rounded / (1 - rounded) + 0x1p-24) * sizes + 0x1p-25);
            assert_true(sizes > 0 || found == 0);
        }
}

void products_of_floats_are_within_their_error(void **) {
    for (const Kernels *table : tables()) {
        for (const std::int64_t queries : kQueryCounts)
            check_floats(*table, 7, queries);
        for (const std::int64_t width : kWidths)
            check_floats(*table, width, 13);
    }
}

void rows_become_panels(void **) {
    for (const Kernels *table : tables())
        for (const std::int64_t width : {4, 8, 20, 256}) {
            const std::int64_t row = width + 3;
            std::vector<std::uint32_t> rows(static_cast<std::size_t>(kPanel * row)),
                panel(static_cast<std::size_t>(kPanel * width + 1), 7);
            for (std::size_t i = 0; i < rows.size(); ++i)
                rows[i] = static_cast<std::uint32_t>(1000 + i);
            table->interleave(rows.data(), row, width, panel.data());
            for (std::int64_t j = 0; j < width; ++j)
                for (std::int64_t i = 0; i < kPanel; ++i)
                    assert_int_equal(panel[static_cast<std::size_t>(j * kPanel + i)], 1000 + i * row + j);
            assert_int_equal(panel.back(), 7);
        }
}

template <class Value>
void check_transpose(bmo::TransposeKernel transpose, std::int64_t points, std::int64_t width) {
    const std::int64_t stride = points + 3, row = width + 5;
    std::vector<Value> columns(static_cast<std::size_t>(width * stride)),
        rows(static_cast<std::size_t>(points * row), 7);
    bmo::Xoshiro256pp random(9);
    for (Value &value : columns)
        value = static_cast<Value>(random.next());
    transpose(columns.data(), stride, points, width, rows.data(), row);
    for (std::int64_t i = 0; i < points; ++i)
        for (std::int64_t j = 0; j < row; ++j)
            assert_true(rows[static_cast<std::size_t>(i * row + j)] ==
                        (j < width ? columns[static_cast<std::size_t>(j * stride + i)] : 7));
}

void columns_become_rows(void **) {
    for (const Kernels *table : tables())
        for (const std::int64_t points : {1, 2, 31, 64, 130})
            for (const std::int64_t width : {1, 3, 4, 17, 64, 203}) {
                check_transpose<std::uint8_t>(table->transpose[0], points, width);
                check_transpose<std::uint16_t>(table->transpose[1], points, width);
                check_transpose<std::uint32_t>(table->transpose[2], points, width);
                check_transpose<std::uint64_t>(table->transpose[3], points, width);
            }
}

// Small whole numbers, so that all is exact and many are at the threshold.
template <class Sum, class Select>
void check_select(Select select) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    bmo::Xoshiro256pp random(5);
    for (int run = 0; run < 50; ++run) {
        std::vector<Sum> sums(kPoints);
        std::vector<double> base(kPoints), scale(kPoints), spread(kPoints), size(kPoints);
        for (std::size_t p = 0; p < kPoints; ++p) {
            sums[p] = static_cast<Sum>(drawn(random, 9));
            base[p] = random.below(20) == 0 ? (random.below(2) == 0 ? kInfinite : -kInfinite) : drawn(random, 9);
            scale[p] = drawn(random, 2);
            spread[p] = drawn(random, 2);
            size[p] = drawn(random, 2);
        }
        const bmo::PanelThreshold query{static_cast<double>(drawn(random, 2)), static_cast<double>(drawn(random, 2)),
                                        static_cast<double>(drawn(random, 2)),
                                        run % 10 == 0 ? kInfinite : static_cast<double>(drawn(random, 30) - 20)};
        std::vector<std::int32_t> expected, found(kPoints);
        for (std::size_t p = 0; p < kPoints; ++p)
            if (base[p] - scale[p] * query.factor * static_cast<double>(sums[p]) - spread[p] * query.by_spread -
                    size[p] * query.by_size <=
                query.threshold)
                expected.push_back(static_cast<std::int32_t>(p));
        const bmo::PanelTerms terms{base.data(), scale.data(), spread.data(), size.data()};
        found.resize(static_cast<std::size_t>(select(sums.data(), kPoints, terms, query, found.data())));
        assert_true(found == expected);
    }
}

void what_is_not_above_a_threshold_is_selected(void **) {
    for (const Kernels *table : tables()) {
        check_select<float>(table->select_floats);
        check_select<std::int32_t>(table->select_bytes);
    }
}

template <class T>
void check_shift(ValueType source, const std::vector<T> &from) {
    const auto count = static_cast<std::int64_t>(from.size());
    std::vector<double> middle(from.size());
    for (std::size_t j = 0; j < from.size(); ++j)
        middle[j] = static_cast<double>(j % 7) / 3;
    for (const Kernels *table : tables()) {
        std::vector<float> to(from.size());
        const bmo::Shifted found =
            table->shift[static_cast<std::size_t>(source)](from.data(), middle.data(), 0.3, count, to.data());
        double squares = 0, largest = 0;
        for (std::size_t j = 0; j < from.size(); ++j) {
            assert_true(to[j] == static_cast<float>(static_cast<double>(from[j]) * 0.3 - middle[j]));
            squares += static_cast<double>(to[j]) * static_cast<double>(to[j]);
            largest = std::max(largest, std::abs(static_cast<double>(to[j])));
        }
        assert_true(std::abs(found.squares - squares) <= 0x1p-22 * squares);
        assert_true(static_cast<double>(found.largest) == largest);
    }
}

void points_are_shifted_and_rounded_once(void **) {
    for (const std::int64_t count : {1, 7, 8, 15, 16, 17, 31, 33, 1000}) {
        bmo::Xoshiro256pp random(9);
        std::vector<double> wide(static_cast<std::size_t>(count));
        for (double &value : wide)
            value = static_cast<double>(random.next() >> 11) * 0x1p-50 - 4;
        check_shift(ValueType::f64, wide);
        check_shift(ValueType::f32, std::vector<float>(wide.begin(), wide.end()));
        std::vector<std::uint8_t> bytes(wide.size());
        for (auto &value : bytes)
            value = static_cast<std::uint8_t>(random.next());
        check_shift(ValueType::u8, bytes);
    }
}

void codes_are_the_nearest_whole_numbers(void **) {
    bmo::Xoshiro256pp random(11);
    for (const Kernels *table : tables())
        for (const std::int64_t count : {1, 3, 4, 8, 15, 16, 17, 33, 1023, 1024})
            for (const auto &[levels, bias] : {std::pair{127, 128}, std::pair{64, 0}, std::pair{127, 0}}) {
                std::vector<float> values(static_cast<std::size_t>(count));
                float largest = 0;
                for (float &value : values) {
                    value = static_cast<float>(static_cast<double>(random.next() >> 11) * 0x1p-50 - 4);
                    largest = std::max(largest, std::abs(value));
                }
                const float step = largest / static_cast<float>(levels);
                std::vector<std::uint8_t> codes(values.size() + 1, 99);
                bmo::CodeSums sums;
                table->code(values.data(), count, {step, 1 / step, levels, bias}, codes.data(), sums);
                double squares = 0, lost = 0, sizes = 0;
                std::int64_t numbers = 0;
                for (std::size_t j = 0; j < values.size(); ++j) {
                    const int number = bias ? codes[j] - bias : static_cast<std::int8_t>(codes[j]);
                    const double value = static_cast<double>(values[j]),
                                 rest = value - static_cast<double>(step) * number;
                    assert_true(std::abs(number) <= levels);
                    assert_true(std::abs(rest) <= (0.5 + 1e-4) * static_cast<double>(step));
                    squares += number * number;
                    numbers += number;
                    lost += rest * rest;
                    sizes += value * value;
                }
                assert_int_equal(codes.back(), 99);
                assert_true(sums.squares == squares && sums.numbers == numbers);
                assert_true(std::abs(std::sqrt(sums.lost) - std::sqrt(lost)) <=
                            0x1p-15 * std::sqrt(lost) + 0x1p-22 * std::sqrt(sizes));
            }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(products_of_bytes_are_integers),
        cmocka_unit_test(the_largest_products_do_not_overflow),
        cmocka_unit_test(products_of_floats_are_within_their_error),
        cmocka_unit_test(rows_become_panels),
        cmocka_unit_test(columns_become_rows),
        cmocka_unit_test(what_is_not_above_a_threshold_is_selected),
        cmocka_unit_test(points_are_shifted_and_rounded_once),
        cmocka_unit_test(codes_are_the_nearest_whole_numbers),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace panels_test

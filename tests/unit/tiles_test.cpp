// The kernels of tiles, on every instruction set, against plain sums: integers exactly, floats within the stated error.
#include "cmocka.hpp"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "simd/kernels.hpp"
#include "util/xoshiro.hpp"

namespace tiles_test {

using bmo::Kernels;
using bmo::Tile;

// Neither a multiple of what any instruction set takes at once, nor fewer.
constexpr std::int64_t kPoints = 13, kQueries = 11, kStride = 17;
constexpr std::int64_t kWidths[] = {64, 128, 1536, bmo::kTileChunk};

std::vector<const Kernels *> tables() {
    std::vector<const Kernels *> found;
    for (const char *name : {"scalar", "sse4", "avx2", "avx512", "avx512vnni", "neon"})
        if (const Kernels *table = bmo::kernels_named(name))
            found.push_back(table);
    return found;
}

Tile tile_of(std::int64_t width, std::int64_t points = kPoints, std::int64_t queries = kQueries) {
    return {points, queries, width + 64, width, kStride};
}

std::vector<std::uint8_t> bytes(std::int64_t count, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    std::vector<std::uint8_t> made(static_cast<std::size_t>(count));
    for (auto &value : made)
        value = static_cast<std::uint8_t>(random.next());
    return made;
}

std::vector<float> floats(std::int64_t count, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    std::vector<float> made(static_cast<std::size_t>(count));
    for (auto &value : made)
        value = static_cast<float>(static_cast<double>(random.next() >> 40) * 0x1p-23 - 1);
    return made;
}

// The sum over a pair's coordinates of term(x, y), from a start.
template <class Sum, class Element, class Term>
Sum pair_sum(const std::vector<Element> &points, const std::vector<Element> &queries, const Tile &tile, std::int64_t p,
             std::int64_t q, Term term) {
    Sum sum = 0;
    for (std::int64_t j = 0; j < tile.width; ++j)
        sum += term(points[static_cast<std::size_t>(p * tile.row + j)],
                    queries[static_cast<std::size_t>(q * tile.row + j)]);
    return sum;
}

std::int64_t byte_term(int kind, int x, int y) {
    return kind == 1 ? std::abs(x - y) : std::int64_t{x} * static_cast<std::int8_t>(y);
}

void check_bytes(const Kernels &table, const Tile &tile, const std::vector<std::uint8_t> &points,
                 const std::vector<std::uint8_t> &queries) {
    for (int kind = 0; kind < 2; ++kind) {
        std::vector<std::int64_t> sums(static_cast<std::size_t>(tile.points * kStride), 1000);
        table.tile_bytes[static_cast<std::size_t>(kind)](points.data(), queries.data(), tile, sums.data());
        for (std::int64_t p = 0; p < tile.points; ++p)
            for (std::int64_t q = 0; q < kStride; ++q) {
                std::int64_t expected = 1000; // what was there is added to, and nothing else is touched
                if (q < tile.queries)
                    expected += pair_sum<std::int64_t>(points, queries, tile, p, q,
                                                       [&](auto x, auto y) { return byte_term(kind, x, y); });
                assert_int_equal(sums[static_cast<std::size_t>(p * kStride + q)], expected);
            }
    }
}

void sums_of_bytes_are_integers(void **) {
    for (const std::int64_t width : kWidths) {
        const Tile tile = tile_of(width), one = tile_of(width, 1, 1);
        const auto points = bytes(kPoints * tile.row, 1), queries = bytes(kQueries * tile.row, 2);
        for (const Kernels *table : tables()) {
            check_bytes(*table, tile, points, queries);
            check_bytes(*table, one, points, queries);
        }
    }
}

void the_largest_bytes_do_not_overflow(void **) {
    const Tile tile = tile_of(bmo::kTileChunk, 1, 2);
    const std::vector<std::uint8_t> points(static_cast<std::size_t>(tile.row), 255);
    std::vector<std::uint8_t> queries(static_cast<std::size_t>(2 * tile.row), 128); // as signed: -128
    std::fill_n(queries.begin() + tile.row, tile.row, std::uint8_t{127});
    for (const Kernels *table : tables())
        check_bytes(*table, tile, points, queries);
}

void sums_of_floats_are_within_their_error(void **) {
    for (const std::int64_t width : kWidths) {
        const Tile tile = tile_of(width);
        const auto points = floats(kPoints * tile.row, 3), queries = floats(kQueries * tile.row, 4);
        const double error = (static_cast<double>(width) / 4 + 8) * 0x1p-24;
        for (const Kernels *table : tables())
            for (const bool products : {false, true}) {
                std::vector<double> sums(static_cast<std::size_t>(kPoints * kStride), 0.5);
                const auto kernel = products ? table->tile_products : table->tile_differences;
                kernel(points.data(), queries.data(), tile, sums.data());
                const auto term = [&](double x, double y) { return products ? x * y : std::abs(x - y); };
                for (std::int64_t p = 0; p < kPoints; ++p)
                    for (std::int64_t q = 0; q < kStride; ++q) {
                        const double sum = sums[static_cast<std::size_t>(p * kStride + q)] - 0.5;
                        const double expected = q < kQueries ? pair_sum<double>(points, queries, tile, p, q, term) : 0;
                        const double sizes =
                            q < kQueries ? pair_sum<double>(points, queries, tile, p, q,
                                                            [&](double x, double y) { return std::abs(term(x, y)); })
                                         : 0;
                        assert_true(std::abs(sum - expected) <= error * sizes + 1e-12);
                    }
            }
    }
}

// One order of 16 lanes, the products of each added up one after another.
void products_in_lanes_are_the_same_bits_everywhere(void **) {
    for (const std::int64_t width : kWidths) {
        const Tile tile = tile_of(width);
        const auto points = floats(kPoints * tile.row, 7), queries = floats(kQueries * tile.row, 8);
        for (const Kernels *table : tables()) {
            std::vector<double> sums(static_cast<std::size_t>(kPoints * kStride));
            table->tile_products(points.data(), queries.data(), tile, sums.data());
            for (std::int64_t p = 0; p < kPoints; ++p)
                for (std::int64_t q = 0; q < kQueries; ++q) {
                    float lane[16] = {};
                    for (std::int64_t j = 0; j < width; ++j)
                        lane[j % 16] += points[static_cast<std::size_t>(p * tile.row + j)] *
                                        queries[static_cast<std::size_t>(q * tile.row + j)];
                    for (std::size_t half = 8; half > 0; half /= 2)
                        for (std::size_t i = 0; i < half; ++i)
                            lane[i] += lane[i + half];
                    assert_true(sums[static_cast<std::size_t>(p * kStride + q)] == static_cast<double>(lane[0]));
                }
        }
    }
}

// The values, and their norms, of every type of source.
template <class T>
void check_center(bmo::ValueType source, const std::vector<T> &from) {
    const auto count = static_cast<std::int64_t>(from.size());
    std::vector<double> middle(from.size());
    for (std::size_t j = 0; j < from.size(); ++j)
        middle[j] = static_cast<double>(j % 7) / 3;
    const double scale = 0.125;
    for (const Kernels *table : tables())
        for (std::size_t kind = 0; kind < 2; ++kind) {
            std::vector<float> to(from.size());
            const double norm = table->center[static_cast<std::size_t>(source)][kind](from.data(), middle.data(), scale,
                                                                                      count, to.data());
            double expected = 0;
            for (std::size_t j = 0; j < from.size(); ++j) {
                assert_true(to[j] == static_cast<float>((static_cast<double>(from[j]) - middle[j]) * scale));
                const auto value = static_cast<double>(to[j]);
                expected += kind == 0 ? value * value : std::abs(value);
            }
            const double error = (static_cast<double>(count) / 4 + 8) * 0x1p-24;
            assert_true(std::abs(norm - expected) <= error * expected);
            std::vector<float> plain(from.size());
            assert_true(norm == bmo::kScalarKernels.center[static_cast<std::size_t>(source)][kind](
                                    from.data(), middle.data(), scale, count, plain.data()));
        }
}

void centerd_values_are_rounded_once(void **) {
    for (const std::int64_t count : {1, 7, 8, 15, 16, 17, 31, 33, 1000}) {
        const auto narrow = floats(count, 5);
        check_center(bmo::ValueType::f32, narrow);
        check_center(bmo::ValueType::f64, std::vector<double>(narrow.begin(), narrow.end()));
        check_center(bmo::ValueType::u8, bytes(count, 6));
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_bytes_are_integers),
        cmocka_unit_test(the_largest_bytes_do_not_overflow),
        cmocka_unit_test(sums_of_floats_are_within_their_error),
        cmocka_unit_test(products_in_lanes_are_the_same_bits_everywhere),
        cmocka_unit_test(centerd_values_are_rounded_once),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace tiles_test

// Bytes in columns, compared block by block: the kernels and the sums against plain loops over integers.
#include "cmocka.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "boxes/tiles/byte_blocks.hpp"
#include "kernel_tables.hpp"
#include "util/xoshiro.hpp"

namespace byte_blocks_test {

std::vector<std::uint8_t> drawn(std::int64_t count, bmo::Xoshiro256pp &random) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
    for (auto &byte : bytes) // often as far apart as can be
        byte = static_cast<std::uint8_t>(random.below(3) == 0 ? random.below(2) * 255 : random.below(256));
    return bytes;
}

std::int64_t term_of(bool square, std::int64_t x, std::int64_t y) {
    return square ? (x - y) * (x - y) : std::abs(x - y);
}

constexpr std::int64_t kStride = bmo::kBlockPoints + 7, kQueries = 5;

// The kernel's arguments, with query values as both terms take them.
struct Case {
    std::vector<std::uint8_t> columns, values;
    std::vector<std::int16_t> wide_values;
    std::int64_t points, width, queries;

    Case(std::int64_t points_, std::int64_t width_, std::int64_t queries_, bmo::Xoshiro256pp &random)
        : columns(drawn(width_ * kStride, random)), values(drawn(kQueries * bmo::kBlockColumns, random)),
          points(points_), width(width_), queries(queries_) {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (static_cast<std::int64_t>(i) % bmo::kBlockColumns >= width)
                values[i] = 0;
        wide_values.assign(values.begin(), values.end());
    }

    std::int64_t expected(bool square, std::int64_t q, std::int64_t i) const {
        std::int64_t sum = 0;
        for (std::int64_t j = 0; j < width; ++j) {
            const std::int64_t x = columns[static_cast<std::size_t>(j * kStride + i)];
            const std::int64_t y = values[static_cast<std::size_t>(q * bmo::kBlockColumns + j)];
            sum += term_of(square, x, y) - (square ? y * y : 0);
        }
        return sum;
    }
};

void check(const Kernels &table, bool square, const Case &with) {
    constexpr std::int32_t kBefore = 1000;
    constexpr std::int64_t kSums = bmo::kBlockPoints + bmo::kBlockStep;
    std::vector<std::int32_t> sums(kQueries * kSums, kBefore);
    std::vector<std::uint8_t> panels(bmo::kBlockPanels, 77);
    const void *values = square ? static_cast<const void *>(with.wide_values.data()) : with.values.data();
    table.add_byte_block[square ? 0 : 1](
        {with.columns.data(), kStride, with.points, with.width, 0, with.queries, kSums, panels.data()}, values,
        sums.data());
    const std::int64_t written = (with.points + bmo::kBlockStep - 1) / bmo::kBlockStep * bmo::kBlockStep;
    for (std::int64_t q = 0; q < kQueries; ++q)
        for (std::int64_t i = 0; i < kSums; ++i) {
            const std::int32_t sum = sums[static_cast<std::size_t>(q * kSums + i)];
            if (q < with.queries && i < with.points)
                assert_int_equal(sum, kBefore + with.expected(square, q, i));
            else if (q >= with.queries || i >= written)
                assert_int_equal(sum, kBefore);
        }
}

void kernels_add_what_plain_loops_add(void **) {
    bmo::Xoshiro256pp random(1);
    for (const std::int64_t points : {1, 15, 16, 17, 33, 64, 255, 256})
        for (const std::int64_t width : {1, 2, 7, 8, 9, 31, 127, 128})
            for (const std::int64_t queries : {1, 3, 4, 5}) {
                const Case with(points, width, queries, random);
                for (const Kernels *table : tables())
                    for (const bool square : {true, false})
                        check(*table, square, with);
            }
}

// More points than a block has, and more coordinates than are added up in 32 bits at once.
void sums_are_exact(void **) {
    struct Sizes {
        std::int64_t n, d, queries;
    };
    bmo::Xoshiro256pp random(2);
    for (const Sizes &sizes : {Sizes{3, 2 * bmo::kTileChunk + 5, 2}, Sizes{700, 33, 6}, Sizes{256, 300, 1}})
        for (const bool square : {true, false}) {
            const std::int64_t stride = sizes.n + 3;
            const std::vector<std::uint8_t> columns = drawn(stride * sizes.d, random);
            const std::vector<std::uint8_t> asked = drawn(sizes.queries * sizes.d, random);
            const bmo::DenseView points{BMO_U8, columns.data(), sizes.n, sizes.d, 1, stride};
            bmo::ByteBlocks blocks(points, square);
            bmo::Watch watch;
            blocks.take_queries(sizes.queries, [&](std::int64_t q, std::span<double> values) {
                std::copy_n(asked.begin() + q * sizes.d, sizes.d, values.begin());
            });
            for (std::int64_t first = 0; first < sizes.n; first += bmo::ByteBlocks::block_points()) {
                blocks.add_up(first, watch);
                for (std::int64_t q = 0; q < sizes.queries; ++q) {
                    const auto sums = blocks.sums(q);
                    assert_int_equal(sums.size(), std::min(bmo::ByteBlocks::block_points(), sizes.n - first));
                    for (std::size_t i = 0; i < sums.size(); ++i) {
                        std::int64_t sum = 0;
                        for (std::int64_t j = 0; j < sizes.d; ++j)
                            sum += term_of(square, columns[static_cast<std::size_t>(j * stride + first) + i],
                                           asked[static_cast<std::size_t>(q * sizes.d + j)]);
                        assert_int_equal(sums[i], sum);
                    }
                }
            }
        }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(kernels_add_what_plain_loops_add),
        cmocka_unit_test(sums_are_exact),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace byte_blocks_test

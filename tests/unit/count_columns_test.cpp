// Columns of counts: kernels of every instruction set and sums of many columns, against integers.
#include "cmocka.hpp"

#include <vector>

#include "boxes/sparse/count_columns.hpp"
#include "util/xoshiro.hpp"

namespace count_columns_test {

constexpr const char *kNames[] = {"scalar", "sse4", "avx2", "avx512", "avx512vnni", "neon"};

void kernels_add_products_and_lesser_ones(void **) {
    constexpr std::int64_t kCount = 5 * bmo::kColumnStep;
    bmo::Xoshiro256pp random(3);
    std::vector<std::uint8_t> column(kCount);
    std::vector<std::uint16_t> before(kCount);
    for (const int value : {0, 1, 7, 200, 255, 256, 257, 65535})
        for (const bool product : {true, false}) {
            const int most = product && value > 0 ? std::min(255, 65535 / value) : 255;
            for (std::size_t i = 0; i < kCount; ++i) {
                column[i] = static_cast<std::uint8_t>(random.below(static_cast<std::uint64_t>(most) + 1));
                const int term = product ? column[i] * value : std::min<int>(column[i], value);
                before[i] = static_cast<std::uint16_t>(random.below(static_cast<std::uint64_t>(65536 - term)));
            }
            for (const char *name : kNames)
                if (const bmo::Kernels *table = bmo::kernels_named(name)) {
                    std::vector<std::uint16_t> sums = before;
                    table->add_column[product ? 0 : 1](column.data(), kCount, static_cast<std::uint16_t>(value),
                                                       sums.data());
                    for (std::size_t i = 0; i < kCount; ++i)
                        assert_int_equal(sums[i] - before[i],
                                         product ? column[i] * value : std::min<int>(column[i], value));
                }
        }
}

struct Columns {
    bmo::CountColumns counts;
    std::vector<std::vector<int>> values; // by column

    // Rank 2 c has column c, and odd ranks have none.
    Columns(std::int64_t points, int columns) {
        bmo::Xoshiro256pp random(5);
        counts.points = points;
        counts.stride = (points + bmo::kColumnStep - 1) / bmo::kColumnStep * bmo::kColumnStep;
        counts.bytes.assign(static_cast<std::size_t>(counts.stride * columns), 0);
        for (int c = 0; c < columns; ++c) {
            const int largest = c % 3 == 0 ? 255 : 1 + c % 40;
            std::vector<int> column(static_cast<std::size_t>(points));
            for (std::size_t i = 0; i < column.size(); ++i) {
                column[i] = i == 7 ? largest : static_cast<int>(random.below(static_cast<std::uint64_t>(largest) + 1));
                counts.column(c)[i] = static_cast<std::uint8_t>(column[i]);
            }
            counts.largest.push_back(static_cast<std::uint8_t>(largest));
            counts.place.push_back(c);
            counts.place.push_back(-1);
            values.push_back(column);
        }
    }
};

// More points than are summed at a time, and sums far beyond 16 bits.
void sums_of_many_columns(void **) {
    constexpr int kColumns = 1500;
    const Columns columns(5000, kColumns);
    for (const bool square : {true, false}) {
        bmo::CountSums sums(columns.counts, square);
        std::vector<std::int64_t> expected(5000, 0);
        std::vector<double> found(5000, 0);
        for (int c = 0; c < kColumns; ++c) {
            const int value = 1 + c * 37 % 256;
            assert_true(sums.take(2 * c, value));
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const int x = columns.values[static_cast<std::size_t>(c)][i];
                expected[i] += square ? x * value : std::min(x, value);
            }
        }
        sums.add_up([&](std::int64_t arm, std::uint16_t sum) { found[static_cast<std::size_t>(arm)] += sum; });
        for (std::size_t i = 0; i < expected.size(); ++i)
            assert_true(found[i] == static_cast<double>(expected[i]));
        assert_true(*std::max_element(expected.begin(), expected.end()) > 65536);
        sums.clear();
        std::fill(found.begin(), found.end(), 0);
        sums.add_up([&](std::int64_t arm, std::uint16_t sum) { found[static_cast<std::size_t>(arm)] += sum; });
        assert_true(found == std::vector<double>(5000, 0));
    }
}

void what_is_no_sum_of_counts_is_left(void **) {
    const Columns columns(100, 2); // of counts up to 255 and up to 2
    bmo::CountSums lesser(columns.counts, false), products(columns.counts, true);
    for (const double value : {0.0, -1.0, 0.5, 1.5, -3.0}) {
        assert_false(lesser.take(0, value));
        assert_false(products.take(0, value));
    }
    assert_false(lesser.take(1, 1)); // a rank without a column
    assert_true(lesser.take(0, 1e15));
    assert_true(products.take(0, 257));
    assert_false(products.take(0, 258));
    assert_true(products.take(2, 32767));
    assert_false(products.take(2, 32768));
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(kernels_add_products_and_lesser_ones),
        cmocka_unit_test(sums_of_many_columns),
        cmocka_unit_test(what_is_no_sum_of_counts_is_left),
    };
    return cmocka_run_group_tests_name("count_columns", tests, nullptr, nullptr);
}

} // namespace count_columns_test

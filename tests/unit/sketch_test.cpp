// What random directions show: the law against published tables, and the sketches against the law.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "boxes/sketch/shown_share.hpp"
#include "boxes/sketch/sketch_basis.hpp"
#include "util/xoshiro.hpp"

namespace sketch_test {

bool near(double value, double expected, double relatively) {
    return std::abs(value - expected) <= relatively * std::abs(expected);
}

// Quantiles of F, as statistical tables print them: if X has the law F(a, b), then a X / (b + a X) has Beta(a / 2, b / 2).
void the_law_is_that_of_the_tables(void **) {
    static const struct {
        std::int64_t a, b;
        double level, quantile;
    } table[] = {{1, 1, 0.05, 161.4476}, {2, 10, 0.05, 4.1028},   {5, 2, 0.05, 19.2964},  {10, 20, 0.05, 2.3479},
                 {10, 20, 0.01, 3.3682}, {60, 120, 0.05, 1.4290}, {60, 60, 0.01, 1.8363}, {120, 120, 0.01, 1.5330}};
    for (const auto &line : table) {
        const double share = bmo::shown_share(line.a, line.a + line.b, line.level);
        const double quantile = static_cast<double>(line.b) * share / (static_cast<double>(line.a) * (1 - share));
        assert_true(near(quantile, line.quantile, 4e-5));
    }
}

// By the function beta.isf of SciPy 1.16.
void far_quantiles_are_those_of_another_engine(void **) {
    static const struct {
        std::int64_t directions, dimensions;
        double level, share;
    } table[] = {{8, 16, 1e-3, 0.9233454571731127},     {8, 1280, 1e-2, 0.015633626069788967},
                 {64, 1120, 1e-3, 0.0918730932714628},  {288, 1120, 1e-3, 0.31647155372133373},
                 {288, 1120, 1e-9, 0.3763318604400268}, {512, 4096, 0.04, 0.1380392182292257},
                 {1, 2, 0.5, 0.4999999999999999},       {320, 3000, 1e-30, 0.21952859061850336}};
    for (const auto &line : table) {
        const double share = bmo::shown_share(line.directions, line.dimensions, line.level);
        assert_true(share >= line.share * (1 - 1e-10)); // never below
        assert_true(near(share, line.share, 2e-6));     // a level that is lower by 1e-6
    }
    assert_true(bmo::shown_share(5, 5, 0.1) == 1); // all is shown
    assert_true(bmo::shown_share(5, 100, 1e-300) == 1);
}

// Points that are apart along a few coordinates, and hardly along the others.
bmo::PointSource few_directions(std::int64_t n, std::int64_t d) {
    return {n, d, [d](std::int64_t row, double *out) {
                bmo::Xoshiro256pp random(static_cast<std::uint64_t>(row) + 1);
                for (std::int64_t j = 0; j < d; ++j)
                    out[j] = (static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5) / static_cast<double>(1 + j);
            }};
}

double squared(const float *values, std::int64_t count) {
    double sum = 0;
    for (std::int64_t j = 0; j < count; ++j)
        sum += static_cast<double>(values[j]) * static_cast<double>(values[j]);
    return sum;
}

// Of the matrix M of a sketch, M M' has m eigenvalues w and T eigenvalues 1: it is a zero of (x - w) (x - 1).
void directions_are_orthonormal(void **) {
    bmo::Watch watch;
    for (const std::int64_t d : {1, 7, 60, 300}) {
        const bmo::SketchBasis basis(few_directions(90, d), 3, watch);
        bmo::SketchMap map(basis);
        const std::int64_t width = basis.width();
        std::vector<double> gram(static_cast<std::size_t>(width * width));
        for (std::int64_t j = 0; j < d; ++j) {
            std::fill_n(map.row(0), d, 0.0F);
            map.row(0)[j] = 1;
            map.map(1);
            for (std::int64_t p = 0; p < width; ++p)
                for (std::int64_t q = 0; q < width; ++q)
                    gram[static_cast<std::size_t>(p * width + q)] +=
                        static_cast<double>(map.sketch(0)[p]) * static_cast<double>(map.sketch(0)[q]);
        }
        double trace = 0;
        for (std::int64_t p = 0; p < width; ++p)
            trace += gram[static_cast<std::size_t>(p * width + p)];
        const auto leading = static_cast<double>(basis.leading()), drawn = static_cast<double>(basis.drawn());
        const double weight = basis.share(0.5);
        assert_true(near(trace, weight * leading + drawn, 1e-6));
        for (std::int64_t p = 0; p < width; ++p)
            for (std::int64_t q = 0; q < width; ++q) {
                double square = 0;
                for (std::int64_t r = 0; r < width; ++r)
                    square +=
                        gram[static_cast<std::size_t>(p * width + r)] * gram[static_cast<std::size_t>(r * width + q)];
                const bool empty = p >= basis.leading() + basis.drawn() || q >= basis.leading() + basis.drawn();
                const double one = p == q && !empty ? weight : 0;
                const double zero = square - (1 + weight) * gram[static_cast<std::size_t>(p * width + q)] + one;
                assert_true(std::abs(zero) < 1e-6);
            }
    }
}

// A vector's sketch is longer than b |y|^2 in at most a share `level` of all seeds: 6,000 seeds, three vectors, which are no friends
// of directions that the points lead along, and two levels. Each count is above its limit with probability 1e-7 at most.
void sketches_show_no_more_than_the_law_says(void **) {
    constexpr std::int64_t kSeeds = 6000, kD = 40;
    constexpr double kLevels[] = {0.2, 0.01};
    constexpr std::int64_t kMost[] = {1364, 104}; // quantiles of the binomials of 6,000
    std::int64_t above[3][2] = {};
    bmo::Watch watch;
    for (std::int64_t seed = 0; seed < kSeeds; ++seed) {
        const bmo::SketchBasis basis(few_directions(30, kD), seed, watch);
        bmo::SketchMap map(basis);
        for (std::int64_t v = 0; v < 3; ++v)
            for (std::int64_t j = 0; j < kD; ++j)
                map.row(v)[j] = v == 0 ? static_cast<float>(j == kD - 1) : v == 1 ? 1.0F : static_cast<float>(j == 0);
        map.map(3);
        for (std::int64_t v = 0; v < 3; ++v)
            for (std::size_t l = 0; l < 2; ++l)
                above[v][l] +=
                    squared(map.sketch(v), basis.width()) > basis.share(kLevels[l]) * squared(map.row(v), kD);
    }
    for (const auto &of_vector : above)
        for (std::size_t l = 0; l < 2; ++l)
            assert_true(of_vector[l] <= kMost[l]);
}

// What a sketch is off by is within the bound: against the same matrix, read off it, in double.
void rounding_is_bounded(void **) {
    constexpr std::int64_t kD = 700;
    bmo::Watch watch;
    const bmo::SketchBasis basis(few_directions(50, kD), 1, watch);
    bmo::SketchMap map(basis), unit(basis);
    bmo::Xoshiro256pp random(5);
    std::vector<double> expected(static_cast<std::size_t>(basis.width()));
    for (std::int64_t j = 0; j < kD; ++j) {
        map.row(0)[j] = static_cast<float>(random.next() >> 40) * 0x1p-24F - 0.5F;
        std::fill_n(unit.row(0), kD, 0.0F);
        unit.row(0)[j] = 1;
        unit.map(1);
        for (std::size_t q = 0; q < expected.size(); ++q)
            expected[q] += static_cast<double>(unit.sketch(0)[q]) * static_cast<double>(map.row(0)[j]);
    }
    map.map(1);
    double apart = 0;
    for (std::size_t q = 0; q < expected.size(); ++q)
        apart += std::pow(static_cast<double>(map.sketch(0)[q]) - expected[q], 2);
    assert_true(std::sqrt(apart) <= basis.error() * std::sqrt(squared(map.row(0), kD)));
    assert_true(basis.error() < 1e-3);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_law_is_that_of_the_tables), cmocka_unit_test(far_quantiles_are_those_of_another_engine),
        cmocka_unit_test(directions_are_orthonormal),    cmocka_unit_test(sketches_show_no_more_than_the_law_says),
        cmocka_unit_test(rounding_is_bounded),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace sketch_test
